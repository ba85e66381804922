package policy

import (
	"fmt"

	"github.com/casbin/casbin/v2"
	"github.com/casbin/casbin/v2/model"
	"github.com/casbin/casbin/v2/rbac"
	defaultrolemanager "github.com/casbin/casbin/v2/rbac/default-role-manager"
)

// effectExpr: allowed when some rule allows and none denies. Casbin knows effects
// by their exact text, so a slip here would be refused at start.
const effectExpr = "some(where (p.eft == allow)) && !some(where (p.eft == deny))"

// modelText compares for equality, or with the lone star; the tenant is compared
// first and never by a star, so no role reaches over tenants.
const modelText = `
[request_definition]
r = sub, dom, mod, cat, act

[policy_definition]
p = sub, dom, mod, cat, act, eft

[role_definition]
g = _, _, _

[policy_effect]
e = ` + effectExpr + `

[matchers]
m = r.dom == p.dom && g(r.sub, p.sub, r.dom) && (p.mod == "*" || r.mod == p.mod) && (p.cat == "*" || r.cat == p.cat) && (p.act == "*" || r.act == p.act)
`

// newEnforcer builds a Casbin enforcer that is never changed again: each policy
// version gets its own, so that no closure or compiled matcher of an older
// version can answer for it, and readers need no lock.
func newEnforcer(rules []Rule) (*casbin.Enforcer, error) {
	m, err := model.NewModelFromString(modelText)
	if err != nil {
		return nil, fmt.Errorf("policy: read model: %w", err)
	}
	for _, r := range rules {
		values := []string{r.Sub, r.Dom, r.Mod, r.Cat, r.Act, r.Eft}
		if r.Ptype == PtypeLink {
			values = []string{r.Sub, r.Mod, r.Dom}
		}
		if err := m.AddPolicy(r.Ptype, r.Ptype, values); err != nil {
			return nil, fmt.Errorf("policy: add rule %s: %w", r, err)
		}
	}
	enforcer, err := casbin.NewEnforcer(m)
	if err != nil {
		return nil, fmt.Errorf("policy: build enforcer: %w", err)
	}
	var roles rbac.RoleManager = defaultrolemanager.NewRoleManager(maxHops)
	enforcer.SetRoleManager(roles)
	if err := enforcer.BuildRoleLinks(); err != nil {
		return nil, fmt.Errorf("policy: link roles: %w", err)
	}
	return enforcer, nil
}

// request turns a question into Casbin's values; false when it can't match any
// rule because it is malformed or outside the vocabulary.
func request(p Principal, cat, act string) ([]any, bool) {
	mod := p.module()
	if !isTenant(p.Tenant) || !isModule(mod) || !isID(p.ID) || !isKnownCategory(cat) || !isKnownAction(act) {
		return nil, false
	}
	return []any{string(p.Kind) + ":" + p.ID, p.Tenant, mod, cat, act}, true
}

// Enforce asks Casbin: the truth, and slow (it walks every rule). It tells what
// the policy says, whatever its age. An error always comes with false; a
// question outside the vocabulary is ErrInvalid.
func (e *Engine) Enforce(p Principal, cat, act string) (bool, error) {
	d, err := e.Explain(p, cat, act)
	return d.Allowed, err
}

// EnforceAttr is the truth behind CanAttr: Casbin is asked about the key and
// about its category, and a rule that denies either wins.
func (e *Engine) EnforceAttr(p Principal, key, category, act string) (bool, error) {
	if !IsDataCategory(category) {
		return false, fmt.Errorf("policy: enforce: %w: the attribute's category isn't one of data", ErrInvalid)
	}
	byKey, err := e.Explain(p, AttrCategory(key), act)
	if err != nil {
		return false, err
	}
	byCategory, err := e.Explain(p, category, act)
	if err != nil {
		return false, err
	}
	if byKey.Denied() || byCategory.Denied() {
		return false, nil
	}
	return byKey.Allowed || byCategory.Allowed, nil
}

// Decision is an answer with the rule that decided it.
type Decision struct {
	Allowed bool
	// Rule decided when Decided is true; else no rule matched.
	Rule    Rule
	Decided bool
	// Version of the policy that was asked.
	Version uint64
}

// Denied tells whether a rule denied it, as against no rule having allowed it.
func (d Decision) Denied() bool { return d.Decided && d.Rule.Eft == EffectDeny }

// Explain is Enforce with the rule that decided: the first that denies, else the
// first that allows.
func (e *Engine) Explain(p Principal, cat, act string) (Decision, error) {
	s := e.snapshot()
	if s == nil {
		return Decision{}, ErrNoPolicy
	}
	d := Decision{Version: s.matrix.version}
	values, ok := request(p, cat, act)
	if !ok {
		return d, fmt.Errorf("policy: enforce: %w: malformed or unknown principal, category or action", ErrInvalid)
	}
	allowed, rule, err := s.enforcer.EnforceEx(values...)
	if err != nil {
		return d, fmt.Errorf("policy: enforce: %w", err)
	}
	d.Allowed = allowed
	if len(rule) == 6 {
		d.Decided = true
		d.Rule = Rule{Ptype: PtypePolicy, Sub: rule[0], Dom: rule[1], Mod: rule[2], Cat: rule[3], Act: rule[4], Eft: rule[5]}
	}
	return d, nil
}
