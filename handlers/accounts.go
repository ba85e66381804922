package handlers

import (
	"context"
	"errors"

	"github.com/gin-gonic/gin"
)

// ErrWrong says that address and password don't fit together, and not which of the
// two is wrong.
var ErrWrong = errors.New("handlers: the address and the password don't fit together")

// Accounts signs staff and people in and out. Its methods set and drop the cookies
// of sessions. After too many tries they fail with an error that has a method
// Seconds() int, the time to wait.
type Accounts interface {
	// SignIn signs staff in by password; ErrWrong says that the pair is wrong.
	SignIn(c *gin.Context, email, password string) error
	// PeekLink tells where a link leads, and uses nothing up. It fails with gone or
	// not found when the link was used, has expired, or never was.
	PeekLink(ctx context.Context, token string) (Link, error)
	// UseLink signs in by a link, once. It fails like PeekLink.
	UseLink(c *gin.Context, token string) (Link, error)
	// SignOut ends the sessions of the browser and drops their cookies; none is no
	// error. It tells whether it was a person's.
	SignOut(c *gin.Context) (portal bool, err error)
	// Forget drops a person's cookie when the session went with a wipe.
	Forget(c *gin.Context)
	// SetLocale keeps the language that the visitor chose.
	SetLocale(c *gin.Context, locale string)
}

// StepUps makes staff prove again who they are before what is grave.
type StepUps interface {
	// SteppedUp tells whether that was done a short while ago.
	SteppedUp(ctx context.Context) bool
	// HasPassword is false where the account signs in by link alone.
	HasPassword(ctx context.Context) (bool, error)
	// StepUp checks the password of the session's user. It fails like SignIn.
	StepUp(c *gin.Context, password string) error
}

// Link is where a sign-in link leads: to a person's portal or to the console.
type Link struct {
	Tenant string // the company's name
	Portal bool
}
