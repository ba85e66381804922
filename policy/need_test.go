package policy

import (
	"regexp"
	"testing"
)

func TestAdmits(t *testing.T) {
	t.Parallel()
	e, _, _ := newEngine(t, append(withStaff(),
		// A rule with a star over modules must not carry anybody over the border.
		Allow(UserSubject("wide"), acme, Any, Any, Any), Allow(AgentSubject("wide"), acme, Any, Any, Any))...)
	callers := map[string]Principal{
		"nobody": {}, "admin": staff(RoleAdmin), "auditor": staff(RoleAuditor), "sales": agent(ModuleSales, ModuleSales), "stranger": agent("x", "x"),
		"person": {Kind: KindSubject, ID: "p", Subject: "p", Tenant: acme}, "job": {Kind: KindSystem, ID: "job", Tenant: acme},
		"wide user": staff("wide"), "wide agent": agent("wide", ModuleSupport), "fake console": agent("wide", ModuleConsole),
	}
	for name, tc := range map[string]struct {
		need Need
		want []string
	}{
		"the zero need":          {Need{}, nil},
		"a need made by hand":    {Need{Module: ModuleConsole, Category: AreaAudit, Action: ActAuditRead}, nil},
		"public":                 {Public("the start page"), []string{"nobody", "admin", "auditor", "sales", "stranger", "person", "job", "wide user", "wide agent", "fake console"}},
		"public without reason":  {Public(""), nil},
		"self":                   {Self(ActPortalRead), []string{"person"}},
		"self, unknown action":   {Self("portal.fly"), nil},
		"staff":                  {Staff(ActConsoleOpen), []string{"admin", "auditor", "wide user"}},
		"staff, unknown action":  {Staff(ActPolicyWrite), nil},
		"a console page":         {Console(AreaAudit, ActAuditRead), []string{"admin", "auditor", "wide user"}},
		"a console change":       {Console(AreaPolicy, ActPolicyWrite), []string{"admin", "wide user"}},
		"a console nonsense":     {Console(AreaAudit, ActPolicyWrite), nil},
		"an agent's call":        {Agent(AreaPeople, ActPortalLink), []string{"sales", "wide agent"}},
		"of one module":          {AgentIn(ModuleSales, AreaPeople, ActPortalLink), []string{"sales"}},
		"of a malformed module":  {AgentIn("", AreaPeople, ActPortalLink), nil},
		"an agent's call by row": {AgentByRows(ActRecall), []string{"sales", "stranger", "wide agent"}},
		"by row, unknown action": {AgentByRows("dance"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			admitted := map[string]bool{}
			for _, who := range tc.want {
				admitted[who] = true
			}
			for who, p := range callers {
				if got := e.Admits(p, tc.need); got != admitted[who] {
					t.Errorf("%s: %v, want %v", who, got, admitted[who])
				}
			}
			if len(tc.want) > 0 != tc.need.Valid() {
				t.Errorf("Valid() = %v", tc.need.Valid())
			}
		})
	}
	t.Run("a person without a tenant or subject is nobody", func(t *testing.T) {
		for _, p := range []Principal{{Kind: KindSubject, Subject: "p"}, {Kind: KindSubject, ID: "p", Tenant: acme}} {
			if e.Admits(p, Self(ActPortalRead)) {
				t.Errorf("%+v is admitted", p)
			}
		}
	})
}

func TestNeedString(t *testing.T) {
	t.Parallel()
	for want, need := range map[string]Need{
		"nobody": {}, "public: health": Public("health"), "self subject.wipe": Self(ActSubjectWipe), "staff session.end": Staff(ActSessionEnd),
		"console audit audit.read": Console(AreaAudit, ActAuditRead), "* people portal.link": Agent(AreaPeople, ActPortalLink), "* by rows recall": AgentByRows(ActRecall),
	} {
		if got := need.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestVocabulary(t *testing.T) {
	t.Parallel()
	dotted := regexp.MustCompile(`^[a-z]+\.[a-z_]+$`)
	seen := map[string]bool{}
	for _, act := range Actions() {
		if !dotted.MatchString(act) && act != ActRecall || seen[act] {
			t.Errorf("action %q", act)
		}
		seen[act] = true
		meaning := 0
		for _, cat := range append(append(DataCategories(), Areas()...), AttrCategory("k")) {
			if MakesSense(cat, act) {
				meaning++
			}
		}
		if meaning == 0 {
			t.Errorf("%s has no meaning anywhere", act)
		}
	}
	for _, list := range [][]string{SelfActions(), StaffActions()} {
		once := map[string]bool{}
		for _, act := range list {
			if !dotted.MatchString(act) || once[act] {
				t.Errorf("action %q", act)
			}
			once[act] = true
		}
	}
	cats := map[string]bool{}
	for _, cat := range append(DataCategories(), Areas()...) {
		if cats[cat] {
			t.Errorf("category %q stands twice", cat)
		}
		cats[cat] = true
	}
	if !IsDataCategory(CatRestricted) || IsDataCategory(AreaPeople) || IsDataCategory("attr:x") || IsDataCategory("") {
		t.Error("IsDataCategory is wrong")
	}
	t.Run("the lists handed out are copies", func(t *testing.T) {
		Actions()[0], DataCategories()[0], Areas()[0], SelfActions()[0], StaffActions()[0] = "x", "x", "x", "x", "x"
		if Actions()[0] == "x" || DataCategories()[0] == "x" || Areas()[0] == "x" || SelfActions()[0] == "x" || StaffActions()[0] == "x" {
			t.Error("a caller can change the vocabulary")
		}
	})
}
