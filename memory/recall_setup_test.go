package memory

import (
	"context"
	"slices"
	"testing"
	"time"

	"fornix/audit"
	"fornix/memory/lexical"
	"fornix/models"
	"fornix/models/modelstest"
	"fornix/policy"
)

// recallNow is the time of the recall tests' clock.
var recallNow = time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)

// recallRig is a service on a real database and key store, in one tenant.
type recallRig struct {
	*Service
	t    *testing.T
	ctx  context.Context // of an agent that may read what a personal assistant may
	jobs *[]Job
	now  *time.Time
}

// recallQueue keeps the jobs that were asked for.
type recallQueue struct{ jobs []Job }

func (q *recallQueue) Enqueue(_ context.Context, _ *models.Tx, job Job) (int64, error) {
	q.jobs = append(q.jobs, job)
	return int64(len(q.jobs)), nil
}

func newRecallRig(t *testing.T) recallRig {
	t.Helper()
	db := modelstest.OpenSQLite(t)
	modelstest.AddTenant(t, db, "acme")
	ctx := audit.WithActor(t.Context(), audit.System("test"))
	if err := policy.Seed(ctx, db.Policy(), "acme"); err != nil {
		t.Fatal(err)
	}
	engine, err := policy.New(ctx, db.Policy(), policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	queue, now := &recallQueue{}, recallNow
	s, err := New(Options{
		DB: db, Sealer: db.Sealer(), Policy: engine, Queue: queue, Clock: func() time.Time { return now }, Retention: 90 * 24 * time.Hour,
	})
	if err != nil {
		t.Fatal(err)
	}
	r := recallRig{Service: s, t: t, jobs: &queue.jobs, now: &now}
	r.ctx = r.agent(policy.ModuleAssistant)
	return r
}

// agent is a context in which a new agent of a module acts; one of no known
// module is granted nothing.
func (r recallRig) agent(module string) context.Context {
	r.t.Helper()
	id := models.NewID().String()
	ctx := AsSystem(r.t.Context(), "acme", "test")
	if slices.Contains(policy.Modules(), module) {
		if err := r.policy.Apply(ctx, policy.Change{Add: policy.AgentRules("acme", id, module)}); err != nil {
			r.t.Fatal(err)
		}
	}
	ctx = audit.WithActor(ctx, audit.Actor{Kind: audit.ActorAgent, ID: id, Role: module})
	ctx = policy.With(ctx, policy.Principal{Kind: policy.KindAgent, ID: id, Tenant: "acme", Module: module, Name: module})
	return models.WithTenant(ctx, "acme")
}

// person opens somebody, made on first use.
func (r recallRig) person(external string) *Person {
	r.t.Helper()
	p, err := r.EnsurePerson(r.ctx, external, "en")
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(p.Close)
	return p
}

// write runs fn as the person's transaction.
func (r recallRig) write(p *Person, fn func(ctx context.Context, tx *models.Tx) error) {
	r.t.Helper()
	if err := r.Write(r.ctx, p, fn); err != nil {
		r.t.Fatal(err)
	}
}

// put indexes an entry of a category in the default namespace.
func (r recallRig) put(p *Person, category string, e lexical.Entry) {
	r.t.Helper()
	r.write(p, func(ctx context.Context, tx *models.Tx) error {
		return r.indexPut(ctx, tx, p, DefaultNamespace, category, e)
	})
}

// fold runs the fold job of a person.
func (r recallRig) fold(p *Person) {
	r.t.Helper()
	job := Job{Kind: JobFold, Tenant: string(p.TenantID), Subject: p.SubjectID, Epoch: p.Epoch}
	if err := r.RunFold(r.t.Context(), job); err != nil {
		r.t.Fatal(err)
	}
}

// load opens the index of categories.
func (r recallRig) load(p *Person, categories ...string) []lexical.Entry {
	r.t.Helper()
	entries, err := r.loadIndex(r.ctx, p, DefaultNamespace, categories)
	if err != nil {
		r.t.Fatal(err)
	}
	return entries
}

// remember keeps a text and gives its id.
func (r recallRig) remember(in RememberInput) Remembered {
	r.t.Helper()
	done, err := r.Remember(r.ctx, in)
	if err != nil {
		r.t.Fatal(err)
	}
	return done
}

// recall asks and must succeed.
func (r recallRig) recall(in RecallInput) RecallAnswer {
	r.t.Helper()
	answer, err := r.Recall(r.ctx, in)
	if err != nil {
		r.t.Fatal(err)
	}
	return answer
}

// contents are the words of an answer's items, in order.
func contents(a RecallAnswer) []string {
	var all []string
	for _, item := range a.Items {
		all = append(all, item.Content)
	}
	return all
}
