package memory

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"fornix/memory/lexical"
	"fornix/models"
)

// RunFold folds the deltas of a person's index into its segments. Running it
// again, or for somebody who was wiped meanwhile, changes nothing.
func (s *Service) RunFold(ctx context.Context, job Job) error {
	ctx = AsSystem(ctx, job.Tenant, JobFold)
	p, err := s.OpenPerson(ctx, job.Subject)
	if isGone(err) {
		return nil
	}
	if err != nil {
		return err
	}
	defer p.Close()
	if p.Epoch != job.Epoch {
		return nil
	}
	waiting, err := s.db.Unfolded(ctx, p.SubjectID)
	if err != nil {
		return Wrap("fold", err)
	}
	for _, w := range waiting {
		// One transaction for each segment keeps the writer free in between.
		err := s.Write(ctx, p, func(ctx context.Context, tx *models.Tx) error {
			return s.fold(ctx, tx, p, w.Namespace, w.Category)
		})
		if isGone(err) {
			return nil
		}
		if err != nil {
			return Wrap("fold", err)
		}
	}
	return nil
}

func isGone(err error) bool {
	code := CodeOf(err)
	return code == CodeNotFound || code == CodeGone
}

func (s *Service) fold(ctx context.Context, tx *models.Tx, p *Person, namespace, category string) error {
	deltas, err := s.db.IndexDeltas(ctx, p.SubjectID, namespace, []string{category})
	if err != nil || len(deltas) == 0 {
		return err
	}
	segments, err := s.db.IndexSegments(ctx, p.SubjectID, namespace, []string{category})
	if err != nil {
		return err
	}
	var segment *models.Segment
	var entries []lexical.Entry
	if len(segments) > 0 {
		segment = &segments[0]
		if entries, err = openBlock(p, segment.TableName(), segment.ID, segment.Block); err != nil {
			return err
		}
	}
	if entries, err = applyDeltas(p, entries, deltas); err != nil {
		return err
	}
	if err := s.writeSegment(ctx, tx, p, segment, namespace, category, bySession(entries)); err != nil {
		return err
	}
	_, err = tx.DeleteDeltas(ctx, p.SubjectID, namespace, category, deltas[len(deltas)-1].ID)
	return err
}

// writeSegment seals entries as the block of a segment; nil makes a new one.
func (s *Service) writeSegment(ctx context.Context, tx *models.Tx, p *Person, old *models.Segment, namespace, category string, entries []lexical.Entry) error {
	segment := models.Segment{SubjectID: p.SubjectID, ID: models.NewID(), Namespace: namespace, Category: category, Version: 1}
	if old != nil {
		segment = *old
	}
	block, err := p.Seal(segment.TableName(), "block", segment.ID, lexical.EncodeBlock(entries))
	if err != nil {
		return err
	}
	segment.Block, segment.Entries, segment.UpdatedAt = block, int64(len(entries)), models.At(s.now())
	if old != nil {
		return models.Update(ctx, tx, &segment)
	}
	return models.Insert(ctx, tx, segment)
}

// IndexDrop takes erased rows out of the person's index in the caller's
// transaction: deltas that name them go, and every sealed block that holds one of
// them is written anew without it.
func (s *Service) IndexDrop(ctx context.Context, tx *models.Tx, p *Person, rows []uuid.UUID) error {
	if len(rows) == 0 {
		return nil
	}
	if _, err := tx.DeleteDeltasOf(ctx, p.SubjectID, rows); err != nil {
		return Wrap("index erase", err)
	}
	segments, err := s.db.AllSegments(ctx, p.SubjectID)
	if err != nil {
		return Wrap("index erase", err)
	}
	gone := make(map[uuid.UUID]bool, len(rows))
	for _, row := range rows {
		gone[row] = true
	}
	for i := range segments {
		segment := &segments[i]
		entries, err := openBlock(p, segment.TableName(), segment.ID, segment.Block)
		if err != nil {
			return Wrap("index erase", err)
		}
		kept := slices.DeleteFunc(slices.Clone(entries), func(e lexical.Entry) bool { return gone[e.ID] })
		if len(kept) == len(entries) {
			continue
		}
		if err := s.writeSegment(ctx, tx, p, segment, segment.Namespace, segment.Category, kept); err != nil {
			return Wrap("index erase", err)
		}
	}
	return nil
}
