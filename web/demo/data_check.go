package demo

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// The words of the policy, written once more on purpose: the content is judged
// by what it was written for, and this part imports no package of Fornix.
var (
	categories = []string{
		"profile", "contact", "preference", "health", "work", "family", "finance",
		"schedule", "order", "experience", "general", "restricted", "turns",
	}
	memoryActions    = []string{"recall", "memory.read", "memory.write", "memory.delete"}
	attributeActions = []string{"attribute.read", "attribute.write", "attribute.delete"}
	turnActions      = []string{"turn.read", "turn.write", "recall"}
	peopleActions    = []string{"event.write", "portal.link", "export.read", "subject.wipe"}
	roles            = []string{"admin", "reviewer", "compliance", "auditor", "operator"}
)

var (
	locales     = []string{"zh-Hans", "en"}
	lawfulBases = []string{"consent", "contract", "legal_obligation", "legitimate_interests", "vital_interests", "public_interest"}

	tenantID = regexp.MustCompile(`^[a-z0-9-]{1,40}$`)
	plainKey = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,39}$`)
	// RFC 2606 keeps the top-level domain for examples.
	exampleMail = regexp.MustCompile(`^[a-z0-9.]+@[a-z0-9-]+\.example$`)
)

// faults gathers what is wrong, each with its place, so that one run names all.
type faults struct {
	place string
	all   *[]error
}

func (f faults) in(format string, args ...any) faults {
	return faults{place: f.place + ": " + fmt.Sprintf(format, args...), all: f.all}
}

func (f faults) add(format string, args ...any) {
	*f.all = append(*f.all, fmt.Errorf(f.place+": "+format, args...))
}

// unless adds the fault if what should hold doesn't.
func (f faults) unless(holds bool, format string, args ...any) {
	if !holds {
		f.add(format, args...)
	}
}

// unique refuses what was seen before, and nothing at all.
func (f faults) unique(seen map[string]bool, what, key string) {
	f.unless(key != "", "%s is missing", what)
	f.unless(!seen[key], "%s stands twice", what)
	seen[key] = true
}

func (t Text) complete() bool { return strings.TrimSpace(t.ZH) != "" && strings.TrimSpace(t.EN) != "" }

// check judges all of the content after complete.
func (d Data) check() error {
	var all []error
	f := faults{place: "demo", all: &all}
	f.unless(len(d.Tenants) > 0, "there is no tenant")
	tenants := make(map[string]bool)
	emails := make(map[string]bool)
	for _, t := range d.Tenants {
		g := f.in("%s", t.ID)
		g.unique(tenants, "the tenant's id", t.ID)
		t.check(g, emails)
	}
	return errors.Join(all...)
}

func (t Tenant) check(f faults, emails map[string]bool) {
	f.unless(tenantID.MatchString(t.ID), "the id isn't [a-z0-9-]{1,40}")
	f.unless(strings.TrimSpace(t.Name) != "", "the name is missing")
	f.unless(slices.Contains(locales, t.Locale), "unknown locale %q", t.Locale)

	dictionary := t.checkDictionary(f)
	agents := make(map[string]bool)
	for i, a := range t.Agents {
		g := f.in("agent %d", i)
		g.unique(agents, "the name", a.Name)
		a.check(g, dictionary)
	}
	for i, s := range t.Staff {
		g := f.in("staff %d", i)
		g.unique(emails, "the e-mail address", s.Email)
		s.check(g)
	}
	people := make(map[string]bool)
	featured := 0
	for i, p := range t.People {
		g := f.in("person %d (%s)", i, p.ExternalID)
		g.unique(people, "the external id", p.ExternalID)
		p.check(g, dictionary, agents)
		if p.Featured {
			featured++
		}
	}
	f.unless(featured == 1, "%d people are featured instead of one", featured)
}

func (a Agent) check(f faults, dictionary map[string]checkedEntry) {
	f.unless(plainKey.MatchString(a.Name) && plainKey.MatchString(a.Module), "the name or the module isn't plain")
	f.unless(a.Title.complete(), "the title lacks a language")
	f.unless(len(a.Grants) > 0, "there is no grant, so it could do nothing")
	for list, grants := range map[string][]Grant{"grant": a.Grants, "deny": a.Denies} {
		for i, grant := range grants {
			grant.check(f.in("%s %d", list, i), dictionary)
		}
	}
}

func (g Grant) check(f faults, dictionary map[string]checkedEntry) {
	f.unless(len(g.Categories) > 0 && len(g.Actions) > 0, "it names no category or no action")
	for _, category := range g.Categories {
		allowed, known := actionsOn(category, dictionary)
		f.unless(known, "unknown category %q", category)
		for _, action := range g.Actions {
			f.unless(!known || slices.Contains(allowed, action), "action %q has no meaning on %q", action, category)
		}
	}
}

// actionsOn lists what an agent may be granted on a category.
func actionsOn(category string, dictionary map[string]checkedEntry) (actions []string, known bool) {
	if key, ok := strings.CutPrefix(category, "attr:"); ok {
		_, known := dictionary[key]
		return attributeActions, known
	}
	switch category {
	case "people":
		return peopleActions, true
	case "turns":
		return turnActions, true
	}
	return slices.Concat(memoryActions, attributeActions), slices.Contains(categories, category)
}

func (s Staff) check(f faults) {
	f.unless(strings.TrimSpace(s.Name) != "", "the name is missing")
	f.unless(exampleMail.MatchString(s.Email), "the e-mail address isn't of a domain under .example")
	f.unless(slices.Contains(locales, s.Locale), "unknown locale %q", s.Locale)
	f.unless(len(s.Roles) > 0, "there is no role")
	for _, role := range s.Roles {
		f.unless(slices.Contains(roles, role), "unknown role %q", role)
	}
}
