package jobs_test

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"fornix/audit"
	"fornix/jobs"
	"fornix/keys"
	"fornix/memory"
	"fornix/migrations"
	"fornix/models"
	"fornix/policy"
	"fornix/privacy"
)

const tenant = "alpha"

type world struct {
	db      *models.DB
	queue   *jobs.Queue
	memory  *memory.Service
	privacy *privacy.Service
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir := t.TempDir()
	store, err := keys.CreateFile(filepath.Join(dir, "keys"))
	must(t, err)
	t.Cleanup(func() { _ = store.Close() })
	sealer := keys.NewSealer(store, keys.Options{})
	db, err := models.Open(t.Context(), models.Config{Path: filepath.Join(dir, "fornix.db"), Sealer: sealer})
	must(t, err)
	t.Cleanup(func() { _ = db.Close() })
	must(t, migrations.Up(t.Context(), migrations.SQLite, db.Writer()))
	must(t, jobs.Migrate(t.Context(), db))
	must(t, jobs.Migrate(t.Context(), db)) // again, as at every start
	wrapped, err := sealer.NewTenant(t.Context(), tenant)
	must(t, err)
	ctx := system(t)
	must(t, db.InTx(ctx, func(ctx context.Context, tx *models.Tx) error {
		if err := tx.CreateTenant(ctx, models.Tenant{ID: tenant, Name: tenant, Locale: "en", SecretWrapped: wrapped, Version: 1}); err != nil {
			return err
		}
		return tx.Record(ctx, audit.Event{Action: "tenant.create", Object: "tenant:" + tenant})
	}))
	must(t, policy.Seed(ctx, db.Policy(), tenant))
	engine, err := policy.New(ctx, db.Policy(), policy.Options{})
	must(t, err)
	w := &world{db: db}
	w.queue, err = jobs.New(db, slog.New(slog.DiscardHandler))
	must(t, err)
	w.memory, err = memory.New(memory.Options{DB: db, Sealer: sealer, Policy: engine, Queue: w.queue, Retention: time.Hour * 24 * 90})
	must(t, err)
	w.privacy, err = privacy.New(privacy.Options{DB: db, Sealer: sealer, Memory: w.memory, Policy: engine, Queue: w.queue})
	must(t, err)
	return w
}

func system(t *testing.T) context.Context { return memory.AsSystem(t.Context(), tenant, "test") }

func (w *world) start(t *testing.T) {
	t.Helper()
	must(t, w.queue.Start(context.WithoutCancel(t.Context()), jobs.Services{Memory: w.memory, Privacy: w.privacy}))
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		must(t, w.queue.Stop(ctx))
	})
}

func (w *world) drain(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	must(t, w.queue.Drain(ctx))
}

func (w *world) talk(t *testing.T) models.Subject {
	t.Helper()
	_, err := w.memory.Messages(system(t), memory.MessagesInput{Subject: "anna", SessionID: "s1", Messages: []memory.Message{
		{Role: "user", Content: "Please remember that I am allergic to peanuts.", MessageID: "m1"},
	}})
	must(t, err)
	p, err := w.memory.FindPerson(system(t), "anna")
	must(t, err)
	p.Close()
	return p.Subject
}

func TestQueue(t *testing.T) {
	t.Parallel()
	t.Run("what was said becomes a memory in the background", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		subject := w.talk(t)
		if n, err := w.db.OpenJobs(t.Context()); err != nil || n != 1 {
			t.Fatalf("%d open jobs, %v", n, err)
		}
		w.start(t)
		w.drain(t)
		rows, err := w.db.MemoriesOf(system(t), subject.SubjectID, []string{models.StatusActive}, nil, 10)
		must(t, err)
		if len(rows) != 1 {
			t.Errorf("%d memories", len(rows))
		}
	})
	t.Run("a transaction that is undone queues nothing", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		undo := errors.New("undo")
		err := w.db.InTx(system(t), func(ctx context.Context, tx *models.Tx) error {
			if _, err := w.queue.Enqueue(ctx, tx, memory.Job{Kind: memory.JobExtract, Tenant: tenant}); err != nil {
				return err
			}
			return undo
		})
		if n, countErr := w.db.OpenJobs(t.Context()); !errors.Is(err, undo) || countErr != nil || n != 0 {
			t.Errorf("%d open jobs, %v, %v", n, err, countErr)
		}
	})
	t.Run("a wipe takes the person's queued jobs along", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		subject := w.talk(t)
		if n, err := w.db.CountJobs(system(t), subject.SubjectID); err != nil || n != 1 {
			t.Fatalf("%d jobs name the person, %v", n, err)
		}
		me := policy.With(system(t), policy.Principal{Kind: policy.KindSubject, ID: subject.Pseudonym, Tenant: tenant, Subject: subject.SubjectID.String()})
		req, err := w.privacy.WipeSelf(me)
		must(t, err)
		w.start(t)
		w.drain(t)
		e, err := w.privacy.ErasureByToken(t.Context(), req.ErasureID, req.ProgressToken)
		must(t, err)
		n, err := w.db.CountJobs(system(t), subject.SubjectID)
		if err != nil || n != 0 || e.State != models.ErasureComplete {
			t.Errorf("state %s, %d jobs name the person, %v", e.State, n, err)
		}
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
