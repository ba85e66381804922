// Package modelstest is the conformance suite of the data layer. Each database
// joins by giving Run a way to open a fresh, migrated one.
package modelstest

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"

	"fornix/audit"
	"fornix/keys"
	"fornix/migrations"
	"fornix/models"
)

// Backend opens a fresh, migrated, empty database and says how to read its
// schema.
type Backend struct {
	Open   func(t *testing.T) *models.DB
	Schema func(t *testing.T, db *models.DB) []Column
}

// Run runs the whole suite.
func Run(t *testing.T, b Backend) {
	t.Run("Tenant", func(t *testing.T) { testTenants(t, b) })
	t.Run("Tx", func(t *testing.T) { testTx(t, b) })
	t.Run("Version", func(t *testing.T) { testVersions(t, b) })
	t.Run("Sealed", func(t *testing.T) { testSealed(t, b) })
	t.Run("Schema", func(t *testing.T) { testSchema(t, b) })
	t.Run("Policy", func(t *testing.T) { testPolicy(t, b) })
}

// Tenants of the suite.
const (
	tenantA = "alpha"
	tenantB = "beta"
)

// OpenSQLite opens a migrated SQLite database beside a file key store, with both
// tenants of the suite.
func OpenSQLite(t *testing.T) *models.DB {
	t.Helper()
	dir := t.TempDir()
	store, err := keys.CreateFile(filepath.Join(dir, "keys"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	sealer := keys.NewSealer(store, keys.Options{})
	db, err := models.Open(t.Context(), models.Config{Path: filepath.Join(dir, "fornix.db"), Sealer: sealer})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if err := migrations.Up(t.Context(), migrations.SQLite, db.Writer()); err != nil {
		t.Fatal(err)
	}
	for _, tenant := range []string{tenantA, tenantB} {
		AddTenant(t, db, tenant)
	}
	return db
}

// AddTenant makes a tenant with its secret.
func AddTenant(t *testing.T, db *models.DB, tenant string) {
	t.Helper()
	wrapped, err := db.Sealer().NewTenant(t.Context(), tenant)
	if err != nil {
		t.Fatal(err)
	}
	ctx := As(t.Context(), tenant)
	row := models.Tenant{ID: tenant, Name: tenant, Locale: "en", SecretWrapped: wrapped, CreatedAt: models.At(time.Now()), Version: 1}
	err = db.InTx(ctx, func(ctx context.Context, tx *models.Tx) error {
		if err := tx.CreateTenant(ctx, row); err != nil {
			return err
		}
		return tx.Record(ctx, audit.Event{Action: "tenant.create", Object: "tenant:" + tenant})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// As is a context in which the suite acts for a tenant.
func As(ctx context.Context, tenant string) context.Context {
	return models.WithTenant(audit.WithActor(ctx, audit.System("modelstest")), tenant)
}

// note is the audit event of a write that the suite makes.
var note = audit.Event{Action: "test.write", Object: "test:row"}

// write runs fn in a recorded transaction of the tenant.
func write(t *testing.T, db *models.DB, tenant string, fn func(ctx context.Context, tx *models.Tx) error) error {
	t.Helper()
	return db.InTx(As(t.Context(), tenant), func(ctx context.Context, tx *models.Tx) error {
		if err := fn(ctx, tx); err != nil {
			return err
		}
		return tx.Record(ctx, note)
	})
}

// person makes a subject with its secret and returns its row.
func person(t *testing.T, db *models.DB, tenant string) models.Subject {
	t.Helper()
	now := models.At(time.Now())
	row := models.Subject{
		TenantID: models.TenantID(tenant), SubjectID: models.NewID(), Epoch: 1, Status: models.SubjectActive,
		Pseudonym: "sub_" + uuid.NewString(), Locale: "en", CreatedAt: now, UpdatedAt: now, Version: 1,
	}
	if err := db.Sealer().NewSubject(t.Context(), row.Ref()); err != nil {
		t.Fatal(err)
	}
	row.ExternalID = seal(t, db, row, "subjects", "external_id", row.SubjectID, "customer-1")
	err := write(t, db, tenant, func(ctx context.Context, tx *models.Tx) error { return models.Insert(ctx, tx, row) })
	if err != nil {
		t.Fatal(err)
	}
	return row
}

func seal(t *testing.T, db *models.DB, s models.Subject, table, column string, id uuid.UUID, text string) keys.Sealed {
	t.Helper()
	sealed, err := db.Sealer().Seal(t.Context(), keys.Cell{SubjectRef: s.Ref(), Table: table, Column: column, Row: id}, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return sealed
}

// memoryOf builds a memory of the person, not yet inserted.
func memoryOf(t *testing.T, db *models.DB, s models.Subject, text string) models.Memory {
	t.Helper()
	ring, err := db.Sealer().Ring(t.Context(), s.Ref())
	if err != nil {
		t.Fatal(err)
	}
	defer ring.Close()
	id, now := models.NewID(), models.At(time.Now())
	return models.Memory{
		TenantID: s.TenantID, SubjectID: s.SubjectID, ID: id, Namespace: "default", Kind: "hard_fact", Layer: "semantic",
		Category: "general", Source: "user", Status: models.StatusActive,
		Content: seal(t, db, s, "memories", "content", id, text), Labels: seal(t, db, s, "memories", "labels", id, "{}"),
		ContentToken: ring.Token("content", []byte(text)), Confidence: 1, Importance: .5,
		OccurredAt: now, CreatedAt: now, UpdatedAt: now, Version: 1,
	}
}

// remember inserts a memory of the person.
func remember(t *testing.T, db *models.DB, s models.Subject, text string) models.Memory {
	t.Helper()
	m := memoryOf(t, db, s, text)
	err := write(t, db, string(s.TenantID), func(ctx context.Context, tx *models.Tx) error { return models.Insert(ctx, tx, m) })
	if err != nil {
		t.Fatal(err)
	}
	return m
}
