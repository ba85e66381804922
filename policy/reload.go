package policy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Refresh asks the store for its version and, when it is another one, loads,
// compiles and swaps the whole policy. On an error the policy in force stays and
// the engine counts as stale until a refresh succeeds. The one case that swaps
// and still returns an error is a store that holds no rule: everything is denied
// from then on, and ErrNoPolicy says so.
func (e *Engine) Refresh(ctx context.Context) error {
	if e == nil || e.store == nil {
		return fmt.Errorf("policy: refresh: %w", ErrNoPolicy)
	}
	if err := e.begin(ctx); err != nil {
		return fmt.Errorf("policy: refresh: %w", err)
	}
	before := e.snapshot()
	// The age counts from before the question was asked: a slow answer may be
	// older than its arrival.
	asked := e.opts.Now()
	err := e.reload(ctx, before)
	if err == nil || errors.Is(err, ErrNoPolicy) && e.snapshot() != nil {
		e.confirmed.Store(&asked)
	}
	e.note(ctx, err)
	after := e.snapshot()
	<-e.reloading
	e.tell(before, after)
	return err
}

// begin takes the token of reloading; give it back by receiving from the channel.
func (e *Engine) begin(ctx context.Context) error {
	select {
	case e.reloading <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// tell calls OnChange; the token must have been given back, so that the callback
// may change the policy itself.
func (e *Engine) tell(before, after *snapshot) {
	if after != before && before != nil && e.opts.OnChange != nil {
		e.opts.OnChange(after.matrix.version)
	}
}

// install puts rules in force that this instance has just stored, without
// reading them back, unless their version or a newer one already is.
func (e *Engine) install(ctx context.Context, rules []Rule, version uint64) error {
	if err := e.begin(ctx); err != nil {
		return err
	}
	before := e.snapshot()
	after := before
	if before.matrix.version < version {
		enforcer, err := newEnforcer(rules)
		if err != nil {
			<-e.reloading
			return err
		}
		after = &snapshot{rules: rules, enforcer: enforcer, matrix: compile(rules, version), unread: true}
		e.current.Store(after)
	}
	<-e.reloading
	e.tell(before, after)
	return nil
}

func (e *Engine) reload(ctx context.Context, before *snapshot) error {
	if before != nil {
		version, err := e.store.RulesVersion(ctx)
		if err != nil {
			return fmt.Errorf("policy: ask version: %w", err)
		}
		if version == before.matrix.version && !before.unread {
			if len(before.rules) == 0 {
				return fmt.Errorf("policy: reload: %w", ErrNoPolicy)
			}
			return nil
		}
	}
	rules, version, err := e.store.LoadRules(ctx)
	if err != nil {
		return fmt.Errorf("policy: load rules: %w", err)
	}
	rules = slices.Clone(rules)
	hasPolicy := false
	for _, r := range rules {
		if err := checkSyntax(r); err != nil {
			return fmt.Errorf("policy: load rule %q: %w", r.String(), err)
		}
		hasPolicy = hasPolicy || r.Ptype == PtypePolicy
	}
	if !hasPolicy && before == nil {
		return fmt.Errorf("policy: load rules: %w", ErrNoPolicy)
	}
	enforcer, err := newEnforcer(rules)
	if err != nil {
		return err
	}
	if !hasPolicy {
		rules = nil
	}
	e.current.Store(&snapshot{rules: rules, enforcer: enforcer, matrix: compile(rules, version)})
	if !hasPolicy {
		return fmt.Errorf("policy: reload: %w", ErrNoPolicy)
	}
	return nil
}

// note keeps the first moment of a run of failures and logs its two ends.
func (e *Engine) note(ctx context.Context, err error) {
	was := e.failing.Load()
	if err == nil {
		if was != nil {
			e.failing.Store(nil)
			e.opts.Log.InfoContext(ctx, "policy reload works again", "since", was.since)
		}
		return
	}
	e.failures.Add(1)
	now := failure{since: e.opts.Now(), err: err}
	if was != nil {
		now.since = was.since
	} else {
		e.opts.Log.ErrorContext(ctx, "policy reload failed; the last policy stays in force", "error", err)
	}
	e.failing.Store(&now)
}

// Run refreshes until the context ends: every Options.Poll, and at once after
// Wake. Failures are logged and show in Status.
func (e *Engine) Run(ctx context.Context) {
	tick := time.NewTicker(e.opts.Poll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-e.wake:
		}
		// A hanging store must not stop the next try.
		tryCtx, cancel := context.WithTimeout(ctx, maxPoll)
		_ = e.Refresh(tryCtx) // noted by Refresh itself
		cancel()
	}
}

// Wake makes Run refresh now; for a notification from the database. It never
// blocks.
func (e *Engine) Wake() {
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// Stale returns when the policy was last confirmed by the store, and whether it
// is stale: the last refresh failed, or the confirmation is older than MaxStale.
func (e *Engine) Stale() (since time.Time, stale bool) {
	if e == nil || e.confirmed.Load() == nil {
		return time.Time{}, true
	}
	since = *e.confirmed.Load()
	return since, e.failing.Load() != nil || e.opts.Now().Sub(since) > e.opts.MaxStale
}

// Status is the engine's health, for readiness and metrics.
type Status struct {
	Version   uint64
	Confirmed time.Time // when the store last confirmed the policy in force
	Stale     bool
	Failures  uint64 // failed refreshes since start
	Err       error  // of the last refresh
}

// Status reports the engine's health. Readiness is false while Stale.
func (e *Engine) Status() Status {
	s := Status{Version: e.Version()}
	s.Confirmed, s.Stale = e.Stale()
	if e == nil {
		s.Err = ErrNoPolicy
		return s
	}
	s.Failures = e.failures.Load()
	if f := e.failing.Load(); f != nil {
		s.Err = f.err
	}
	return s
}
