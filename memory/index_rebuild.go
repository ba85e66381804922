package memory

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"fornix/memory/lexical"
	"fornix/models"
	"fornix/policy"
)

// RebuildIndex builds a person's search index anew from the rows, in one
// transaction: after a fault of a block, or when the analysis of texts changed.
// A turn keeps the zone it was said in; the days of memories are then those of UTC.
// It is the program's own task, for the tenant of the context.
func (s *Service) RebuildIndex(ctx context.Context, subject uuid.UUID) error {
	ctx, who, err := s.actor(ctx)
	if err != nil {
		return err
	}
	if who.Kind != policy.KindSystem {
		return Forbidden()
	}
	p, err := s.OpenPerson(ctx, subject)
	if err != nil {
		return err
	}
	defer p.Close()
	err = s.Write(ctx, p, func(ctx context.Context, tx *models.Tx) error {
		if err := tx.DeleteIndex(ctx, p.SubjectID); err != nil {
			return err
		}
		places, err := s.indexOf(ctx, p)
		if err != nil {
			return err
		}
		for at, entries := range places {
			if err := s.writeSegment(ctx, tx, p, nil, at.namespace, at.category, bySession(entries)); err != nil {
				return err
			}
		}
		return nil
	})
	return Wrap("rebuild index", err)
}

// place is where a segment belongs.
type place struct{ namespace, category string }

// indexOf builds the entries of everything of a person that is searched.
func (s *Service) indexOf(ctx context.Context, p *Person) (map[place][]lexical.Entry, error) {
	places := map[place][]lexical.Entry{}
	memories, err := s.db.IndexedMemories(ctx, p.SubjectID)
	if err != nil {
		return nil, err
	}
	for _, row := range memories {
		content, labels, err := s.openMemory(p, row)
		if err != nil {
			return nil, err
		}
		at := place{row.Namespace, row.Category}
		places[at] = append(places[at], s.entryOf(p, row, content, labels))
	}
	turns, err := s.db.IndexedTurns(ctx, p.SubjectID)
	if err != nil {
		return nil, err
	}
	for _, row := range turns {
		if row.ExpireAt == nil || !slices.Contains([]string{lexical.SpeakerUser, lexical.SpeakerAssistant}, row.Role) {
			continue // kept for extraction alone, or no part of the talk
		}
		content, err := p.Open(row.TableName(), "content", row.ID, row.Content)
		if err != nil {
			return nil, err
		}
		at := place{row.Namespace, policy.CatTurns}
		places[at] = append(places[at], lexical.Build(lexical.Doc{
			ID: row.ID, Kind: lexical.Turn, Content: string(content), Speaker: row.Role,
			Session: p.Ring.Hash64("session", row.SessionID[:]), Order: int(row.Position),
			OccurredAt: row.SaidAt(), CreatedAt: row.CreatedAt.Time(), ExpiresAt: row.ExpireAt.Time(),
		}, s.hasher(p)))
	}
	return places, nil
}
