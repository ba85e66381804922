package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"fornix/keys"
	"fornix/memory/lexical"
	"fornix/models"
)

// Changes of a delta row.
const (
	changePut  = "put"
	changeDrop = "drop"
)

// foldAfter is how many deltas a segment may have before a job folds them in:
// opening one costs about as much as searching a hundred entries.
const foldAfter = 64

// hasher gives the keyed hashes of a person's index.
func (s *Service) hasher(p *Person) lexical.Hasher { return p.Ring.Hash64 }

// indexPut adds an entry to the person's index, or replaces the one with its id,
// in the caller's transaction.
func (s *Service) indexPut(ctx context.Context, tx *models.Tx, p *Person, namespace, category string, e lexical.Entry) error {
	delta := newDelta(p, namespace, category, e.ID, changePut)
	block, err := p.Seal(delta.TableName(), "block", delta.ID, lexical.EncodeBlock([]lexical.Entry{e}))
	if err != nil {
		return Wrap("index put", err)
	}
	delta.Block = &block
	return s.addDelta(ctx, tx, p, delta)
}

// indexDrop takes an entry out of the person's index. The sealed block may still
// hold it until the next fold; what is erased leaves by IndexDrop instead.
func (s *Service) indexDrop(ctx context.Context, tx *models.Tx, p *Person, namespace, category string, row uuid.UUID) error {
	return s.addDelta(ctx, tx, p, newDelta(p, namespace, category, row, changeDrop))
}

func newDelta(p *Person, namespace, category string, entry uuid.UUID, change string) models.SegmentDelta {
	return models.SegmentDelta{SubjectID: p.SubjectID, ID: models.NewID(), Namespace: namespace, Category: category, EntryID: entry, Change: change}
}

func (s *Service) addDelta(ctx context.Context, tx *models.Tx, p *Person, delta models.SegmentDelta) error {
	if err := models.Insert(ctx, tx, delta); err != nil {
		return Wrap("index "+delta.Change, err)
	}
	waiting, err := s.db.CountDeltas(ctx, p.SubjectID, delta.Namespace, delta.Category)
	if err != nil {
		return Wrap("index "+delta.Change, err)
	}
	// Asked for again every foldAfter changes: a job that failed for good is
	// made up for, and a batch doesn't queue one for each of its rows.
	if waiting <= foldAfter || waiting%foldAfter != 1 {
		return nil
	}
	if _, err := s.queue.Enqueue(ctx, tx, Job{Kind: JobFold, Tenant: string(p.TenantID), Subject: p.SubjectID, Epoch: p.Epoch}); err != nil {
		return Wrap("index fold", err)
	}
	return nil
}

// loadIndex opens the person's index of a namespace, of the categories named and
// no other. The turns of a session stand together in their order.
func (s *Service) loadIndex(ctx context.Context, p *Person, namespace string, categories []string) ([]lexical.Entry, error) {
	if len(categories) == 0 {
		return nil, nil
	}
	// Deltas first: a fold between the two reads then repeats changes, which is
	// harmless. The other way round it would hide them.
	deltas, err := s.db.IndexDeltas(ctx, p.SubjectID, namespace, categories)
	if err != nil {
		return nil, Wrap("load index", err)
	}
	segments, err := s.db.IndexSegments(ctx, p.SubjectID, namespace, categories)
	if err != nil {
		return nil, Wrap("load index", err)
	}
	var entries []lexical.Entry
	for i := range segments {
		opened, err := openBlock(p, segments[i].TableName(), segments[i].ID, segments[i].Block)
		if err != nil {
			return nil, Wrap("load index", err)
		}
		entries = append(entries, opened...)
	}
	if entries, err = applyDeltas(p, entries, deltas); err != nil {
		return nil, Wrap("load index", err)
	}
	return bySession(entries), nil
}

func openBlock(p *Person, table string, row uuid.UUID, sealed keys.Sealed) ([]lexical.Entry, error) {
	raw, err := p.Open(table, "block", row, sealed)
	if err != nil {
		return nil, fmt.Errorf("block of %s: %w", table, err)
	}
	return lexical.DecodeBlock(raw)
}

// applyDeltas brings entries up to date; the last change of an entry counts. An
// entry that is replaced keeps its place.
func applyDeltas(p *Person, entries []lexical.Entry, deltas []models.SegmentDelta) ([]lexical.Entry, error) {
	if len(deltas) == 0 {
		return entries, nil
	}
	last := make(map[uuid.UUID]int, len(deltas))
	var order []uuid.UUID
	for i := range deltas {
		if _, seen := last[deltas[i].EntryID]; !seen {
			order = append(order, deltas[i].EntryID)
		}
		last[deltas[i].EntryID] = i
	}
	put := make(map[uuid.UUID]lexical.Entry, len(order))
	for id, i := range last {
		d := &deltas[i]
		if d.Change == changeDrop || d.Block == nil {
			continue
		}
		opened, err := openBlock(p, d.TableName(), d.ID, *d.Block)
		if err != nil {
			return nil, err
		}
		if len(opened) != 1 || opened[0].ID != id {
			return nil, fmt.Errorf("delta %s: %w: not the entry it is for", d.ID, lexical.ErrBlock)
		}
		put[id] = opened[0]
	}
	kept := entries[:0]
	for i := range entries {
		id := entries[i].ID
		if _, changed := last[id]; !changed {
			kept = append(kept, entries[i])
		} else if e, ok := put[id]; ok {
			kept = append(kept, e)
			delete(put, id)
		}
	}
	for _, id := range order {
		if e, ok := put[id]; ok {
			kept = append(kept, e)
		}
	}
	return kept, nil
}

// bySession puts the turns of a session together in their order. What has no
// session, and the sessions among each other, keep the order they came in.
func bySession(entries []lexical.Entry) []lexical.Entry {
	group := make([]int, len(entries))
	first := map[uint64]int{}
	sorted := true
	for i := range entries {
		group[i] = i
		if session := entries[i].Session; session != 0 {
			if at, seen := first[session]; seen {
				group[i] = at
			} else {
				first[session] = i
			}
		}
		if i > 0 && (group[i] < group[i-1] || group[i] == group[i-1] && entries[i].Order < entries[i-1].Order) {
			sorted = false
		}
	}
	if sorted {
		return entries
	}
	index := make([]int, len(entries))
	for i := range index {
		index[i] = i
	}
	slices.SortStableFunc(index, func(a, b int) int {
		if group[a] != group[b] {
			return group[a] - group[b]
		}
		return entries[a].Order - entries[b].Order
	})
	out := make([]lexical.Entry, len(entries))
	for to, from := range index {
		out[to] = entries[from]
	}
	return out
}
