package memory

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"

	"fornix/audit"
	"fornix/models"
	"fornix/policy"
)

// AgentView is an agent as the console shows it. The key itself is shown once,
// when it is made.
type AgentView struct {
	ID        string
	Name      string
	Module    string
	Status    string
	KeyPrefix string
	CreatedAt time.Time
	Version   int64
}

const (
	keyStart     = "fx_"
	secretLength = 32 // characters of 5 bits
	keyShown     = 6  // characters of the secret that tell keys apart
	agentActive  = "active"
)

var (
	agentName  = regexp.MustCompile(`^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$`)
	moduleName = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,39}$`)
	keyForm    = regexp.MustCompile(`^fx_([a-z0-9-]{1,40})_[0-9a-z]{32}$`)
)

// Agents lists the tenant's agents by name.
func (s *Service) Agents(ctx context.Context) ([]AgentView, error) {
	ctx, p, err := s.actor(ctx)
	if err != nil {
		return nil, err
	}
	if !s.mayDo(p, policy.AreaAgents, policy.ActAgentRead) {
		return nil, Forbidden()
	}
	rows, err := s.db.Agents(ctx)
	views := make([]AgentView, len(rows))
	for i, a := range rows {
		views[i] = AgentView{
			ID: a.ID.String(), Name: a.Name, Module: a.Module, Status: a.Status, KeyPrefix: a.KeyPrefix, CreatedAt: a.CreatedAt.Time(), Version: a.Version,
		}
	}
	return views, Wrap("agents", err)
}

// CreateAgent makes an agent and returns its API key, which can't be read again.
// Without grants of its own the agent shares those of its module; with some it
// has these and nothing else.
func (s *Service) CreateAgent(ctx context.Context, name, module string, grants ...policy.Access) (string, error) {
	ctx, p, err := s.actor(ctx)
	if err != nil {
		return "", err
	}
	if !s.mayDo(p, policy.AreaAgents, policy.ActAgentWrite) {
		return "", Forbidden()
	}
	var f faults
	if !agentName.MatchString(name) {
		f.add("name", "invalid", "1 to 64 letters, digits, spaces, . _ -")
	}
	if !moduleName.MatchString(module) || module == policy.ModuleConsole {
		f.add("module", "invalid", "1 to 40 of a-z, 0-9, - _; not console")
	}
	if err := f.err(); err != nil {
		return "", err
	}
	if _, err := s.db.AgentByName(ctx, name); err == nil {
		return "", Fail(CodeConflict, "error.conflict", "an agent of this name is there")
	} else if !models.IsNotFound(err) {
		return "", Wrap("create agent", err)
	}
	key := newKey(p.Tenant)
	hash := sha256.Sum256([]byte(key))
	row := models.Agent{
		ID: models.NewID(), Name: name, Module: module, KeyHash: hash[:], KeyPrefix: key[:len(key)-secretLength+keyShown],
		Status: agentActive, CreatedAt: models.At(s.now()), Version: 1,
	}
	// The rules come first: rules for an agent that isn't there grant nobody
	// anything, an agent without its rules would have a key that is never shown.
	rules := policy.AgentRules(p.Tenant, row.ID.String(), module)
	if len(grants) > 0 {
		rules = policy.GrantRules(p.Tenant, row.ID.String(), module, grants...)
	}
	err = s.policy.Apply(ctx, policy.Change{Add: rules, Reason: "new agent"})
	if errors.Is(err, policy.ErrInvalid) {
		return "", Invalid(Field{Name: "grants", Code: "invalid", Text: "the policy knows no such category or action"})
	}
	if err != nil && !errors.Is(err, policy.ErrNotInForce) {
		return "", Wrap("create agent", err)
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx *models.Tx) error {
		if err := models.Insert(ctx, tx, row); err != nil {
			return err
		}
		return tx.Record(ctx, audit.Event{
			Action: "agent.create", Object: "agent:" + row.ID.String(), After: map[string]any{"name": name, "module": module},
		})
	})
	if err != nil {
		return "", Wrap("create agent", err)
	}
	return key, nil
}

func newKey(tenant string) string {
	raw := make([]byte, secretLength*5/8)
	rand.Read(raw) // never fails: it ends the program instead
	return keyStart + tenant + "_" + idEncoding.EncodeToString(raw)
}

// AgentByKey tells whose API key this is. The context needs no actor: the key
// names its tenant. Every key that isn't one is refused alike.
func (s *Service) AgentByKey(ctx context.Context, key string) (policy.Principal, error) {
	refused := Fail(CodeUnauthenticated, "error.unauthenticated", "the API key isn't valid")
	m := keyForm.FindStringSubmatch(key)
	if m == nil {
		return policy.Principal{}, refused
	}
	hash := sha256.Sum256([]byte(key))
	agent, err := s.db.AgentByKeyHash(models.WithTenant(ctx, m[1]), hash[:])
	if models.IsNotFound(err) {
		return policy.Principal{}, refused
	}
	if err != nil {
		return policy.Principal{}, Wrap("agent by key", err)
	}
	if subtle.ConstantTimeCompare(agent.KeyHash, hash[:]) != 1 || agent.Status != agentActive {
		return policy.Principal{}, refused
	}
	return policy.Principal{Kind: policy.KindAgent, ID: agent.ID.String(), Tenant: m[1], Module: agent.Module, Name: agent.Name}, nil
}

// subjectOf is the person who is signed in to the portal.
func subjectOf(p policy.Principal) (uuid.UUID, error) {
	if p.Kind != policy.KindSubject {
		return uuid.Nil, Forbidden()
	}
	id, err := uuid.Parse(strings.TrimSpace(p.Subject))
	if err != nil {
		return uuid.Nil, fmt.Errorf("subject of principal: %w", err)
	}
	return id, nil
}
