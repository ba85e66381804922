package memory

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"fornix/audit"
	"fornix/keys"
	"fornix/memory/lexical"
	"fornix/models"
	"fornix/policy"
)

// maxMessages bounds one call, so that the one writer isn't held for long.
const maxMessages = 200

// sessionLife is how long a session is kept after its last turn.
const sessionLife = 30 * 24 * time.Hour

var roles = []string{"user", "assistant", "system", "tool"}

// Messages keeps turns of a conversation, sealed, and queues their extraction in
// the same transaction. A turn that is sent again isn't kept twice: it is known
// by its message_id, else by who said what when. One that the person erased isn't
// kept again unless it is said anew.
func (s *Service) Messages(ctx context.Context, in MessagesInput) (Accepted, error) {
	ctx, p, err := s.actor(ctx)
	if err != nil {
		return Accepted{}, err
	}
	if err := checkMessages(&in); err != nil {
		return Accepted{}, err
	}
	if p.Kind != policy.KindSystem && !s.policy.Can(p, policy.CatTurns, policy.ActTurnWrite) {
		return Accepted{}, Forbidden()
	}
	person, err := s.EnsurePerson(ctx, in.Subject, "")
	if err != nil {
		return Accepted{}, err
	}
	defer person.Close()
	turns, err := s.prepareTurns(person, in, p)
	if err != nil {
		return Accepted{}, Wrap("messages", err)
	}
	var done Accepted
	err = s.Write(ctx, person, func(ctx context.Context, tx *models.Tx) error {
		done, err = s.keepTurns(ctx, tx, person, in, turns)
		return err
	})
	return done, Wrap("messages", err)
}

func checkMessages(in *MessagesInput) error {
	if err := CheckExternalID(in.Subject); err != nil {
		return err
	}
	if len(in.Messages) > maxMessages {
		return Fail(CodeTooLarge, "error.too_large", fmt.Sprintf("at most %d messages in one call", maxMessages))
	}
	var f faults
	f.text("session_id", in.SessionID, maxName)
	in.Namespace = f.namespace(in.Namespace)
	if len(in.Messages) == 0 {
		f.add("messages", "required", "send at least one")
	}
	for i, m := range in.Messages {
		name := fmt.Sprintf("messages[%d].", i)
		if m.Role == "" {
			f.add(name+"role", "required", "one of user, assistant, system, tool")
		}
		f.oneOf(name+"role", m.Role, roles)
		f.text(name+"content", m.Content, maxContent)
		f.short(name+"message_id", m.MessageID, maxName)
		f.date(name+"occurred_at", m.OccurredAt)
	}
	return f.err()
}

// turnDraft is a turn with its cell sealed, before it has a place in its session.
type turnDraft struct {
	row  models.Turn
	doc  lexical.Doc
	said models.Micros // 0: nothing tells it from an earlier sending
}

// prepareTurns does what needs no transaction.
func (s *Service) prepareTurns(p *Person, in MessagesInput, by policy.Principal) ([]turnDraft, error) {
	now := s.now()
	equal := map[keys.Token]int{}
	drafts := make([]turnDraft, 0, len(in.Messages))
	for _, m := range in.Messages {
		row := models.Turn{
			SubjectID: p.SubjectID, ID: models.NewID(), Namespace: in.Namespace, Role: m.Role, AgentID: agentID(by),
			OccurredAt: models.At(now), CreatedAt: models.At(now),
		}
		at, stamp := now, ""
		d := turnDraft{}
		if m.OccurredAt != nil {
			at, stamp = *m.OccurredAt, strconv.FormatInt(m.OccurredAt.UnixMicro(), 10)
			row.OccurredAt = models.At(at)
			_, east := at.Zone()
			row.Zone = int64(east)
			d.said = row.OccurredAt
		}
		if m.MessageID != "" {
			row.MessageToken = messageToken(p, in.Namespace, in.SessionID, m.MessageID)
		} else {
			same := p.Ring.Token("turn", joined(in.Namespace, in.SessionID, m.Role, m.Content, stamp))
			row.MessageToken = p.Ring.Token("turn", joined(string(same[:]), strconv.Itoa(equal[same])))
			equal[same]++
			d.said = row.OccurredAt
		}
		if s.retention > 0 {
			expire := models.At(now.Add(s.retention))
			row.ExpireAt = &expire
		}
		var err error
		if row.Content, err = p.Seal(row.TableName(), "content", row.ID, []byte(m.Content)); err != nil {
			return nil, err
		}
		d.row = row
		d.doc = lexical.Doc{
			ID: row.ID, Kind: lexical.Turn, Content: m.Content, Speaker: m.Role,
			OccurredAt: at, CreatedAt: now, ExpiresAt: expiresAt(row.ExpireAt),
		}
		drafts = append(drafts, d)
	}
	return drafts, nil
}

func expiresAt(at *models.Micros) time.Time {
	if at == nil {
		return time.Time{}
	}
	return at.Time()
}

// keepTurns writes the turns that are new, with session, index, job and event.
func (s *Service) keepTurns(ctx context.Context, tx *models.Tx, p *Person, in MessagesInput, drafts []turnDraft) (Accepted, error) {
	fresh, err := s.freshTurns(ctx, tx, p, drafts)
	if err != nil || len(fresh) == 0 {
		return Accepted{}, err
	}
	session, err := s.openSession(ctx, tx, p, in, fresh)
	if err != nil {
		return Accepted{}, err
	}
	rows := make([]models.Turn, len(fresh))
	hasher := s.hasher(p)
	number := p.Ring.Hash64("session", session.ID[:])
	for i := range fresh {
		row := &fresh[i].row
		row.SessionID, row.Position = session.ID, session.Turns-int64(len(fresh))+int64(i)
		rows[i] = *row
		if s.retention <= 0 || row.Role != "user" && row.Role != "assistant" {
			continue // kept for extraction alone, or no part of the talk
		}
		doc := fresh[i].doc
		doc.Session, doc.Order = number, int(row.Position)
		if err := s.indexPut(ctx, tx, p, in.Namespace, policy.CatTurns, lexical.Build(doc, hasher)); err != nil {
			return Accepted{}, err
		}
	}
	if err := models.Insert(ctx, tx, rows...); err != nil {
		return Accepted{}, err
	}
	job, err := s.queue.Enqueue(ctx, tx, Job{Kind: JobExtract, Tenant: string(p.TenantID), Subject: p.SubjectID, Epoch: p.Epoch, Session: session.ID})
	if err != nil {
		return Accepted{}, err
	}
	err = tx.Record(ctx, audit.Event{
		Action: "turn.write", Object: "session:" + session.ID.String(), Subject: p.SubjectID, Epoch: p.Epoch,
		After: map[string]any{"turns": len(rows), "from": rows[0].Position},
	})
	return Accepted{JobID: strconv.FormatInt(job, 10), Accepted: len(rows)}, err
}

// freshTurns leaves out the turns that are kept already or were erased.
func (s *Service) freshTurns(ctx context.Context, tx *models.Tx, p *Person, drafts []turnDraft) ([]turnDraft, error) {
	tokens := make([]keys.Token, len(drafts))
	for i, d := range drafts {
		tokens[i] = d.row.MessageToken
	}
	kept, err := s.db.TurnsByToken(ctx, p.SubjectID, tokens)
	if err != nil {
		return nil, err
	}
	erased, err := s.db.BlockedTurns(ctx, p.SubjectID, tokens)
	if err != nil {
		return nil, err
	}
	seen := map[keys.Token]bool{}
	for _, t := range kept {
		seen[t.MessageToken] = true
	}
	erasedAt := map[keys.Token]models.Micros{}
	for _, e := range erased {
		erasedAt[e.Token] = e.CreatedAt
	}
	var fresh []turnDraft
	for _, d := range drafts {
		token := d.row.MessageToken
		if seen[token] {
			continue
		}
		if at, blocked := erasedAt[token]; blocked {
			if d.said <= at {
				continue
			}
			if err := tx.Unblock(ctx, p.SubjectID, "turn", token); err != nil {
				return nil, err
			}
		}
		seen[token] = true
		fresh = append(fresh, d)
	}
	return fresh, nil
}

// openSession finds or makes the session and counts the new turns in.
func (s *Service) openSession(ctx context.Context, tx *models.Tx, p *Person, in MessagesInput, fresh []turnDraft) (models.Session, error) {
	token := sessionToken(p, in.Namespace, in.SessionID)
	first, last := fresh[0].row.OccurredAt, fresh[0].row.OccurredAt
	for _, d := range fresh {
		first, last = min(first, d.row.OccurredAt), max(last, d.row.OccurredAt)
	}
	expire := models.At(s.now().Add(max(sessionLife, s.retention)))
	row, err := s.db.SessionByToken(ctx, p.SubjectID, token)
	if err == nil {
		row.Turns += int64(len(fresh))
		row.StartedAt, row.LastAt, row.ExpireAt = min(row.StartedAt, first), max(row.LastAt, last), expire
		return row, models.Update(ctx, tx, &row)
	}
	if !models.IsNotFound(err) {
		return row, err
	}
	row = models.Session{
		SubjectID: p.SubjectID, ID: models.NewID(), SessionToken: token, Namespace: in.Namespace,
		Turns: int64(len(fresh)), StartedAt: first, LastAt: last, ExpireAt: expire, Version: 1,
	}
	if row.ExternalID, err = p.Seal(row.TableName(), "external_id", row.ID, []byte(in.SessionID)); err != nil {
		return row, err
	}
	return row, models.Insert(ctx, tx, row)
}
