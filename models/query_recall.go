package models

import (
	"context"

	"github.com/google/uuid"
	"gorm.io/gorm"
)

// TurnsByID reads the ones that are there among turns of a person, in no order.
func (db *DB) TurnsByID(ctx context.Context, subject uuid.UUID, ids []uuid.UUID) ([]Turn, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return list[Turn](ctx, db, func(g *gorm.DB) *gorm.DB { return g.Where("subject_id = ? AND id IN ?", subject, ids) })
}

// RecallRow reads the record of one recall.
func (db *DB) RecallRow(ctx context.Context, subject, id uuid.UUID) (Recall, error) {
	return first[Recall](ctx, db, "subject_id = ? AND id = ?", subject, id)
}

// RecallableKnowledge lists a namespace's shared texts of some categories that
// are active and not past their time, the newest first, at most limit of them.
func (db *DB) RecallableKnowledge(ctx context.Context, namespace string, categories []string, at Micros, limit int) ([]Knowledge, error) {
	if len(categories) == 0 {
		return nil, nil
	}
	return list[Knowledge](ctx, db, func(g *gorm.DB) *gorm.DB {
		return g.Where("namespace = ? AND category IN ? AND status = ?", namespace, categories, StatusActive).
			Where("expire_at IS NULL OR expire_at > ?", at).Order("id DESC").Limit(limit)
	})
}
