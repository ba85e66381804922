package policy

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// world is a small universe, so that random rules meet random questions often.
type world struct{ rnd *rand.Rand }

func pick[T any](w world, from ...T) T { return from[w.rnd.IntN(len(from))] }

var (
	worldTenants = []string{"acme", "acme-2"}
	worldNames   = []string{"a", "A", "a@x.example"}
	worldRoles   = []string{"r1", "r2", "r3"}
	worldModules = []string{ModuleConsole, ModuleSales, ModuleSupport}
	worldCats    = []string{CatHealth, CatWork, CatTurns, AreaPeople, AreaMemory, "attr:budget", "attr:notes", "attr:unnamed"}
	worldActs    = []string{ActRecall, ActMemoryRead, ActAttributeRead, ActAttributeWrite, ActPeopleRead, ActTurnRead}
)

func (w world) subject() string {
	switch w.rnd.IntN(3) {
	case 0:
		return UserSubject(pick(w, worldNames...))
	case 1:
		return AgentSubject(pick(w, worldNames...))
	}
	return RoleSubject(pick(w, worldRoles...))
}

func (w world) orAny(s string) string {
	if w.rnd.IntN(5) < 2 {
		return Any
	}
	return s
}

func (w world) rules() []Rule {
	rules := []Rule{Allow(w.subject(), pick(w, worldTenants...), Any, CatWork, ActRecall)}
	for range 8 + w.rnd.IntN(40) {
		tenant := pick(w, worldTenants...)
		if w.rnd.IntN(3) == 0 {
			// Circles too: the store may hold what Apply would have refused.
			if sub, role := w.subject(), RoleSubject(pick(w, worldRoles...)); sub != role {
				rules = append(rules, Link(sub, role, tenant))
			}
			continue
		}
		r := Allow(w.subject(), tenant, w.orAny(pick(w, worldModules...)), w.orAny(pick(w, worldCats[:7]...)), w.orAny(pick(w, worldActs...)))
		if w.rnd.IntN(6) == 0 {
			r.Eft = EffectDeny
		}
		rules = append(rules, r)
	}
	return uniqueRules(rules)
}

// principal is most often one whom some rule may know.
func (w world) principal() Principal {
	p := Principal{Kind: pick(w, KindUser, KindAgent), ID: pick(w, worldNames...), Tenant: pick(w, worldTenants...), Module: pick(w, worldModules[1:]...)}
	switch w.rnd.IntN(12) {
	case 0:
		p.Kind = pick(w, KindSubject, KindSystem, KindRole, "")
	case 1:
		p.ID = pick(w, "r1", "unknown", "", "*", "a, acme", "user:a")
	case 2:
		p.Tenant = pick(w, "", "none", "*", "ACME")
	case 3:
		p.Module = pick(w, "", "other", ModuleConsole, Any, "Sales")
	}
	return p
}

func TestMatrixEqualsCasbin(t *testing.T) {
	t.Parallel()
	policies, questions := 400, 60
	if testing.Short() {
		policies = 50
	}
	seed := rand.Uint64()
	w := world{rand.New(rand.NewPCG(seed, 1))}
	outcomes := map[bool]int{}
	for n := range policies {
		rules := w.rules()
		e, err := New(t.Context(), newStore(rules...), Options{})
		if err != nil {
			t.Fatalf("seed %d, policy %d: %v", seed, n, err)
		}
		for range questions {
			p, cat, act := w.principal(), pick(w, worldCats...), pick(w, worldActs...)
			// A malformed question is an error there and a no here.
			slow, _ := e.Enforce(p, cat, act)
			if fast := e.Can(p, cat, act); fast != slow {
				t.Fatalf("seed %d, policy %d: %+v %s %s: matrix %v, Casbin %v\n%v", seed, n, p, cat, act, fast, slow, rules)
			}
			key, category := pick(w, "budget", "notes", "unnamed", "not a key"), pick(w, CatHealth, CatWork, AreaPeople, "nothing")
			slowAttr, _ := e.EnforceAttr(p, key, category, act)
			if fast := e.CanAttr(p, key, category, act); fast != slowAttr {
				t.Fatalf("seed %d, policy %d: %+v attr %s in %s, %s: matrix %v, Casbin %v\n%v", seed, n, p, key, category, act, fast, slowAttr, rules)
			}
			outcomes[slow]++
			outcomes[slowAttr]++
		}
	}
	// A test in which everything is denied would prove nothing.
	if all := outcomes[true] + outcomes[false]; outcomes[true] < all/25 || outcomes[false] < all/25 {
		t.Errorf("seed %d: the questions are lopsided: %v", seed, outcomes)
	}
	t.Logf("allowed %d, denied %d", outcomes[true], outcomes[false])
}

func TestMatrixFollowsRolesAsFarAsCasbin(t *testing.T) {
	t.Parallel()
	for depth := maxHops - 2; depth <= maxHops+2; depth++ {
		rules := []Rule{Link(UserSubject("u"), RoleSubject("l1"), acme)}
		for i := 1; i < depth; i++ {
			rules = append(rules, Link(RoleSubject(fmt.Sprintf("l%d", i)), RoleSubject(fmt.Sprintf("l%d", i+1)), acme))
		}
		rules = append(rules, Allow(RoleSubject(fmt.Sprintf("l%d", depth)), acme, ModuleConsole, AreaAudit, ActAuditRead))
		e, _, _ := newEngine(t, rules...)
		agree(t, e, staff("u"), AreaAudit, ActAuditRead, depth <= maxHops)
	}
}

func TestDefaultsAnswerAlikeOnBothPaths(t *testing.T) {
	t.Parallel()
	e, _, _ := newEngine(t, withStaff()...)
	var people []Principal
	for _, role := range Roles() {
		people = append(people, staff(role))
	}
	for _, module := range Modules() {
		people = append(people, agent(module, module))
	}
	cats := append(append(DataCategories(), Areas()...), "attr:budget_range", "attr:internal_notes", "attr:city")
	for _, p := range people {
		for _, cat := range cats {
			for _, act := range Actions() {
				if !MakesSense(cat, act) {
					continue
				}
				slow, err := e.Enforce(p, cat, act)
				if fast := e.Can(p, cat, act); err != nil || fast != slow {
					t.Errorf("%s: %s %s: matrix %v, Casbin %v (%v)", p.ID, cat, act, fast, slow, err)
				}
			}
		}
	}
}

func BenchmarkCan(b *testing.B) {
	e, err := New(b.Context(), newStore(withStaff()...), Options{})
	if err != nil {
		b.Fatal(err)
	}
	p := agent(ModuleSales, ModuleSales)
	b.ReportAllocs()
	for b.Loop() {
		_ = e.Can(p, CatWork, ActRecall)
	}
}

func TestCanDoesNotAllocate(t *testing.T) {
	e, _, _ := newEngine(t, withStaff()...)
	p := agent(ModuleSales, ModuleSales)
	if n := testing.AllocsPerRun(100, func() {
		_ = e.Can(p, CatWork, ActRecall)
		_ = e.CanAttr(p, "budget_range", CatFinance, ActAttributeRead)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
