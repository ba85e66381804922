package handlers

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"fornix/memory"
	"fornix/policy"
	"fornix/views"
	"fornix/views/i18n"
	"fornix/views/ui"
)

// Front answers the pages for everybody: the landing, signing in and out, the
// language.
type Front struct {
	*Pages
	Accounts Accounts
}

// Where those who are signed in go on.
const (
	consoleHome = "/admin"
	portalHome  = "/me"
)

// Landing answers GET /.
func (h *Front) Landing(c *gin.Context) error {
	page := views.LandingPage{Frame: h.public(c, "/")}
	if p, ok := policy.From(c.Request.Context()); ok {
		page.SignedIn = homeOf(p)
	}
	return render(c, http.StatusOK, views.Landing(page))
}

func homeOf(p policy.Principal) string {
	switch p.Kind {
	case policy.KindSubject:
		return portalHome
	case policy.KindUser:
		return consoleHome
	}
	return ""
}

// SignInForm answers GET /signin.
func (h *Front) SignInForm(c *gin.Context) error {
	query, err := pageQuery(c, "back")
	if err != nil {
		return err
	}
	back := consolePath(query["back"])
	return render(c, http.StatusOK, views.SignIn(views.SignInPage{Frame: h.public(c, "/signin"), Back: back}))
}

// consolePath is the address if it lies in the console, else the overview.
func consolePath(address string) string {
	path, _, _ := strings.Cut(ui.Local(address), "?")
	if path == consoleHome || strings.HasPrefix(path, consoleHome+"/") {
		return address
	}
	return consoleHome
}

// SignIn answers POST /signin.
func (h *Front) SignIn(c *gin.Context) error {
	form, err := bindForm(c, "email", "password", "back")
	if err != nil {
		return err
	}
	page := views.SignInPage{Frame: h.public(c, "/signin"), Email: form["email"], Back: consolePath(form["back"])}
	for _, name := range []string{"email", "password"} {
		if strings.TrimSpace(form[name]) == "" {
			page.Faults = append(page.Faults, ui.Fault{Name: name, Code: "required"})
		}
	}
	if len(page.Faults) > 0 {
		return render(c, http.StatusUnprocessableEntity, views.SignIn(page))
	}
	err = h.Accounts.SignIn(c, form["email"], form["password"])
	switch page.Wait = waitOf(err); {
	case page.Wait > 0:
		return render(c, http.StatusTooManyRequests, views.SignIn(page))
	case errors.Is(err, ErrWrong):
		page.Wrong = true
		return render(c, http.StatusUnprocessableEntity, views.SignIn(page))
	case err != nil:
		return err
	}
	return h.done(c, flashSignedIn, page.Back)
}

// LinkForm answers GET /signin/link?token=…: opening it uses nothing up, so that a
// preview or a crawler can't.
func (h *Front) LinkForm(c *gin.Context) error {
	query, err := pageQuery(c, "token")
	if err != nil {
		return err
	}
	link, err := h.Accounts.PeekLink(c.Request.Context(), query["token"])
	return h.link(c, query["token"], link, err)
}

// link shows the button, or that the link is of no use any more.
func (h *Front) link(c *gin.Context, token string, link Link, err error) error {
	// The language switch of the page comes back to it, token and all.
	path := "/signin/link?token=" + url.QueryEscape(token)
	page := views.SignInLinkPage{Frame: h.public(c, path), Token: token, Tenant: link.Tenant, Portal: link.Portal}
	switch memory.CodeOf(err) {
	case memory.CodeGone, memory.CodeNotFound:
		page.Gone, page.Token = true, ""
		return render(c, http.StatusGone, views.SignInLink(page))
	}
	if err != nil {
		return err
	}
	return render(c, http.StatusOK, views.SignInLink(page))
}

// UseLink answers POST /signin/link.
func (h *Front) UseLink(c *gin.Context) error {
	form, err := bindForm(c, "token")
	if err != nil {
		return err
	}
	link, err := h.Accounts.UseLink(c, form["token"])
	if err != nil {
		return h.link(c, form["token"], link, err)
	}
	home := consoleHome
	if link.Portal {
		home = portalHome
	}
	return h.done(c, flashSignedIn, home)
}

// SignOut answers POST /signout.
func (h *Front) SignOut(c *gin.Context) error {
	portal, err := h.Accounts.SignOut(c)
	if err != nil {
		return err
	}
	return render(c, http.StatusOK, views.SignedOut(views.SignedOutPage{Frame: h.public(c, "/"), Portal: portal}))
}

// Locale answers POST /locale.
func (h *Front) Locale(c *gin.Context) error {
	form, err := bindForm(c, "locale", "back")
	if err != nil {
		return err
	}
	locale, ok := i18n.Parse(form["locale"])
	if !ok {
		return fault("locale", "unknown", "zh-Hans or en")
	}
	h.Accounts.SetLocale(c, string(locale))
	return seeOther(c, form["back"])
}
