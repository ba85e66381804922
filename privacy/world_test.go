package privacy_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"fornix/audit"
	"fornix/keys"
	"fornix/memory"
	"fornix/migrations"
	"fornix/models"
	"fornix/policy"
	"fornix/privacy"
)

const tenant = "alpha"

// world is a running memory on SQLite and a file key store, without workers: the
// test runs the jobs it wants run.
type world struct {
	t       *testing.T
	dir     string
	store   *keys.FileStore
	sealer  *keys.Sealer
	db      *models.DB
	policy  *policy.Engine
	memory  *memory.Service
	privacy *privacy.Service
	queue   *queue
}

// queue keeps jobs in memory; like the real one it takes them in the caller's
// transaction.
type queue struct {
	jobs     []memory.Job
	erasures []privacy.Job
}

func (q *queue) Enqueue(_ context.Context, _ *models.Tx, job memory.Job) (int64, error) {
	q.jobs = append(q.jobs, job)
	return int64(len(q.jobs)), nil
}

func (q *queue) EnqueueErasure(_ context.Context, _ *models.Tx, job privacy.Job) error {
	q.erasures = append(q.erasures, job)
	return nil
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), queue: &queue{}}
	store, err := keys.CreateFile(filepath.Join(w.dir, "keys"))
	must(t, err)
	t.Cleanup(func() { _ = store.Close() })
	w.store, w.sealer = store, keys.NewSealer(store, keys.Options{})
	w.openDB(filepath.Join(w.dir, "fornix.db"))
	wrapped, err := w.sealer.NewTenant(t.Context(), tenant)
	must(t, err)
	ctx := memory.AsSystem(t.Context(), tenant, "test")
	must(t, w.db.InTx(ctx, func(ctx context.Context, tx *models.Tx) error {
		row := models.Tenant{ID: tenant, Name: tenant, Locale: "en", SecretWrapped: wrapped, CreatedAt: models.At(time.Now()), Version: 1}
		if err := tx.CreateTenant(ctx, row); err != nil {
			return err
		}
		return tx.Record(ctx, audit.Event{Action: "tenant.create", Object: "tenant:" + tenant})
	}))
	must(t, policy.Seed(ctx, w.db.Policy(), tenant))
	w.services()
	return w
}

// openDB opens, or opens again, a database file with the live key store.
func (w *world) openDB(path string) {
	w.t.Helper()
	db, err := models.Open(w.t.Context(), models.Config{Path: path, Sealer: w.sealer})
	must(w.t, err)
	w.t.Cleanup(func() { _ = db.Close() })
	must(w.t, migrations.Up(w.t.Context(), migrations.SQLite, db.Writer()))
	// The queue's table, which erasures read back; the queue itself isn't needed.
	_, err = db.Writer().ExecContext(w.t.Context(), "CREATE TABLE IF NOT EXISTS river_job (id INTEGER PRIMARY KEY, args TEXT NOT NULL, state TEXT NOT NULL)")
	must(w.t, err)
	w.db = db
}

func (w *world) services() {
	w.t.Helper()
	var err error
	w.policy, err = policy.New(w.t.Context(), w.db.Policy(), policy.Options{})
	must(w.t, err)
	w.memory, err = memory.New(memory.Options{DB: w.db, Sealer: w.sealer, Policy: w.policy, Queue: w.queue, Retention: 90 * 24 * time.Hour})
	must(w.t, err)
	w.privacy, err = privacy.New(privacy.Options{DB: w.db, Sealer: w.sealer, Memory: w.memory, Policy: w.policy, Queue: w.queue})
	must(w.t, err)
}

// system is a context in which the program acts.
func (w *world) system() context.Context { return memory.AsSystem(w.t.Context(), tenant, "test") }

// person is a context in which the person with this external id is signed in.
func (w *world) person(external string) (context.Context, models.Subject) {
	w.t.Helper()
	p, err := w.memory.EnsurePerson(w.system(), external, "en")
	must(w.t, err)
	defer p.Close()
	ctx := policy.With(w.t.Context(), policy.Principal{Kind: policy.KindSubject, ID: p.Pseudonym, Tenant: tenant, Subject: p.SubjectID.String()})
	return audit.WithActor(ctx, audit.Actor{Kind: audit.ActorSubject, ID: p.Pseudonym}), p.Subject
}

// fill gives a person something in every store.
func (w *world) fill(external string) (models.Subject, memory.Remembered) {
	w.t.Helper()
	ctx := w.system()
	_, subject := w.person(external)
	made, err := w.memory.Remember(ctx, memory.RememberInput{
		Subject: external, Content: "Likes jasmine tea in the morning", Kind: "soft_preference", Category: "preference", Source: "user", Quote: "I like jasmine tea in the morning",
	})
	must(w.t, err)
	_, err = w.memory.Remember(ctx, memory.RememberInput{Subject: external, Content: "Works at the harbour office", Category: "work", Source: "user"})
	must(w.t, err)
	_, err = w.memory.Messages(ctx, memory.MessagesInput{Subject: external, SessionID: "s1", Messages: []memory.Message{
		{Role: "user", Content: "Please remember that my sister is called Ada.", MessageID: "m1"}, {Role: "assistant", Content: "Noted.", MessageID: "m2"},
	}})
	must(w.t, err)
	for len(w.queue.jobs) > 0 {
		job := w.queue.jobs[0]
		w.queue.jobs = w.queue.jobs[1:]
		if job.Kind == memory.JobExtract {
			must(w.t, w.memory.RunExtract(ctx, job))
		}
	}
	_, err = w.memory.PutAttribute(ctx, external, "city", memory.AttributeInput{Value: []byte(`"Rotterdam"`), Source: "user"})
	must(w.t, err)
	_, err = w.memory.Recall(ctx, memory.RecallInput{Subject: external, Query: "what tea?"})
	must(w.t, err)
	_, _, err = w.memory.CreatePortalLink(ctx, external, "en", time.Minute)
	must(w.t, err)
	return subject, made
}

// left counts the rows of a subject in every store, and its own rows.
func (w *world) left(s models.Subject) map[string]int64 {
	w.t.Helper()
	left := map[string]int64{}
	for _, store := range w.privacy.Stores() {
		n, err := store.Count(w.system(), s)
		must(w.t, err)
		if n > 0 {
			left[store.Name] = n
		}
	}
	subjects, directory, err := w.db.CountSubject(w.system(), s)
	must(w.t, err)
	if subjects+directory > 0 {
		left["subjects"] = subjects + directory
	}
	return left
}

// runErasures works off the queued erasures.
func (w *world) runErasures() {
	w.t.Helper()
	for len(w.queue.erasures) > 0 {
		job := w.queue.erasures[0]
		w.queue.erasures = w.queue.erasures[1:]
		must(w.t, w.privacy.RunErasure(w.t.Context(), job))
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func code(err error) memory.Code { return memory.CodeOf(err) }

func isErased(err error) bool { return errors.Is(err, keys.ErrErased) }
