package account

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"fornix/audit"
	"fornix/memory"
	"fornix/models"
	"fornix/policy"
)

// WaitError says that there were too many tries, and how long to wait.
type WaitError struct{ Wait time.Duration }

func (e *WaitError) Error() string {
	return fmt.Sprintf("too many tries; wait %d seconds", e.Seconds())
}

// Seconds is the wait in whole seconds, at least one.
func (e *WaitError) Seconds() int { return int((e.Wait + time.Second - 1) / time.Second) }

// ErrWrong says that address and password don't fit together, and not which of the
// two is wrong.
var ErrWrong = memory.Fail(memory.CodeUnauthenticated, "error.unauthenticated", "address and password don't fit together")

func errGone() error {
	return memory.Fail(memory.CodeGone, "error.page.410.text", "the link was used or has expired")
}

// SignIn checks an address and password and returns the token of a new session. It
// fails with ErrWrong, or a *WaitError after too many tries from the address or
// for the account. Which company it is follows from the account.
func (s *Service) SignIn(ctx context.Context, from, email, password string) (token string, err error) {
	email = cleanEmail(email)
	if wait := s.limiter.try(s.now(), from, hex.EncodeToString(hashOf(email))); wait > 0 {
		return "", &WaitError{Wait: wait}
	}
	if len(email) > 320 || len(password) > maxPassword {
		return "", ErrWrong
	}
	tenants, err := s.db.Tenants(ctx)
	if err != nil {
		return "", memory.Wrap("account: sign in", err)
	}
	compared := false
	for _, t := range tenants {
		ctx := models.WithTenant(ctx, t.ID)
		u, hash, err := s.credentials(ctx, t.ID, email)
		if err != nil {
			return "", memory.Wrap("account: sign in", err)
		}
		if hash == "" {
			continue
		}
		compared = true
		switch ok, err := matches(ctx, password, hash); {
		case err != nil:
			return "", err
		case ok:
			return s.begin(ctx, t.ID, u, "password", nil)
		}
		if err := s.recordRefusal(ctx, u.ID); err != nil {
			return "", memory.Wrap("account: sign in", err)
		}
	}
	if !compared {
		if _, err := matches(ctx, password, s.decoy); err != nil {
			return "", err
		}
	}
	return "", ErrWrong
}

// credentials returns the account of an address that may sign in by password; an
// empty hash when there is none.
func (s *Service) credentials(ctx context.Context, tenant, email string) (models.User, string, error) {
	key, err := s.emailToken(tenant, email)
	if err != nil {
		return models.User{}, "", err
	}
	u, err := s.db.UserByEmail(ctx, key)
	if errors.Is(err, models.ErrNotFound) || err == nil && (!s.active(u) || u.Password == nil) {
		return models.User{}, "", nil
	}
	if err != nil {
		return models.User{}, "", err
	}
	hash, err := s.sealer.Open(ctx, s.cell(tenant, "password", u.ID), *u.Password)
	return u, string(hash), err
}

// recordRefusal keeps a wrong password in the log, so that guessing shows.
func (s *Service) recordRefusal(ctx context.Context, user uuid.UUID) error {
	ctx = audit.WithActor(ctx, audit.System("sign_in"))
	return s.db.InTx(ctx, func(ctx context.Context, tx *models.Tx) error {
		return tx.Record(ctx, audit.Event{Action: "session.refuse", Object: "user:" + user.String()})
	})
}

// begin writes a session and returns its token; first runs in the same
// transaction. Whoever signs in has just proved who they are.
func (s *Service) begin(ctx context.Context, tenant string, u models.User, by string, first func(context.Context, *models.Tx) error) (string, error) {
	p, err := s.principal(ctx, tenant, u)
	if err != nil {
		return "", err
	}
	now := s.now()
	at := models.At(now)
	token, hash := newToken(sessionPrefix, tenant)
	row := models.UserSession{ID: models.NewID(), UserID: u.ID, TokenHash: hash, CreatedAt: at, ExpiresAt: models.At(now.Add(s.ttl)), SteppedUpAt: &at}
	err = s.db.InTx(audit.WithActor(ctx, Actor(p)), func(ctx context.Context, tx *models.Tx) error {
		if first != nil {
			if err := first(ctx, tx); err != nil {
				return err
			}
		}
		if err := tx.DropExpiredAccess(ctx, at); err != nil {
			return err
		}
		if err := models.Insert(ctx, tx, row); err != nil {
			return err
		}
		return tx.Record(ctx, audit.Event{Action: "session.start", Object: "user:" + u.ID.String(), After: map[string]any{"by": by}})
	})
	if err != nil {
		return "", memory.Wrap("account: begin session", err)
	}
	return token, nil
}

// NewLink makes a sign-in link for a user of the tenant of the context.
func (s *Service) NewLink(ctx context.Context, user uuid.UUID) (token string, err error) {
	tenant, now := models.TenantFrom(ctx), s.now()
	token, hash := newToken(linkPrefix, tenant)
	row := models.SignInLink{ID: models.NewID(), UserID: user, TokenHash: hash, CreatedAt: models.At(now), ExpiresAt: models.At(now.Add(LinkTTL))}
	err = s.db.InTx(ctx, func(ctx context.Context, tx *models.Tx) error {
		if err := models.Insert(ctx, tx, row); err != nil {
			return err
		}
		return tx.Record(ctx, audit.Event{Action: "session.link", Object: "user:" + user.String()})
	})
	if err != nil {
		return "", memory.Wrap("account: new link", err)
	}
	return token, nil
}

// PeekLink returns the company that a link signs in to, and uses nothing up; gone
// when the link was used, has expired or never was.
func (s *Service) PeekLink(ctx context.Context, token string) (company string, err error) {
	tenant, link, err := s.link(ctx, token)
	if err != nil {
		return "", err
	}
	if link.UsedAt != nil || link.ExpiresAt <= models.At(s.now()) {
		return "", errGone()
	}
	return tenant.Name, nil
}

// UseLink signs in by a link, once, and returns the token of a new session.
func (s *Service) UseLink(ctx context.Context, from, token string) (session string, err error) {
	if wait := s.limiter.try(s.now(), from, ""); wait > 0 {
		return "", &WaitError{Wait: wait}
	}
	tenant, link, err := s.link(ctx, token)
	if err != nil {
		return "", err
	}
	ctx = models.WithTenant(ctx, tenant.ID)
	u, err := s.db.User(ctx, link.UserID)
	switch {
	case errors.Is(err, models.ErrNotFound), err == nil && !s.active(u):
		return "", errGone()
	case err != nil:
		return "", memory.Wrap("account: use link", err)
	}
	// The link is used up by the transaction that begins the session: a crash in
	// between must not cost the link.
	session, err = s.begin(ctx, tenant.ID, u, "link", func(ctx context.Context, tx *models.Tx) error {
		return tx.UseSignInLink(ctx, link.ID, models.At(s.now()))
	})
	if memory.CodeOf(err) == memory.CodeNotFound {
		return "", errGone()
	}
	return session, err
}

func (s *Service) link(ctx context.Context, token string) (models.Tenant, models.SignInLink, error) {
	id, ok := parseToken(linkPrefix, token)
	if !ok {
		return models.Tenant{}, models.SignInLink{}, errGone()
	}
	tenant, err := s.db.Tenant(ctx, id)
	var row models.SignInLink
	if err == nil {
		row, err = s.db.SignInLinkByHash(models.WithTenant(ctx, id), hashOf(token))
	}
	if errors.Is(err, models.ErrNotFound) {
		return tenant, row, errGone()
	}
	return tenant, row, memory.Wrap("account: find link", err)
}

// Session returns who a session's token belongs to; unauthenticated when it has
// ended.
func (s *Service) Session(ctx context.Context, token string) (Session, error) {
	ended := memory.Fail(memory.CodeUnauthenticated, "error.unauthenticated", "the session has ended")
	tenant, ok := parseToken(sessionPrefix, token)
	if !ok {
		return Session{}, ended
	}
	ctx = models.WithTenant(ctx, tenant)
	row, err := s.db.UserSessionByHash(ctx, hashOf(token))
	now := s.now()
	if errors.Is(err, models.ErrNotFound) || err == nil && row.ExpiresAt <= models.At(now) {
		return Session{}, ended
	}
	if err != nil {
		return Session{}, memory.Wrap("account: read session", err)
	}
	u, err := s.db.User(ctx, row.UserID)
	if errors.Is(err, models.ErrNotFound) || err == nil && !s.active(u) {
		return Session{}, ended
	}
	if err != nil {
		return Session{}, memory.Wrap("account: read session", err)
	}
	p, err := s.principal(ctx, tenant, u)
	if err != nil {
		return Session{}, err
	}
	fresh := row.SteppedUpAt != nil && *row.SteppedUpAt > models.At(now.Add(-StepUpFor))
	return Session{ID: row.ID, Principal: p, Locale: u.Locale, SteppedUp: fresh}, nil
}

// StepUp proves again by password who uses a session. It fails like SignIn.
func (s *Service) StepUp(ctx context.Context, from string, session Session, password string) error {
	p := session.Principal
	if wait := s.limiter.try(s.now(), from, "step:"+p.ID); wait > 0 {
		return &WaitError{Wait: wait}
	}
	ctx = audit.WithActor(models.WithTenant(policy.With(ctx, p), p.Tenant), Actor(p))
	id, err := uuid.Parse(p.ID)
	if err != nil || len(password) > maxPassword {
		return ErrWrong
	}
	u, err := s.db.User(ctx, id)
	if err != nil {
		return memory.Wrap("account: step up", err)
	}
	hash := s.decoy
	if u.Password != nil {
		opened, err := s.sealer.Open(ctx, s.cell(p.Tenant, "password", u.ID), *u.Password)
		if err != nil {
			return memory.Wrap("account: step up", err)
		}
		hash = string(opened)
	}
	ok, err := matches(ctx, password, hash)
	if err != nil {
		return err
	}
	if !ok || u.Password == nil {
		if err := s.recordRefusal(ctx, id); err != nil {
			return memory.Wrap("account: step up", err)
		}
		return ErrWrong
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx *models.Tx) error {
		if err := tx.StepUpSession(ctx, session.ID, models.At(s.now())); err != nil {
			return err
		}
		return tx.Record(ctx, audit.Event{Action: "session.step_up", Object: "user:" + p.ID})
	})
	return memory.Wrap("account: step up", err)
}

// HasPassword tells whether the user of a session can sign in by password.
func (s *Service) HasPassword(ctx context.Context, session Session) (bool, error) {
	id, err := uuid.Parse(session.Principal.ID)
	if err != nil {
		return false, memory.NotFound()
	}
	u, err := s.db.User(models.WithTenant(ctx, session.Principal.Tenant), id)
	return u.Password != nil, memory.Wrap("account: read user", err)
}

// SignOut ends a session; a token that is unknown has ended already.
func (s *Service) SignOut(ctx context.Context, token string) error {
	session, err := s.Session(ctx, token)
	if memory.CodeOf(err) == memory.CodeUnauthenticated {
		return nil
	}
	if err != nil {
		return err
	}
	p := session.Principal
	ctx = audit.WithActor(models.WithTenant(ctx, p.Tenant), Actor(p))
	err = s.db.InTx(ctx, func(ctx context.Context, tx *models.Tx) error {
		if err := tx.EndUserSession(ctx, session.ID); err != nil {
			return err
		}
		return tx.Record(ctx, audit.Event{Action: "session.end", Object: "user:" + p.ID})
	})
	return memory.Wrap("account: sign out", err)
}
