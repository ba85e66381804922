package models

import (
	"context"

	"gorm.io/gorm"
)

// AttributeDefs lists the tenant's dictionary by key.
func (db *DB) AttributeDefs(ctx context.Context) ([]AttributeDef, error) {
	return list[AttributeDef](ctx, db, func(g *gorm.DB) *gorm.DB { return g.Order("key") })
}

// AttributeDefsOf lists the entries of some keys.
func (db *DB) AttributeDefsOf(ctx context.Context, keys []string) ([]AttributeDef, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	return list[AttributeDef](ctx, db, func(g *gorm.DB) *gorm.DB { return g.Where("key IN ?", keys).Order("key") })
}

// AttributeDef reads the dictionary's entry of a key.
func (db *DB) AttributeDef(ctx context.Context, key string) (AttributeDef, error) {
	return first[AttributeDef](ctx, db, "key = ?", key)
}
