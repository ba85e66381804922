package demo

import (
	"encoding/json"
	"slices"
	"strings"
)

var sources = []string{SourceUser, SourceManual, SourceExternal, SourceInferred}

func (p Person) check(f faults, dictionary map[string]checkedEntry, agents map[string]bool) {
	f.unless(strings.TrimSpace(p.Name) != "", "the name is missing")
	f.unless(slices.Contains(locales, p.Locale), "unknown locale %q", p.Locale)
	sessions := p.checkSessions(f, agents)
	p.checkAttributes(f, dictionary)
	p.checkMemories(f, sessions)
}

func (p Person) checkSessions(f faults, agents map[string]bool) map[string]Session {
	byKey := make(map[string]Session, len(p.Sessions))
	seen := make(map[string]bool)
	for i, s := range p.Sessions {
		g := f.in("session %d", i)
		g.unique(seen, "the key", s.Key)
		g.unless(agents[s.Agent], "unknown agent %q", s.Agent)
		g.unless(s.DaysAgo >= 0, "it lies in the future")
		g.unless(i == 0 || s.DaysAgo <= p.Sessions[i-1].DaysAgo, "it is older than the one before")
		g.unless(len(s.Turns) > 0, "it has no turn")
		for j, turn := range s.Turns {
			h := g.in("turn %d", j)
			h.unless(turn.Role == "user" || turn.Role == "assistant", "unknown role %q", turn.Role)
			h.unless(strings.TrimSpace(turn.Content) != "", "it is empty")
		}
		byKey[s.Key] = s
	}
	return byKey
}

func (p Person) checkAttributes(f faults, dictionary map[string]checkedEntry) {
	for i, a := range p.Attributes {
		g := f.in("attribute %d (%s)", i, a.Key)
		checkProvenance(g, a.Source, a.Confidence, a.Status)
		g.unless(a.DaysAgo >= 0, "it lies in the future")
		g.unless(i == 0 || a.DaysAgo <= p.Attributes[i-1].DaysAgo, "it is older than the one before")
		g.unless(a.TTLDays >= 0, "the TTL is below 0")
		expired := a.TTLDays > 0 && a.DaysAgo >= a.TTLDays
		g.unless(a.Status == StatusSuperseded || !expired, "it has outlived its TTL")
		g.unless(a.Source != SourceInferred || a.Reason != "", "an inferred value needs its reason")
		entry, ok := dictionary[a.Key]
		if !ok {
			g.add("the dictionary has no such key")
			continue
		}
		entry.checkStored(g, a.Value)
	}
}

// checkStored judges a value as it is stored.
func (e checkedEntry) checkStored(f faults, value json.RawMessage) {
	switch e.Rule {
	case RuleForbidden:
		f.add("a forbidden key has no value")
	case RuleBanded:
		var band string
		named := json.Unmarshal(value, &band) == nil &&
			slices.ContainsFunc(e.Bands, func(b Band) bool { return b.Name == band })
		f.unless(named, "the value of a banded key is the name of a band")
	default:
		if e.schema == nil {
			return // already a fault of the dictionary
		}
		if err := e.schema.checkValue(value); err != nil {
			f.add("%w", err)
		}
	}
}

func (p Person) checkMemories(f faults, sessions map[string]Session) {
	before := make(map[string]Memory) // by key
	replaced := make(map[string]bool)
	slots := make(map[string]bool)
	keys := make(map[string]bool)
	contents := make(map[string]bool)
	for i, m := range p.Memories {
		g := f.in("memory %d", i)
		g.unique(contents, "the content", m.Content)
		m.check(g)
		g.unless(i == 0 || m.DaysAgo <= p.Memories[i-1].DaysAgo, "it is older than the one before")
		if m.Session != "" {
			s, ok := sessions[m.Session]
			g.unless(ok, "there is no session %q", m.Session)
			g.unless(!ok || s.said(m.Quote), "nobody said the quote in the session")
			g.unless(!ok || s.DaysAgo == m.DaysAgo, "it isn't of the session's day")
		}
		if m.Supersedes != "" {
			g.unless(m.Status != StatusPending, "what waits for review can't supersede")
			old, ok := before[m.Supersedes]
			g.unless(ok, "it supersedes %q, which isn't before it", m.Supersedes)
			g.unless(!ok || old.Slot == m.Slot && old.Category == m.Category && m.Slot != "", "it supersedes a memory of another slot or category")
			g.unless(!replaced[m.Supersedes], "%q is superseded twice", m.Supersedes)
			replaced[m.Supersedes] = true
		}
		if m.Slot != "" && m.Status == StatusActive {
			g.unless(!slots[m.Slot], "the slot %q holds two active memories", m.Slot)
			slots[m.Slot] = true
		}
		if m.Key != "" {
			g.unique(keys, "the key", m.Key)
			before[m.Key] = m
		}
	}
}

func (m Memory) check(f faults) {
	checkProvenance(f, m.Source, m.Confidence, m.Status)
	layer, known := layers[m.Kind]
	f.unless(known, "unknown kind %q", m.Kind)
	f.unless(!known || m.Layer == layer, "kind %q isn't kept in layer %q", m.Kind, m.Layer)
	f.unless(isDataCategory(m.Category), "unknown category %q", m.Category)
	f.unless(strings.TrimSpace(m.Topic) != "", "the topic is missing")
	f.unless(m.Slot == "" || plainKey.MatchString(m.Slot), "the slot isn't plain")
	f.unless(m.Importance > 0 && m.Importance <= 1, "the importance isn't above 0 and at most 1")
	f.unless(m.DaysAgo >= 0, "it lies in the future")
	f.unless(m.ExpiresInDays >= 0, "it has expired")
	f.unless(m.Quote == "" || m.Session != "", "a quote needs the session it was said in")
	if at := m.OccurredDaysAgo; at != nil {
		f.unless(m.Layer == "episodic", "only an event has the day it occurred")
		f.unless(*at >= 0 || m.ExpiresInDays == 0 || -*at <= m.ExpiresInDays, "it expires before it occurs")
	}
	for i, tag := range m.Tags {
		f.unless(strings.TrimSpace(tag) != "" && !slices.Contains(m.Tags[:i], tag), "tag %d is empty or stands twice", i)
	}
}

// said tells whether the person, not the assistant, said the words: what the
// assistant says never becomes a fact about the person.
func (s Session) said(quote string) bool {
	return quote != "" && slices.ContainsFunc(s.Turns, func(t Turn) bool {
		return t.Role == "user" && strings.Contains(t.Content, quote)
	})
}

func checkProvenance(f faults, source string, confidence float64, status string) {
	f.unless(slices.Contains(sources, source), "unknown source %q", source)
	f.unless(confidence > 0 && confidence <= 1, "the confidence isn't above 0 and at most 1")
	f.unless(status != StatusPending || source == SourceInferred || source == SourceExternal,
		"only what was inferred or came from outside waits for review")
}
