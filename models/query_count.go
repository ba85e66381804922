package models

import "context"

// Counts says how much a tenant holds.
type Counts struct{ People, Memories, Turns int64 }

// Count counts the tenant's people, memories of every status, and turns.
func (db *DB) Count(ctx context.Context) (c Counts, err error) {
	if c.People, err = count[Subject](ctx, db, "1 = 1"); err != nil {
		return c, err
	}
	if c.Memories, err = count[Memory](ctx, db, "1 = 1"); err != nil {
		return c, err
	}
	c.Turns, err = count[Turn](ctx, db, "1 = 1")
	return c, err
}
