package policy

import (
	"slices"
	"strings"
)

// Matrix is the policy of one version compiled to bits: per tenant a row for
// each user, agent or role and each module that rules name for it, in it a bit
// for each category and action. It is never changed after it was built, so it
// needs no lock, and its answers are those of Enforce on the same rules.
type Matrix struct {
	version uint64
	domains map[string]*domain
}

type domain struct {
	// attrs are the columns of the attribute keys that rules name. Only those
	// have one; all other keys share the column otherAttr.
	attrs map[string]int
	rows  map[rowKey]*row
	roles map[rowKey][]string
	// direct marks those whom a p rule names, without their module.
	direct map[Holder]bool
}

// rowKey has the subject in two parts so that a look-up joins no strings. The
// module Any is the row for modules that no rule of the subject names.
type rowKey struct {
	kind    Kind
	id, mod string
}

// row: can is what is allowed and not denied. What is denied is kept too, for
// an attribute key is asked about together with its category: see CanAttr.
type row struct{ can, denied bits }

// KindRole marks the lines of roles in an overview. It is no principal's kind: a
// principal that claims it is in no module, so it may do nothing.
const KindRole Kind = "role"

type bits []uint64

func (b bits) set(i int)      { b[i/64] |= 1 << (i % 64) }
func (b bits) has(i int) bool { return b[i/64]&(1<<(i%64)) != 0 }

// otherAttr is the column of attribute keys that no rule names: only rules on
// Any reach them. The named keys follow it.
func otherAttr() int { return len(dataCategories) + len(areas) }

// Version is the version of the policy this matrix was compiled from.
func (m *Matrix) Version() uint64 {
	if m == nil {
		return 0
	}
	return m.version
}

// Can tells whether the principal may do act on cat. It doesn't allocate.
func (m *Matrix) Can(p Principal, cat, act string) bool {
	d, r := m.row(&p)
	if r == nil {
		return false
	}
	a, known := actionIndex[act]
	if !known {
		return false
	}
	c, known := categoryIndex[cat]
	if !known {
		if !isAttrCategory(cat) {
			return false
		}
		c = d.attrColumn(cat[len(AttrPrefix):])
	}
	return r.can.has(c*len(actions) + a)
}

// CanAttr tells whether the principal may do act on one attribute key, which the
// dictionary puts into the data category given. A rule that allows the key or
// the category is enough, and one that denies either wins. It is false for a
// malformed key and for what is no data category; an unknown key's category is
// CatRestricted.
func (m *Matrix) CanAttr(p Principal, key, category, act string) bool {
	d, r := m.row(&p)
	if r == nil || !isKnownAction(act) || !IsDataCategory(category) || !isName(key, maxKeyLen) {
		return false
	}
	return d.canAttr(r, key, category, act)
}

// canAttr is asked about a key, category and action known to be well formed.
func (d *domain) canAttr(r *row, key, category, act string) bool {
	a := actionIndex[act]
	byKey := d.attrColumn(key)*len(actions) + a
	byCategory := categoryIndex[category]*len(actions) + a
	if r.denied.has(byKey) || r.denied.has(byCategory) {
		return false
	}
	return r.can.has(byKey) || r.can.has(byCategory)
}

// Categories lists the data categories on which the principal may do act, in
// the order of the vocabulary; nil when there is none.
func (m *Matrix) Categories(p Principal, act string) []string {
	var allowed []string
	for _, cat := range dataCategories {
		if m.Can(p, cat, act) {
			allowed = append(allowed, cat)
		}
	}
	return allowed
}

// Roles lists the roles of a user or agent, its own and inherited, sorted,
// without the prefix.
func (m *Matrix) Roles(p Principal) []string {
	d := m.domain(p.Tenant)
	if d == nil {
		return nil
	}
	return slices.Clone(d.roles[rowKey{kind: p.Kind, id: p.ID}])
}

func (m *Matrix) domain(tenant string) *domain {
	if m == nil {
		return nil
	}
	return m.domains[tenant]
}

func (m *Matrix) row(p *Principal) (*domain, *row) {
	mod := p.module()
	d := m.domain(p.Tenant)
	if d == nil || mod == "" {
		return nil, nil
	}
	if r := d.rows[rowKey{p.Kind, p.ID, mod}]; r != nil {
		return d, r
	}
	if !isModule(mod) {
		return nil, nil
	}
	return d, d.rows[rowKey{p.Kind, p.ID, Any}]
}

func (d *domain) attrColumn(key string) int {
	if c, ok := d.attrs[key]; ok {
		return c
	}
	return otherAttr()
}

// compile builds the matrix. Its cost is subjects × rules of each tenant, paid
// once per policy version.
func compile(rules []Rule, version uint64) *Matrix {
	byTenant := map[string][]Rule{}
	for _, r := range rules {
		byTenant[r.Dom] = append(byTenant[r.Dom], r)
	}
	m := &Matrix{version: version, domains: make(map[string]*domain, len(byTenant))}
	for tenant, own := range byTenant {
		m.domains[tenant] = compileDomain(own)
	}
	return m
}

func compileDomain(rules []Rule) *domain {
	d := &domain{attrs: map[string]int{}, rows: map[rowKey]*row{}, roles: map[rowKey][]string{}, direct: map[Holder]bool{}}
	links := map[string][]string{}
	actors := map[string]bool{}
	var policies []Rule
	for _, r := range rules {
		actors[r.Sub] = true
		if r.Ptype == PtypeLink {
			links[r.Sub] = append(links[r.Sub], r.Mod)
			continue
		}
		policies = append(policies, r)
		kind, id, _ := strings.Cut(r.Sub, ":")
		d.direct[Holder{Kind: Kind(kind), Name: id}] = true
		if key, ok := strings.CutPrefix(r.Cat, AttrPrefix); ok && d.attrs[key] == 0 {
			d.attrs[key] = otherAttr() + 1 + len(d.attrs)
		}
	}
	for actor := range actors {
		kind, id, _ := strings.Cut(actor, ":")
		reach := reachable(actor, links)
		var roles []string
		for name := range reach {
			if name == actor {
				continue
			}
			if role, ok := strings.CutPrefix(name, "role:"); ok {
				roles = append(roles, role)
			}
		}
		slices.Sort(roles)
		d.roles[rowKey{kind: Kind(kind), id: id}] = roles

		modules := map[string][]Rule{}
		for _, r := range policies {
			if reach[r.Sub] {
				modules[r.Mod] = append(modules[r.Mod], r)
			}
		}
		everywhere := modules[Any]
		for mod, own := range modules {
			if mod != Any {
				own = append(own, everywhere...)
			}
			d.rows[rowKey{Kind(kind), id, mod}] = d.compileRow(own)
		}
	}
	return d
}

// reachable is the subject itself and every role within maxHops links of it.
func reachable(sub string, links map[string][]string) map[string]bool {
	reach := map[string]bool{sub: true}
	level := []string{sub}
	for hop := 0; hop < maxHops && len(level) > 0; hop++ {
		var above []string
		for _, s := range level {
			for _, role := range links[s] {
				if !reach[role] {
					reach[role] = true
					above = append(above, role)
				}
			}
		}
		level = above
	}
	return reach
}

func (d *domain) compileRow(rules []Rule) *row {
	columns := otherAttr() + 1 + len(d.attrs)
	size := (columns*len(actions) + 63) / 64
	allow, deny := make(bits, size), make(bits, size)
	for _, r := range rules {
		into := allow
		if r.Eft == EffectDeny {
			into = deny
		}
		for _, c := range d.columns(r.Cat) {
			for _, a := range actionColumns(r.Act) {
				into.set(c*len(actions) + a)
			}
		}
	}
	for i := range allow {
		allow[i] &^= deny[i]
	}
	return &row{can: allow, denied: deny}
}

// columns are those a rule's category covers; none when a row of an older
// vocabulary names a category that is gone.
func (d *domain) columns(cat string) (cols []int) {
	if cat == Any {
		for c := range otherAttr() + 1 + len(d.attrs) {
			cols = append(cols, c)
		}
		return cols
	}
	if key, ok := strings.CutPrefix(cat, AttrPrefix); ok {
		return []int{d.attrs[key]}
	}
	if c, ok := categoryIndex[cat]; ok {
		return []int{c}
	}
	return nil
}

func actionColumns(act string) (cols []int) {
	if act == Any {
		for a := range actions {
			cols = append(cols, a)
		}
		return cols
	}
	if a, ok := actionIndex[act]; ok {
		cols = append(cols, a)
	}
	return cols
}
