package memory

import (
	"context"

	"github.com/google/uuid"

	"fornix/audit"
	"fornix/memory/extract"
	"fornix/memory/lexical"
	"fornix/models"
	"fornix/policy"
)

// Correct sets a memory's words right: a new version with the person as its
// source when the person does it, the old one kept as history. The version must
// be the one that was read, else a conflict names the present one.
func (s *Service) Correct(ctx context.Context, id string, in CorrectInput) (Remembered, error) {
	ctx, p, err := s.actor(ctx)
	if err != nil {
		return Remembered{}, err
	}
	var f faults
	f.text("content", in.Content, maxContent)
	if in.Version <= 0 {
		f.add("version", "required", "send the version you read")
	}
	if err := f.err(); err != nil {
		return Remembered{}, err
	}
	if isShared(id) {
		return s.correctShared(ctx, p, id, in)
	}
	person, row, err := s.findMemory(ctx, p, id)
	if err != nil {
		return Remembered{}, err
	}
	defer person.Close()
	if p.Kind != policy.KindSubject && !s.mayWrite(p, row.Category) {
		return Remembered{}, Forbidden()
	}
	d, err := s.correction(ctx, p, person, row, in.Content)
	if err != nil {
		return Remembered{}, Wrap("correct", err)
	}
	var done stored
	err = s.Write(ctx, person, func(ctx context.Context, tx *models.Tx) error {
		old, err := s.db.MemoryRow(ctx, person.SubjectID, row.ID) // as it is now that nobody else writes
		if err != nil {
			return err
		}
		open := old.Status == models.StatusActive || old.Status == models.StatusPending && p.Kind == policy.KindSubject
		if old.Version != in.Version || !open {
			return &Error{Code: CodeConflict, Key: "error.conflict", Text: "it was changed meanwhile; read it again", Current: old.Version}
		}
		if done, err = s.correct(ctx, tx, person, old, d); err != nil {
			return err
		}
		return tx.Record(ctx, audit.Event{
			Action: "memory.correct", Object: "memory:" + done.memory.String(), Subject: person.SubjectID, Epoch: person.Epoch,
			Before: map[string]any{"memory": old.ID.String(), "version": in.Version}, After: map[string]any{"outcome": done.outcome},
		})
	})
	if err != nil {
		return Remembered{}, Wrap("correct", err)
	}
	return done.answer(person, true), nil
}

// correction is the draft of the new version: the old one's labels, the new
// words, and what the rules read in them about the slot.
func (s *Service) correction(ctx context.Context, p policy.Principal, person *Person, row models.Memory, content string) (draft, error) {
	_, labels, err := s.openMemory(person, row)
	if err != nil {
		return draft{}, err
	}
	now := s.now()
	d := draft{
		content: content, namespace: row.Namespace, kind: row.Kind, layer: row.Layer, category: row.Category, source: row.Source,
		labels: labels, confidence: row.Confidence, importance: row.Importance, occurred: row.OccurredAt.Time(), said: now,
		expire: row.ExpireAt.MaybeTime(), agent: agentID(p), session: row.SessionID,
	}
	d.labels.Trigger, d.labels.When = "correct", ""
	switch p.Kind {
	case policy.KindSubject:
		d.source, d.confidence = SourceUser, 1
	case policy.KindUser:
		d.source, d.confidence = SourceManual, 1
	}
	if v := extract.FromTurn(content, now); len(v.Statements) == 1 {
		st := v.Statements[0]
		d.attribute, d.rawValue, d.labels.When = st.AttributeKey, st.Value, st.When
		if st.Slot == labels.Slot {
			d.labels.Value = st.SlotValue()
		}
	} else {
		d.also = attributesOf(v)
	}
	if d.labels.Slot != "" && d.labels.Value == labels.Value {
		d.labels.Value = lexical.Normalize(content)
	}
	return s.applyDictionary(ctx, d)
}

// correct replaces old by the draft. Words that another active memory has already
// make that one the successor.
func (s *Service) correct(ctx context.Context, tx *models.Tx, p *Person, old models.Memory, d draft) (stored, error) {
	token := contentToken(p, d.content)
	row := s.rowOf(p, d, token)
	done := stored{memory: row.ID, own: row.ID, version: 1, category: row.Category, outcome: OutcomeSuperseded, superseded: &old.ID}
	if err := tx.Unblock(ctx, p.SubjectID, "memory", token); err != nil { // it was just said again
		return done, err
	}
	same, err := s.db.MemoriesByContent(ctx, p.SubjectID, d.namespace, d.category, token)
	if err != nil {
		return done, err
	}
	successor := models.Memory{ID: uuid.Nil}
	if len(same) > 0 && same[0].Status == models.StatusActive && same[0].ID != old.ID {
		successor = same[0]
	}
	if successor.ID != uuid.Nil {
		if err := s.retire(ctx, tx, p, &old, successor.ID); err != nil {
			return done, err
		}
		done, err := s.merge(ctx, tx, p, successor, d, done)
		done.superseded = &old.ID
		return done, err
	}
	if err := s.retire(ctx, tx, p, &old, row.ID); err != nil {
		return done, err
	}
	row.Supersedes = &old.ID
	return done, s.insert(ctx, tx, p, row, d)
}
