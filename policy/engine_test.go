package policy

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestApply_NoStaleAllowAfterwards(t *testing.T) {
	t.Parallel()
	readPolicy := Allow(RoleSubject("clerk"), acme, ModuleConsole, AreaPolicy, ActPolicyRead)
	for name, spoil := range map[string]func(t *testing.T, s *memStore, cancel func()){
		"when all is well": func(*testing.T, *memStore, func()) {},
		"when the caller hangs up as the change is stored": func(_ *testing.T, s *memStore, cancel func()) {
			s.afterChange = func() error { cancel(); return nil }
		},
		"when the store goes away right after the change": func(_ *testing.T, s *memStore, _ func()) {
			s.afterChange = func() error { s.onLoad, s.onVersion = down, down; return nil }
		},
		"when only the rules can't be read any more": func(_ *testing.T, s *memStore, _ func()) {
			s.afterChange = func() error { s.onLoad = down; return nil }
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// Many times, since a select may pick the lucky branch.
			for range 20 {
				e, store, _ := newEngine(t, readAudit, isClerk, other)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				spoil(t, store, cancel)
				if err := e.Apply(ctx, Change{Remove: []Rule{readAudit}, Add: []Rule{readPolicy}}); err != nil {
					t.Fatal(err)
				}
				agree(t, e, staff("ann"), AreaAudit, ActAuditRead, false)
				agree(t, e, staff("ann"), AreaPolicy, ActPolicyRead, true)
				if got, want := e.Version(), store.version; got != want {
					t.Errorf("version %d, store %d", got, want)
				}
			}
		})
	}
}

func TestApply_ComputedVersionIsReadFromTheStoreAsSoonAsPossible(t *testing.T) {
	t.Parallel()
	e, store, _ := newEngine(t, readAudit, isClerk, other)
	store.afterChange = func() error {
		store.onLoad = down
		// What the store holds isn't what was computed here.
		store.rules = []Rule{other}
		return nil
	}
	apply(t, e, Change{Remove: []Rule{other}})
	agree(t, e, staff("ann"), AreaAudit, ActAuditRead, true)
	store.onLoad = nil
	if err := e.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	agree(t, e, staff("ann"), AreaAudit, ActAuditRead, false)
}

func TestApply_AnswersConflicts(t *testing.T) {
	t.Parallel()
	e, store, _ := newEngine(t, readAudit, isClerk)
	late := Allow(RoleSubject("late"), acme, ModuleConsole, AreaAudit, ActAuditRead)
	t.Run("a version that is out of date", func(t *testing.T) {
		store.set(store.all()...)
		if err := e.Apply(t.Context(), Change{Add: []Rule{other}, Expect: 1}); !errors.Is(err, ErrConflict) {
			t.Errorf("err = %v", err)
		}
		if slices.Contains(store.all(), other) {
			t.Error("it was stored all the same")
		}
	})
	t.Run("a race is judged again when any version will do", func(t *testing.T) {
		races := 0
		store.onChange = func(context.Context) error {
			if races++; races == 1 {
				store.set(append(store.all(), late)...)
			}
			return nil
		}
		apply(t, e, Change{Add: []Rule{other}})
		if races != 2 || !slices.Contains(e.Rules(acme), late) || !slices.Contains(e.Rules(acme), other) {
			t.Errorf("%d races, rules %v", races, e.Rules(acme))
		}
	})
	t.Run("a race that never ends is given up", func(t *testing.T) {
		store.onChange = func(context.Context) error { store.set(store.all()...); return nil }
		if err := e.Apply(t.Context(), Change{Remove: []Rule{other}}); !errors.Is(err, ErrConflict) {
			t.Errorf("err = %v", err)
		}
	})
	t.Run("a store that fails changes nothing here", func(t *testing.T) {
		store.onChange = down
		if err := e.Apply(t.Context(), Change{Remove: []Rule{other}}); !errors.Is(err, errDown) || !slices.Contains(e.Rules(acme), other) {
			t.Errorf("err = %v", err)
		}
	})
}

func TestRun_FollowsAnotherInstance(t *testing.T) {
	t.Parallel()
	store := newStore(readAudit, isClerk)
	changed := make(chan uint64, 1)
	e, err := New(t.Context(), store, Options{Poll: time.Hour, OnChange: func(v uint64) { changed <- v }})
	if err != nil {
		t.Fatal(err)
	}
	if e.opts.Poll != maxPoll {
		t.Errorf("poll = %v, want at most %v", e.opts.Poll, maxPoll)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { e.Run(ctx); close(done) }()
	store.set(other)
	e.Wake()
	if v := <-changed; v != 2 {
		t.Errorf("version %d", v)
	}
	agree(t, e, staff("ann"), AreaAudit, ActAuditRead, false)
	t.Run("by the poll alone, without a wake", func(t *testing.T) {
		store.set(readAudit, isClerk)
		<-changed
		agree(t, e, staff("ann"), AreaAudit, ActAuditRead, true)
	})
	cancel()
	<-done
}

func TestRefresh_WaiterGivesUpWithItsContext(t *testing.T) {
	t.Parallel()
	e, store, _ := newEngine(t, readAudit)
	entered, leave := make(chan struct{}), make(chan struct{})
	store.onVersion = func(context.Context) error { close(entered); <-leave; return nil }
	done := make(chan error, 1)
	go func() { done <- e.Refresh(context.Background()) }()
	<-entered
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := e.Refresh(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
	close(leave)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestRefresh_LogsTheTwoEndsOfAnOutage(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	store := newStore(readAudit)
	e, err := New(t.Context(), store, Options{Log: slog.New(slog.NewTextHandler(&text, nil))})
	if err != nil {
		t.Fatal(err)
	}
	store.onVersion = down
	for range 3 {
		_ = e.Refresh(t.Context())
	}
	store.onVersion = nil
	_ = e.Refresh(t.Context())
	_ = e.Refresh(t.Context())
	if lines := strings.Count(text.String(), "\n"); lines != 2 || e.Status().Failures != 3 {
		t.Errorf("%d lines, %d failures:\n%s", lines, e.Status().Failures, text.String())
	}
}

func TestExplainNamesTheRuleThatDecided(t *testing.T) {
	t.Parallel()
	deny := Deny(UserSubject("ann"), acme, Any, AreaAudit, ActAuditRead)
	e, _, _ := newEngine(t, readAudit, isClerk, AssignRole(acme, "bob", "clerk"), deny)
	for name, want := range map[string]Decision{
		"ann": {Rule: deny, Decided: true, Version: 1},
		"bob": {Allowed: true, Rule: readAudit, Decided: true, Version: 1},
		"cat": {Version: 1},
	} {
		if got, err := e.Explain(staff(name), AreaAudit, ActAuditRead); err != nil || got != want {
			t.Errorf("%s: %+v, %v, want %+v", name, got, err, want)
		}
	}
}

func TestSeed(t *testing.T) {
	t.Parallel()
	store := &memStore{}
	if err := Seed(t.Context(), store, acme, "beta"); err != nil {
		t.Fatal(err)
	}
	rules, version := store.all(), store.version
	if len(rules) != 2*len(DefaultRules(acme)) {
		t.Errorf("%d rules", len(rules))
	}
	t.Run("again changes nothing", func(t *testing.T) {
		if err := Seed(t.Context(), store, acme, "beta"); err != nil || store.version != version {
			t.Errorf("err = %v, version %d → %d", err, version, store.version)
		}
	})
	t.Run("refuses a malformed tenant", func(t *testing.T) {
		if err := Seed(t.Context(), store, "Acme Inc"); !errors.Is(err, ErrInvalid) {
			t.Errorf("err = %v", err)
		}
	})
	t.Run("passes on the store's errors", func(t *testing.T) {
		store.onChange = down
		if err := Seed(t.Context(), store, "gamma"); !errors.Is(err, errDown) {
			t.Errorf("err = %v", err)
		}
	})
}
