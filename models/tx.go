package models

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"gorm.io/gorm"

	"fornix/audit"
	"fornix/keys"
)

// Tx is a transaction in which rows may be written. It belongs to the goroutine
// that runs InTx.
type Tx struct {
	db       *DB
	gorm     *gorm.DB
	wrote    string
	recorded bool
}

type txKey struct{}

func txFrom(ctx context.Context) *Tx {
	if ctx == nil {
		return nil
	}
	tx, _ := ctx.Value(txKey{}).(*Tx)
	return tx
}

// unaudited are the tables whose rows are themselves a record or follow from
// recorded ones; a transaction that writes nothing else needs no audit event.
var unaudited = map[string]string{
	"audit_events":      "the record itself",
	"recalls":           "the record of a read; each is an access record of its own",
	"segments":          "derived from memories and turns; folding changes nothing that is remembered",
	"segment_deltas":    "derived from memories and turns",
	"knowledge_vectors": "derived from knowledge",
	"system_state":      "the program's own cursors",
	"river_job":         "job ids and epochs; what a job does is recorded when it does it",
}

// InTx runs fn in one transaction. Reads and writes through the context that fn
// is given belong to it. The transaction is rolled back when fn fails, and when
// it wrote and recorded no audit event (ErrUnrecorded). InTx inside InTx fails
// at once with ErrNestedTx: there is one writer.
func (db *DB) InTx(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) error {
	if txFrom(ctx) != nil {
		return fmt.Errorf("models: %w", ErrNestedTx)
	}
	begin, cancel := context.WithTimeout(ctx, db.acquire)
	defer cancel()
	// The transaction outlives the deadline for getting the writer, so it is
	// begun on a connection taken under that deadline.
	conn, err := db.writer.Conn(begin)
	if err != nil {
		return fmt.Errorf("models: begin: %w: %w", ErrUnavailable, err)
	}
	defer conn.Close()
	sqlTx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("models: begin: %w: %w", ErrUnavailable, err)
	}
	defer func() { _ = sqlTx.Rollback() }()
	tx := &Tx{db: db}
	ctx = context.WithValue(ctx, txKey{}, tx)
	tx.gorm = db.gorm.Session(&gorm.Session{NewDB: true, Context: ctx, SkipDefaultTransaction: true})
	tx.gorm.Statement.ConnPool = sqlTx
	if err := fn(ctx, tx); err != nil {
		return err
	}
	if tx.wrote != "" && !tx.recorded {
		return fmt.Errorf("models: %w (table %s)", ErrUnrecorded, tx.wrote)
	}
	if err := sqlTx.Commit(); err != nil {
		return fmt.Errorf("models: commit: %w", mapError(err))
	}
	return nil
}

// SQL returns the transaction for the job queue, which writes its row in it.
func (tx *Tx) SQL() *sql.Tx { return tx.gorm.Statement.ConnPool.(*sql.Tx) }

// noteWrite refuses a write that isn't in the transaction of its context, and
// remembers that the transaction owes an audit event.
func noteWrite(stmt *gorm.Statement) error {
	tx := txFrom(stmt.Context)
	if tx == nil || stmt.ConnPool != tx.gorm.Statement.ConnPool {
		return fmt.Errorf("models: %s: %w", stmt.Table, ErrOutsideTx)
	}
	if _, exempt := unaudited[stmt.Table]; !exempt {
		tx.wrote = stmt.Table
		if tx.wrote == "" {
			tx.wrote = "(raw)"
		}
	}
	return nil
}

// Record writes the audit event into the transaction. The actor and the origin
// come from the context, the payload is sealed under the subject's key (the
// tenant's operator key when the event concerns no subject).
func (tx *Tx) Record(ctx context.Context, e audit.Event) error {
	if err := e.Check(); err != nil {
		return err
	}
	actor, ok := audit.ActorFrom(ctx)
	if !ok {
		return fmt.Errorf("models: record %s: %w", e.Action, ErrNoActor)
	}
	tenant := TenantFrom(ctx)
	if tenant == "" {
		return fmt.Errorf("models: record %s: %w", e.Action, ErrNoTenant)
	}
	row := AuditEvent{ID: NewID()}
	origin := audit.OriginFrom(ctx)
	payload, err := e.Payload(actor, origin)
	if err != nil {
		return err
	}
	var (
		ring      *keys.Ring
		cell      = keys.OperatorCell(tenant, row.TableName(), "payload", row.ID)
		pseudonym string
	)
	if e.Subject == NoSubject {
		ring, err = tx.db.sealer.OperatorRing(ctx, tenant)
	} else {
		ref := keys.SubjectRef{Tenant: tenant, Subject: e.Subject, Epoch: e.Epoch}
		cell.SubjectRef = ref
		if pseudonym, err = tx.db.sealer.Pseudonym(tenant, e.Subject); err != nil {
			return fmt.Errorf("models: record %s: %w", e.Action, err)
		}
		ring, err = tx.db.sealer.Ring(ctx, ref)
	}
	if err != nil {
		return fmt.Errorf("models: record %s: %w", e.Action, err)
	}
	defer ring.Close()
	return tx.write(ctx, row, ring, cell, audit.NewEnvelope(row.ID, tenant, int64(At(tx.db.now())), actor, origin, e, pseudonym), payload)
}

func (tx *Tx) write(ctx context.Context, row AuditEvent, ring *keys.Ring, cell keys.Cell, env audit.Envelope, payload []byte) error {
	sealed, wrapped, commitment, err := keys.SealWithDataKey(ring, cell, payload)
	if err != nil {
		return fmt.Errorf("models: record %s: %w", env.Action, err)
	}
	row.fill(env)
	row.Payload, row.PayloadKey = sealed, wrapped
	row.Commitment = commitment[:]
	leaf := audit.Leaf(env, sealed.Bytes(), commitment)
	row.Leaf = leaf[:]
	if err := tx.gorm.WithContext(ctx).Create(&row).Error; err != nil {
		return fmt.Errorf("models: record %s: %w", env.Action, mapError(err))
	}
	tx.recorded = true
	return nil
}

// defaultAcquire is how long InTx waits for the only writer.
const defaultAcquire = 10 * time.Second
