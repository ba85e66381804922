package policy

import (
	"cmp"
	"slices"
	"strings"
)

// Grant is a rule as the policies page shows it.
type Grant struct{ Subject, Module, Category, Action, Effect string }

// Assignment is a role given to a user, an agent or another role.
type Assignment struct{ Subject, Role string }

// Grants lists the p rules of a tenant in force, sorted.
func (e *Engine) Grants(tenant string) []Grant { return Grants(e.Rules(tenant)) }

// GrantsOf lists the p rules in force that reach a user or agent, by itself or
// through its roles, in whatever module, sorted.
func (e *Engine) GrantsOf(p Principal) []Grant {
	s := e.snapshot()
	if s == nil || p.Kind != KindUser && p.Kind != KindAgent {
		return nil
	}
	reach := []string{string(p.Kind) + ":" + p.ID}
	for _, role := range s.matrix.Roles(p) {
		reach = append(reach, RoleSubject(role))
	}
	return Grants(slices.DeleteFunc(s.rulesOf(p.Tenant), func(r Rule) bool { return !slices.Contains(reach, r.Sub) }))
}

// Assignments lists the roles given in a tenant, sorted.
func (e *Engine) Assignments(tenant string) []Assignment {
	var out []Assignment
	for _, r := range e.Rules(tenant) {
		if r.Ptype == PtypeLink {
			out = append(out, Assignment{Subject: r.Sub, Role: strings.TrimPrefix(r.Mod, "role:")})
		}
	}
	slices.SortFunc(out, func(a, b Assignment) int {
		return cmp.Or(cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Role, b.Role))
	})
	return out
}

// Rules returns a copy of the rules of one tenant in force.
func (e *Engine) Rules(tenant string) []Rule {
	s := e.snapshot()
	if s == nil {
		return nil
	}
	return s.rulesOf(tenant)
}

func (s *snapshot) rulesOf(tenant string) []Rule {
	var own []Rule
	for _, r := range s.rules {
		if r.Dom == tenant {
			own = append(own, r)
		}
	}
	return own
}

// Grants turns p rules into grants, sorted; g rules are left out.
func Grants(rules []Rule) []Grant {
	var out []Grant
	for _, r := range rules {
		if r.Ptype == PtypePolicy {
			out = append(out, Grant{Subject: r.Sub, Module: r.Mod, Category: r.Cat, Action: r.Act, Effect: r.Eft})
		}
	}
	slices.SortFunc(out, func(a, b Grant) int {
		return cmp.Or(
			cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Module, b.Module),
			cmp.Compare(a.Category, b.Category), cmp.Compare(a.Action, b.Action), cmp.Compare(a.Effect, b.Effect),
		)
	})
	return out
}
