package policy

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// maxTries bounds how often Apply starts over when others change the policy in
// between and the caller accepts any version.
const maxTries = 5

// Apply judges the change against the newest policy, writes it through the store
// and puts it in force here. The whole batch is refused (ErrInvalid, every fault
// named) on a duplicate, a rule to remove that isn't there, a malformed rule, an
// unknown category or action. ErrConflict says that Expect is out of date. On
// ErrNotInForce the change is stored.
//
// Apply doesn't ask whether the caller may change the policy; the route does.
func (e *Engine) Apply(ctx context.Context, c Change) error {
	for range maxTries {
		// ErrNoPolicy doesn't stop a change: it is how an emptied policy is mended.
		if err := e.Refresh(ctx); err != nil && !(errors.Is(err, ErrNoPolicy) && e.snapshot() != nil) {
			return fmt.Errorf("policy: apply: %w", err)
		}
		s := e.snapshot()
		version := s.matrix.version
		if c.Expect != 0 && c.Expect != version {
			return fmt.Errorf("policy: apply: %w: expected version %d, is %d", ErrConflict, c.Expect, version)
		}
		if err := checkChange(s.rules, c); err != nil {
			return fmt.Errorf("policy: apply: %w", err)
		}
		// The store is given the version that was judged, so that nothing can
		// slip in between the judgement and the write.
		write := c
		write.Expect = version
		stored, err := e.store.ChangeRules(ctx, write)
		if errors.Is(err, ErrConflict) && c.Expect == 0 {
			continue
		}
		if err != nil {
			// The store may have committed and failed to say so.
			e.Wake()
			return fmt.Errorf("policy: apply: %w", err)
		}
		if err := e.enact(ctx, s.rules, write, stored); err != nil {
			return fmt.Errorf("policy: apply: %w: version %d: %w", ErrNotInForce, stored, err)
		}
		return nil
	}
	return fmt.Errorf("policy: apply: %w: gave up after %d tries", ErrConflict, maxTries)
}

// enact puts a stored change in force here. What was taken away must not be
// allowed a moment longer because the caller hung up or the store went away
// just after it wrote: then the change is applied to the rules it was judged
// against, until the store can be read again.
func (e *Engine) enact(ctx context.Context, judged []Rule, c Change, stored uint64) error {
	ctx = context.WithoutCancel(ctx)
	refresh, cancel := context.WithTimeout(ctx, maxPoll)
	defer cancel()
	err := e.Refresh(refresh)
	if err == nil || e.Version() == stored {
		return nil
	}
	install, cancel := context.WithTimeout(ctx, maxPoll)
	defer cancel()
	return e.install(install, changed(judged, c), stored)
}

// changed is what the rules are after the change.
func changed(rules []Rule, c Change) []Rule {
	next := slices.DeleteFunc(slices.Clone(rules), func(r Rule) bool { return slices.Contains(c.Remove, r) })
	return append(next, c.Add...)
}

// DeleteRole removes a role from a tenant: its rules, its links to users and
// agents, and its links to and from other roles, in one change.
func (e *Engine) DeleteRole(ctx context.Context, tenant, role, reason string) error {
	for range maxTries {
		s := e.snapshot()
		if s == nil {
			return fmt.Errorf("policy: delete role: %w", ErrNoPolicy)
		}
		subject := RoleSubject(role)
		c := Change{Reason: reason, Expect: s.matrix.version}
		for _, r := range s.rules {
			if r.Dom == tenant && (r.Sub == subject || r.Ptype == PtypeLink && r.Mod == subject) {
				c.Remove = append(c.Remove, r)
			}
		}
		if len(c.Remove) == 0 {
			return fmt.Errorf("policy: delete role: %w: no such role %q", ErrInvalid, role)
		}
		err := e.Apply(ctx, c)
		if !errors.Is(err, ErrConflict) {
			return err
		}
		// Apply has refreshed: collect the role's rules again, so that one added
		// meanwhile doesn't survive.
	}
	return fmt.Errorf("policy: delete role: %w", ErrConflict)
}

// Seed stores the default rules of each tenant that has no rule yet; call it
// before New on a fresh database. Running it again changes nothing.
func Seed(ctx context.Context, store RuleStore, tenants ...string) error {
	for _, tenant := range tenants {
		rules, version, err := store.LoadRules(ctx)
		if err != nil {
			return fmt.Errorf("policy: seed: %w", err)
		}
		if slices.ContainsFunc(rules, func(r Rule) bool { return r.Dom == tenant }) {
			continue
		}
		c := Change{Add: DefaultRules(tenant), Expect: version, Reason: "default roles and modules"}
		if err := checkChange(rules, c); err != nil {
			return fmt.Errorf("policy: seed tenant %q: %w", tenant, err)
		}
		if _, err := store.ChangeRules(ctx, c); err != nil {
			return fmt.Errorf("policy: seed tenant %q: %w", tenant, err)
		}
	}
	return nil
}
