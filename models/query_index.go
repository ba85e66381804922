package models

import (
	"context"

	"github.com/google/uuid"
	"gorm.io/gorm"
)

// IndexDeltas lists the changes of the person's index of a namespace that aren't
// folded yet, in the order they were made.
func (db *DB) IndexDeltas(ctx context.Context, subject uuid.UUID, namespace string, categories []string) ([]SegmentDelta, error) {
	return list[SegmentDelta](ctx, db, func(g *gorm.DB) *gorm.DB {
		return g.Where("subject_id = ? AND namespace = ? AND category IN ?", subject, namespace, categories).Order("id")
	})
}

// IndexSegments lists the person's folded segments of a namespace, by category.
func (db *DB) IndexSegments(ctx context.Context, subject uuid.UUID, namespace string, categories []string) ([]Segment, error) {
	return list[Segment](ctx, db, func(g *gorm.DB) *gorm.DB {
		return g.Where("subject_id = ? AND namespace = ? AND category IN ?", subject, namespace, categories).Order("category")
	})
}

// AllSegments lists every segment of a person.
func (db *DB) AllSegments(ctx context.Context, subject uuid.UUID) ([]Segment, error) {
	return list[Segment](ctx, db, func(g *gorm.DB) *gorm.DB {
		return g.Where("subject_id = ?", subject).Order("namespace, category")
	})
}

// CountDeltas counts the changes of one segment that aren't folded yet.
func (db *DB) CountDeltas(ctx context.Context, subject uuid.UUID, namespace, category string) (int64, error) {
	return count[SegmentDelta](ctx, db, "subject_id = ? AND namespace = ? AND category = ?", subject, namespace, category)
}

// Unfolded lists the namespaces and categories of a person that have changes to
// fold; only those two fields are set.
func (db *DB) Unfolded(ctx context.Context, subject uuid.UUID) ([]SegmentDelta, error) {
	return list[SegmentDelta](ctx, db, func(g *gorm.DB) *gorm.DB {
		return g.Where("subject_id = ?", subject).Distinct("namespace", "category").Order("namespace, category")
	})
}

// DeleteDeltas removes changes of a segment up to and with one of them, in the
// order they were made.
func (tx *Tx) DeleteDeltas(ctx context.Context, subject uuid.UUID, namespace, category string, last uuid.UUID) (int64, error) {
	return remove[SegmentDelta](ctx, tx, "subject_id = ? AND namespace = ? AND category = ? AND id <= ?", subject, namespace, category, last)
}

// DeleteDeltasOf removes every change that concerns one of the entries.
func (tx *Tx) DeleteDeltasOf(ctx context.Context, subject uuid.UUID, entries []uuid.UUID) (int64, error) {
	if len(entries) == 0 {
		return 0, nil
	}
	return remove[SegmentDelta](ctx, tx, "subject_id = ? AND entry_id IN ?", subject, entries)
}

// DeleteIndex removes the whole index of a person, so that it can be built anew.
func (tx *Tx) DeleteIndex(ctx context.Context, subject uuid.UUID) error {
	if _, err := remove[SegmentDelta](ctx, tx, "subject_id = ?", subject); err != nil {
		return err
	}
	_, err := remove[Segment](ctx, tx, "subject_id = ?", subject)
	return err
}

// IndexedMemories lists what of a person's memories belongs into the index.
func (db *DB) IndexedMemories(ctx context.Context, subject uuid.UUID) ([]Memory, error) {
	return list[Memory](ctx, db, func(g *gorm.DB) *gorm.DB {
		return g.Where("subject_id = ? AND status = ?", subject, StatusActive).Order("id")
	})
}

// IndexedTurns lists the turns of a person, session by session in their order.
func (db *DB) IndexedTurns(ctx context.Context, subject uuid.UUID) ([]Turn, error) {
	return list[Turn](ctx, db, func(g *gorm.DB) *gorm.DB {
		return g.Where("subject_id = ?", subject).Order("session_id, position")
	})
}
