package models

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"fornix/keys"
)

// DirectoryEntry finds the subject of an external id by its keyed token.
func (db *DB) DirectoryEntry(ctx context.Context, token keys.Token) (DirectoryEntry, error) {
	return first[DirectoryEntry](ctx, db, "external_token = ?", token)
}

// Subject reads a subject's row.
func (db *DB) Subject(ctx context.Context, subject uuid.UUID) (Subject, error) {
	return first[Subject](ctx, db, "subject_id = ?", subject)
}

// LastErasedEpoch is the newest epoch among the tombstones of an external id; 0
// when it was never erased.
func (db *DB) LastErasedEpoch(ctx context.Context, token keys.Token) (uint32, error) {
	rows, err := list[Tombstone](ctx, db, func(g *gorm.DB) *gorm.DB {
		return g.Where("erasure_token = ?", token).Order("epoch DESC").Limit(1)
	})
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	return rows[0].Epoch, nil
}

// CheckEpoch makes sure that the subject is alive and of this epoch; else
// ErrNotFound. Inside InTx nothing can change it until the commit.
func (db *DB) CheckEpoch(ctx context.Context, ref keys.SubjectRef) error {
	row, err := db.Subject(ctx, ref.Subject)
	if err != nil {
		return err
	}
	if row.Status != SubjectActive || row.Epoch != ref.Epoch {
		return fmt.Errorf("models: subject of epoch %d: %w", ref.Epoch, ErrNotFound)
	}
	return nil
}

// SubjectByPseudonym finds a living subject by its pseudonym.
func (db *DB) SubjectByPseudonym(ctx context.Context, pseudonym string) (Subject, error) {
	return first[Subject](ctx, db, "pseudonym = ?", pseudonym)
}

// Tenant reads one tenant's row.
func (db *DB) Tenant(ctx context.Context, tenant string) (Tenant, error) {
	return first[Tenant](System(ctx, "the tenants table belongs to no tenant"), db, "id = ?", tenant)
}

// Tenants lists all tenants.
func (db *DB) Tenants(ctx context.Context) ([]Tenant, error) {
	return list[Tenant](System(ctx, "the tenants table belongs to no tenant"), db, func(g *gorm.DB) *gorm.DB { return g.Order("id") })
}

// CreateTenant writes the tenant's row, in a transaction of its own; the caller
// records what the tenant is made of.
func (tx *Tx) CreateTenant(ctx context.Context, t Tenant) error {
	return Insert(System(ctx, "the tenants table belongs to no tenant"), tx, t)
}

// IsNotFound tells whether err says that there is no such row.
func IsNotFound(err error) bool { return errors.Is(err, ErrNotFound) }
