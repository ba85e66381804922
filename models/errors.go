package models

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"gorm.io/gorm"
)

var (
	// ErrNotFound is returned for a row that isn't there or isn't the tenant's.
	ErrNotFound = errors.New("not found")
	// ErrStale says that the row was changed since it was read.
	ErrStale = errors.New("row was changed meanwhile")
	// ErrDuplicate says that a unique index already holds such a row.
	ErrDuplicate = errors.New("row is already there")
	// ErrUnavailable says that the database can't be used just now.
	ErrUnavailable = errors.New("database unavailable")

	// ErrNoTenant is a programming fault: a tenant table was used without a
	// tenant in the context.
	ErrNoTenant = errors.New("no tenant in context")
	// ErrUnguarded is a programming fault: a statement that can't be limited to
	// one tenant, outside System.
	ErrUnguarded = errors.New("statement can't be limited to a tenant")
	// ErrOutsideTx is a programming fault: a write outside InTx.
	ErrOutsideTx = errors.New("write outside InTx")
	// ErrNestedTx is a programming fault: InTx inside InTx, which would wait for
	// the only writer for ever.
	ErrNestedTx = errors.New("InTx inside InTx")
	// ErrUnrecorded is a programming fault: a transaction wrote and recorded no
	// audit event. It was rolled back.
	ErrUnrecorded = errors.New("transaction wrote without an audit event")
	// ErrNoActor is a programming fault: an event was recorded in a context that
	// names nobody.
	ErrNoActor = errors.New("no actor in context")
)

// mapError is the only place that knows GORM's and the driver's errors. A
// message never carries a bound value: constraint messages name columns alone.
func mapError(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	switch {
	case errors.Is(err, gorm.ErrRecordNotFound), errors.Is(err, sql.ErrNoRows):
		return ErrNotFound
	case errors.Is(err, gorm.ErrDuplicatedKey), strings.Contains(text, "UNIQUE constraint failed"):
		return fmt.Errorf("%w: %s", ErrDuplicate, constraintOf(text))
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case strings.Contains(text, "database is locked"), strings.Contains(text, "database is closed"),
		strings.Contains(text, "disk I/O error"), strings.Contains(text, "disk is full"),
		strings.Contains(text, "unable to open database"), errors.Is(err, sql.ErrConnDone):
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return err
}

func constraintOf(text string) string {
	_, after, ok := strings.Cut(text, "UNIQUE constraint failed: ")
	if !ok {
		return "unique index"
	}
	name, _, _ := strings.Cut(after, " (")
	return name
}
