package models

import (
	"context"

	"gorm.io/gorm"
)

// Agents lists the tenant's agents by name.
func (db *DB) Agents(ctx context.Context) ([]Agent, error) {
	return list[Agent](ctx, db, func(g *gorm.DB) *gorm.DB { return g.Order("name") })
}

// AgentByKeyHash finds an agent by the hash of its API key.
func (db *DB) AgentByKeyHash(ctx context.Context, hash []byte) (Agent, error) {
	return first[Agent](ctx, db, "key_hash = ?", hash)
}

// AgentByName finds an agent by its name.
func (db *DB) AgentByName(ctx context.Context, name string) (Agent, error) {
	return first[Agent](ctx, db, "name = ?", name)
}
