package policy

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var (
	readAudit = Allow(RoleSubject("clerk"), acme, ModuleConsole, AreaAudit, ActAuditRead)
	isClerk   = AssignRole(acme, "ann", "clerk")
	// other keeps the policy from being empty when a test takes its rules away.
	other   = Allow(RoleSubject("other"), acme, ModuleConsole, AreaAudit, ActAuditRead)
	errDown = errors.New("database is away")
)

func down(context.Context) error { return errDown }

func TestCase_C1_DenyAfterAllowDeniesAtOnce(t *testing.T) {
	t.Parallel()
	e, _, _ := newEngine(t, readAudit, isClerk)
	agree(t, e, staff("ann"), AreaAudit, ActAuditRead, true)
	apply(t, e, Change{Add: []Rule{Deny(UserSubject("ann"), acme, ModuleConsole, AreaAudit, ActAuditRead)}})
	agree(t, e, staff("ann"), AreaAudit, ActAuditRead, false)
}

func TestCase_C2_EmptiedPolicyDeniesEverything(t *testing.T) {
	t.Parallel()
	e, store, _ := newEngine(t, withStaff()...)
	store.set()
	if err := e.Refresh(t.Context()); !errors.Is(err, ErrNoPolicy) {
		t.Fatalf("err = %v, want ErrNoPolicy", err)
	}
	for _, cat := range append(DataCategories(), Areas()...) {
		for _, act := range Actions() {
			agree(t, e, staff(RoleAdmin), cat, act, false)
			agree(t, e, agent(ModuleSupport, ModuleSupport), cat, act, false)
		}
	}
	if s := e.Status(); !s.Stale || !errors.Is(s.Err, ErrNoPolicy) {
		t.Errorf("status = %+v, want stale with ErrNoPolicy", s)
	}
	t.Run("and stays so while the version stays", func(t *testing.T) {
		if err := e.Refresh(t.Context()); !errors.Is(err, ErrNoPolicy) {
			t.Errorf("err = %v", err)
		}
	})
	t.Run("until a change mends it", func(t *testing.T) {
		apply(t, e, Change{Add: []Rule{readAudit, isClerk}})
		agree(t, e, staff("ann"), AreaAudit, ActAuditRead, true)
	})
}

func TestCase_C3_ReplacedRoleLinksLeaveNoOldAnswer(t *testing.T) {
	t.Parallel()
	e, _, _ := newEngine(t, readAudit, isClerk)
	for range 20 {
		agree(t, e, staff("ann"), AreaAudit, ActAuditRead, true)
		agree(t, e, staff("bob"), AreaAudit, ActAuditRead, false)
		apply(t, e, Change{Remove: []Rule{isClerk}, Add: []Rule{AssignRole(acme, "bob", "clerk")}})
		agree(t, e, staff("ann"), AreaAudit, ActAuditRead, false)
		agree(t, e, staff("bob"), AreaAudit, ActAuditRead, true)
		apply(t, e, Change{Remove: []Rule{AssignRole(acme, "bob", "clerk")}, Add: []Rule{isClerk}})
	}
}

// C5: the store flips between two policies, in each of which exactly one of two
// actions is allowed. A mixture would allow both or none.
func TestCase_C5_NoPartOfAPolicyIsEverInUse(t *testing.T) {
	t.Parallel()
	one := []Rule{isClerk, readAudit}
	two := []Rule{isClerk, Allow(RoleSubject("clerk"), acme, ModuleConsole, AreaPolicy, ActPolicyRead)}
	e, store, _ := newEngine(t, one...)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				m := e.Matrix()
				if a, b := m.Can(staff("ann"), AreaAudit, ActAuditRead), m.Can(staff("ann"), AreaPolicy, ActPolicyRead); a == b {
					t.Errorf("a mixture is in use: audit %v, policy %v", a, b)
					return
				}
			}
		})
		wg.Go(func() {
			for range 100 {
				if err := e.Refresh(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for n := range 300 {
		store.set([][]Rule{one, two}[n%2]...)
	}
	for range 20 {
		if err := e.Refresh(t.Context()); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	wg.Wait()
}

func TestCase_C6_C23_ChecksUnderWritersNeverRace(t *testing.T) {
	t.Parallel()
	e, _, _ := newEngine(t, other)
	var readers, writers sync.WaitGroup
	stop := make(chan struct{})
	for range 3 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if _, err := e.Explain(staff("ann"), AreaAudit, ActAuditRead); err != nil {
					t.Error(err)
				}
				e.Can(staff("ann"), AreaAudit, ActAuditRead)
				e.Overview(acme)
				e.Status()
			}
		})
	}
	for _, role := range []string{"w1", "w2"} {
		writers.Go(func() {
			rules := []Rule{Allow(RoleSubject(role), acme, ModuleConsole, AreaAudit, ActAuditRead), AssignRole(acme, "ann", role)}
			for range 40 {
				for _, c := range []Change{{Add: rules}, {Remove: rules}} {
					// Losing to the other writer too often is an answer, too.
					for err := e.Apply(t.Context(), c); err != nil; err = e.Apply(t.Context(), c) {
						if !errors.Is(err, ErrConflict) {
							t.Error(err)
							return
						}
					}
				}
			}
		})
	}
	writers.Wait()
	close(stop)
	readers.Wait()
	agree(t, e, staff("ann"), AreaAudit, ActAuditRead, false)
}

func TestCase_C7_SlowWriteStopsNoCheck(t *testing.T) {
	t.Parallel()
	e, store, _ := newEngine(t, readAudit, isClerk)
	entered, leave := make(chan struct{}), make(chan struct{})
	store.onChange = func(context.Context) error { close(entered); <-leave; return nil }
	done := make(chan error, 1)
	go func() {
		done <- e.Apply(context.WithoutCancel(t.Context()), Change{Remove: []Rule{readAudit}, Add: []Rule{other}})
	}()
	<-entered
	// These return while the write hangs, or the test never ends.
	agree(t, e, staff("ann"), AreaAudit, ActAuditRead, true)
	close(leave)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	agree(t, e, staff("ann"), AreaAudit, ActAuditRead, false)
}

func TestCase_C9_FailedReloadKeepsTheOldPolicyAndSaysSo(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*memStore){
		"the version can't be read": func(s *memStore) { s.onVersion = down },
		"the rules can't be read":   func(s *memStore) { s.onLoad = down },
		"a rule is malformed":       func(s *memStore) { s.set(readAudit, isClerk, Rule{Ptype: "p", Sub: "*", Dom: acme}) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, store, _ := newEngine(t, readAudit, isClerk)
			version := e.Version()
			store.set(other)
			spoil(store)
			if err := e.Refresh(t.Context()); err == nil {
				t.Fatal("the refresh succeeded")
			}
			agree(t, e, staff("ann"), AreaAudit, ActAuditRead, true)
			s := e.Status()
			if e.Version() != version || !s.Stale || s.Failures != 1 || s.Err == nil {
				t.Errorf("version %d → %d, status %+v", version, e.Version(), s)
			}
			store.onVersion, store.onLoad = nil, nil
			store.set(other)
			if err := e.Refresh(t.Context()); err != nil {
				t.Fatal(err)
			}
			agree(t, e, staff("ann"), AreaAudit, ActAuditRead, false)
			if s := e.Status(); s.Stale || s.Err != nil {
				t.Errorf("status after recovery = %+v", s)
			}
		})
	}
}

func TestCase_C10_NoPolicyDeniesAndRefusesToStart(t *testing.T) {
	t.Parallel()
	for name, rules := range map[string][]Rule{"no rule at all": nil, "role links alone": {isClerk}} {
		t.Run(name, func(t *testing.T) {
			if _, err := New(t.Context(), newStore(rules...), Options{}); !errors.Is(err, ErrNoPolicy) {
				t.Errorf("err = %v, want ErrNoPolicy", err)
			}
		})
	}
	t.Run("an engine or matrix that isn't there denies", func(t *testing.T) {
		var none *Engine
		var m *Matrix
		zero := &Engine{}
		p := staff(RoleAdmin)
		if none.Can(p, AreaAudit, ActAuditRead) || zero.Can(p, AreaAudit, ActAuditRead) || m.Can(p, AreaAudit, ActAuditRead) ||
			none.CanAttr(p, "k", CatWork, ActAttributeRead) || none.Categories(p, ActRecall) != nil || none.Admits(p, Console(AreaAudit, ActAuditRead)) {
			t.Error("something was allowed")
		}
		if _, err := none.Enforce(p, AreaAudit, ActAuditRead); !errors.Is(err, ErrNoPolicy) {
			t.Errorf("err = %v", err)
		}
		if !none.Status().Stale || !zero.Status().Stale {
			t.Error("it isn't stale")
		}
	})
	t.Run("a store that fails refuses the start", func(t *testing.T) {
		store := newStore(readAudit)
		store.onLoad = down
		if _, err := New(t.Context(), store, Options{}); !errors.Is(err, errDown) {
			t.Errorf("err = %v", err)
		}
	})
}

func TestCase_C11_StalePolicyRefusesAdminActionsToStaff(t *testing.T) {
	t.Parallel()
	e, store, now := newEngine(t, withStaff()...)
	admin, sales := staff(RoleAdmin), agent(ModuleSales, ModuleSales)
	check := func(want bool) {
		t.Helper()
		for name, got := range map[string]bool{
			"Can": e.Can(admin, AreaPolicy, ActPolicyWrite), "CanAttr": e.CanAttr(admin, "city", CatContact, ActAttributeReveal),
			"CanAny": e.CanAny(admin, ActMemoryReveal), "Admits": e.Admits(admin, Console(AreaPeople, ActSubjectWipe)),
		} {
			if got != want {
				t.Errorf("%s = %v, want %v", name, got, want)
			}
		}
		if !e.Can(admin, AreaAudit, ActAuditRead) || !e.Can(sales, CatWork, ActRecall) || !e.Can(sales, CatWork, ActMemoryWrite) {
			t.Error("reading or an agent was refused")
		}
	}
	store.onVersion = down
	now.add(defaultMaxStale)
	_ = e.Refresh(t.Context())
	check(true)
	now.add(time.Millisecond)
	check(false)
	if _, stale := e.Stale(); !stale || e.Status().Failures != 1 {
		t.Errorf("status = %+v", e.Status())
	}
	store.onVersion = nil
	if err := e.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	check(true)
}

// C13, and the rest of what Fornix never does with Casbin: save a whole policy,
// cache decisions, or match by pattern or by evaluated text.
func TestCase_C13_ForbiddenCasbinCallsAreNowhere(t *testing.T) {
	t.Parallel()
	forbidden := regexp.MustCompile(`\b(SavePolicy|NewCachedEnforcer|NewSyncedCachedEnforcer|EnableAutoSave|keyMatch\w*|regexMatch|globMatch|eval)\(|AddNamedMatchingFunc|AddNamedDomainMatchingFunc`)
	if !forbidden.MatchString("e.SavePolicy()") || !forbidden.MatchString(`keyMatch2(r.mod, p.mod)`) {
		t.Fatal("the pattern finds nothing")
	}
	files := 0
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != ".." && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "node_modules"):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		}
		files++
		if found := forbidden.Find(text); found != nil {
			t.Errorf("%s calls %s", path, found)
		}
		return nil
	})
	if err != nil || files == 0 {
		t.Errorf("%d files read, %v", files, err)
	}
}

func TestCase_C14_RemovedRuleIsGoneAndCanBeAddedAgain(t *testing.T) {
	t.Parallel()
	e, store, _ := newEngine(t, readAudit, isClerk, other)
	apply(t, e, Change{Remove: []Rule{readAudit}})
	agree(t, e, staff("ann"), AreaAudit, ActAuditRead, false)
	if slices.Contains(store.all(), readAudit) || slices.Contains(e.Rules(acme), readAudit) {
		t.Error("the removed rule is still there")
	}
	apply(t, e, Change{Add: []Rule{readAudit}})
	agree(t, e, staff("ann"), AreaAudit, ActAuditRead, true)
}
