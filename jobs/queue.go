// Package jobs owns the background queue: River on the database's own writer, so
// that a job is queued in the transaction that makes it necessary, and workers
// that call memory and privacy. A job carries ids and an epoch; what it works on
// is read when it runs. Jobs are retried, and safe to run twice.
package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"

	"fornix/memory"
	"fornix/models"
	"fornix/privacy"
)

// Settings of the queue. On SQLite there is one writer, so two workers are
// enough to keep it busy.
const (
	workers      = 2
	pollInterval = 200 * time.Millisecond
	jobTimeout   = 5 * time.Minute
	// A finished job's ids are of no use to anybody.
	keepFinished = time.Hour
)

// Migrate makes the queue's own tables; it is safe to run again.
func Migrate(ctx context.Context, db *models.DB) error {
	m, err := rivermigrate.New(riversqlite.New(db.Writer()), &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return fmt.Errorf("jobs: migrate: %w", err)
	}
	if _, err := m.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("jobs: migrate: %w", err)
	}
	return nil
}

// Services are what the workers call.
type Services struct {
	Memory interface {
		RunExtract(ctx context.Context, job memory.Job) error
		RunFold(ctx context.Context, job memory.Job) error
	}
	Privacy interface {
		RunErasure(ctx context.Context, job privacy.Job) error
	}
}

// Queue puts jobs in and, once started, works them off.
type Queue struct {
	db     *models.DB
	client *river.Client[*sql.Tx]

	mu       sync.RWMutex
	services Services
}

var (
	_ memory.Enqueuer  = (*Queue)(nil)
	_ privacy.Enqueuer = (*Queue)(nil)
)

// New makes the queue; Start works it off.
func New(db *models.DB, log *slog.Logger) (*Queue, error) {
	q := &Queue{db: db}
	bundle := river.NewWorkers()
	if err := errors.Join(river.AddWorkerSafely(bundle, &memoryWorker{queue: q}), river.AddWorkerSafely(bundle, &erasureWorker{queue: q})); err != nil {
		return nil, fmt.Errorf("jobs: new: %w", err)
	}
	client, err := river.NewClient(riversqlite.New(db.Writer()), &river.Config{
		Logger:                      log,
		Queues:                      map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: workers}},
		Workers:                     bundle,
		FetchPollInterval:           pollInterval,
		JobTimeout:                  jobTimeout,
		CompletedJobRetentionPeriod: keepFinished,
	})
	if err != nil {
		return nil, fmt.Errorf("jobs: new: %w", err)
	}
	q.client = client
	return q, nil
}

// Start begins to work; Stop ends it.
func (q *Queue) Start(ctx context.Context, s Services) error {
	q.mu.Lock()
	q.services = s
	q.mu.Unlock()
	if err := q.client.Start(ctx); err != nil {
		return fmt.Errorf("jobs: start: %w", err)
	}
	return nil
}

// Stop lets running jobs end and takes no new ones.
func (q *Queue) Stop(ctx context.Context) error {
	if err := q.client.Stop(ctx); err != nil {
		return fmt.Errorf("jobs: stop: %w", err)
	}
	return nil
}

// Enqueue puts a job of memory into the queue, in the caller's transaction.
func (q *Queue) Enqueue(ctx context.Context, tx *models.Tx, job memory.Job) (int64, error) {
	res, err := q.client.InsertTx(ctx, tx.SQL(), memoryArgs{job}, nil)
	if err != nil {
		return 0, fmt.Errorf("jobs: enqueue %s: %w", job.Kind, err)
	}
	return res.Job.ID, nil
}

// EnqueueErasure puts an erasure into the queue, in the caller's transaction.
func (q *Queue) EnqueueErasure(ctx context.Context, tx *models.Tx, job privacy.Job) error {
	if _, err := q.client.InsertTx(ctx, tx.SQL(), erasureArgs{job}, nil); err != nil {
		return fmt.Errorf("jobs: enqueue erasure: %w", err)
	}
	return nil
}

// Drain waits until no job is waiting or running. It is for the importer and the
// demo, which show what the jobs made.
func (q *Queue) Drain(ctx context.Context) error {
	tick := time.NewTicker(pollInterval / 2)
	defer tick.Stop()
	for {
		n, err := q.db.OpenJobs(ctx)
		if err != nil || n == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("jobs: drain: %d jobs left: %w", n, ctx.Err())
		case <-tick.C:
		}
	}
}
