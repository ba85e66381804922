package memory

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"fornix/audit"
	"fornix/keys"
	"fornix/models"
	"fornix/policy"
)

// Job is the argument of a job of this package: ids and epoch, nothing else.
type Job struct {
	Kind    string    `json:"kind"` // JobExtract, JobFold
	Tenant  string    `json:"tenant"`
	Subject uuid.UUID `json:"subject"`
	Epoch   uint32    `json:"epoch"`
	Session uuid.UUID `json:"session,omitzero"`
}

// Kinds of jobs.
const (
	JobExtract = "extract" // turns of a session into memories
	JobFold    = "fold"    // index deltas into segments
)

// Enqueuer puts a job into the queue in the caller's transaction.
type Enqueuer interface {
	Enqueue(ctx context.Context, tx *models.Tx, job Job) (id int64, err error)
}

// Options configures a Service. Retention is how long turns are kept; zero keeps
// none beyond extraction.
type Options struct {
	DB        *models.DB
	Sealer    *keys.Sealer
	Policy    *policy.Engine
	Queue     Enqueuer
	Clock     func() time.Time
	Log       *slog.Logger
	Retention time.Duration
}

// Service is the memory of all tenants. It is safe for concurrent use.
type Service struct {
	db        *models.DB
	sealer    *keys.Sealer
	policy    *policy.Engine
	queue     Enqueuer
	now       func() time.Time
	log       *slog.Logger
	retention time.Duration
}

// New makes the service.
func New(o Options) (*Service, error) {
	if o.DB == nil || o.Sealer == nil || o.Policy == nil || o.Queue == nil {
		return nil, errors.New("memory: new: database, sealer, policy and queue are needed")
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{db: o.DB, sealer: o.Sealer, policy: o.Policy, queue: o.Queue, now: o.Clock, log: o.Log, retention: o.Retention}, nil
}

// actor returns who acts and a context limited to the actor's tenant.
func (s *Service) actor(ctx context.Context) (context.Context, policy.Principal, error) {
	p, ok := policy.From(ctx)
	if !ok || p.Tenant == "" {
		return ctx, p, Fail(CodeUnauthenticated, "error.unauthenticated", "sign in or send an API key")
	}
	return models.WithTenant(ctx, p.Tenant), p, nil
}

// AsSystem returns a context in which the program itself acts for a tenant.
func AsSystem(ctx context.Context, tenant, task string) context.Context {
	ctx = audit.WithActor(ctx, audit.System(task))
	ctx = policy.With(ctx, policy.Principal{Kind: policy.KindSystem, ID: task, Tenant: tenant})
	return models.WithTenant(ctx, tenant)
}
