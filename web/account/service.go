package account

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"fornix/audit"
	"fornix/keys"
	"fornix/memory"
	"fornix/models"
	"fornix/policy"
)

// StepUpFor is how long a proof of who one is lasts for what is grave.
const StepUpFor = 5 * time.Minute

// LinkTTL is how long a sign-in link may wait to be used.
const LinkTTL = 24 * time.Hour

// Options configures a Service. SessionTTL is how long a session lasts.
type Options struct {
	DB         *models.DB
	Sealer     *keys.Sealer
	Policy     *policy.Engine
	Clock      func() time.Time
	Log        *slog.Logger
	SessionTTL time.Duration
}

// Service is the accounts of all tenants. It is safe for concurrent use.
type Service struct {
	db      *models.DB
	sealer  *keys.Sealer
	policy  *policy.Engine
	now     func() time.Time
	log     *slog.Logger
	ttl     time.Duration
	limiter *Limiter
	// decoy is compared with when there is no account, so that the time of the
	// answer doesn't tell whether there is one.
	decoy string
}

// New makes the service.
func New(o Options) (*Service, error) {
	if o.DB == nil || o.Sealer == nil || o.Policy == nil {
		return nil, errors.New("account: new: database, sealer and policy are needed")
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.SessionTTL <= 0 {
		o.SessionTTL = 12 * time.Hour
	}
	decoy, err := hashPassword(context.Background(), uuid.NewString())
	if err != nil {
		return nil, err
	}
	return &Service{db: o.DB, sealer: o.Sealer, policy: o.Policy, now: o.Clock, log: o.Log, ttl: o.SessionTTL, limiter: NewLimiter(), decoy: decoy}, nil
}

// Session is a signed-in member of staff.
type Session struct {
	ID        uuid.UUID
	Principal policy.Principal
	Locale    string
	// SteppedUp is false when the user must prove again who they are first.
	SteppedUp bool
}

// NewUser is a member of staff to be added. Password may be empty: then only links
// sign in.
type NewUser struct {
	Email, Name, Locale, Password string
}

// Add writes an account in the tenant of the context; its roles are given by
// policy. ErrDuplicate says that the address has one already.
func (s *Service) Add(ctx context.Context, u NewUser) (uuid.UUID, error) {
	tenant := models.TenantFrom(ctx)
	email := cleanEmail(u.Email)
	if email == "" || strings.TrimSpace(u.Name) == "" {
		return uuid.Nil, memory.Invalid(memory.Field{Name: "email", Code: "required", Text: "address and name are needed"})
	}
	row := models.User{ID: models.NewID(), Locale: u.Locale, Status: "active", CreatedAt: models.At(s.now()), Version: 1}
	var err error
	if row.EmailToken, err = s.emailToken(tenant, email); err != nil {
		return uuid.Nil, err
	}
	seal := func(column, value string) (sealed keys.Sealed) {
		if err == nil {
			sealed, err = s.sealer.Seal(ctx, s.cell(tenant, column, row.ID), []byte(value))
		}
		return sealed
	}
	row.Email, row.Name = seal("email", email), seal("name", u.Name)
	if u.Password != "" {
		if code := checkPassword(u.Password); code != "" {
			return uuid.Nil, memory.Invalid(memory.Field{Name: "password", Code: code, Text: "12 to 200 characters"})
		}
		hash, hashErr := hashPassword(ctx, u.Password)
		if hashErr != nil {
			return uuid.Nil, hashErr
		}
		sealed := seal("password", hash)
		row.Password = &sealed
	}
	if err != nil {
		return uuid.Nil, fmt.Errorf("account: add: %w", err)
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx *models.Tx) error {
		if err := models.Insert(ctx, tx, row); err != nil {
			return err
		}
		return tx.Record(ctx, audit.Event{Action: "user.create", Object: "user:" + row.ID.String()})
	})
	if err != nil {
		return uuid.Nil, fmt.Errorf("account: add: %w", err)
	}
	return row.ID, nil
}

// SetPassword gives a user of the tenant of the context another password and ends
// the sessions and links of the old one.
func (s *Service) SetPassword(ctx context.Context, user uuid.UUID, password string) error {
	if code := checkPassword(password); code != "" {
		return memory.Invalid(memory.Field{Name: "password", Code: code, Text: "12 to 200 characters"})
	}
	u, err := s.db.User(ctx, user)
	if err != nil {
		return memory.Wrap("account: set password", err)
	}
	hash, err := hashPassword(ctx, password)
	if err != nil {
		return err
	}
	sealed, err := s.sealer.Seal(ctx, s.cell(models.TenantFrom(ctx), "password", u.ID), []byte(hash))
	if err != nil {
		return memory.Wrap("account: set password", err)
	}
	u.Password = &sealed
	err = s.db.InTx(ctx, func(ctx context.Context, tx *models.Tx) error {
		if err := models.Update(ctx, tx, &u); err != nil {
			return err
		}
		if _, err := tx.EndUserSessions(ctx, u.ID); err != nil {
			return err
		}
		return tx.Record(ctx, audit.Event{Action: "user.password", Object: "user:" + u.ID.String()})
	})
	return memory.Wrap("account: set password", err)
}

// FindUser returns the id of the account with this address in the tenant of the
// context.
func (s *Service) FindUser(ctx context.Context, email string) (uuid.UUID, error) {
	token, err := s.emailToken(models.TenantFrom(ctx), cleanEmail(email))
	if err != nil {
		return uuid.Nil, err
	}
	u, err := s.db.UserByEmail(ctx, token)
	return u.ID, err
}

func cleanEmail(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

func (s *Service) emailToken(tenant, email string) (keys.Token, error) {
	return s.sealer.IndexToken(tenant, "email", []byte(email))
}

func (s *Service) cell(tenant, column string, id uuid.UUID) keys.Cell {
	return keys.OperatorCell(tenant, models.User{}.TableName(), column, id)
}

func (s *Service) active(u models.User) bool {
	return u.Status == "active" && (u.ExpiresAt == nil || *u.ExpiresAt > models.At(s.now()))
}

// principal makes the actor of a user, with the name opened for the header.
func (s *Service) principal(ctx context.Context, tenant string, u models.User) (policy.Principal, error) {
	p := policy.Principal{Kind: policy.KindUser, ID: u.ID.String(), Tenant: tenant}
	name, err := s.sealer.Open(ctx, s.cell(tenant, "name", u.ID), u.Name)
	if err != nil {
		return p, memory.Wrap("account: open name", err)
	}
	p.Name = string(name)
	for _, a := range s.policy.Assignments(tenant) {
		if a.Subject == policy.UserSubject(p.ID) && !slices.Contains(p.Roles, a.Role) {
			p.Roles = append(p.Roles, a.Role)
		}
	}
	return p, nil
}

// Actor is how a principal stands in the audit log.
func Actor(p policy.Principal) audit.Actor {
	a := audit.Actor{Kind: string(p.Kind), ID: p.ID, Role: strings.Join(p.Roles, ",")}
	if p.Kind == policy.KindAgent {
		a.Role = p.Module
	}
	return a
}
