package models

import (
	"context"
	"fmt"
)

// Counts says how much a tenant holds. Pending are the memories and attributes
// that wait for review, Conflicts those of them that contradict another.
type Counts struct {
	People, Memories, Attributes, Turns, Agents int64
	Pending, Conflicts, Erasures                int64
}

// Count counts the tenant's people, memories and attributes of every status,
// turns and agents, and what waits.
func (db *DB) Count(ctx context.Context) (Counts, error) {
	var c Counts
	tally := func(into *int64, n int64, err error) error {
		*into += n
		return err
	}
	for _, step := range []func() error{
		func() error { n, err := count[Subject](ctx, db, "1 = 1"); return tally(&c.People, n, err) },
		func() error { n, err := count[Memory](ctx, db, "1 = 1"); return tally(&c.Memories, n, err) },
		func() error { n, err := count[Attribute](ctx, db, "1 = 1"); return tally(&c.Attributes, n, err) },
		func() error { n, err := count[Turn](ctx, db, "1 = 1"); return tally(&c.Turns, n, err) },
		func() error { n, err := count[Agent](ctx, db, "1 = 1"); return tally(&c.Agents, n, err) },
		func() error {
			n, err := count[Memory](ctx, db, "status = ?", StatusPending)
			return tally(&c.Pending, n, err)
		},
		func() error {
			n, err := count[Attribute](ctx, db, "status = ?", StatusPending)
			return tally(&c.Pending, n, err)
		},
		func() error {
			n, err := count[Memory](ctx, db, "status = ? AND conflict_with IS NOT NULL", StatusPending)
			return tally(&c.Conflicts, n, err)
		},
		func() error {
			n, err := count[Attribute](ctx, db, "status = ? AND conflict_with IS NOT NULL", StatusPending)
			return tally(&c.Conflicts, n, err)
		},
		func() error {
			n, err := count[Erasure](ctx, db, "state <> ?", "complete")
			return tally(&c.Erasures, n, err)
		},
	} {
		if err := step(); err != nil {
			return c, fmt.Errorf("models: count: %w", err)
		}
	}
	return c, nil
}
