package demo

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// Each case spoils one thing in what was loaded; the answer must name the fault.
func TestCheck_NamesTheFault(t *testing.T) {
	t.Parallel()
	type spoil = func(tenant *Tenant, p *Person)
	entry := func(key string, change func(e *Entry)) spoil {
		return func(tenant *Tenant, _ *Person) {
			change(&tenant.Dictionary[slices.IndexFunc(tenant.Dictionary, func(e Entry) bool { return e.Key == key })])
		}
	}
	agent := func(change func(a *Agent)) spoil {
		return func(tenant *Tenant, _ *Person) { change(&tenant.Agents[0]) }
	}
	staff := func(change func(s *Staff)) spoil {
		return func(tenant *Tenant, _ *Person) { change(&tenant.Staff[0]) }
	}
	attribute := func(change func(a *Attribute)) spoil {
		return func(_ *Tenant, p *Person) { change(&p.Attributes[len(p.Attributes)-1]) }
	}
	session := func(change func(s *Session)) spoil {
		return func(_ *Tenant, p *Person) { change(&p.Sessions[len(p.Sessions)-1]) }
	}
	memory := func(change func(m *Memory)) spoil {
		return func(_ *Tenant, p *Person) { change(&p.Memories[len(p.Memories)-1]) }
	}
	superseder := func(p *Person) int {
		return slices.IndexFunc(p.Memories, func(m Memory) bool { return m.Supersedes != "" })
	}
	quoted := func(p *Person) *Memory {
		return &p.Memories[slices.IndexFunc(p.Memories, func(m Memory) bool { return m.Session != "" })]
	}

	for want, change := range map[string]spoil{
		"the id isn't [a-z0-9-]{1,40}":   func(tenant *Tenant, _ *Person) { tenant.ID = "North Wind" },
		"northwind: the name is missing": func(tenant *Tenant, _ *Person) { tenant.Name = " " },
		`northwind: unknown locale "zh"`: func(tenant *Tenant, _ *Person) { tenant.Locale = "zh" },
		"the tenant's id stands twice":   func(tenant *Tenant, _ *Person) { tenant.ID = "beifeng" },

		"agent 0: the name is missing":                   agent(func(a *Agent) { a.Name = "" }),
		"agent 0: the name or the module isn't plain":    agent(func(a *Agent) { a.Module = "Support" }),
		"agent 0: the title lacks a language":            agent(func(a *Agent) { a.Title.ZH = "" }),
		"agent 0: there is no grant":                     agent(func(a *Agent) { a.Grants = nil }),
		"agent 0: grant 0: it names no category":         agent(func(a *Agent) { a.Grants[0].Categories = nil }),
		"agent 0: grant 1: it names no category or no a": agent(func(a *Agent) { a.Grants[1].Actions = nil }),

		"staff 0: the name is missing":   staff(func(s *Staff) { s.Name = "" }),
		`staff 0: unknown locale "de"`:   staff(func(s *Staff) { s.Locale = "de" }),
		"staff 0: there is no role":      staff(func(s *Staff) { s.Roles = nil }),
		"the external id stands twice":   func(tenant *Tenant, _ *Person) { tenant.People[1].ExternalID = "nw-2001" },
		"0 people are featured":          func(_ *Tenant, p *Person) { p.Featured = false },
		"(nw-2001): the name is missing": func(_ *Tenant, p *Person) { p.Name = "" },
		`(nw-2001): unknown locale "sv"`: func(_ *Tenant, p *Person) { p.Locale = "sv" },

		"(Diet): the key isn't plain":                        entry("diet", func(e *Entry) { e.Key = "Diet" }),
		`(diet): unknown sensitivity "secret"`:               entry("diet", func(e *Entry) { e.Sensitivity = "secret" }),
		`(diet): unknown category "turns"`:                   entry("diet", func(e *Entry) { e.Category = "turns" }),
		"(diet): the TTL is below 0":                         entry("diet", func(e *Entry) { e.TTLDays = -1 }),
		"(diet): only a banded key has bands":                entry("diet", func(e *Entry) { e.Bands = []Band{{Name: "x"}} }),
		"(diet): schema: missing":                            entry("diet", func(e *Entry) { e.Schema = json.RawMessage("null") }),
		"(card_number): a forbidden key has no lawful basis": entry("card_number", func(e *Entry) { e.LawfulBasis = "consent" }),
		"needs two bands at least":                           entry("team_size", func(e *Entry) { e.Bands = e.Bands[:1] }),
		"band 0: the label lacks a language":                 entry("team_size", func(e *Entry) { e.Bands[0].Label.EN = "" }),
		"band 0: only the first band is open below":          entry("team_size", func(e *Entry) { e.Bands[0].From = new(float64) }),
		"band 1: it ends before it begins":                   entry("team_size", func(e *Entry) { e.Bands[1].To = new(float64) }),
		"band 1: the name stands twice":                      entry("team_size", func(e *Entry) { e.Bands[1].Name = e.Bands[0].Name }),

		"(contact_time): it lies in the future":            attribute(func(a *Attribute) { a.DaysAgo = -1 }),
		"(contact_time): it is older than the one before":  attribute(func(a *Attribute) { a.DaysAgo = 300 }),
		"(contact_time): the TTL is below 0":               attribute(func(a *Attribute) { a.TTLDays = -1 }),
		`(contact_time): unknown source "hearsay"`:         attribute(func(a *Attribute) { a.Source = "hearsay" }),
		"session 3: it lies in the future":                 session(func(s *Session) { s.DaysAgo = -1 }),
		"session 3: it has no turn":                        session(func(s *Session) { s.Turns = nil }),
		"session 3: turn 0: it is empty":                   session(func(s *Session) { s.Turns[0].Content = " " }),
		"session 3: the key stands twice":                  session(func(s *Session) { s.Key = "s1" }),
		"memory 11: the content is missing":                memory(func(m *Memory) { m.Content = "" }),
		`memory 11: unknown source "hearsay"`:              memory(func(m *Memory) { m.Source = "hearsay" }),
		`kind "soft_preference" isn't kept in layer "epis`: memory(func(m *Memory) { m.Layer = "episodic" }),
		"memory 11: the topic is missing":                  memory(func(m *Memory) { m.Topic = "" }),
		"memory 11: the slot isn't plain":                  memory(func(m *Memory) { m.Slot = "Bird Watching" }),
		"memory 11: the importance isn't above 0":          memory(func(m *Memory) { m.Importance = 1.1 }),
		"memory 11: the confidence isn't above 0":          memory(func(m *Memory) { m.Confidence = 1.1 }),
		"memory 11: it lies in the future":                 memory(func(m *Memory) { m.DaysAgo = -1 }),
		"memory 11: it is older than the one before":       memory(func(m *Memory) { m.DaysAgo = 300 }),
		"memory 11: it has expired":                        memory(func(m *Memory) { m.ExpiresInDays = -1 }),
		"memory 11: a quote needs the session":             memory(func(m *Memory) { m.Quote = "binoculars" }),
		"memory 11: tag 1 is empty or stands twice":        memory(func(m *Memory) { m.Tags = []string{"birds", "birds"} }),
		"memory 11: tag 0 is empty or stands twice":        memory(func(m *Memory) { m.Tags = []string{" "} }),
		"it isn't of the session's day":                    func(_ *Tenant, p *Person) { quoted(p).DaysAgo++ },
		"what waits for review can't supersede": func(_ *Tenant, p *Person) {
			p.Memories[superseder(p)].Status = StatusPending
		},
		`"size38" is superseded twice`: func(_ *Tenant, p *Person) {
			again := p.Memories[superseder(p)]
			again.Content, again.Session, again.Quote = "Takes 40 by now", "", ""
			p.Memories = slices.Insert(p.Memories, superseder(p)+1, again)
		},
		"the key stands twice": func(_ *Tenant, p *Person) { p.Memories[len(p.Memories)-1].Key = "size38" },
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			d := loaded(t)
			tenant := &d.Tenants[1]
			change(tenant, &tenant.People[0])
			err := d.check()
			if err == nil {
				t.Fatal("passed without an error")
			}
			if !strings.Contains(err.Error(), want) {
				t.Errorf("error %q doesn't name the fault", err)
			}
		})
	}
}
