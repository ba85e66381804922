package memory_test

import (
	"context"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"fornix/audit"
	"fornix/keys"
	"fornix/memory"
	"fornix/migrations"
	"fornix/models"
	"fornix/policy"
)

// writeWorld is a memory on a real database and key store, with a clock that
// stands still until it is moved and jobs that run when told to.
type writeWorld struct {
	*memory.Service
	db   *models.DB
	path string

	mu   sync.Mutex
	at   time.Time
	jobs []memory.Job
}

const writeTenant = "acme"

func newWriteWorld(t *testing.T, retention time.Duration) *writeWorld {
	t.Helper()
	dir := t.TempDir()
	store, err := keys.CreateFile(filepath.Join(dir, "keys"))
	must(t, err)
	t.Cleanup(func() { _ = store.Close() })
	w := &writeWorld{at: time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC), path: filepath.Join(dir, "fornix.db")}
	sealer := keys.NewSealer(store, keys.Options{})
	w.db, err = models.Open(t.Context(), models.Config{Path: w.path, Sealer: sealer, Clock: w.now})
	must(t, err)
	t.Cleanup(func() { _ = w.db.Close() })
	must(t, migrations.Up(t.Context(), migrations.SQLite, w.db.Writer()))
	wrapped, err := sealer.NewTenant(t.Context(), writeTenant)
	must(t, err)
	ctx := memory.AsSystem(t.Context(), writeTenant, "test")
	must(t, w.db.InTx(ctx, func(ctx context.Context, tx *models.Tx) error {
		row := models.Tenant{ID: writeTenant, Name: "Acme", Locale: "en", SecretWrapped: wrapped, CreatedAt: models.At(w.now()), Version: 1}
		if err := tx.CreateTenant(ctx, row); err != nil {
			return err
		}
		return tx.Record(ctx, audit.Event{Action: "tenant.create", Object: "tenant:" + writeTenant})
	}))
	must(t, policy.Seed(t.Context(), w.db.Policy(), writeTenant))
	engine, err := policy.New(t.Context(), w.db.Policy(), policy.Options{})
	must(t, err)
	w.Service, err = memory.New(memory.Options{DB: w.db, Sealer: sealer, Policy: engine, Queue: w, Clock: w.now, Retention: retention})
	must(t, err)
	return w
}

func (w *writeWorld) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.at
}

func (w *writeWorld) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at = w.at.Add(d)
}

func (w *writeWorld) Enqueue(_ context.Context, _ *models.Tx, job memory.Job) (int64, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.jobs = append(w.jobs, job)
	return int64(len(w.jobs)), nil
}

// extract runs the extraction jobs that were queued, and says how many.
func (w *writeWorld) extract(t *testing.T) int {
	t.Helper()
	w.mu.Lock()
	jobs := w.jobs
	w.jobs = nil
	w.mu.Unlock()
	n := 0
	for _, job := range jobs {
		if job.Kind == memory.JobExtract {
			must(t, w.RunExtract(w.system(t), job))
			n++
		}
	}
	return n
}

func (w *writeWorld) system(t *testing.T) context.Context {
	return memory.AsSystem(t.Context(), writeTenant, "test")
}

// agent makes an agent and returns a context in which it acts by its key.
func (w *writeWorld) agent(t *testing.T, module string) context.Context {
	t.Helper()
	key, err := w.CreateAgent(w.system(t), "agent "+module, module)
	must(t, err)
	p, err := w.AgentByKey(t.Context(), key)
	must(t, err)
	ctx := audit.WithActor(t.Context(), audit.Actor{Kind: audit.ActorAgent, ID: p.ID})
	return policy.With(ctx, p)
}

// self is a context in which the person acts in the portal.
func (w *writeWorld) self(t *testing.T, external string) context.Context {
	t.Helper()
	p, err := w.FindPerson(w.system(t), external)
	must(t, err)
	defer p.Close()
	ctx := audit.WithActor(t.Context(), audit.Actor{Kind: audit.ActorSubject, ID: p.Pseudonym})
	return policy.With(ctx, policy.Principal{Kind: policy.KindSubject, ID: p.Pseudonym, Tenant: writeTenant, Subject: p.SubjectID.String()})
}

// texts lists the person's memories of a status, in no order.
func (w *writeWorld) texts(t *testing.T, external, status string) map[string]memory.MemoryView {
	t.Helper()
	ctx := w.system(t)
	p, err := w.FindPerson(ctx, external)
	must(t, err)
	defer p.Close()
	var rows []models.Memory
	must(t, w.db.ORM(ctx).Where("subject_id = ? AND status = ?", p.SubjectID, status).Find(&rows).Error)
	views, err := w.ViewMemories(ctx, p, rows)
	must(t, err)
	byText := map[string]memory.MemoryView{}
	for _, v := range views {
		byText[v.Content] = v
	}
	if len(byText) != len(rows) {
		t.Fatalf("%d memories hold %d different texts", len(rows), len(byText))
	}
	return byText
}

func (w *writeWorld) remember(t *testing.T, ctx context.Context, in memory.RememberInput) memory.Remembered {
	t.Helper()
	if in.Subject == "" {
		in.Subject = "c-1"
	}
	got, err := w.Remember(ctx, in)
	must(t, err)
	return got
}

func (w *writeWorld) say(t *testing.T, ctx context.Context, session string, said ...memory.Message) memory.Accepted {
	t.Helper()
	got, err := w.Messages(ctx, memory.MessagesInput{Subject: "c-1", SessionID: session, Messages: said})
	must(t, err)
	return got
}

func user(text string) memory.Message { return memory.Message{Role: "user", Content: text} }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantCode(t *testing.T, err error, code memory.Code) {
	t.Helper()
	if memory.CodeOf(err) != code {
		t.Fatalf("error %v, want code %s", err, code)
	}
}
