package memory

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"

	"fornix/keys"
	"fornix/memory/lexical"
	"fornix/models"
	"fornix/policy"
)

// unsureBelow is the confidence under which a memory is marked as unsure.
const unsureBelow = .6

// mostFetched bounds the rows fetched at once.
const mostFetched = 1000

// opened is a winner, with what the cards need besides.
type opened struct {
	item  RecallItem
	topic *keys.Token
}

// openWinners fetches and opens the best candidates alone. What turns out to be
// out of date is passed over and the next takes its place, until the limit or
// the end.
func (s *Service) openWinners(ctx context.Context, r *recall, p *Person) error {
	var waiting []int
	for i := range r.ranked {
		if r.ranked[i].out == "" {
			waiting = append(waiting, i)
		}
	}
	// Mostly the first batch is enough. Each further one is twice as long, so that
	// an index far behind its rows costs few statements and not one for each winner.
	for size := 2 * r.in.Limit; len(waiting) > 0 && len(r.opened) < r.in.Limit; size = min(2*size, mostFetched) {
		batch := waiting[:min(len(waiting), size)]
		waiting = waiting[len(batch):]
		if err := s.openBatch(ctx, r, p, batch); err != nil {
			return Wrap("recall", err)
		}
	}
	for _, i := range waiting {
		r.ranked[i].out = outLimit
	}
	return nil
}

func (s *Service) openBatch(ctx context.Context, r *recall, p *Person, batch []int) error {
	memories, turns, err := s.fetch(ctx, r, p, batch)
	if err != nil {
		return err
	}
	for _, i := range batch {
		c := &r.ranked[i]
		if len(r.opened) == r.in.Limit {
			c.out = outLimit
			continue
		}
		var o opened
		switch {
		case c.shared != nil:
			o = sharedItem(c.shared)
		case c.entry.Kind == lexical.Turn:
			row, ok := turns[c.ID]
			if c.out = r.rejectsTurn(row, ok); c.out == "" {
				o, err = turnItem(p, row)
			}
		default:
			row, ok := memories[c.ID]
			if c.out = r.rejectsMemory(row, ok); c.out == "" {
				o, err = s.memoryItem(p, row)
			}
		}
		if errors.Is(err, keys.ErrOpen) {
			// One value that was moved or changed must not take the others with it.
			s.log.ErrorContext(ctx, "recall: sealed value doesn't open", "row", c.ID)
			c.out, err = outUnreadable, nil
			if !slices.Contains(r.answer.Degraded, degradedIntegrity) {
				r.answer.Degraded = append(r.answer.Degraded, degradedIntegrity)
			}
		}
		if err != nil {
			return err
		}
		if c.out != "" {
			continue
		}
		o.item.Score = rounded(c.score)
		if r.in.Explain {
			o.item.Legs = legsOf(c.Hit)
		}
		r.opened = append(r.opened, o)
	}
	return nil
}

// fetch reads the rows of a batch, in one statement for each table.
func (s *Service) fetch(ctx context.Context, r *recall, p *Person, batch []int) (map[uuid.UUID]models.Memory, map[uuid.UUID]models.Turn, error) {
	var memoryIDs, turnIDs []uuid.UUID
	for _, i := range batch {
		switch c := &r.ranked[i]; {
		case c.shared != nil:
		case c.entry.Kind == lexical.Turn:
			turnIDs = append(turnIDs, c.ID)
		default:
			memoryIDs = append(memoryIDs, c.ID)
		}
	}
	if p == nil {
		return nil, nil, nil
	}
	rows, err := s.db.ActiveMemories(ctx, p.SubjectID, memoryIDs)
	if err != nil {
		return nil, nil, err
	}
	said, err := s.db.TurnsByID(ctx, p.SubjectID, turnIDs)
	if err != nil {
		return nil, nil, err
	}
	memories := make(map[uuid.UUID]models.Memory, len(rows))
	for _, row := range rows {
		memories[row.ID] = row
	}
	turns := make(map[uuid.UUID]models.Turn, len(said))
	for _, row := range said {
		turns[row.ID] = row
	}
	return memories, turns, nil
}

// rejectsMemory asks the row itself: the index may be behind it, or moved.
func (r *recall) rejectsMemory(row models.Memory, found bool) string {
	switch {
	case !found, row.Status != models.StatusActive, row.ExpireAt != nil && *row.ExpireAt <= models.At(r.now),
		row.Namespace != r.in.Namespace, !slices.Contains(r.categories, row.Category):
		return outNotCurrent
	case !r.in.admitsKind(row.Kind), row.Importance < r.in.MinImportance, row.Confidence < r.in.MinConfidence:
		return outFiltered
	}
	return ""
}

func (r *recall) rejectsTurn(row models.Turn, found bool) string {
	if !found || row.ExpireAt != nil && *row.ExpireAt <= models.At(r.now) || row.Namespace != r.in.Namespace ||
		!slices.Contains(r.categories, policy.CatTurns) {
		return outNotCurrent
	}
	return ""
}

func (s *Service) memoryItem(p *Person, row models.Memory) (opened, error) {
	content, labels, err := s.openMemory(p, row)
	if err != nil {
		return opened{}, err
	}
	item := RecallItem{
		MemoryID: ID{p.SubjectID, row.ID}.Public(PrefixMemory), Content: content, Kind: row.Kind, Layer: row.Layer,
		Importance: row.Importance, Confidence: row.Confidence, Unsure: row.Source == SourceInferred || row.Confidence < unsureBelow,
		Source: row.Source, Tags: labels.Tags, OccurredAt: row.OccurredAt.Time(), CreatedAt: row.CreatedAt.Time(),
	}
	if item.Tags == nil {
		item.Tags = []string{}
	}
	return opened{item: item, topic: row.TopicToken}, nil
}

// turnItem shows a turn as it was said; its source is who said it.
func turnItem(p *Person, row models.Turn) (opened, error) {
	content, err := p.Open(row.TableName(), "content", row.ID, row.Content)
	if err != nil {
		return opened{}, err
	}
	return opened{item: RecallItem{
		MemoryID: ID{p.SubjectID, row.ID}.Public(PrefixTurn), Content: string(content), Kind: KindTurn, Layer: KindTurn,
		Confidence: 1, Source: row.Role, Tags: []string{}, OccurredAt: row.OccurredAt.Time(), CreatedAt: row.CreatedAt.Time(),
	}}, nil
}

func sharedItem(k *models.Knowledge) opened {
	return opened{item: RecallItem{
		MemoryID: ID{Row: k.ID}.Public(PrefixShared), Content: k.Content, Kind: k.Kind, Layer: layerOf[k.Kind],
		Importance: k.Importance, Confidence: k.Confidence, Unsure: k.Source == SourceInferred || k.Confidence < unsureBelow,
		Source: k.Source, Tags: []string{}, OccurredAt: k.UpdatedAt.Time(), CreatedAt: k.CreatedAt.Time(),
	}}
}
