// Package migrations owns the numbered SQL that makes the schema, one folder per
// database with equal numbers. It imports goose and nothing of Fornix.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

//go:embed sqlite/*.sql
var files embed.FS

// Dialects of Up and Files.
const SQLite = "sqlite"

// Files returns the migrations of a dialect.
func Files(dialect string) (fs.FS, error) {
	sub, err := fs.Sub(files, dialect)
	if err != nil {
		return nil, fmt.Errorf("migrations: %s: %w", dialect, err)
	}
	return sub, nil
}

// Up brings the schema to the newest version. It is safe to run again; a fault
// leaves the last version that was applied whole.
func Up(ctx context.Context, dialect string, db *sql.DB) error {
	provider, err := provider(dialect, db)
	if err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrations: up: %w", err)
	}
	return nil
}

// Pending tells whether the schema is older than the program.
func Pending(ctx context.Context, dialect string, db *sql.DB) (bool, error) {
	provider, err := provider(dialect, db)
	if err != nil {
		return false, err
	}
	pending, err := provider.HasPending(ctx)
	if err != nil {
		return false, fmt.Errorf("migrations: pending: %w", err)
	}
	return pending, nil
}

func provider(dialect string, db *sql.DB) (*goose.Provider, error) {
	if dialect != SQLite {
		return nil, fmt.Errorf("migrations: unknown dialect %q", dialect)
	}
	sub, err := Files(dialect)
	if err != nil {
		return nil, err
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, db, sub)
	if err != nil {
		return nil, fmt.Errorf("migrations: %w", err)
	}
	return p, nil
}
