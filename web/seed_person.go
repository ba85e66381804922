package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"fornix/memory"
	"fornix/policy"
	"fornix/web/demo"
)

// writers are who writes about a tenant's people.
type writers struct {
	admin  policy.Principal
	agents []policy.Principal
	bands  map[string]map[string]float64
}

// entry is how long ago something of a person came about, and how it is written.
type entry struct {
	daysAgo int
	write   func(at time.Time) error
}

// person writes everything about a person in the order in which it came about. The
// turns of a day come before what was learned from them.
func (s *seeder) person(ctx context.Context, w writers, p demo.Person) error {
	var entries []entry
	for _, c := range p.Sessions {
		entries = append(entries, entry{c.DaysAgo, func(at time.Time) error { return s.session(ctx, w, p, c, at) }})
	}
	for _, a := range p.Attributes {
		entries = append(entries, entry{a.DaysAgo, func(time.Time) error { return s.attribute(ctx, w, p, a) }})
	}
	for _, m := range p.Memories {
		entries = append(entries, entry{m.DaysAgo, func(at time.Time) error { return s.remember(ctx, w, p, m, at) }})
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(b.daysAgo, a.daysAgo) })
	first := 0
	if len(entries) > 0 {
		first = entries[0].daysAgo
	}
	s.clock.set(s.now.AddDate(0, 0, -first).Add(-3 * time.Hour))
	made, err := s.memory.EnsurePerson(ctx, p.ExternalID, p.Locale)
	if err != nil {
		return err
	}
	made.Close()
	for i, e := range entries {
		// Two hours back at least, so that nothing lies in the future; a minute
		// apart, so that the order holds.
		at := s.now.AddDate(0, 0, -e.daysAgo).Add(-2*time.Hour + time.Duration(i)*time.Minute)
		s.clock.set(at)
		if err := e.write(at); err != nil {
			return err
		}
	}
	return nil
}

func (s *seeder) session(ctx context.Context, w writers, p demo.Person, c demo.Session, at time.Time) error {
	in := memory.MessagesInput{Subject: p.ExternalID, SessionID: c.Key}
	for i, turn := range c.Turns {
		when := at.Add(time.Duration(i) * 20 * time.Second)
		in.Messages = append(in.Messages, memory.Message{Role: turn.Role, Content: turn.Content, OccurredAt: &when, MessageID: fmt.Sprintf("%s-%d", c.Key, i)})
	}
	i := slices.IndexFunc(w.agents, func(a policy.Principal) bool { return a.Name == c.Agent })
	if i < 0 {
		return fmt.Errorf("session %s: no agent %q", c.Key, c.Agent)
	}
	if _, err := s.memory.Messages(asAgent(ctx, w.agents[i]), in); err != nil {
		return fmt.Errorf("session %s: %w", c.Key, err)
	}
	return nil
}

func (s *seeder) attribute(ctx context.Context, w writers, p demo.Person, a demo.Attribute) error {
	in := memory.AttributeInput{Value: a.Value, Source: a.Source, Confidence: &a.Confidence, Reason: a.Reason}
	if bands := w.bands[a.Key]; bands != nil {
		value, err := figure(bands, a.Value)
		if err != nil {
			return fmt.Errorf("attribute %s: %w", a.Key, err)
		}
		in.Value = value
	}
	if a.TTLDays > 0 {
		days := int64(a.TTLDays)
		in.TTLDays = &days
	}
	def, err := s.memory.DictionaryEntry(asAgent(ctx, w.admin), a.Key)
	if err != nil {
		return fmt.Errorf("attribute %s: %w", a.Key, err)
	}
	who := w.choose(a.Source, func(by policy.Principal) bool {
		return s.policy.CanAttr(by, a.Key, def.Category, policy.ActAttributeWrite)
	})
	if _, err := s.memory.PutAttribute(asAgent(ctx, who), p.ExternalID, a.Key, in); err != nil {
		return fmt.Errorf("attribute %s by %s: %w", a.Key, who.Name, err)
	}
	return nil
}

func (s *seeder) remember(ctx context.Context, w writers, p demo.Person, m demo.Memory, at time.Time) error {
	in := memory.RememberInput{
		Subject: p.ExternalID, Content: m.Content, Kind: m.Kind, Layer: m.Layer, Source: m.Source, Confidence: &m.Confidence,
		Importance: &m.Importance, Topic: m.Topic, Slot: m.Slot, Tags: m.Tags, SessionID: m.Session, Quote: m.Quote, Category: m.Category,
	}
	if m.OccurredDaysAgo != nil {
		when := s.now.AddDate(0, 0, -*m.OccurredDaysAgo)
		in.OccurredAt = &when
	} else {
		in.OccurredAt = &at
	}
	if m.ExpiresInDays > 0 {
		until := s.now.AddDate(0, 0, m.ExpiresInDays)
		in.ExpireAt = &until
	}
	who := w.choose(m.Source, func(by policy.Principal) bool { return s.policy.Can(by, m.Category, policy.ActMemoryWrite) })
	if _, err := s.memory.Remember(asAgent(ctx, who), in); err != nil && !isForbidden(err) {
		return fmt.Errorf("memory on %q by %s: %w", m.Topic, who.Name, err)
	}
	return nil
}

// isForbidden tells whether the dictionary refused the text: a figure that it keeps
// in bands alone isn't kept, in the demo neither.
func isForbidden(err error) bool {
	var e *memory.Error
	return errors.As(err, &e) && e.Code == memory.CodeInvalid && len(e.Fields) == 1 && e.Fields[0].Code == "forbidden"
}

// choose returns who writes something: the admin what staff put down, else the
// first agent that may, else the admin.
func (w writers) choose(source string, may func(policy.Principal) bool) policy.Principal {
	if source != demo.SourceManual {
		if i := slices.IndexFunc(w.agents, may); i >= 0 {
			return w.agents[i]
		}
	}
	return w.admin
}
