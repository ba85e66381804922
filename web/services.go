package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"fornix/audit"
	"fornix/jobs"
	"fornix/memory"
	"fornix/models"
	"fornix/policy"
	"fornix/privacy"
	"fornix/web/account"
)

// services are everything that answers requests and works off jobs, on an open
// data folder.
type services struct {
	*data
	policy   *policy.Engine
	queue    *jobs.Queue
	memory   *memory.Service
	privacy  *privacy.Service
	accounts *account.Service

	stop func()
}

// newServices wires the services; nothing runs yet.
func newServices(ctx context.Context, cfg Config, d *data) (*services, error) {
	s := &services{data: d, stop: func() {}}
	var err error
	s.policy, err = policy.New(ctx, d.db.Policy(), policy.Options{Now: cfg.Clock, Log: cfg.log()})
	if errors.Is(err, policy.ErrNoPolicy) {
		return nil, startError(err, "%s has no tenant and so no policy: run `fornix migrate --tenant ID`", cfg.Data)
	}
	if err != nil {
		return nil, fmt.Errorf("web: policy: %w", err)
	}
	if s.queue, err = jobs.New(d.db, slog.New(warnings{cfg.log().Handler()})); err != nil {
		return nil, err
	}
	if s.memory, err = s.newMemory(cfg, cfg.Clock); err != nil {
		return nil, err
	}
	s.privacy, err = privacy.New(privacy.Options{
		DB: d.db, Sealer: d.sealer, Memory: s.memory, Policy: s.policy, Queue: s.queue, Clock: cfg.Clock, Log: cfg.log(),
	})
	if err != nil {
		return nil, err
	}
	s.accounts, err = account.New(account.Options{
		DB: d.db, Sealer: d.sealer, Policy: s.policy, Clock: cfg.Clock, Log: cfg.log(), SessionTTL: cfg.SessionTTL,
	})
	return s, err
}

// warnings drops what the queue tells about itself when all is well.
type warnings struct{ slog.Handler }

func (h warnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && h.Handler.Enabled(ctx, level)
}
func (h warnings) WithAttrs(attrs []slog.Attr) slog.Handler {
	return warnings{h.Handler.WithAttrs(attrs)}
}
func (h warnings) WithGroup(name string) slog.Handler { return warnings{h.Handler.WithGroup(name)} }

// newMemory makes a memory service with a clock of its own; the demo's seeding
// writes what is days old.
func (s *services) newMemory(cfg Config, clock func() time.Time) (*memory.Service, error) {
	return memory.New(memory.Options{
		DB: s.db, Sealer: s.sealer, Policy: s.policy, Queue: s.queue, Clock: clock, Log: cfg.log(), Retention: cfg.Retention,
	})
}

// start replays what a restored backup missed, takes up what a crash left
// unfinished, and begins to work: all before the first page.
func (s *services) start(ctx context.Context) error {
	if err := s.privacy.ReplayLedger(ctx); err != nil {
		return fmt.Errorf("web: replay the erasure ledger: %w", err)
	}
	if err := s.privacy.Resume(ctx); err != nil {
		return fmt.Errorf("web: resume erasures: %w", err)
	}
	// What runs outlives the signal to stop: stop ends it in order.
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	if err := s.queue.Start(running, jobs.Services{Memory: s.memory, Privacy: s.privacy}); err != nil {
		cancel()
		return err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.policy.Run(running)
	}()
	s.stop = func() {
		limit, release := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer release()
		_ = s.queue.Stop(limit) // what didn't end in time is taken up at the next start
		cancel()
		<-done
	}
	return nil
}

func (s *services) close() error {
	if s == nil {
		return nil
	}
	s.stop()
	s.stop = func() {}
	return s.data.close()
}

// addTenant makes a tenant with its secret and the default policy. It is safe to
// run again.
func addTenant(ctx context.Context, d *data, id, name, locale string) error {
	ctx = memory.AsSystem(ctx, id, "setup")
	_, err := d.db.Tenant(ctx, id)
	if errors.Is(err, models.ErrNotFound) {
		wrapped, err := d.sealer.NewTenant(ctx, id)
		if err != nil {
			return fmt.Errorf("web: add tenant: %w", err)
		}
		row := models.Tenant{ID: id, Name: name, Locale: locale, SecretWrapped: wrapped, CreatedAt: models.At(d.db.Now()), Version: 1}
		err = d.db.InTx(ctx, func(ctx context.Context, tx *models.Tx) error {
			if err := tx.CreateTenant(ctx, row); err != nil {
				return err
			}
			return tx.Record(ctx, audit.Event{Action: "tenant.create", Object: "tenant:" + id})
		})
		if err != nil {
			return fmt.Errorf("web: add tenant: %w", err)
		}
	} else if err != nil {
		return fmt.Errorf("web: add tenant: %w", err)
	}
	return policy.Seed(ctx, d.db.Policy(), id)
}
