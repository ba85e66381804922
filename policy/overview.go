package policy

import (
	"cmp"
	"maps"
	"slices"
)

// Holder is who a line of the overview or an answer of WhoCanRead is about.
type Holder struct {
	// Kind is KindAgent, KindUser or KindRole.
	Kind Kind
	// Name is the role's name, or the id of the user or agent.
	Name string
	// Module is where it holds; Any stands for every module that the overview
	// doesn't name for the same holder.
	Module string
}

// Line is one row of the capability matrix: what a holder may do after its roles
// are followed and the deny rules have won.
type Line struct {
	Holder
	Cells []Cell
}

// Cell is one category of a line, with the actions that have a meaning on it.
type Cell struct {
	Category        string
	Allowed, Denied []string
}

// Overview is the capability matrix of a tenant for people to read: roles first,
// then users, then agents. Cells in which nothing is allowed or denied are left
// out; attribute keys that rules name follow the areas.
func (e *Engine) Overview(tenant string) []Line { return e.Matrix().Overview(tenant) }

// Overview is what Engine.Overview shows, of this version.
func (m *Matrix) Overview(tenant string) []Line {
	d := m.domain(tenant)
	if d == nil {
		return nil
	}
	columns := d.columnNames()
	var lines []Line
	for _, key := range d.sortedRows() {
		r := d.rows[key]
		line := Line{Holder: Holder{Kind: key.kind, Name: key.id, Module: key.mod}}
		for c, cat := range columns {
			cell := Cell{Category: cat}
			for a, action := range actions {
				if !MakesSense(cat, action.name) {
					continue
				}
				switch i := c*len(actions) + a; {
				case r.denied.has(i):
					cell.Denied = append(cell.Denied, action.name)
				case r.can.has(i):
					cell.Allowed = append(cell.Allowed, action.name)
				}
			}
			if len(cell.Allowed)+len(cell.Denied) > 0 {
				line.Cells = append(line.Cells, cell)
			}
		}
		if len(line.Cells) > 0 {
			lines = append(lines, line)
		}
	}
	return lines
}

// Grantee is somebody who can see values of a person.
type Grantee struct {
	Holder
	// Actions are those that show the value to this holder. Staff see it by
	// opening it, which takes a reason and is audited each time.
	Actions []string
}

// WhoCanRead lists who can see the values of a category of memories, or those of
// one attribute key when attrKey isn't empty (the category is then the key's, by
// the dictionary). Agents are listed one by one, staff by role, and users only
// where a rule names them or takes away from them. It is what the portal tells
// people, so it errs on the side of naming too many: a role is listed whether or
// not anybody has it, a module whether or not the agent ever acts in it.
func (e *Engine) WhoCanRead(tenant, category, attrKey string) []Grantee {
	return e.Matrix().WhoCanRead(tenant, category, attrKey)
}

// WhoCanRead is what Engine.WhoCanRead lists, of this version.
func (m *Matrix) WhoCanRead(tenant, category, attrKey string) []Grantee {
	d := m.domain(tenant)
	if d == nil || !IsDataCategory(category) {
		return nil
	}
	agent := []string{ActRecall, ActMemoryRead, ActTurnRead}
	staff := []string{ActMemoryReveal, ActReviewOpen}
	if attrKey != "" {
		agent = []string{ActAttributeRead}
		staff = []string{ActAttributeReveal, ActReviewOpen}
	}
	var out []Grantee
	for _, key := range d.sortedRows() {
		asked := staff
		switch {
		case key.kind == KindAgent && key.mod != ModuleConsole:
			asked = agent
		case key.kind == KindUser && !d.direct[Holder{Kind: KindUser, Name: key.id}]:
			continue
		case key.kind == KindAgent, key.mod != ModuleConsole && (key.mod != Any || d.hasConsoleRow(key)):
			// Staff act in the console and nowhere else; the row of Any stands
			// for it only where there is no row of its own.
			continue
		}
		var can []string
		for _, act := range asked {
			if d.sees(d.rows[key], category, attrKey, act) {
				can = append(can, act)
			}
		}
		if len(can) > 0 {
			out = append(out, Grantee{Holder: Holder{Kind: key.kind, Name: key.id, Module: key.mod}, Actions: can})
		}
	}
	return out
}

func (d *domain) hasConsoleRow(key rowKey) bool {
	return d.rows[rowKey{key.kind, key.id, ModuleConsole}] != nil
}

func (d *domain) sees(r *row, category, attrKey, act string) bool {
	if attrKey != "" {
		return d.canAttr(r, attrKey, category, act)
	}
	return MakesSense(category, act) && r.can.has(categoryIndex[category]*len(actions)+actionIndex[act])
}

// columnNames are the categories of the columns, without the column of the keys
// that no rule names, which is empty in it.
func (d *domain) columnNames() []string {
	names := make([]string, otherAttr()+1+len(d.attrs))
	for cat, c := range categoryIndex {
		names[c] = cat
	}
	for key, c := range d.attrs {
		names[c] = AttrCategory(key)
	}
	return names
}

// sortedRows puts roles before users before agents.
func (d *domain) sortedRows() []rowKey {
	order := map[Kind]int{KindRole: 0, KindUser: 1, KindAgent: 2}
	return slices.SortedFunc(maps.Keys(d.rows), func(a, b rowKey) int {
		return cmp.Or(cmp.Compare(order[a.kind], order[b.kind]), cmp.Compare(a.id, b.id), cmp.Compare(a.mod, b.mod))
	})
}
