package web

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"fornix/audit"
	"fornix/memory"
	"fornix/models"
	"fornix/policy"
	"fornix/views/i18n"
	"fornix/web/account"
)

// handler answers a request, or says why not.
type handler = func(*gin.Context) error

// route is one way into the program: what it asks of its caller and who answers.
type route struct {
	method, path string
	need         policy.Need
	handle       handler
}

// server answers requests with the services.
type server struct {
	cfg Config
	url string // how people reach it
	*services
}

// answer admits the caller or refuses, runs the handler and turns its error into
// an answer. It is around every route.
func (s *server) answer(r route) gin.HandlerFunc {
	return func(c *gin.Context) {
		began := time.Now()
		err := s.admit(c, r.need)
		if err == nil {
			err = r.handle(c)
		}
		if err != nil && !c.Writer.Written() {
			s.fail(c, err)
		}
		// The route's pattern and not the address, which may name a person.
		s.cfg.log().DebugContext(c.Request.Context(), "request", "method", r.method, "route", r.path, "status", c.Writer.Status(),
			"ms", time.Since(began).Milliseconds(), "request_id", requestID(c.Request.Context()))
	}
}

// fail answers with an error; an internal one is logged with the request's id.
func (s *server) fail(c *gin.Context, err error) {
	r := c.Request
	p := newProblem(err)
	if p.Status >= http.StatusInternalServerError {
		s.cfg.log().ErrorContext(r.Context(), "request failed", "request_id", requestID(r.Context()), "route", c.FullPath(), "error", err.Error())
	}
	if p.Status == http.StatusUnauthorized && r.Method == http.MethodGet && strings.HasPrefix(r.URL.Path, "/admin") {
		c.Redirect(http.StatusSeeOther, "/signin?back="+url.QueryEscape(r.URL.RequestURI()))
		return
	}
	writeProblem(c.Writer, r, p)
}

// admit finds out who calls and asks the policy. The principal, its tenant and the
// actor of the audit log are then in the request's context.
func (s *server) admit(c *gin.Context, need policy.Need) error {
	p, err := s.identify(c)
	if err != nil {
		if !need.IsPublic() || memory.CodeOf(err) != memory.CodeUnauthenticated {
			return err
		}
		p = policy.Principal{} // a session that has ended doesn't close a public page
	}
	ctx := c.Request.Context()
	if p.Kind != "" {
		actor, err := s.actor(p)
		if err != nil {
			return err
		}
		ctx = models.WithTenant(policy.With(audit.WithActor(ctx, actor), p), p.Tenant)
		c.Request = c.Request.WithContext(ctx)
	}
	switch {
	case s.policy.Admits(p, need):
		return nil
	case p.Kind == "":
		return memory.Fail(memory.CodeUnauthenticated, "error.unauthenticated", "sign in or send an API key")
	}
	if err := s.recordRefusal(ctx, need); err != nil {
		return err
	}
	return memory.Forbidden()
}

// recordRefusal keeps in the log that somebody tried what the policy doesn't grant.
func (s *server) recordRefusal(ctx context.Context, need policy.Need) error {
	err := s.db.InTx(ctx, func(ctx context.Context, tx *models.Tx) error {
		return tx.Record(ctx, audit.Event{Action: "access.refuse", Object: "action:" + need.Action})
	})
	return memory.Wrap("record refusal", err)
}

func (s *server) actor(p policy.Principal) (audit.Actor, error) {
	actor := account.Actor(p)
	if p.Kind == policy.KindSubject {
		subject, err := uuid.Parse(p.Subject)
		if err != nil {
			return actor, memory.NotFound()
		}
		if actor.ID, err = s.sealer.Pseudonym(p.Tenant, subject); err != nil {
			return actor, memory.Wrap("name actor", err)
		}
	}
	return actor, nil
}

// identify tells who calls, by what the part of the program takes: a key for the
// API, a person's session for the portal, a staff session for the console. Pages
// outside of them take either session. The zero principal is nobody.
func (s *server) identify(c *gin.Context) (policy.Principal, error) {
	r := c.Request
	switch part := r.URL.Path; {
	case strings.HasPrefix(part, "/api/"):
		return s.agent(r)
	case part == "/me" || strings.HasPrefix(part, "/me/"):
		return s.person(r)
	case part == "/admin" || strings.HasPrefix(part, "/admin/"):
		return s.staff(c)
	}
	if p, err := s.staff(c); err != nil || p.Kind != "" {
		if err == nil || memory.CodeOf(err) != memory.CodeUnauthenticated {
			return p, err
		}
	}
	return s.person(r)
}

func (s *server) agent(r *http.Request) (policy.Principal, error) {
	header := r.Header.Get("Authorization")
	if header == "" {
		return policy.Principal{}, nil
	}
	scheme, key, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") || key == "" {
		return policy.Principal{}, memory.Fail(memory.CodeUnauthenticated, "error.unauthenticated", "send the API key as Authorization: Bearer fx_…")
	}
	return s.memory.AgentByKey(r.Context(), strings.TrimSpace(key))
}

func (s *server) person(r *http.Request) (policy.Principal, error) {
	token := s.cfg.cookie(r, personCookie)
	if token == "" {
		return policy.Principal{}, nil
	}
	return s.memory.PortalSession(r.Context(), token)
}

type sessionKey struct{}

// sessionOf returns the staff session of a request.
func sessionOf(ctx context.Context) (account.Session, bool) {
	session, ok := ctx.Value(sessionKey{}).(account.Session)
	return session, ok
}

func (s *server) staff(c *gin.Context) (policy.Principal, error) {
	r := c.Request
	token := s.cfg.cookie(r, staffCookie)
	if token == "" {
		return policy.Principal{}, nil
	}
	session, err := s.accounts.Session(r.Context(), token)
	if err != nil {
		return policy.Principal{}, err
	}
	ctx := context.WithValue(r.Context(), sessionKey{}, session)
	// Who hasn't chosen a language in this browser gets the account's.
	if _, err := r.Cookie(localeCookie); err != nil {
		if l, ok := i18n.Parse(session.Locale); ok {
			ctx = i18n.With(ctx, l)
		}
	}
	c.Request = r.WithContext(ctx)
	return session.Principal, nil
}
