package models

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/google/uuid"
	"github.com/libtnb/sqlite"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
	_ "modernc.org/sqlite" // the driver named "sqlite"

	"fornix/keys"
)

// Config says which database to open and with what.
type Config struct {
	// Path of the SQLite file.
	Path   string
	Sealer *keys.Sealer
	// Clock defaults to time.Now.
	Clock func() time.Time
	// Readers is the size of the read pool; 4 when zero.
	Readers int
	// Acquire bounds the wait for the writer; 10 s when zero.
	Acquire time.Duration
}

// DB is the database: one writer connection, shared with the job queue, and a
// small pool of read-only ones.
type DB struct {
	gorm    *gorm.DB // on the read pool; InTx puts its transaction in place of it
	writer  *sql.DB
	reader  *sql.DB
	sealer  *keys.Sealer
	now     func() time.Time
	acquire time.Duration
}

// pragmas of each connection. secure_delete overwrites what is deleted, so an
// erased cell doesn't stay on a free page. A reader can't write, whatever it is
// handed.
const (
	commonPragmas = "_pragma=busy_timeout(10000)&_pragma=foreign_keys(1)&_pragma=secure_delete(1)&_pragma=synchronous(full)"
	writerPragmas = commonPragmas + "&_pragma=journal_mode(wal)&_txlock=immediate"
	readerPragmas = commonPragmas + "&_pragma=query_only(1)"
)

// Open opens the database. It doesn't make or change the schema.
func Open(ctx context.Context, cfg Config) (*DB, error) {
	if cfg.Sealer == nil {
		return nil, errors.New("models: open: no sealer")
	}
	file := (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: cfg.Path}).EscapedPath()}).String()
	writer, err := sql.Open("sqlite", file+"?"+writerPragmas)
	if err != nil {
		return nil, fmt.Errorf("models: open: %w", err)
	}
	writer.SetMaxOpenConns(1)
	if err := writer.PingContext(ctx); err != nil {
		_ = writer.Close()
		return nil, fmt.Errorf("models: open %s: %w", cfg.Path, err)
	}
	reader, err := sql.Open("sqlite", file+"?"+readerPragmas)
	if err != nil {
		_ = writer.Close()
		return nil, fmt.Errorf("models: open: %w", err)
	}
	if cfg.Readers == 0 {
		cfg.Readers = 4
	}
	reader.SetMaxOpenConns(cfg.Readers)
	reader.SetMaxIdleConns(cfg.Readers)
	db := &DB{writer: writer, reader: reader, sealer: cfg.Sealer, now: cfg.Clock, acquire: cfg.Acquire}
	if db.now == nil {
		db.now = time.Now
	}
	if db.acquire == 0 {
		db.acquire = defaultAcquire
	}
	// Statements are never logged: a logger would print bound values.
	db.gorm, err = gorm.Open(sqlite.New(sqlite.Config{Conn: reader}), &gorm.Config{
		Logger:                 logger.Discard,
		SkipDefaultTransaction: true,
		DisableAutomaticPing:   true,
		NowFunc:                db.now,
		TranslateError:         false,
	})
	if err == nil {
		err = installGuards(db.gorm)
	}
	if err != nil {
		_ = db.Close()
		return nil, fmt.Errorf("models: open: %w", err)
	}
	return db, nil
}

// Close waits for nothing: call it when no request and no job runs.
func (db *DB) Close() error { return errors.Join(db.reader.Close(), db.writer.Close()) }

// Writer is the connection pool of one that migrations and the job queue share.
func (db *DB) Writer() *sql.DB { return db.writer }

// Now is the time of the database's clock.
func (db *DB) Now() time.Time { return db.now() }

// Sealer is what the rows are sealed with.
func (db *DB) Sealer() *keys.Sealer { return db.sealer }

// Ping tells whether the database answers.
func (db *DB) Ping(ctx context.Context) error {
	if err := db.reader.PingContext(ctx); err != nil {
		return fmt.Errorf("models: ping: %w: %w", ErrUnavailable, err)
	}
	return nil
}

// ORM returns GORM for the context: the transaction of the context, else the
// read pool. It is for this package and its conformance suite.
func (db *DB) ORM(ctx context.Context) *gorm.DB {
	if tx := txFrom(ctx); tx != nil && tx.db == db {
		return tx.gorm.WithContext(ctx)
	}
	return db.gorm.WithContext(ctx)
}

// NoSubject is the subject of what concerns no person.
var NoSubject = uuid.Nil

// NewID makes the id of a row: a UUIDv7, which is needed before the insert since
// it enters the sealing.
func NewID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// Micros is a time in microseconds since 1970, UTC: it orders and compares the
// same in every database and in Go.
type Micros int64

// At is t in microseconds.
func At(t time.Time) Micros { return Micros(t.UnixMicro()) }

// Time is the time in UTC.
func (m Micros) Time() time.Time { return time.UnixMicro(int64(m)).UTC() }

// MaybeAt is At of a time that may be absent.
func MaybeAt(t *time.Time) *Micros {
	if t == nil {
		return nil
	}
	m := At(*t)
	return &m
}

// MaybeTime is Time of a value that may be absent.
func (m *Micros) MaybeTime() *time.Time {
	if m == nil {
		return nil
	}
	t := m.Time()
	return &t
}
