package views

import (
	"context"
	"fmt"

	"fornix/views/i18n"
	"fornix/views/ui"
)

// PublicFrame is what the pages for everybody show around their content.
type PublicFrame struct {
	Path    string
	Banners []Banner
	Flash   Flash
}

func (f PublicFrame) chrome(title string) Chrome {
	return Chrome{Title: title, Home: "/", Path: f.Path, Banners: f.Banners, Flash: f.Flash}
}

// LandingPage is GET /.
type LandingPage struct {
	Frame PublicFrame
	// SignedIn is where a signed-in visitor goes on: "/admin", "/me" or empty.
	SignedIn string
}

// SignInPage is GET and POST /signin, for staff. Fields: email, password, back. A
// wrong pair is a fault of the form and never says which of the two was wrong.
type SignInPage struct {
	Frame  PublicFrame
	Email  string
	Back   string // where to go on; empty: the overview
	Faults ui.Faults
	Wrong  bool // the pair is wrong
	Wait   int  // seconds to wait after too many tries; 0: none
}

// SignInLinkPage is GET /signin/link?token=…: the button that signs in. Opening
// the page uses nothing up. POST /signin/link, field token.
type SignInLinkPage struct {
	Frame  PublicFrame
	Token  string
	Tenant string // whose portal or console; may be empty
	Portal bool   // to one's own memory; else to the console
	Gone   bool   // used, expired or unknown: the page says how to get a new one
}

// SignedOutPage is shown after POST /signout.
type SignedOutPage struct {
	Frame  PublicFrame
	Portal bool // was a person; else staff, who get the way back in
}

// ErrorPage is what goes wrong, in plain words.
type ErrorPage struct {
	Frame PublicFrame
	// Status is the HTTP status. 400, 401, 403, 404, 405, 409, 410, 413, 429, 500
	// and 503 have words of their own, all else reads like 500.
	Status    int
	RequestID string
	// Key names a more telling text, such as memory.Error.Key; empty or unknown: the
	// words of the status.
	Key   string
	Retry int    // seconds until another try makes sense; 0: unknown
	Home  string // where the way out leads; empty: "/"
}

func (p ErrorPage) home() string {
	if p.Home == "" {
		return "/"
	}
	return p.Home
}

func (p ErrorPage) words(ctx context.Context, part string) string {
	if key := fmt.Sprintf("error.page.%d.%s", p.Status, part); i18n.Has(ctx, key) {
		return i18n.T(ctx, key)
	}
	return i18n.T(ctx, "error.page.500."+part)
}

func (p ErrorPage) text(ctx context.Context) string {
	if p.Key != "" && i18n.Has(ctx, p.Key) {
		return i18n.T(ctx, p.Key)
	}
	return p.words(ctx, "text")
}
