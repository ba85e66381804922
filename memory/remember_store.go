package memory

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"fornix/keys"
	"fornix/memory/lexical"
	"fornix/models"
)

// importantFrom is the importance from which a memory keeps its own words when
// it is restated.
const importantFrom = .8

// stored is what became of a draft.
type stored struct {
	memory     uuid.UUID // the row it is kept in
	own        uuid.UUID // an id of this write alone
	version    int64
	outcome    string
	category   string
	superseded *uuid.UUID
	conflict   *uuid.UUID
}

func (d stored) answer(p *Person, readable bool) Remembered {
	public := func(row uuid.UUID) string { return ID{p.SubjectID, row}.Public(PrefixMemory) }
	if !readable {
		return Remembered{MemoryID: public(d.own), Outcome: OutcomeAccepted, Version: 1}
	}
	r := Remembered{MemoryID: public(d.memory), Outcome: d.outcome, Version: d.version}
	if d.superseded != nil {
		r.SupersededID = public(*d.superseded)
	}
	if d.conflict != nil {
		r.ConflictID = public(*d.conflict)
	}
	return r
}

// store writes a draft, in the caller's transaction, and says what came of it.
// The caller records the event.
func (s *Service) store(ctx context.Context, tx *models.Tx, p *Person, d draft) (stored, error) {
	d.content = strings.TrimSpace(d.content)
	token := contentToken(p, d.content)
	row := s.rowOf(p, d, token)
	done := stored{memory: row.ID, own: row.ID, version: 1, category: d.category, outcome: OutcomeCreated}
	if blocked, err := s.blocked(ctx, tx, p, "memory", token, d.said, d.source); err != nil || blocked {
		done.outcome = OutcomeIgnored
		return done, err
	}
	same, err := s.db.MemoriesByContent(ctx, p.SubjectID, d.namespace, d.category, token)
	if err != nil {
		return done, err
	}
	for _, m := range same {
		switch {
		case m.Status == models.StatusActive:
			return s.merge(ctx, tx, p, m, d, done)
		case m.Status == models.StatusPending && trust[d.source] <= trust[m.Source]:
			return s.mergePending(ctx, tx, p, m, d, done)
		case m.Status == models.StatusRejected && d.source == SourceInferred:
			// A rejection is remembered: the same isn't proposed again.
			done.memory, done.version, done.outcome = m.ID, m.Version, OutcomeIgnored
			return done, nil
		}
	}
	if d.source == SourceInferred {
		row.Status, done.outcome = models.StatusPending, OutcomePending
		return done, s.insert(ctx, tx, p, row, d)
	}
	if done, err = s.settle(ctx, tx, p, row, d, done); err != nil || done.memory != row.ID || done.conflict != nil {
		return done, err
	}
	for _, m := range same { // what waited with the same words waits no longer
		if m.Status == models.StatusPending {
			if err := s.retire(ctx, tx, p, &m, row.ID); err != nil {
				return done, err
			}
		}
	}
	return done, nil
}

// settle decides about a text that isn't there word by word.
func (s *Service) settle(ctx context.Context, tx *models.Tx, p *Person, row models.Memory, d draft, done stored) (stored, error) {
	near, ok, err := s.restated(ctx, p, d)
	if err != nil {
		return done, err
	}
	if ok {
		return s.merge(ctx, tx, p, near, d, done)
	}
	rivals, verdict, err := s.contradicted(ctx, p, row, d)
	if err != nil {
		return done, err
	}
	switch verdict {
	case sameValue:
		return s.merge(ctx, tx, p, rivals[0], d, done)
	case lessTrusted:
		row.Status, row.ConflictWith = models.StatusPending, &rivals[0].ID
		done.outcome, done.conflict = OutcomeConflict, &rivals[0].ID
	case toldLate:
		// Told late: it was replaced before it came, so it is history at once.
		row.Status, row.SupersededBy, row.Importance = models.StatusSuperseded, &rivals[0].ID, row.Importance/2
		done.outcome, done.superseded = OutcomeSuperseded, &row.ID
	case replaces:
		for i := range rivals {
			if err := s.retire(ctx, tx, p, &rivals[i], row.ID); err != nil {
				return done, err
			}
		}
		row.Supersedes = &rivals[0].ID
		done.outcome, done.superseded = OutcomeSuperseded, &rivals[0].ID
	}
	return done, s.insert(ctx, tx, p, row, d)
}

// rowOf makes the row of a draft, its cells not yet sealed.
func (s *Service) rowOf(p *Person, d draft, token keys.Token) models.Memory {
	now := models.At(s.now())
	row := models.Memory{
		SubjectID: p.SubjectID, ID: models.NewID(), Namespace: d.namespace, Kind: d.kind, Layer: d.layer, Category: d.category,
		Source: d.source, Status: models.StatusActive, ContentToken: token, Confidence: d.confidence, Importance: d.importance,
		AgentID: d.agent, SessionID: d.session, OccurredAt: models.At(d.occurred), ExpireAt: models.MaybeAt(d.expire),
		CreatedAt: now, UpdatedAt: now, Version: 1,
	}
	if d.labels.Slot != "" {
		slot := slotToken(p, d.namespace, d.labels.Slot)
		row.SlotToken = &slot
	}
	if d.labels.Topic != "" {
		topic := topicToken(p, d.labels.Topic)
		row.TopicToken = &topic
	}
	return row
}

// insert seals and writes a row with its evidence, and puts it into the index
// when it is active.
func (s *Service) insert(ctx context.Context, tx *models.Tx, p *Person, row models.Memory, d draft) error {
	var err error
	if row.Content, err = p.Seal(row.TableName(), "content", row.ID, []byte(d.content)); err != nil {
		return err
	}
	if row.Labels, err = p.SealJSON(row.TableName(), "labels", row.ID, d.labels); err != nil {
		return err
	}
	if err := models.Insert(ctx, tx, row); err != nil {
		return err
	}
	if _, _, err := s.addEvidence(ctx, tx, p, row.ID, d); err != nil {
		return err
	}
	if row.Status != models.StatusActive {
		return nil
	}
	return s.indexPut(ctx, tx, p, row.Namespace, row.Category, s.entryOf(p, row, d.content, d.labels))
}

// entryOf is what the index keeps of a memory.
func (s *Service) entryOf(p *Person, row models.Memory, content string, labels Labels) lexical.Entry {
	hasher := s.hasher(p)
	doc := lexical.Doc{
		ID: row.ID, Kind: lexical.Fact, Content: content, OccurredAt: row.OccurredAt.Time(), CreatedAt: row.CreatedAt.Time(),
		Importance: float32(row.Importance), Confidence: float32(row.Confidence),
	}
	if row.ExpireAt != nil {
		doc.ExpiresAt = row.ExpireAt.Time()
	}
	for _, tag := range labels.Tags {
		doc.Tags = append(doc.Tags, hasher(lexical.PurposeTag, []byte(tag)))
	}
	return lexical.Build(doc, hasher)
}

// addEvidence notes what a memory rests on. The same message counts once, and so
// do the same words of one source without a message, or an agent that echoes
// would fill the table; added is false when it had counted before.
func (s *Service) addEvidence(ctx context.Context, tx *models.Tx, p *Person, memory uuid.UUID, d draft) (id uuid.UUID, added bool, err error) {
	e := models.MemoryEvidence{
		SubjectID: p.SubjectID, ID: models.NewID(), MemoryID: memory, MessageToken: d.message, TurnID: d.turn,
		Source: d.source, CreatedAt: models.At(s.now()),
	}
	quote := d.quote
	if quote == "" {
		quote = d.content
	}
	if e.MessageToken == nil {
		token := p.Ring.Token("evidence", joined(d.source, quote))
		e.MessageToken = &token
	}
	have, err := s.db.HasEvidence(ctx, p.SubjectID, memory, *e.MessageToken)
	if err != nil || have {
		return e.ID, false, err
	}
	sealed, err := p.Seal(e.TableName(), "quote", e.ID, []byte(quote))
	if err != nil {
		return e.ID, false, err
	}
	e.Quote = &sealed
	return e.ID, true, models.Insert(ctx, tx, e)
}

// retire makes a memory history: replaced by another, of half its importance,
// and out of the index.
func (s *Service) retire(ctx context.Context, tx *models.Tx, p *Person, old *models.Memory, by uuid.UUID) error {
	if old.Status == models.StatusActive {
		if err := s.indexDrop(ctx, tx, p, old.Namespace, old.Category, old.ID); err != nil {
			return err
		}
	}
	old.Status, old.SupersededBy = models.StatusSuperseded, &by
	old.Importance /= 2
	old.UpdatedAt = models.At(s.now())
	return models.Update(ctx, tx, old)
}

// blocked tells whether the person erased this after it was said. When they or
// staff say it again later, the block is lifted.
func (s *Service) blocked(ctx context.Context, tx *models.Tx, p *Person, kind string, token keys.Token, said time.Time, source string) (bool, error) {
	erased, err := s.db.Blocked(ctx, p.SubjectID, kind, token)
	if errors.Is(err, models.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if models.At(said) <= erased || !slices.Contains([]string{SourceUser, SourceManual}, source) {
		return true, nil
	}
	return false, tx.Unblock(ctx, p.SubjectID, kind, token)
}
