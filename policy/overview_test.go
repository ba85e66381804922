package policy

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhoCanRead(t *testing.T) {
	t.Parallel()
	rules := append(withStaff(),
		Allow(AgentSubject("bot"), acme, ModuleSales, AttrCategory("salary"), ActAttributeRead),
		Allow(AgentSubject("anywhere"), acme, Any, CatHealth, ActRecall),
		Allow(UserSubject("dora"), acme, ModuleConsole, CatHealth, ActMemoryReveal),
		// Any and the console: one line, since staff act in the console alone.
		Allow(UserSubject("dora"), acme, Any, CatHealth, ActMemoryReveal), Allow(UserSubject("finn"), acme, Any, CatHealth, ActReviewOpen),
		Deny(UserSubject("eve"), acme, ModuleConsole, Any, Any), AssignRole(acme, "eve", RoleAdmin),
		Allow(AgentSubject("cross"), acme, ModuleConsole, Any, Any),
		Allow(AgentSubject("foreign"), "beta", ModuleSales, CatHealth, ActRecall),
	)
	e, _, _ := newEngine(t, rules...)
	role := func(name string, acts ...string) Grantee {
		return Grantee{Holder{KindRole, name, ModuleConsole}, acts}
	}
	bot := func(name, module string, acts ...string) Grantee {
		return Grantee{Holder{KindAgent, name, module}, acts}
	}
	for _, tc := range []struct {
		claim, category, key string
		want                 []Grantee
	}{
		{"health is seen by few", CatHealth, "", []Grantee{
			role(RoleAdmin, ActMemoryReveal, ActReviewOpen), role(RoleCompliance, ActMemoryReveal),
			{Holder{KindUser, "dora", ModuleConsole}, []string{ActMemoryReveal}},
			{Holder{KindUser, "finn", Any}, []string{ActReviewOpen}},
			bot("anywhere", Any, ActRecall), bot(ModuleAssistant, ModuleAssistant, ActRecall, ActMemoryRead),
		}},
		{"restricted by no agent", CatRestricted, "", []Grantee{role(RoleAdmin, ActMemoryReveal, ActReviewOpen), role(RoleCompliance, ActMemoryReveal)}},
		{"turns by agents as turns", CatTurns, "", []Grantee{
			role(RoleAdmin, ActMemoryReveal, ActReviewOpen), role(RoleCompliance, ActMemoryReveal),
			bot(ModuleAssistant, ModuleAssistant, ActRecall, ActTurnRead), bot(ModuleSales, ModuleSales, ActRecall, ActTurnRead), bot(ModuleSupport, ModuleSupport, ActRecall, ActTurnRead),
		}},
		{"a key by whom it is granted to besides", CatFinance, "salary", []Grantee{
			role(RoleAdmin, ActAttributeReveal, ActReviewOpen), role(RoleCompliance, ActAttributeReveal),
			bot(ModuleAssistant, ModuleAssistant, ActAttributeRead), bot("bot", ModuleSales, ActAttributeRead),
		}},
		{"a denied key not by the denied", CatWork, "internal_notes", []Grantee{
			role(RoleAdmin, ActAttributeReveal, ActReviewOpen), role(RoleCompliance, ActAttributeReveal), role(RoleReviewer, ActAttributeReveal, ActReviewOpen),
			bot(ModuleAssistant, ModuleAssistant, ActAttributeRead), bot(ModuleSupport, ModuleSupport, ActAttributeRead),
		}},
		{"an area isn't remembered", AreaPeople, "", nil},
		{"an unknown category by nobody", "secrets", "", nil},
	} {
		t.Run(tc.claim, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, e.WhoCanRead(acme, tc.category, tc.key)); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("agents are named exactly as the engine decides", func(t *testing.T) {
		t.Parallel()
		for _, category := range DataCategories() {
			named := map[string]bool{}
			for _, g := range e.WhoCanRead(acme, category, "") {
				if g.Kind == KindAgent {
					named[g.Name] = true
				}
			}
			for _, p := range []Principal{agent(ModuleSales, ModuleSales), agent(ModuleSupport, ModuleSupport), agent(ModuleAssistant, ModuleAssistant), agent("anywhere", "any-module"), agent("bot", ModuleSales)} {
				can := e.Can(p, category, ActRecall) || e.Can(p, category, ActMemoryRead) || e.Can(p, category, ActTurnRead)
				if can != named[p.ID] {
					t.Errorf("%s in %s: named %v, may %v", p.ID, category, named[p.ID], can)
				}
			}
		}
	})
}

func TestOverviewShowsWhatIsDecided(t *testing.T) {
	t.Parallel()
	e, _, _ := newEngine(t,
		Allow(RoleSubject("clerk"), acme, ModuleConsole, AreaAudit, ActAuditRead), AssignRole(acme, "ann", "clerk"),
		Allow(AgentSubject("bot"), acme, ModuleSales, CatWork, ActRecall), Allow(AgentSubject("bot"), acme, ModuleSales, AttrCategory("budget"), ActAttributeRead),
		Deny(AgentSubject("bot"), acme, ModuleSales, CatWork, ActMemoryRead), Allow(AgentSubject("bot"), acme, ModuleSales, CatWork, ActMemoryRead),
		Allow(RoleSubject("x"), "beta", ModuleConsole, AreaAudit, ActAuditRead),
	)
	want := []Line{
		{Holder{KindRole, "clerk", ModuleConsole}, []Cell{{Category: AreaAudit, Allowed: []string{ActAuditRead}}}},
		{Holder{KindUser, "ann", ModuleConsole}, []Cell{{Category: AreaAudit, Allowed: []string{ActAuditRead}}}},
		{Holder{KindAgent, "bot", ModuleSales}, []Cell{
			{Category: CatWork, Allowed: []string{ActRecall}, Denied: []string{ActMemoryRead}},
			{Category: "attr:budget", Allowed: []string{ActAttributeRead}},
		}},
	}
	if diff := cmp.Diff(want, e.Overview(acme)); diff != "" {
		t.Error(diff)
	}
	if got := e.Overview("nowhere"); got != nil {
		t.Errorf("an unknown tenant has %v", got)
	}
}

func TestGrantsAndAssignments(t *testing.T) {
	t.Parallel()
	e, _, _ := newEngine(t, readAudit, isClerk, other, Link(RoleSubject("clerk"), RoleSubject("base"), acme),
		Allow(RoleSubject("base"), acme, ModuleConsole, AreaPolicy, ActPolicyRead), Deny(UserSubject("ann"), acme, Any, AreaPolicy, ActPolicyWrite),
		Allow(UserSubject("ann"), "beta", Any, Any, Any))
	ann := []Grant{
		{"role:base", ModuleConsole, AreaPolicy, ActPolicyRead, EffectAllow},
		{"role:clerk", ModuleConsole, AreaAudit, ActAuditRead, EffectAllow},
		{"user:ann", Any, AreaPolicy, ActPolicyWrite, EffectDeny},
	}
	if diff := cmp.Diff(ann, e.GrantsOf(staff("ann"))); diff != "" {
		t.Errorf("of ann: %s", diff)
	}
	if got := e.GrantsOf(Principal{Kind: KindRole, ID: "clerk", Tenant: acme}); got != nil {
		t.Errorf("of a role posing as a principal: %v", got)
	}
	if got := e.Grants(acme); len(got) != 4 {
		t.Errorf("%d grants: %v", len(got), got)
	}
	if diff := cmp.Diff([]Assignment{{"role:clerk", "base"}, {"user:ann", "clerk"}}, e.Assignments(acme)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"base", "clerk"}, e.Roles(staff("ann"))); diff != "" {
		t.Error(diff)
	}
	t.Run("what is handed out is a copy", func(t *testing.T) {
		e.Rules(acme)[0] = Rule{}
		e.Roles(staff("ann"))[0] = "admin"
		if e.Rules(acme)[0] == (Rule{}) || e.Roles(staff("ann"))[0] == "admin" {
			t.Error("a caller can change the policy in force")
		}
	})
}

func TestPrincipalTravelsInTheContext(t *testing.T) {
	t.Parallel()
	if _, ok := From(t.Context()); ok {
		t.Error("somebody is signed in")
	}
	p := staff("ann")
	if got, ok := From(With(t.Context(), p)); !ok || got.ID != "ann" {
		t.Errorf("%+v, %v", got, ok)
	}
}
