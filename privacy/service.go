package privacy

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"fornix/keys"
	"fornix/memory"
	"fornix/models"
	"fornix/policy"
)

// Options configures a Service.
type Options struct {
	DB     *models.DB
	Sealer *keys.Sealer
	Memory *memory.Service
	Policy *policy.Engine
	Queue  Enqueuer
	Clock  func() time.Time
	Log    *slog.Logger
}

// Service erases, proves and shows the trail. It is safe for concurrent use.
type Service struct {
	db     *models.DB
	sealer *keys.Sealer
	memory *memory.Service
	policy *policy.Engine
	queue  Enqueuer
	now    func() time.Time
	log    *slog.Logger
	stores []Store
}

// New makes the service with every store of this program registered.
func New(o Options) (*Service, error) {
	if o.DB == nil || o.Sealer == nil || o.Memory == nil || o.Policy == nil || o.Queue == nil {
		return nil, errors.New("privacy: new: database, sealer, memory, policy and queue are needed")
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{db: o.DB, sealer: o.Sealer, memory: o.Memory, policy: o.Policy, queue: o.Queue, now: o.Clock, log: o.Log, stores: databaseStores(o.DB)}, nil
}

// actor returns who acts and a context limited to the actor's tenant.
func (s *Service) actor(ctx context.Context) (context.Context, policy.Principal, error) {
	p, ok := policy.From(ctx)
	if !ok || p.Tenant == "" {
		return ctx, p, memory.Fail(memory.CodeUnauthenticated, "error.unauthenticated", "sign in or send an API key")
	}
	return models.WithTenant(ctx, p.Tenant), p, nil
}
