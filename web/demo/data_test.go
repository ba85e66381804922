package demo

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

func loaded(t *testing.T) Data {
	t.Helper()
	d, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// eachPerson runs a claim for everybody of both tenants.
func eachPerson(t *testing.T, claim func(t *testing.T, tenant Tenant, p Person)) {
	t.Helper()
	for _, tenant := range loaded(t).Tenants {
		for _, p := range tenant.People {
			t.Run(p.ExternalID, func(t *testing.T) { claim(t, tenant, p) })
		}
	}
}

func TestData_TenantsHaveWhatTheDemoShows(t *testing.T) {
	t.Parallel()
	type shape struct {
		ID, Locale, Featured string
		Agents, Roles        []string
		People               int
	}
	var got []shape
	for _, tenant := range loaded(t).Tenants {
		s := shape{ID: tenant.ID, Locale: tenant.Locale, Featured: tenant.Featured().Name, People: len(tenant.People)}
		for _, a := range tenant.Agents {
			s.Agents = append(s.Agents, a.Name)
		}
		for _, m := range tenant.Staff {
			s.Roles = append(s.Roles, m.Roles...)
		}
		got = append(got, s)
		if n := len(tenant.Dictionary); n < 14 {
			t.Errorf("%s: %d dictionary entries, want at least 14", tenant.ID, n)
		}
		rules := make(map[string]int)
		for _, e := range tenant.Dictionary {
			rules[e.Rule]++
			rules[e.Sensitivity]++
		}
		for _, kind := range []string{RuleAllowed, RuleBanded, RuleForbidden, "open", "sealed"} {
			if rules[kind] < 2 {
				t.Errorf("%s: %d entries are %s, want at least 2", tenant.ID, rules[kind], kind)
			}
		}
	}
	agents := []string{"support", "sales", "concierge"}
	staff := []string{"admin", "admin", "compliance", "reviewer", "auditor"}
	want := []shape{
		{ID: "beifeng", Locale: "zh-Hans", Featured: "林悦", Agents: agents, Roles: staff, People: 20},
		{ID: "northwind", Locale: "en", Featured: "Maya Okafor", Agents: agents, Roles: staff, People: 20},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tenants (-want +got):\n%s", diff)
	}
}

func TestData_PeopleAreRememberedRichly(t *testing.T) {
	t.Parallel()
	eachPerson(t, func(t *testing.T, _ Tenant, p Person) {
		keys := make(map[string]bool)
		for _, a := range p.Attributes {
			keys[a.Key] = true
		}
		roles := make(map[string]int)
		for _, s := range p.Sessions {
			// The default retention of turns is 90 days: older ones would be
			// gone with the first run of the job.
			if s.DaysAgo >= 90 {
				t.Errorf("session %s is %d days old", s.Key, s.DaysAgo)
			}
			for _, turn := range s.Turns {
				roles[turn.Role]++
			}
		}
		for what, c := range map[string]struct{ n, least, most int }{
			"memories":        {len(p.Memories), 6, 12},
			"attributes":      {len(keys), 3, 7},
			"user turns":      {roles["user"], 2, 12},
			"assistant turns": {roles["assistant"], 2, 12},
		} {
			if c.n < c.least || c.n > c.most {
				t.Errorf("%d %s, want %d to %d", c.n, what, c.least, c.most)
			}
		}
	})
}

func TestData_EachTenantHasEveryCase(t *testing.T) {
	t.Parallel()
	for _, tenant := range loaded(t).Tenants {
		cases := make(map[string]int)
		for _, p := range tenant.People {
			for _, a := range p.Attributes {
				cases["attribute "+a.Status]++
				cases["attribute from "+a.Source]++
			}
			for _, m := range p.Memories {
				cases["memory "+m.Status]++
				cases["memory from "+m.Source]++
				cases["category "+m.Category]++
				cases["layer "+m.Layer]++
				if m.Status == StatusPending && m.Confidence < 0.6 {
					cases["low confidence"]++
				}
				if m.ExpiresInDays > 0 {
					cases["expires"]++
				}
				if at := m.OccurredDaysAgo; at != nil && *at < 0 {
					cases["still to come"]++
				}
				if m.Quote != "" {
					cases["quoted"]++
				}
			}
		}
		want := []string{"low confidence", "expires", "still to come", "quoted",
			"layer semantic", "layer episodic", "layer procedural"}
		for _, c := range categories {
			if isDataCategory(c) {
				want = append(want, "category "+c)
			}
		}
		for _, s := range []string{StatusActive, StatusPending, StatusSuperseded} {
			want = append(want, "memory "+s, "attribute "+s)
		}
		for _, s := range sources {
			want = append(want, "memory from "+s)
		}
		for _, name := range want {
			if cases[name] == 0 {
				t.Errorf("%s: no case of %q", tenant.ID, name)
			}
		}
	}
}

// Invented people must not have somebody's real number or address.
func TestData_NumbersAndAddressesAreReserved(t *testing.T) {
	t.Parallel()
	number := regexp.MustCompile(`[0-9](?:[ -]?[0-9]){6,}`)
	reserved := regexp.MustCompile(`^(?:1380000[0-9]{4}|1 [0-9]{3} 555 01[0-9]{2})$`)
	mail := regexp.MustCompile(`[\w.]+@[\w.-]+`)
	err := fs.WalkDir(embedded, "data", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := fs.ReadFile(embedded, name)
		if err != nil {
			return err
		}
		for _, n := range number.FindAllString(string(text), -1) {
			if !reserved.MatchString(n) && !strings.HasSuffix(name, n+".json") {
				t.Errorf("%s: %q isn't a reserved number", name, n)
			}
		}
		if strings.HasSuffix(name, "dictionary.json") {
			return nil // its pattern of an address looks like one
		}
		for _, m := range mail.FindAllString(string(text), -1) {
			if !exampleMail.MatchString(m) {
				t.Errorf("%s: %q isn't under .example", name, m)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestData_TextsAreInThePersonsLanguage(t *testing.T) {
	t.Parallel()
	han := func(s string) bool {
		return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
	}
	eachPerson(t, func(t *testing.T, _ Tenant, p Person) {
		chinese := p.Locale == "zh-Hans"
		for i, m := range p.Memories {
			if han(m.Content) != chinese || han(m.Topic) != chinese {
				t.Errorf("memory %d isn't in %s", i, p.Locale)
			}
		}
		for _, s := range p.Sessions {
			for i, turn := range s.Turns {
				if han(turn.Content) != chinese {
					t.Errorf("session %s, turn %d isn't in %s", s.Key, i, p.Locale)
				}
			}
		}
	})
	for _, tenant := range loaded(t).Tenants {
		for _, e := range tenant.Dictionary {
			if !han(e.Label.ZH) || han(e.Label.EN) || !han(e.Purpose.ZH) || han(e.Purpose.EN) {
				t.Errorf("%s: %s: the languages are mixed up", tenant.ID, e.Key)
			}
		}
	}
}

// copyOf returns the built-in files, to be spoilt.
func copyOf(t *testing.T) fstest.MapFS {
	t.Helper()
	out := fstest.MapFS{}
	root, err := fs.Sub(embedded, "data")
	if err != nil {
		t.Fatal(err)
	}
	err = fs.WalkDir(root, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := fs.ReadFile(root, name)
		out[name] = &fstest.MapFile{Data: text}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
