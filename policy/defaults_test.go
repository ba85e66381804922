package policy

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

// A star grants what nobody has thought of yet, so each one is looked at.
func TestStarRulesOfTheDefaultsAreThoseAgreed(t *testing.T) {
	t.Parallel()
	var stars []string
	for _, r := range DefaultRules(acme) {
		if r.Mod == Any || r.Cat == Any || r.Act == Any {
			stars = append(stars, r.String())
		}
	}
	slices.Sort(stars)
	got := strings.Join(stars, "\n") + "\n"
	const golden = "testdata/star_rules.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("rules with a star changed (go test ./policy -update, then look at it):\n%s", diff)
	}
}

func TestDefaultRulesAreAcceptedAsOneChange(t *testing.T) {
	t.Parallel()
	if err := checkChange(nil, Change{Add: withStaff()}); err != nil {
		t.Error(err)
	}
}

func TestDefaultsGrantWhatTheDesignSays(t *testing.T) {
	t.Parallel()
	e, _, _ := newEngine(t, withStaff()...)
	sales, support, own := agent(ModuleSales, ModuleSales), agent(ModuleSupport, ModuleSupport), agent(ModuleAssistant, ModuleAssistant)
	for _, tc := range []struct {
		claim    string
		p        Principal
		cat, act string
		want     bool
	}{
		{"an admin runs the policy", staff(RoleAdmin), AreaPolicy, ActPolicyWrite, true},
		{"an admin decides about delicate candidates", staff(RoleAdmin), CatHealth, ActReviewDecide, true},
		{"an admin doesn't open audit payloads", staff(RoleAdmin), AreaAudit, ActAuditReveal, false},
		{"an admin doesn't release holds", staff(RoleAdmin), AreaErasure, ActHoldRelease, false},
		{"a reviewer decides about everyday candidates", staff(RoleReviewer), CatWork, ActReviewDecide, true},
		{"a reviewer doesn't open delicate candidates", staff(RoleReviewer), CatHealth, ActReviewOpen, false},
		{"a reviewer doesn't open what has no category", staff(RoleReviewer), CatRestricted, ActMemoryReveal, false},
		{"a reviewer doesn't wipe", staff(RoleReviewer), AreaPeople, ActSubjectWipe, false},
		{"compliance wipes", staff(RoleCompliance), AreaPeople, ActSubjectWipe, true},
		{"compliance holds", staff(RoleCompliance), AreaErasure, ActHoldPlace, true},
		{"compliance corrects nothing", staff(RoleCompliance), CatWork, ActMemoryWrite, false},
		{"compliance changes no policy", staff(RoleCompliance), AreaPolicy, ActPolicyWrite, false},
		{"an auditor reads the log", staff(RoleAuditor), AreaAudit, ActAuditRead, true},
		{"an auditor opens nothing of it", staff(RoleAuditor), AreaAudit, ActAuditReveal, false},
		{"an operator doesn't list people", staff(RoleOperator), AreaPeople, ActPeopleRead, false},
		{"sales recalls what it sells by", sales, CatOrder, ActRecall, true},
		{"sales never recalls health", sales, CatHealth, ActRecall, false},
		{"sales doesn't wipe", sales, AreaPeople, ActSubjectWipe, false},
		{"support passes on a person's wish to be forgotten", support, AreaPeople, ActSubjectWipe, true},
		{"the assistant recalls health", own, CatHealth, ActRecall, true},
		{"an agent writes what has no category", sales, CatRestricted, ActMemoryWrite, true},
		{"an agent doesn't read it again", sales, CatRestricted, ActRecall, false},
		{"an agent doesn't open the console", support, AreaAudit, ActAuditRead, false},
	} {
		t.Run(tc.claim, func(t *testing.T) { agree(t, e, tc.p, tc.cat, tc.act, tc.want) })
	}
	t.Run("an auditor only reads", func(t *testing.T) {
		for _, act := range Actions() {
			for _, cat := range append(DataCategories(), Areas()...) {
				if IsAdminAction(act) && e.Can(staff(RoleAuditor), cat, act) {
					t.Errorf("%s %s", cat, act)
				}
			}
		}
	})
	t.Run("an operator opens nothing even with another role", func(t *testing.T) {
		e, _, _ := newEngine(t, append(withStaff(), AssignRole(acme, RoleOperator, RoleAdmin))...)
		if got := e.Categories(staff(RoleOperator), ActMemoryReveal); got != nil {
			t.Errorf("opens %v", got)
		}
		if !e.Can(staff(RoleOperator), AreaPolicy, ActPolicyWrite) {
			t.Error("the admin role gives nothing: the test proves nothing")
		}
	})
	t.Run("no agent reads restricted", func(t *testing.T) {
		for _, p := range []Principal{sales, support, own} {
			for _, act := range []string{ActRecall, ActMemoryRead, ActAttributeRead} {
				if slices.Contains(e.Categories(p, act), CatRestricted) {
					t.Errorf("%s: %s", p.ID, act)
				}
			}
		}
	})
}

func TestCanAttr(t *testing.T) {
	t.Parallel()
	bot := AgentSubject("bot")
	base := []Rule{other, Allow(bot, acme, ModuleSales, CatWork, ActAttributeRead)}
	key := func(eft string) Rule {
		r := Allow(bot, acme, ModuleSales, AttrCategory("budget"), ActAttributeRead)
		r.Eft = eft
		return r
	}
	for _, tc := range []struct {
		claim, key, category string
		rules                []Rule
		want                 bool
	}{
		{"the category's grant is enough", "plan", CatWork, nil, true},
		{"without a grant there is nothing", "plan", CatFinance, nil, false},
		{"the key's grant is enough", "budget", CatFinance, []Rule{key(EffectAllow)}, true},
		{"it is of that key alone", "plan", CatFinance, []Rule{key(EffectAllow)}, false},
		{"a deny of the key wins over the category", "budget", CatWork, []Rule{key(EffectDeny)}, false},
		{"a deny of the category wins over the key", "budget", CatFinance, []Rule{key(EffectAllow), Deny(bot, acme, ModuleSales, CatFinance, ActAttributeRead)}, false},
		{"a deny of everything wins over the key", "budget", CatFinance, []Rule{key(EffectAllow), Deny(bot, acme, Any, Any, ActAttributeRead)}, false},
		{"a deny of another action doesn't count", "budget", CatFinance, []Rule{key(EffectAllow), Deny(bot, acme, Any, Any, ActAttributeWrite)}, true},
		{"a star reaches keys that no rule names", "anything", CatFinance, []Rule{Allow(bot, acme, ModuleSales, Any, ActAttributeRead)}, true},
		{"a malformed key is refused in spite of a grant", "Internal Notes", CatWork, nil, false},
		{"a category that isn't one of data is refused", "budget", AreaAttribute, []Rule{key(EffectAllow)}, false},
		{"an unknown category is refused", "budget", "secrets", []Rule{key(EffectAllow)}, false},
	} {
		t.Run(tc.claim, func(t *testing.T) {
			t.Parallel()
			e, _, _ := newEngine(t, append(slices.Clone(base), tc.rules...)...)
			p := agent("bot", ModuleSales)
			slow, _ := e.EnforceAttr(p, tc.key, tc.category, ActAttributeRead)
			if fast := e.CanAttr(p, tc.key, tc.category, ActAttributeRead); fast != tc.want || slow != tc.want {
				t.Errorf("matrix %v, Casbin %v, want %v", fast, slow, tc.want)
			}
		})
	}
	t.Run("the sales agent writes budget_range and never reads internal_notes", func(t *testing.T) {
		e, _, _ := newEngine(t, withStaff()...)
		sales := agent(ModuleSales, ModuleSales)
		if !e.CanAttr(sales, "budget_range", CatFinance, ActAttributeWrite) {
			t.Error("it may not write budget_range")
		}
		for _, category := range DataCategories() {
			if e.CanAttr(sales, "internal_notes", category, ActAttributeRead) {
				t.Errorf("it reads internal_notes in %s", category)
			}
		}
	})
}

func TestGrantRulesReachTheAgentInItsModuleAlone(t *testing.T) {
	t.Parallel()
	rules := GrantRules(acme, "bot", "concierge",
		Access{Categories: []string{CatWork, CatHealth}, Actions: []string{ActRecall}},
		Access{Categories: []string{CatWork}, Actions: []string{ActRecall, ActMemoryRead}},
		Access{Categories: []string{AttrCategory("internal_notes")}, Actions: []string{ActAttributeRead}, Deny: true},
	)
	if err := checkChange(nil, Change{Add: rules}); err != nil || len(rules) != 4 {
		t.Fatalf("%d rules, %v", len(rules), err)
	}
	e, _, _ := newEngine(t, rules...)
	agree(t, e, agent("bot", "concierge"), CatHealth, ActRecall, true)
	agree(t, e, agent("bot", ModuleSales), CatHealth, ActRecall, false)
	agree(t, e, agent("bot2", "concierge"), CatHealth, ActRecall, false)
	agree(t, e, agent("bot", "concierge"), AttrCategory("internal_notes"), ActAttributeRead, false)
}
