package policy

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"
)

// memStore is a RuleStore whose answers a test can spoil. Its functions, where
// set, run before the real work and without the lock.
type memStore struct {
	mu      sync.Mutex
	rules   []Rule
	version uint64

	onLoad, onVersion, onChange func(ctx context.Context) error
	// afterChange runs when a change is stored and may claim that it failed.
	afterChange func() error
}

func newStore(rules ...Rule) *memStore { return &memStore{rules: rules, version: 1} }

func run(ctx context.Context, hook func(context.Context) error) error {
	if hook == nil {
		return ctx.Err()
	}
	return hook(ctx)
}

func (s *memStore) LoadRules(ctx context.Context) ([]Rule, uint64, error) {
	if err := run(ctx, s.onLoad); err != nil {
		return nil, 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.rules), s.version, nil
}

func (s *memStore) RulesVersion(ctx context.Context) (uint64, error) {
	if err := run(ctx, s.onVersion); err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version, nil
}

func (s *memStore) ChangeRules(ctx context.Context, c Change) (uint64, error) {
	if err := run(ctx, s.onChange); err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.Expect != 0 && c.Expect != s.version {
		return 0, ErrConflict
	}
	for _, r := range c.Remove {
		if !slices.Contains(s.rules, r) {
			return 0, errors.New("no such row")
		}
	}
	s.rules = changed(s.rules, c)
	s.version++
	if s.afterChange != nil {
		if err := s.afterChange(); err != nil {
			return 0, err
		}
	}
	return s.version, nil
}

// set replaces the rules behind the engine's back, as another instance would.
func (s *memStore) set(rules ...Rule) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules, s.version = rules, s.version+1
}

func (s *memStore) all() []Rule {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.rules)
}

// clock is a time that stands until a test moves it.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func newClock() *clock { return &clock{at: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

func newEngine(t *testing.T, rules ...Rule) (*Engine, *memStore, *clock) {
	t.Helper()
	store, now := newStore(rules...), newClock()
	e, err := New(t.Context(), store, Options{Now: now.now})
	if err != nil {
		t.Fatal(err)
	}
	return e, store, now
}

const acme = "acme"

func staff(id string) Principal { return Principal{Kind: KindUser, ID: id, Tenant: acme} }

func agent(id, module string) Principal {
	return Principal{Kind: KindAgent, ID: id, Tenant: acme, Module: module}
}

// withStaff is the defaults with one user per role, named like the role, and one
// agent per module, named like the module.
func withStaff() []Rule {
	rules := DefaultRules(acme)
	for _, role := range Roles() {
		rules = append(rules, AssignRole(acme, role, role))
	}
	for _, module := range Modules() {
		rules = append(rules, AgentRules(acme, module, module)...)
	}
	return rules
}

func apply(t *testing.T, e *Engine, c Change) {
	t.Helper()
	if err := e.Apply(t.Context(), c); err != nil {
		t.Fatal(err)
	}
}

// agree asks the fast and the slow path and fails when they differ.
func agree(t *testing.T, e *Engine, p Principal, cat, act string, want bool) {
	t.Helper()
	slow, err := e.Enforce(p, cat, act)
	if fast := e.Can(p, cat, act); fast != want || slow != want || err != nil {
		t.Errorf("%s %s in %q, %s %s: matrix %v, Casbin %v (%v), want %v", p.Kind, p.ID, p.Tenant, cat, act, fast, slow, err, want)
	}
}
