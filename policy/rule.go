package policy

import (
	"context"
	"errors"
	"fmt"
)

var (
	// ErrInvalid is wrapped by every refusal of a rule, a change or a request
	// that isn't well formed or not in the vocabulary.
	ErrInvalid = errors.New("invalid policy input")
	// ErrConflict says that the policy's version isn't the expected one. A
	// RuleStore must return it (wrapped or not) when Change.Expect doesn't match.
	ErrConflict = errors.New("policy was changed meanwhile")
	// ErrNoPolicy says that the store holds no rule at all.
	ErrNoPolicy = errors.New("no policy rules")
	// ErrNotInForce says that a change is stored, but this instance couldn't
	// load it yet; the next successful refresh puts it in force.
	ErrNotInForce = errors.New("policy change is stored but not yet in force here")
)

// Ptypes and effects of rules.
const (
	PtypePolicy = "p"
	PtypeLink   = "g"
	EffectAllow = "allow"
	EffectDeny  = "deny"
	// Any in the module, category or action of a p rule matches everything
	// there. It is the only pattern; subjects and tenants are always named.
	Any = "*"
)

// Rule is one row of the policy.
//
// A "p" rule uses every field: subject Sub, in tenant Dom and module Mod, may
// (Eft "allow") or may never (Eft "deny") do Act on category Cat.
//
// A "g" rule gives a role: Sub gets the role Mod in tenant Dom; Cat, Act and Eft
// are empty. Sub is "user:<id>", "agent:<id>" or "role:<name>", Mod is
// "role:<name>".
type Rule struct {
	Ptype, Sub, Dom, Mod, Cat, Act, Eft string
}

// String shows the rule for logs and errors; rules hold no personal values.
func (r Rule) String() string {
	if r.Ptype == PtypeLink {
		return fmt.Sprintf("g, %s, %s, %s", r.Sub, r.Mod, r.Dom)
	}
	return fmt.Sprintf("%s, %s, %s, %s, %s, %s, %s", r.Ptype, r.Sub, r.Dom, r.Mod, r.Cat, r.Act, r.Eft)
}

// Allow builds a rule that allows.
func Allow(sub, tenant, module, cat, act string) Rule {
	return Rule{Ptype: PtypePolicy, Sub: sub, Dom: tenant, Mod: module, Cat: cat, Act: act, Eft: EffectAllow}
}

// Deny builds a rule that denies; it wins over every rule that allows.
func Deny(sub, tenant, module, cat, act string) Rule {
	return Rule{Ptype: PtypePolicy, Sub: sub, Dom: tenant, Mod: module, Cat: cat, Act: act, Eft: EffectDeny}
}

// Link builds a g rule that gives sub the role (a subject made by RoleSubject).
func Link(sub, role, tenant string) Rule {
	return Rule{Ptype: PtypeLink, Sub: sub, Mod: role, Dom: tenant}
}

// UserSubject names a user in rules.
func UserSubject(id string) string { return "user:" + id }

// AgentSubject names an agent in rules.
func AgentSubject(id string) string { return "agent:" + id }

// RoleSubject names a role in rules.
func RoleSubject(role string) string { return "role:" + role }

// AssignRole builds the g rule that gives a user a role.
func AssignRole(tenant, userID, role string) Rule {
	return Link(UserSubject(userID), RoleSubject(role), tenant)
}

// RuleStore keeps the rules. Implementations must be safe for concurrent use.
type RuleStore interface {
	// LoadRules returns the rules of all tenants and their version as one
	// consistent snapshot; never a part of them without an error.
	LoadRules(ctx context.Context) (rules []Rule, version uint64, err error)
	// RulesVersion returns the present version. It grows with every change and
	// is 0 only when nothing was ever stored.
	RulesVersion(ctx context.Context) (uint64, error)
	// ChangeRules removes and adds the rules, records the audit event and bumps
	// the version in ONE transaction, and returns the new version. It returns
	// ErrConflict when Expect isn't 0 and isn't the present version, and changes
	// nothing on any error.
	ChangeRules(ctx context.Context, change Change) (version uint64, err error)
}

// Change is a batch of rules to add and remove, applied as a whole or not at
// all. All its rules belong to one tenant.
type Change struct {
	Add, Remove []Rule
	// Expect is the version the author of the change saw; 0 accepts any.
	Expect uint64
	// Reason goes into the audit event, sealed.
	Reason string
}

// Tenant is the tenant the change belongs to; empty when it holds no rule.
func (c Change) Tenant() string {
	switch {
	case len(c.Add) > 0:
		return c.Add[0].Dom
	case len(c.Remove) > 0:
		return c.Remove[0].Dom
	default:
		return ""
	}
}
