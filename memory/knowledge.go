package memory

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/google/uuid"

	"fornix/audit"
	"fornix/memory/lexical"
	"fornix/models"
	"fornix/policy"
)

// isShared tells whether an id names shared knowledge.
func isShared(id string) bool { return strings.HasPrefix(id, PrefixShared) }

func sharedHash(content string) string {
	sum := sha256.Sum256([]byte(lexical.Normalize(content)))
	return hex.EncodeToString(sum[:])
}

func sharedID(row uuid.UUID) string { return ID{Row: row}.Public(PrefixShared) }

// rememberShared keeps a text of a namespace that belongs to no person. It
// stands in clear, so what the rules take for a statement about oneself is
// refused: it belongs to a person.
func (s *Service) rememberShared(ctx context.Context, p policy.Principal, in RememberInput) (Remembered, error) {
	d := s.draftOf(in)
	if in.Kind == "" {
		d.kind = "procedure"
	}
	if d.source == SourceInferred {
		return Remembered{}, Invalid(Field{Name: "source", Code: "forbidden", Text: "shared knowledge isn't inferred"})
	}
	if d.attribute != "" {
		return Remembered{}, Invalid(Field{Name: "subject", Code: "required", Text: "this speaks of a person; name the subject"})
	}
	if !s.mayWrite(p, d.category) {
		return Remembered{}, Forbidden()
	}
	now := models.At(s.now())
	row := models.Knowledge{
		ID: models.NewID(), Namespace: d.namespace, Kind: d.kind, Category: d.category, Content: d.content, ContentHash: sharedHash(d.content),
		Source: d.source, Confidence: d.confidence, Importance: d.importance, Status: models.StatusActive,
		ExpireAt: models.MaybeAt(d.expire), CreatedAt: now, UpdatedAt: now, Version: 1,
	}
	done := Remembered{MemoryID: sharedID(row.ID), Outcome: OutcomeCreated, Version: 1}
	err := s.db.InTx(ctx, func(ctx context.Context, tx *models.Tx) error {
		have, err := s.db.KnowledgeByContent(ctx, row.Namespace, row.Category, row.ContentHash)
		switch {
		case models.IsNotFound(err):
			err = models.Insert(ctx, tx, row)
		case err == nil:
			have.Status, have.Importance, have.ExpireAt, have.UpdatedAt = models.StatusActive, max(have.Importance, row.Importance), row.ExpireAt, now
			err = models.Update(ctx, tx, &have)
			done = Remembered{MemoryID: sharedID(have.ID), Outcome: OutcomeMerged, Version: have.Version}
			row.ID = have.ID
		}
		if err != nil {
			return err
		}
		return tx.Record(ctx, audit.Event{
			Action: "knowledge." + actionOf[done.Outcome], Object: "knowledge:" + row.ID.String(),
			After: map[string]any{"outcome": done.Outcome, "category": row.Category},
		})
	})
	if err == nil && !s.mayRead(p, row.Category) {
		done = Remembered{MemoryID: sharedID(models.NewID()), Outcome: OutcomeAccepted, Version: 1}
	}
	return done, Wrap("remember shared", err)
}

func (s *Service) findShared(ctx context.Context, p policy.Principal, id string) (models.Knowledge, error) {
	parsed, err := ParseID(PrefixShared, id)
	if err != nil || parsed.Subject != uuid.Nil {
		return models.Knowledge{}, NotFound()
	}
	row, err := s.db.KnowledgeRow(ctx, parsed.Row)
	if err != nil {
		return row, Wrap("read shared", err)
	}
	if !s.mayRead(p, row.Category) {
		return row, NotFound()
	}
	return row, nil
}

func (s *Service) sharedView(ctx context.Context, p policy.Principal, id string) (MemoryView, error) {
	row, err := s.findShared(ctx, p, id)
	if err != nil {
		return MemoryView{}, err
	}
	return MemoryView{
		MemoryID: sharedID(row.ID), Content: row.Content, Namespace: row.Namespace, Kind: row.Kind, Layer: layerOf[row.Kind], Category: row.Category,
		Source: row.Source, Status: row.Status, Tags: []string{}, Confidence: row.Confidence, Importance: row.Importance,
		OccurredAt: row.CreatedAt.Time(), CreatedAt: row.CreatedAt.Time(), UpdatedAt: row.UpdatedAt.Time(), ExpireAt: row.ExpireAt.MaybeTime(),
		Version: row.Version, Evidence: []Evidence{},
	}, nil
}

// correctShared changes a shared text in place: it has no history of its own.
func (s *Service) correctShared(ctx context.Context, p policy.Principal, id string, in CorrectInput) (Remembered, error) {
	row, err := s.findShared(ctx, p, id)
	if err != nil {
		return Remembered{}, err
	}
	if !s.mayWrite(p, row.Category) {
		return Remembered{}, Forbidden()
	}
	if row.Version != in.Version {
		return Remembered{}, &Error{Code: CodeConflict, Key: "error.conflict", Text: "it was changed meanwhile; read it again", Current: row.Version}
	}
	row.Content = strings.TrimSpace(in.Content)
	row.ContentHash, row.UpdatedAt = sharedHash(row.Content), models.At(s.now())
	err = s.db.InTx(ctx, func(ctx context.Context, tx *models.Tx) error {
		if err := models.Update(ctx, tx, &row); err != nil {
			return err
		}
		return tx.Record(ctx, audit.Event{Action: "knowledge.correct", Object: "knowledge:" + row.ID.String(), After: map[string]any{"version": row.Version}})
	})
	return Remembered{MemoryID: sharedID(row.ID), Outcome: OutcomeMerged, Version: row.Version}, Wrap("correct shared", err)
}
