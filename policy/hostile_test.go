package policy

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// hostile are strings that mean something to Casbin, its CSV form, SQL, patterns
// or people, and must never mean anything here.
var hostile = []string{
	"*", "agent:*", "user:*", "role:*", "a*", "*a", ":", "a:b", "user:ann", "role:admin", "a,b", "a, acme, *, *, *, allow", "a\nb", "p, x",
	"\n", "\r", "\x00", " ann", "ann ", "a b", "ann\u00a0", "ann\u200b", "аnn", "ＡＮＮ", "ann'--", `"`, "`", "$1", "%", "_%", "(", ".*", "^", "|",
	"r.sub", "p.sub == p.sub", "true", "eval(true)", "../x", "a/b", "\\", strings.Repeat("a", 200), "\xff", "",
}

func TestHostileRulesAreRefused(t *testing.T) {
	t.Parallel()
	// Where a hostile string is a plain word, it is well formed and inert.
	plainID := map[string]bool{"r.sub": true, "true": true}
	for _, h := range hostile {
		rules := map[string]Rule{
			"user":      Allow(UserSubject(h), acme, ModuleConsole, AreaAudit, ActAuditRead),
			"agent":     Allow(AgentSubject(h), acme, ModuleSales, CatWork, ActRecall),
			"role":      Allow(RoleSubject(h), acme, ModuleConsole, AreaAudit, ActAuditRead),
			"subject":   Allow(h, acme, ModuleConsole, AreaAudit, ActAuditRead),
			"tenant":    Allow(RoleSubject("x"), h, ModuleConsole, AreaAudit, ActAuditRead),
			"module":    Allow(RoleSubject("x"), acme, h, AreaAudit, ActAuditRead),
			"category":  Allow(RoleSubject("x"), acme, ModuleConsole, h, ActAuditRead),
			"key":       Allow(RoleSubject("x"), acme, ModuleConsole, AttrCategory(h), ActAttributeRead),
			"action":    Allow(RoleSubject("x"), acme, ModuleConsole, AreaAudit, h),
			"effect":    {Ptype: PtypePolicy, Sub: RoleSubject("x"), Dom: acme, Mod: Any, Cat: Any, Act: Any, Eft: h},
			"type":      {Ptype: h, Sub: RoleSubject("x"), Dom: acme, Mod: Any, Cat: Any, Act: Any, Eft: EffectAllow},
			"linked":    Link(h, RoleSubject("x"), acme),
			"link":      Link(UserSubject("ann"), h, acme),
			"link role": Link(UserSubject("ann"), RoleSubject(h), acme),
			"link cat":  {Ptype: PtypeLink, Sub: UserSubject("ann"), Mod: RoleSubject("x"), Dom: acme, Cat: h, Act: "x"},
		}
		for field, r := range rules {
			switch {
			case plainID[h] && (field == "user" || field == "agent" || field == "role" || field == "key" || field == "link role"):
				continue
			case h == Any && (field == "module" || field == "category" || field == "action"):
				continue // the one pattern there is
			case h == "true" && (field == "tenant" || field == "module"):
				continue
			case (h == "user:ann" || h == "role:admin") && (field == "subject" || field == "linked" || field == "link"):
				if field == "link" && h == "user:ann" {
					break // a user is no role
				}
				continue
			}
			if err := checkRule(r); !errors.Is(err, ErrInvalid) {
				t.Errorf("%s %q: %v", field, h, err)
			}
		}
	}
}

// Whatever a caller calls itself, it gets no more than a stranger.
func TestHostilePrincipalsGetNothing(t *testing.T) {
	t.Parallel()
	rules := append(withStaff(), Allow(UserSubject("ann"), acme, Any, Any, Any), Allow(AgentSubject("ann"), acme, Any, Any, Any),
		Allow(RoleSubject("a"), acme, Any, Any, Any), AssignRole(acme, "boss", "a"))
	e, _, _ := newEngine(t, rules...)
	for _, h := range hostile {
		for _, p := range []Principal{
			{Kind: KindUser, ID: h, Tenant: acme}, {Kind: KindAgent, ID: h, Tenant: acme, Module: ModuleSales},
			{Kind: KindUser, ID: "ann", Tenant: h}, {Kind: Kind(h), ID: "ann", Tenant: acme, Module: ModuleConsole},
			{Kind: KindUser, ID: h, Tenant: acme, Roles: []string{RoleAdmin, "a"}}, {Kind: KindRole, ID: "a", Tenant: acme, Module: ModuleConsole},
			{Kind: "role:a", ID: "", Tenant: acme, Module: ModuleConsole}, {Kind: "", ID: UserSubject("ann"), Tenant: acme},
		} {
			for _, q := range [][2]string{{AreaAudit, ActAuditRead}, {CatWork, ActRecall}, {CatHealth, ActMemoryReveal}} {
				if slow, _ := e.Enforce(p, q[0], q[1]); slow || e.Can(p, q[0], q[1]) || e.CanAttr(p, "city", CatWork, q[1]) {
					t.Errorf("%+v: %v is allowed", p, q)
				}
			}
		}
		if e.CanAttr(staff("ann"), h, CatWork, ActAttributeRead) && !isName(h, maxKeyLen) {
			t.Errorf("the malformed key %q is allowed", h)
		}
	}
}

func TestAgentCanNotActAsConsole(t *testing.T) {
	t.Parallel()
	e, _, _ := newEngine(t, append(withStaff(), Link(AgentSubject("bot"), RoleSubject(RoleAdmin), acme))...)
	for _, module := range []string{ModuleConsole, Any, "", ModuleSales} {
		for _, act := range Actions() {
			if cats := e.Categories(agent("bot", module), act); cats != nil {
				t.Errorf("module %q: %s on %v", module, act, cats)
			}
		}
	}
}

func TestRolesOfTheSessionDecideNothing(t *testing.T) {
	t.Parallel()
	e, _, _ := newEngine(t, withStaff()...)
	p := staff("new")
	p.Roles = []string{RoleAdmin}
	agree(t, e, p, AreaPolicy, ActPolicyWrite, false)
}

func TestErrorsShowBoundedInput(t *testing.T) {
	t.Parallel()
	err := checkRule(Allow(strings.Repeat("x", 10_000), acme, Any, Any, Any))
	if err == nil || len(err.Error()) > 200 {
		t.Errorf("err has %d bytes", len(fmt.Sprint(err)))
	}
}

func FuzzCheckRule(f *testing.F) {
	f.Add("p", "user:ann", "acme", "console", "audit", "audit.read", "allow")
	f.Add("g", "user:ann", "acme", "role:admin", "", "", "")
	f.Add("p", "role:*", "acme", "*", "attr:*", "*", "deny")
	f.Fuzz(func(t *testing.T, ptype, sub, dom, mod, cat, act, eft string) {
		r := Rule{Ptype: ptype, Sub: sub, Dom: dom, Mod: mod, Cat: cat, Act: act, Eft: eft}
		if checkRule(r) != nil {
			return
		}
		if strings.ContainsAny(sub+dom+mod+cat+act+eft, ", \t\r\n\"'#") {
			t.Errorf("accepted %q", r)
		}
		if strings.Contains(sub+dom+eft, "*") || strings.Contains(mod, "*") && (mod != Any || ptype == PtypeLink) || strings.Contains(cat, "*") && cat != Any || strings.Contains(act, "*") && act != Any {
			t.Errorf("a star passed in %q", r)
		}
	})
}
