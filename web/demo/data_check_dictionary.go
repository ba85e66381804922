package demo

import "slices"

// checkedEntry is an entry with its schema ready; nil where that is broken.
type checkedEntry struct {
	Entry
	schema *schema
}

func (t Tenant) checkDictionary(f faults) map[string]checkedEntry {
	known := make(map[string]checkedEntry, len(t.Dictionary))
	seen := make(map[string]bool)
	for i, e := range t.Dictionary {
		g := f.in("dictionary %d (%s)", i, e.Key)
		g.unique(seen, "the key", e.Key)
		e.check(g)
		s, err := parseSchema(e.Schema)
		if err != nil {
			g.add("%w", err)
			s = nil
		}
		known[e.Key] = checkedEntry{Entry: e, schema: s}
	}
	return known
}

func (e Entry) check(f faults) {
	f.unless(plainKey.MatchString(e.Key), "the key isn't plain")
	f.unless(e.Label.complete(), "the label lacks a language")
	f.unless(e.Purpose.complete(), "the purpose lacks a language")
	f.unless(e.Sensitivity == "open" || e.Sensitivity == "sealed", "unknown sensitivity %q", e.Sensitivity)
	f.unless(isDataCategory(e.Category), "unknown category %q", e.Category)
	f.unless(e.TTLDays >= 0, "the TTL is below 0")
	if e.Rule == RuleForbidden {
		f.unless(e.LawfulBasis == "none", "a forbidden key has no lawful basis")
	} else {
		f.unless(slices.Contains(lawfulBases, e.LawfulBasis), "unknown lawful basis %q", e.LawfulBasis)
	}
	switch e.Rule {
	case RuleBanded:
		checkBands(f, e.Bands)
	case RuleAllowed, RuleForbidden:
		f.unless(len(e.Bands) == 0, "only a banded key has bands")
	default:
		f.add("unknown rule %q", e.Rule)
	}
}

// checkBands wants the bands to cover every figure once: a figure that falls
// into no band could only be stored as it is.
func checkBands(f faults, bands []Band) {
	f.unless(len(bands) >= 2, "a banded key needs two bands at least")
	names := make(map[string]bool)
	for i, b := range bands {
		g := f.in("band %d", i)
		g.unique(names, "the name", b.Name)
		g.unless(b.Label.complete(), "the label lacks a language")
		g.unless((b.From == nil) == (i == 0), "only the first band is open below")
		g.unless((b.To == nil) == (i == len(bands)-1), "only the last band is open above")
		g.unless(b.From == nil || b.To == nil || *b.From < *b.To, "it ends before it begins")
		if i > 0 && b.From != nil && bands[i-1].To != nil {
			g.unless(*b.From == *bands[i-1].To, "it doesn't begin where the one before ends")
		}
	}
}

// isDataCategory leaves out the turns: they are no memory and no attribute.
func isDataCategory(category string) bool {
	return category != "turns" && slices.Contains(categories, category)
}
