package web

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"fornix/audit"
	"fornix/handlers"
	"fornix/memory"
	"fornix/web/account"
)

// Lives of cookies. The session behind personCookie ends by itself before.
const (
	personCookieLife = 2 * time.Hour
	localeCookieLife = 365 * 24 * time.Hour
)

// accounts is the bridge from pages to accounts: it reads and sets the cookies.
type accounts struct {
	cfg     Config
	staff   *account.Service
	persons *memory.Service
}

var (
	_ handlers.Accounts = accounts{}
	_ handlers.StepUps  = accounts{}
)

func from(ctx context.Context) string { return audit.OriginFrom(ctx).IP }

// wrong says it in the pages' words when address and password don't fit.
func wrong(err error) error {
	if errors.Is(err, account.ErrWrong) {
		return handlers.ErrWrong
	}
	return err
}

// SignIn signs staff in by password.
func (a accounts) SignIn(c *gin.Context, email, password string) error {
	token, err := a.staff.SignIn(c.Request.Context(), from(c.Request.Context()), email, password)
	if err != nil {
		return wrong(err)
	}
	a.cfg.setCookie(c.Writer, staffCookie, token, a.cfg.SessionTTL)
	return nil
}

// PeekLink tells where a link leads and uses nothing up. A person's link is
// looked at when it is used.
func (a accounts) PeekLink(ctx context.Context, token string) (handlers.Link, error) {
	if !account.IsLink(token) {
		return handlers.Link{Portal: true}, nil
	}
	company, err := a.staff.PeekLink(ctx, token)
	return handlers.Link{Tenant: company}, err
}

// UseLink signs in by a link, once. The other kind of session in the same browser
// goes on.
func (a accounts) UseLink(c *gin.Context, token string) (handlers.Link, error) {
	ctx := c.Request.Context()
	if account.IsLink(token) {
		session, err := a.staff.UseLink(ctx, from(ctx), token)
		if err != nil {
			return handlers.Link{}, err
		}
		a.cfg.setCookie(c.Writer, staffCookie, session, a.cfg.SessionTTL)
		return handlers.Link{}, nil
	}
	session, locale, err := a.persons.UsePortalLink(ctx, token)
	if err != nil {
		return handlers.Link{Portal: true}, err
	}
	a.cfg.setCookie(c.Writer, personCookie, session, personCookieLife)
	if _, err := c.Request.Cookie(localeCookie); err != nil && locale != "" {
		a.SetLocale(c, locale)
	}
	return handlers.Link{Portal: true}, nil
}

// SignOut ends the sessions of this browser and drops their cookies. The cookies
// go even where a session can't be ended just now.
func (a accounts) SignOut(c *gin.Context) (portal bool, err error) {
	r := c.Request
	if token := a.cfg.cookie(r, staffCookie); token != "" {
		a.cfg.dropCookie(c.Writer, staffCookie)
		err = a.staff.SignOut(r.Context(), token)
	}
	if token := a.cfg.cookie(r, personCookie); token != "" {
		a.Forget(c)
		portal = true
		err = errors.Join(err, a.persons.EndPortalSession(r.Context(), token))
	}
	return portal, err
}

// Forget drops a person's cookie.
func (a accounts) Forget(c *gin.Context) { a.cfg.dropCookie(c.Writer, personCookie) }

// SetLocale keeps the language that the visitor chose. It is no secret and names
// nobody, so the cookie needs no prefix.
func (a accounts) SetLocale(c *gin.Context, locale string) {
	http.SetCookie(c.Writer, &http.Cookie{
		Name: localeCookie, Value: locale, Path: "/", MaxAge: int(localeCookieLife / time.Second),
		HttpOnly: true, Secure: a.cfg.secure(), SameSite: http.SameSiteLaxMode,
	})
}

// SteppedUp tells whether the user proved a short while ago who they are.
func (a accounts) SteppedUp(ctx context.Context) bool {
	session, ok := sessionOf(ctx)
	return ok && session.SteppedUp
}

// HasPassword is false where the account signs in by link alone.
func (a accounts) HasPassword(ctx context.Context) (bool, error) {
	session, ok := sessionOf(ctx)
	if !ok {
		return false, memory.Fail(memory.CodeUnauthenticated, "error.unauthenticated", "sign in first")
	}
	return a.staff.HasPassword(ctx, session)
}

// StepUp checks the password of the session's user.
func (a accounts) StepUp(c *gin.Context, password string) error {
	ctx := c.Request.Context()
	session, ok := sessionOf(ctx)
	if !ok {
		return memory.Fail(memory.CodeUnauthenticated, "error.unauthenticated", "sign in first")
	}
	return wrong(a.staff.StepUp(ctx, from(ctx), session, password))
}
