package models

import (
	"context"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"fornix/keys"
)

// ActiveAttributes lists the present values of the keys named by their tokens.
// Those past their time at `at` are left out.
func (db *DB) ActiveAttributes(ctx context.Context, subject uuid.UUID, keyTokens []keys.Token, at Micros) ([]Attribute, error) {
	if len(keyTokens) == 0 {
		return nil, nil
	}
	return list[Attribute](ctx, db, func(g *gorm.DB) *gorm.DB {
		return g.Where("subject_id = ? AND status = 'active' AND key_token IN ?", subject, keyTokens).
			Where("expire_at IS NULL OR expire_at > ?", at)
	})
}
