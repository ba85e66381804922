package memory

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"fornix/audit"
	"fornix/keys"
	"fornix/models"
	"fornix/policy"
)

// Bounds of what is remembered, in characters.
const (
	maxContent   = 8000
	maxNamespace = 64
	maxLabel     = 128
	maxTags      = 20
	maxTag       = 64
	maxName      = 512 // of a session or message, in bytes
)

// DefaultNamespace is where memories go that name none.
const DefaultNamespace = "default"

// Sources, and how far each is believed where they disagree: what the person
// said stands over what staff typed, that over another system's record, and all
// over what was inferred.
const (
	SourceUser     = "user"
	SourceManual   = "manual"
	SourceExternal = "external"
	SourceInferred = "inferred"
)

var trust = map[string]int{SourceUser: 3, SourceManual: 2, SourceExternal: 1, SourceInferred: 0}

var (
	kinds  = []string{"hard_fact", "soft_preference", "event_fragment", "procedure"}
	layers = []string{"episodic", "semantic", "procedural"}
)

// layerOf is the layer a kind of memory belongs to unless the writer says
// otherwise.
var layerOf = map[string]string{
	"hard_fact": "semantic", "soft_preference": "semantic", "event_fragment": "episodic", "procedure": "procedural",
}

// Remember keeps one text about a person, or a text shared by the namespace when
// no person is named. What is known already gains evidence instead of a second
// row; what contradicts replaces or waits (see the outcomes). An agent that may
// not read the category gets `accepted` and an id of its own, whatever came of
// it, so that it can't find out what is known by writing.
func (s *Service) Remember(ctx context.Context, in RememberInput) (Remembered, error) {
	ctx, p, err := s.actor(ctx)
	if err != nil {
		return Remembered{}, err
	}
	if err := checkRemember(&in); err != nil {
		return Remembered{}, err
	}
	if in.Subject == "" {
		return s.rememberShared(ctx, p, in)
	}
	d := s.draftOf(in)
	if !s.mayWrite(p, d.category) {
		return Remembered{}, Forbidden()
	}
	if d, err = s.applyDictionary(ctx, d); err != nil {
		return Remembered{}, err
	}
	d.agent = agentID(p)
	person, err := s.EnsurePerson(ctx, in.Subject, "")
	if err != nil {
		return Remembered{}, err
	}
	defer person.Close()
	if in.MessageID != "" {
		token := messageToken(person, d.namespace, in.SessionID, in.MessageID)
		d.message = &token
	}
	var done stored
	err = s.Write(ctx, person, func(ctx context.Context, tx *models.Tx) error {
		if err := s.linkConversation(ctx, person, in.SessionID, &d); err != nil {
			return err
		}
		if done, err = s.store(ctx, tx, person, d); err != nil {
			return err
		}
		return tx.Record(ctx, done.event(person))
	})
	if err != nil {
		return Remembered{}, Wrap("remember", err)
	}
	return done.answer(person, s.mayRead(p, d.category)), nil
}

// checkRemember judges all fields and fills in those that are plain defaults.
func checkRemember(in *RememberInput) error {
	var f faults
	if in.Subject != "" {
		if err := CheckExternalID(in.Subject); err != nil {
			return err
		}
	}
	f.text("content", in.Content, maxContent)
	in.Namespace = f.namespace(in.Namespace)
	f.oneOf("kind", in.Kind, kinds)
	f.oneOf("layer", in.Layer, layers)
	f.oneOf("source", in.Source, []string{SourceUser, SourceManual, SourceExternal, SourceInferred})
	f.share("confidence", in.Confidence)
	f.share("importance", in.Importance)
	f.short("topic", in.Topic, maxLabel)
	f.short("slot", in.Slot, maxLabel)
	f.short("category", in.Category, maxLabel)
	f.short("quote", in.Quote, maxContent)
	f.short("session_id", in.SessionID, maxName)
	f.short("message_id", in.MessageID, maxName)
	in.Tags = f.tags(in.Tags)
	switch {
	case in.Category == policy.CatTurns:
		f.add("category", "invalid", "turns come through /messages")
	case in.Category != "" && !policy.IsDataCategory(in.Category):
		// Kept all the same, where nobody reads it without a decision.
		in.Category = policy.CatRestricted
	}
	switch {
	case in.Mode != "" && in.Mode != "sealed" && in.Mode != "open":
		f.add("mode", "unknown", "sealed or open")
	case in.Mode == "open" && in.Subject != "":
		f.add("mode", "forbidden", "what belongs to a person is always sealed")
	case in.Mode == "sealed" && in.Subject == "":
		f.add("mode", "forbidden", "sealed needs a subject")
	}
	if in.OccurredAt != nil && in.ExpireAt != nil && !in.ExpireAt.After(*in.OccurredAt) {
		f.add("expire_at", "out_of_range", "must be after occurred_at")
	}
	f.date("occurred_at", in.OccurredAt)
	f.date("expire_at", in.ExpireAt)
	return f.err()
}

// linkConversation finds the session and turn a memory comes from, where they
// are kept.
func (s *Service) linkConversation(ctx context.Context, person *Person, session string, d *draft) error {
	if session != "" {
		row, err := s.db.SessionByToken(ctx, person.SubjectID, sessionToken(person, d.namespace, session))
		if err == nil {
			d.session = &row.ID
		} else if !models.IsNotFound(err) {
			return err
		}
	}
	if d.message == nil {
		return nil
	}
	turns, err := s.db.TurnsByToken(ctx, person.SubjectID, []keys.Token{*d.message})
	if err == nil && len(turns) == 1 {
		d.turn = &turns[0].ID
	}
	return err
}

// mayWrite, mayRead: the program itself may; people are judged where they act.
func (s *Service) mayWrite(p policy.Principal, category string) bool {
	return p.Kind == policy.KindSystem || s.policy.Can(p, category, policy.ActMemoryWrite)
}

func (s *Service) mayRead(p policy.Principal, category string) bool {
	return p.Kind == policy.KindSystem || s.policy.Can(p, category, policy.ActMemoryRead)
}

// agentID is the id of the agent that acts; nil for everybody else.
func agentID(p policy.Principal) *uuid.UUID {
	if p.Kind != policy.KindAgent {
		return nil
	}
	id, err := uuid.Parse(p.ID)
	if err != nil {
		return nil
	}
	return &id
}

// faults gathers what is wrong with an input, so that one answer names it all.
type faults []Field

func (f *faults) add(name, code, text string) {
	*f = append(*f, Field{Name: name, Code: code, Text: text})
}

func (f *faults) err() error {
	if len(*f) == 0 {
		return nil
	}
	return Invalid(*f...)
}

func (f *faults) text(name, value string, most int) {
	if strings.TrimSpace(value) == "" {
		f.add(name, "required", "must not be empty")
		return
	}
	f.short(name, value, most)
}

func (f *faults) short(name, value string, most int) {
	switch {
	case !utf8.ValidString(value) || strings.ContainsRune(value, 0):
		f.add(name, "invalid", "must be valid UTF-8 without NUL")
	case utf8.RuneCountInString(value) > most:
		f.add(name, "too_long", "is too long")
	}
}

func (f *faults) oneOf(name, value string, known []string) {
	if value != "" && !slices.Contains(known, value) {
		f.add(name, "unknown", "one of "+strings.Join(known, ", "))
	}
}

func (f *faults) share(name string, value *float64) {
	if value != nil && !(*value >= 0 && *value <= 1) { // not a number is refused, too
		f.add(name, "out_of_range", "from 0 to 1")
	}
}

// date refuses years that no calendar of the program's pages writes.
func (f *faults) date(name string, at *time.Time) {
	if at != nil && (at.Year() < 1900 || at.Year() > 2999) {
		f.add(name, "out_of_range", "from 1900 to 2999")
	}
}

func (f *faults) namespace(value string) string {
	if value == "" {
		return DefaultNamespace
	}
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.", r)
	}
	if len(value) > maxNamespace || strings.ContainsFunc(value, func(r rune) bool { return !plain(r) }) {
		f.add("namespace", "invalid", "up to 64 of a-z, 0-9, - _ .")
	}
	return value
}

// tags returns the tags trimmed, each once.
func (f *faults) tags(tags []string) []string {
	if len(tags) > maxTags {
		f.add("tags", "too_long", "at most 20")
		return nil
	}
	var kept []string
	for _, tag := range tags {
		tag = strings.TrimSpace(tag)
		before := len(*f)
		f.text("tags", tag, maxTag)
		if len(*f) > before {
			break
		}
		if !slices.Contains(kept, tag) {
			kept = append(kept, tag)
		}
	}
	return kept
}

// event is what the audit log keeps of a write: ids and what came of it, never
// the words, which must be erasable alone.
func (d stored) event(person *Person) audit.Event {
	after := map[string]any{"outcome": d.outcome, "category": d.category}
	if d.superseded != nil {
		after["superseded"] = d.superseded.String()
	}
	if d.conflict != nil {
		after["conflict_with"] = d.conflict.String()
	}
	return audit.Event{
		Action: "memory." + actionOf[d.outcome], Object: "memory:" + d.memory.String(),
		Subject: person.SubjectID, Epoch: person.Epoch, After: after,
	}
}

var actionOf = map[string]string{
	OutcomeCreated: "create", OutcomeMerged: "merge", OutcomeSuperseded: "supersede",
	OutcomeConflict: "conflict", OutcomePending: "propose", OutcomeIgnored: "ignore",
}
