package privacy

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"fornix/audit"
	"fornix/keys"
	"fornix/memory"
	"fornix/models"
	"fornix/policy"
)

// TrailQuery searches the audit log. Subject is a pseudonym or the person's
// external id.
type TrailQuery struct {
	Actor, Action, Object, Subject string
	From, To                       time.Time
	Cursor                         string
}

// TrailRow is an event's envelope.
type TrailRow struct {
	ID                            string
	At                            time.Time
	ActorKind, ActorID, ActorRole string
	IP, UserAgent                 string
	Action, Object, Subject       string
	RequestID                     string
}

// TrailPage is one page of events, newest first. Next is empty on the last.
type TrailPage struct {
	Rows []TrailRow
	Next string
}

// TrailDetail is one event with the fingerprint of its leaf. Readable says that
// the payload's key is still there.
type TrailDetail struct {
	TrailRow
	Leaf     []byte
	Readable bool
}

// TrailReveal is an event's opened payload.
type TrailReveal struct {
	Before, After map[string]any
	Reason        string
	IP, UserAgent string
}

const (
	trailPage = 50
	minReason = 10
)

// SearchTrail lists the events that match, for whoever may read the log.
func (s *Service) SearchTrail(ctx context.Context, q TrailQuery) (TrailPage, error) {
	ctx, p, err := s.actor(ctx)
	if err != nil {
		return TrailPage{}, err
	}
	if !s.policy.Can(p, policy.AreaAudit, policy.ActAuditRead) {
		return TrailPage{}, memory.Forbidden()
	}
	f := models.TrailFilter{Actor: q.Actor, Action: q.Action, Object: q.Object, Limit: trailPage + 1}
	if f.Pseudonym, err = s.pseudonymOf(ctx, q.Subject); err != nil {
		if memory.CodeOf(err) == memory.CodeNotFound {
			return TrailPage{}, nil
		}
		return TrailPage{}, err
	}
	if !q.From.IsZero() {
		f.From = models.At(q.From)
	}
	if !q.To.IsZero() {
		f.To = models.At(q.To)
	}
	if q.Cursor != "" {
		id, err := uuid.Parse(q.Cursor)
		if err != nil {
			return TrailPage{}, memory.Invalid(memory.Field{Name: "cursor", Code: "invalid", Text: "not a cursor of this list"})
		}
		f.Before = &id
	}
	events, err := s.db.Trail(ctx, f)
	if err != nil {
		return TrailPage{}, memory.Wrap("privacy: search trail", err)
	}
	var page TrailPage
	for i, e := range events {
		if i == trailPage {
			page.Next = events[i-1].ID.String()
			break
		}
		page.Rows = append(page.Rows, toTrailRow(e))
	}
	return page, nil
}

// pseudonymOf turns what staff typed into a pseudonym; not found when there is no
// such person.
func (s *Service) pseudonymOf(ctx context.Context, text string) (string, error) {
	if text == "" || strings.HasPrefix(text, "sub_") {
		return text, nil
	}
	person, err := s.memory.FindPerson(ctx, text)
	if err != nil {
		return "", err
	}
	defer person.Close()
	return person.Pseudonym, nil
}

// TrailEvent reads one event's envelope.
func (s *Service) TrailEvent(ctx context.Context, id string) (TrailDetail, error) {
	ctx, p, err := s.actor(ctx)
	if err != nil {
		return TrailDetail{}, err
	}
	if !s.policy.Can(p, policy.AreaAudit, policy.ActAuditRead) {
		return TrailDetail{}, memory.Forbidden()
	}
	e, subject, err := s.event(ctx, id)
	if err != nil {
		return TrailDetail{}, err
	}
	return TrailDetail{TrailRow: toTrailRow(e), Leaf: e.Leaf, Readable: e.Pseudonym == "" || subject != nil}, nil
}

// event reads an event and the living person it concerns, nil when there is none.
func (s *Service) event(ctx context.Context, id string) (models.AuditEvent, *models.Subject, error) {
	parsed, err := uuid.Parse(id)
	if err != nil {
		return models.AuditEvent{}, nil, memory.NotFound()
	}
	e, err := s.db.TrailEvent(ctx, parsed)
	if err != nil {
		return e, nil, memory.Wrap("privacy: trail event", err)
	}
	if e.Pseudonym == "" {
		return e, nil, nil
	}
	subject, err := s.db.SubjectByPseudonym(ctx, e.Pseudonym)
	if errors.Is(err, models.ErrNotFound) || err == nil && subject.Status != models.SubjectActive {
		return e, nil, nil
	}
	if err != nil {
		return e, nil, memory.Wrap("privacy: trail event", err)
	}
	return e, &subject, nil
}

// RevealTrail opens an event's payload, for a reason that is recorded.
func (s *Service) RevealTrail(ctx context.Context, id, reason string) (TrailReveal, error) {
	ctx, p, err := s.actor(ctx)
	if err != nil {
		return TrailReveal{}, err
	}
	if !s.policy.Can(p, policy.AreaAudit, policy.ActAuditReveal) {
		return TrailReveal{}, memory.Forbidden()
	}
	if err := CheckReason(reason); err != nil {
		return TrailReveal{}, err
	}
	e, subject, err := s.event(ctx, id)
	if err != nil {
		return TrailReveal{}, err
	}
	if e.Pseudonym != "" && subject == nil {
		return TrailReveal{}, memory.Wrap("privacy: reveal trail", keys.ErrErased)
	}
	payload, err := s.db.OpenPayload(ctx, e, subject)
	if err != nil {
		return TrailReveal{}, memory.Wrap("privacy: reveal trail", err)
	}
	record := audit.Event{Action: "audit.reveal", Object: "audit:" + e.ID.String(), Reason: reason}
	if subject != nil {
		record.Subject, record.Epoch = subject.SubjectID, subject.Epoch
	}
	// The value goes out only after the record of it stands.
	if err := s.db.InTx(ctx, func(ctx context.Context, tx *models.Tx) error { return tx.Record(ctx, record) }); err != nil {
		return TrailReveal{}, memory.Wrap("privacy: reveal trail", err)
	}
	return TrailReveal{Before: payload.Before, After: payload.After, Reason: payload.Reason, IP: payload.IP, UserAgent: payload.UserAgent}, nil
}

// CheckReason refuses a reason that says nothing, or a novel.
func CheckReason(reason string) error {
	field := func(code, text string) error {
		return memory.Invalid(memory.Field{Name: "reason", Code: code, Text: text})
	}
	switch n := utf8.RuneCountInString(strings.TrimSpace(reason)); {
	case n == 0:
		return field("required", "say why")
	case n < minReason:
		return field("too_short", "at least 10 characters")
	case n > 1000 || !utf8.ValidString(reason):
		return field("too_long", "at most 1,000 characters")
	}
	return nil
}

func toTrailRow(e models.AuditEvent) TrailRow {
	return TrailRow{
		ID: e.ID.String(), At: e.OccurredAt.Time(), ActorKind: e.ActorKind, ActorID: e.ActorID, ActorRole: e.ActorRole,
		IP: e.IP, UserAgent: e.UserAgent, Action: e.Action, Object: e.Object, Subject: e.Pseudonym, RequestID: e.RequestID,
	}
}
