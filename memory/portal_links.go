package memory

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"time"

	"github.com/google/uuid"

	"fornix/audit"
	"fornix/models"
	"fornix/policy"
)

// Lives of a person's links and sessions.
const (
	defaultLinkLife = 15 * time.Minute
	maxLinkLife     = 24 * time.Hour
	portalLife      = 2 * time.Hour
)

// portalToken names the row it opens and proves itself by a secret, of which only
// a hash is stored.
type portalToken struct {
	tenant  string
	subject uuid.UUID
	row     uuid.UUID
	secret  [32]byte
}

func newPortalToken(tenant string, subject uuid.UUID) portalToken {
	t := portalToken{tenant: tenant, subject: subject, row: models.NewID()}
	_, _ = rand.Read(t.secret[:])
	return t
}

func (t portalToken) hash() []byte {
	sum := sha256.Sum256(t.secret[:])
	return sum[:]
}

func (t portalToken) String() string {
	raw := append(t.subject[:], t.row[:]...)
	raw = append(append(raw, t.secret[:]...), t.tenant...)
	return base64.RawURLEncoding.EncodeToString(raw)
}

const tokenFixed = 16 + 16 + 32

func parsePortalToken(text string) (portalToken, bool) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) <= tokenFixed || len(raw) > tokenFixed+40 {
		return portalToken{}, false
	}
	return portalToken{
		subject: uuid.UUID(raw[:16]), row: uuid.UUID(raw[16:32]), secret: [32]byte(raw[32:tokenFixed]), tenant: string(raw[tokenFixed:]),
	}, true
}

func (t portalToken) fits(hash []byte) bool { return subtle.ConstantTimeCompare(t.hash(), hash) == 1 }

// CreatePortalLink makes a single-use sign-in link for a person; ttl is 15
// minutes when zero, and at most a day.
func (s *Service) CreatePortalLink(ctx context.Context, subject, locale string, ttl time.Duration) (token string, expires time.Time, err error) {
	ctx, p, err := s.actor(ctx)
	if err != nil {
		return "", time.Time{}, err
	}
	if p.Kind != policy.KindSystem && !s.policy.Can(p, policy.AreaPeople, policy.ActPortalLink) {
		return "", time.Time{}, Forbidden()
	}
	if ttl == 0 {
		ttl = defaultLinkLife
	}
	var f faults
	if ttl < 0 || ttl > maxLinkLife {
		f.add("expires_in", "out_of_range", "between a second and a day")
	}
	if locale != "" {
		f.oneOf("locale", locale, []string{"zh-Hans", "en"})
	}
	if err := f.err(); err != nil {
		return "", time.Time{}, err
	}
	person, err := s.FindPerson(ctx, subject)
	if err != nil {
		return "", time.Time{}, err
	}
	defer person.Close()
	if locale == "" {
		locale = person.Locale
	}
	t, now := newPortalToken(p.Tenant, person.SubjectID), s.now()
	expires = now.Add(ttl)
	err = s.Write(ctx, person, func(ctx context.Context, tx *models.Tx) error {
		link := models.PortalLink{SubjectID: t.subject, ID: t.row, TokenHash: t.hash(), Locale: locale, CreatedAt: models.At(now), ExpiresAt: models.At(expires)}
		if err := models.Insert(ctx, tx, link); err != nil {
			return err
		}
		return tx.Record(ctx, audit.Event{Action: policy.ActPortalLink, Object: "portal_link:" + t.row.String(), Subject: t.subject, Epoch: person.Epoch})
	})
	if err != nil {
		return "", time.Time{}, Wrap("make portal link", err)
	}
	return t.String(), expires.UTC(), nil
}

// usedLink is the answer for a link that was used, is past its time or never was.
func usedLink() *Error {
	return Fail(CodeGone, "error.link_used", "this link was used already or is too old; ask for a new one")
}

// UsePortalLink uses a link up and signs its person in.
func (s *Service) UsePortalLink(ctx context.Context, token string) (session, locale string, err error) {
	t, ok := parsePortalToken(token)
	if !ok {
		return "", "", usedLink()
	}
	ctx = models.WithTenant(ctx, t.tenant)
	link, err := s.db.PortalLink(ctx, t.subject, t.row)
	if models.IsNotFound(err) || err == nil && !t.fits(link.TokenHash) {
		return "", "", usedLink()
	}
	if err != nil {
		return "", "", Wrap("use portal link", err)
	}
	person, err := s.OpenPerson(ctx, t.subject)
	if err != nil {
		return "", "", err
	}
	defer person.Close()
	ctx = audit.WithActor(ctx, audit.Actor{Kind: audit.ActorSubject, ID: person.Pseudonym})
	in, now := newPortalToken(t.tenant, t.subject), s.now()
	err = s.Write(ctx, person, func(ctx context.Context, tx *models.Tx) error {
		if err := tx.UsePortalLink(ctx, t.subject, t.row, models.At(now)); err != nil {
			return err
		}
		row := models.PortalSession{SubjectID: t.subject, ID: in.row, TokenHash: in.hash(), CreatedAt: models.At(now), ExpiresAt: models.At(now.Add(portalLife))}
		if err := models.Insert(ctx, tx, row); err != nil {
			return err
		}
		return tx.Record(ctx, audit.Event{Action: "portal.sign_in", Object: "portal_session:" + in.row.String(), Subject: t.subject, Epoch: person.Epoch})
	})
	if CodeOf(err) == CodeNotFound || models.IsNotFound(err) {
		return "", "", usedLink()
	}
	if err != nil {
		return "", "", Wrap("use portal link", err)
	}
	return in.String(), link.Locale, nil
}

// PortalSession returns the person who is signed in with this session.
func (s *Service) PortalSession(ctx context.Context, token string) (policy.Principal, error) {
	out := Fail(CodeUnauthenticated, "error.unauthenticated", "sign in again")
	t, ok := parsePortalToken(token)
	if !ok {
		return policy.Principal{}, out
	}
	ctx = models.WithTenant(ctx, t.tenant)
	row, err := s.db.PortalSession(ctx, t.subject, t.row)
	if models.IsNotFound(err) || err == nil && (!t.fits(row.TokenHash) || row.ExpiresAt <= models.At(s.now())) {
		return policy.Principal{}, out
	}
	if err != nil {
		return policy.Principal{}, Wrap("portal session", err)
	}
	subject, err := s.db.Subject(ctx, t.subject)
	if models.IsNotFound(err) || err == nil && subject.Status == models.SubjectErasing {
		return policy.Principal{}, out
	}
	if err != nil {
		return policy.Principal{}, Wrap("portal session", err)
	}
	return policy.Principal{Kind: policy.KindSubject, ID: subject.Pseudonym, Tenant: t.tenant, Subject: t.subject.String()}, nil
}

// EndPortalSession signs a person out; a session that isn't there is out already.
func (s *Service) EndPortalSession(ctx context.Context, token string) error {
	t, ok := parsePortalToken(token)
	if !ok {
		return nil
	}
	if _, err := s.PortalSession(ctx, token); err != nil {
		return nil
	}
	ctx = models.WithTenant(ctx, t.tenant)
	person, err := s.OpenPerson(ctx, t.subject)
	if err != nil {
		return fmt.Errorf("end portal session: %w", err)
	}
	defer person.Close()
	ctx = audit.WithActor(ctx, audit.Actor{Kind: audit.ActorSubject, ID: person.Pseudonym})
	err = s.Write(ctx, person, func(ctx context.Context, tx *models.Tx) error {
		if err := tx.EndPortalSession(ctx, t.subject, t.row); err != nil {
			return err
		}
		return tx.Record(ctx, audit.Event{Action: "portal.sign_out", Object: "portal_session:" + t.row.String(), Subject: t.subject, Epoch: person.Epoch})
	})
	return Wrap("end portal session", err)
}
