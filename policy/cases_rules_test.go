package policy

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCase_C15_DuplicateRefusesTheWholeBatch(t *testing.T) {
	t.Parallel()
	fresh := Allow(RoleSubject("clerk"), acme, ModuleConsole, AreaPolicy, ActPolicyRead)
	for name, c := range map[string]Change{
		"of a stored rule":          {Add: []Rule{fresh, readAudit}},
		"within the batch":          {Add: []Rule{fresh, fresh}},
		"removed and added":         {Add: []Rule{readAudit}, Remove: []Rule{readAudit}},
		"removed twice":             {Add: []Rule{fresh}, Remove: []Rule{readAudit, readAudit}},
		"removed without existing":  {Add: []Rule{fresh}, Remove: []Rule{other}},
		"of two tenants":            {Add: []Rule{fresh, Allow(RoleSubject("clerk"), "beta", ModuleConsole, AreaAudit, ActAuditRead)}},
		"removed of another tenant": {Add: []Rule{fresh}, Remove: []Rule{Link(UserSubject("x"), RoleSubject("y"), "beta")}},
		"with a reason too long":    {Add: []Rule{fresh}, Reason: strings.Repeat("x", maxReasonLen+1)},
		"of nothing":                {},
		"that removes the last":     {Remove: []Rule{readAudit}},
		"that makes a circle":       {Add: []Rule{Link(RoleSubject("a"), RoleSubject("b"), acme), Link(RoleSubject("b"), RoleSubject("a"), acme)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, store, _ := newEngine(t, readAudit, isClerk)
			before, version := store.all(), e.Version()
			if err := e.Apply(t.Context(), c); !errors.Is(err, ErrInvalid) {
				t.Errorf("err = %v, want ErrInvalid", err)
			}
			if diff := cmp.Diff(before, store.all()); diff != "" {
				t.Errorf("the store changed: %s", diff)
			}
			if diff := cmp.Diff(before, e.Rules(acme)); diff != "" || e.Version() != version {
				t.Errorf("the engine changed: %s", diff)
			}
		})
	}
	t.Run("every fault is named with its place", func(t *testing.T) {
		e, _, _ := newEngine(t, readAudit, isClerk)
		err := e.Apply(t.Context(), Change{Add: []Rule{readAudit, fresh, Allow("nobody", acme, Any, Any, Any)}})
		if err == nil || !strings.Contains(err.Error(), "add[0]: ") || !strings.Contains(err.Error(), "add[2]: ") || strings.Contains(err.Error(), "add[1]: ") {
			t.Errorf("err = %v", err)
		}
	})
}

func TestCase_C17_MalformedQuestionIsDenied(t *testing.T) {
	t.Parallel()
	all := Allow(RoleSubject("root"), acme, Any, Any, Any)
	e, _, _ := newEngine(t, all, AssignRole(acme, "ann", "root"), Link(AgentSubject("bot"), RoleSubject("root"), acme))
	agree(t, e, staff("ann"), AreaAudit, ActAuditRead, true)
	for _, bad := range []string{"", "/", "*", " ", "audit ", "audit,audit.read", "..", "attr:", "attr:*", "attr:a b", "attr:/", "AUDIT", "审计", "a\nb", "a\x00"} {
		for name, q := range map[string]struct {
			p        Principal
			cat, act string
		}{
			"category": {staff("ann"), bad, ActAuditRead},
			"action":   {staff("ann"), AreaAudit, bad},
			"tenant":   {Principal{Kind: KindUser, ID: "ann", Tenant: bad}, AreaAudit, ActAuditRead},
			"user":     {staff(bad), AreaAudit, ActAuditRead},
			"kind":     {Principal{Kind: Kind(bad), ID: "ann", Tenant: acme, Module: ModuleConsole}, AreaAudit, ActAuditRead},
			"module":   {agent("bot", bad), AreaAudit, ActAuditRead},
		} {
			// A user may be called almost anything, and is then unknown.
			if got, err := e.Enforce(q.p, q.cat, q.act); got || name != "user" && !errors.Is(err, ErrInvalid) {
				t.Errorf("%s %q: Casbin %v, %v", name, bad, got, err)
			}
			if e.Can(q.p, q.cat, q.act) {
				t.Errorf("%s %q: the matrix allows", name, bad)
			}
		}
	}
}

func TestCase_C18_DenyWinsOverEveryAllow(t *testing.T) {
	t.Parallel()
	const (
		none = iota
		allow
		deny
	)
	for _, tc := range []struct {
		own, role, above int
		want             bool
	}{
		{none, none, none, false},
		{allow, none, none, true},
		{none, allow, none, true},
		{none, none, allow, true},
		{allow, allow, allow, true},
		{deny, none, none, false},
		{deny, allow, allow, false},
		{allow, deny, allow, false},
		{allow, allow, deny, false},
		{none, none, deny, false},
	} {
		rules := []Rule{other, AssignRole(acme, "ann", "clerk"), Link(RoleSubject("clerk"), RoleSubject("above"), acme)}
		for sub, effect := range map[string]int{UserSubject("ann"): tc.own, RoleSubject("clerk"): tc.role, RoleSubject("above"): tc.above} {
			switch effect {
			case allow:
				rules = append(rules, Allow(sub, acme, Any, Any, Any))
			case deny:
				rules = append(rules, Deny(sub, acme, ModuleConsole, AreaAudit, ActAuditRead))
			}
		}
		e, _, _ := newEngine(t, rules...)
		agree(t, e, staff("ann"), AreaAudit, ActAuditRead, tc.want)
	}
	t.Run("and the effect is the one that does this", func(t *testing.T) {
		if effectExpr != "some(where (p.eft == allow)) && !some(where (p.eft == deny))" {
			t.Errorf("effect = %q", effectExpr)
		}
	})
}

func TestCase_C19_RoleInOneTenantGivesNothingInAnother(t *testing.T) {
	t.Parallel()
	rules := append(withStaff(), DefaultRules("beta")...)
	rules = append(rules, AssignRole("beta", "bea", RoleAdmin))
	e, _, _ := newEngine(t, rules...)
	admin := staff(RoleAdmin)
	agree(t, e, admin, AreaPolicy, ActPolicyWrite, true)
	for _, tenant := range []string{"beta", "acm", "acme-2", "", "*", "ACME"} {
		admin.Tenant = tenant
		for _, cat := range append(DataCategories(), Areas()...) {
			for _, act := range Actions() {
				if e.Can(admin, cat, act) {
					t.Errorf("tenant %q: %s %s is allowed", tenant, cat, act)
				}
			}
		}
		if got, _ := e.Enforce(admin, AreaPolicy, ActPolicyWrite); got || e.Roles(admin) != nil {
			t.Errorf("tenant %q: Casbin allows, roles %v", tenant, e.Roles(admin))
		}
	}
}

func TestCase_C21_DeleteRoleLeavesNothingOfIt(t *testing.T) {
	t.Parallel()
	rules := []Rule{
		other, readAudit, isClerk, AssignRole(acme, "bob", "junior"),
		Link(RoleSubject("junior"), RoleSubject("clerk"), acme), Link(RoleSubject("clerk"), RoleSubject("other"), acme),
		Allow(RoleSubject("clerk"), "beta", ModuleConsole, AreaAudit, ActAuditRead), AssignRole("beta", "ann", "clerk"),
	}
	e, store, _ := newEngine(t, rules...)
	agree(t, e, staff("bob"), AreaAudit, ActAuditRead, true)
	if err := e.DeleteRole(t.Context(), acme, "clerk", "closed"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"ann", "bob"} {
		agree(t, e, staff(name), AreaAudit, ActAuditRead, false)
	}
	for _, r := range store.all() {
		if r.Dom == acme && (r.Sub == RoleSubject("clerk") || r.Mod == RoleSubject("clerk")) {
			t.Errorf("left over: %s", r)
		}
	}
	agree(t, e, Principal{Kind: KindUser, ID: "ann", Tenant: "beta"}, AreaAudit, ActAuditRead, true)
	if err := e.DeleteRole(t.Context(), acme, "clerk", "again"); !errors.Is(err, ErrInvalid) {
		t.Errorf("deleting it again: %v", err)
	}
	t.Run("also of a rule added meanwhile", func(t *testing.T) {
		e, store, _ := newEngine(t, other, readAudit, isClerk)
		late := Allow(RoleSubject("clerk"), acme, ModuleConsole, AreaPolicy, ActPolicyRead)
		raced := false
		store.onChange = func(context.Context) error {
			if !raced {
				raced = true
				store.set(append(store.all(), late)...)
			}
			return nil
		}
		if err := e.DeleteRole(t.Context(), acme, "clerk", "closed"); err != nil {
			t.Fatal(err)
		}
		if slices.Contains(store.all(), late) || !raced {
			t.Error("the late rule survived")
		}
	})
}

// C22 ends by the test's own timeout when it deadlocks.
func TestCase_C22_CallbackMayChangeThePolicy(t *testing.T) {
	t.Parallel()
	store := newStore(readAudit, isClerk)
	var e *Engine
	calls := 0
	opts := Options{OnChange: func(uint64) {
		calls++
		if calls == 1 {
			apply(t, e, Change{Add: []Rule{other}})
			if err := e.Refresh(t.Context()); err != nil {
				t.Error(err)
			}
		}
	}}
	e, err := New(t.Context(), store, opts)
	if err != nil {
		t.Fatal(err)
	}
	apply(t, e, Change{Remove: []Rule{isClerk}})
	if calls != 2 || !slices.Contains(e.Rules(acme), other) {
		t.Errorf("%d calls, rules %v", calls, e.Rules(acme))
	}
}

func TestCase_M31_AgentWithoutGrantsReadsNothing(t *testing.T) {
	t.Parallel()
	e, _, _ := newEngine(t, append(withStaff(), AgentRules(acme, "lost", "nowhere")...)...)
	for name, p := range map[string]Principal{
		"unknown agent": agent("ghost", ModuleSales), "agent of an unknown module": agent("lost", "nowhere"),
		"agent in another module": agent(ModuleSales, ModuleSupport), "nobody": {},
		"a person": {Kind: KindSubject, ID: "x", Subject: "x", Tenant: acme}, "the program": {Kind: KindSystem, ID: "job", Tenant: acme},
	} {
		for _, act := range Actions() {
			if cats := e.Categories(p, act); cats != nil || e.CanAny(p, act) {
				t.Errorf("%s: %s on %v", name, act, cats)
			}
		}
		if e.CanAttr(p, "budget_range", CatFinance, ActAttributeRead) {
			t.Errorf("%s reads an attribute", name)
		}
	}
}
