package web

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"fornix/memory"
	"fornix/models"
	"fornix/policy"
	"fornix/web/account"
	"fornix/web/demo"
)

// seedClock is the time that the demo's content is written at: days ago.
type seedClock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *seedClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *seedClock) set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
}

// seedQueue passes jobs on, except for extraction: what the demo's turns say stands
// in its memories already, in words that were chosen.
type seedQueue struct{ memory.Enqueuer }

func (q seedQueue) Enqueue(ctx context.Context, tx *models.Tx, job memory.Job) (int64, error) {
	if job.Kind == memory.JobExtract {
		return 0, nil
	}
	return q.Enqueuer.Enqueue(ctx, tx, job)
}

// seeder writes the demo's content through the services.
type seeder struct {
	*services
	now   time.Time
	clock *seedClock
}

// seed fills a fresh installation: staff, dictionary, agents with their grants, and
// people, whose memories are written by the agents that may.
func (s *services) seed(ctx context.Context, cfg Config, content demo.Data) error {
	sd := &seeder{now: cfg.now(), clock: &seedClock{now: cfg.now()}}
	writer, err := memory.New(memory.Options{
		DB: s.db, Sealer: s.sealer, Policy: s.policy, Queue: seedQueue{s.queue}, Clock: sd.clock.Now, Log: cfg.log(), Retention: cfg.Retention,
	})
	if err != nil {
		return err
	}
	own := *s
	own.memory = writer
	sd.services = &own
	for _, t := range content.Tenants {
		if err := sd.tenant(memory.AsSystem(ctx, t.ID, "demo"), t); err != nil {
			return fmt.Errorf("web: seed %s: %w", t.ID, err)
		}
	}
	return nil
}

func (s *seeder) tenant(ctx context.Context, t demo.Tenant) error {
	admin, err := s.staffOf(ctx, t)
	if err != nil {
		return err
	}
	asAdmin := asAgent(ctx, admin)
	for _, e := range t.Dictionary {
		if _, err := s.memory.PutDictionaryEntry(asAdmin, dictionaryInput(e)); err != nil {
			return fmt.Errorf("dictionary entry %s: %w", e.Key, err)
		}
	}
	agents, err := s.agentsOf(asAdmin, t)
	if err != nil {
		return err
	}
	for _, p := range t.People {
		if err := s.person(ctx, writers{admin: admin, agents: agents, bands: bandsOf(t)}, p); err != nil {
			return fmt.Errorf("person %s: %w", p.ExternalID, err)
		}
	}
	return nil
}

// staffOf makes the accounts and returns the first admin.
func (s *seeder) staffOf(ctx context.Context, t demo.Tenant) (admin policy.Principal, err error) {
	for _, staff := range t.Staff {
		id, err := s.accounts.Add(ctx, account.NewUser{Email: staff.Email, Name: staff.Name, Locale: staff.Locale})
		if err != nil {
			return admin, err
		}
		change := policy.Change{Reason: "the demo's staff"}
		for _, role := range staff.Roles {
			change.Add = append(change.Add, policy.AssignRole(t.ID, id.String(), role))
			if role == policy.RoleAdmin && admin.ID == "" {
				admin = policy.Principal{Kind: policy.KindUser, ID: id.String(), Tenant: t.ID, Name: staff.Name, Roles: staff.Roles}
			}
		}
		if err := s.policy.Apply(ctx, change); err != nil {
			return admin, err
		}
	}
	return admin, nil
}

// agentsOf registers the agents and gives each exactly its own grants.
func (s *seeder) agentsOf(ctx context.Context, t demo.Tenant) ([]policy.Principal, error) {
	var agents []policy.Principal
	for _, a := range t.Agents {
		var access []policy.Access
		for _, g := range a.Grants {
			access = append(access, policy.Access{Categories: g.Categories, Actions: g.Actions})
		}
		for _, g := range a.Denies {
			access = append(access, policy.Access{Categories: g.Categories, Actions: g.Actions, Deny: true})
		}
		key, err := s.memory.CreateAgent(ctx, a.Name, a.Module, access...)
		if err != nil {
			return nil, fmt.Errorf("agent %s: %w", a.Name, err)
		}
		p, err := s.memory.AgentByKey(ctx, key)
		if err != nil {
			return nil, fmt.Errorf("agent %s: %w", a.Name, err)
		}
		agents = append(agents, p)
	}
	return agents, nil
}

// bandsOf returns, for each banded key, a figure inside of each band: the demo's
// files name the band, and the service takes the figure and keeps the band.
func bandsOf(t demo.Tenant) map[string]map[string]float64 {
	all := map[string]map[string]float64{}
	for _, e := range t.Dictionary {
		if e.Rule != demo.RuleBanded {
			continue
		}
		all[e.Key] = map[string]float64{}
		for _, b := range e.Bands {
			switch {
			case b.From != nil:
				all[e.Key][b.Name] = *b.From
			case b.To != nil:
				all[e.Key][b.Name] = *b.To / 2
			}
		}
	}
	return all
}

// figure turns the name of a band into a figure in it.
func figure(bands map[string]float64, value json.RawMessage) (json.RawMessage, error) {
	var name string
	if err := json.Unmarshal(value, &name); err != nil {
		return nil, fmt.Errorf("banded value: %w", err)
	}
	f, ok := bands[name]
	if !ok {
		return nil, fmt.Errorf("no band %q", name)
	}
	return json.Marshal(f)
}
