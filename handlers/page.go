package handlers

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"fornix/policy"
	"fornix/views"
	"fornix/views/ui"
)

// Pages is what all pages need: what stands around their content. Web fills it in
// and every page's handler carries it.
type Pages struct {
	// Banners stand above every page.
	Banners []views.Banner
	// Secure says that pages come over HTTPS, so cookies may ask for it.
	Secure bool
	// Tenant is the name of the company whose memory it is.
	Tenant func(ctx context.Context) (string, error)
	// Can asks the policy, for what the console's navigation offers.
	Can func(p policy.Principal, category, action string) bool
}

// render writes a page as a whole: one that fails half way is an error and no half
// of a page.
func render(c *gin.Context, status int, page templ.Component) error {
	var body bytes.Buffer
	if err := page.Render(c.Request.Context(), &body); err != nil {
		return fmt.Errorf("handlers: render page: %w", err)
	}
	c.Data(status, "text/html; charset=utf-8", body.Bytes())
	return nil
}

// public makes the frame of a page for everybody. path is the address of its GET.
func (p *Pages) public(c *gin.Context, path string) views.PublicFrame {
	return views.PublicFrame{Path: path, Banners: p.Banners, Flash: p.flash(c)}
}

// portal makes the frame of a page of the portal.
func (p *Pages) portal(c *gin.Context, path string) (views.PortalFrame, error) {
	tenant, err := p.Tenant(c.Request.Context())
	return views.PortalFrame{Tenant: tenant, Path: path, Banners: p.Banners, Flash: p.flash(c)}, err
}

// console makes the frame of a page of the console.
func (p *Pages) console(c *gin.Context, path string) (views.ConsoleChrome, error) {
	ctx := c.Request.Context()
	tenant, err := p.Tenant(ctx)
	who, _ := policy.From(ctx)
	return views.ConsoleChrome{
		Tenant: tenant, User: who.Name, Path: path, Banners: p.Banners, Flash: p.flash(c),
		May: views.ConsoleNav{
			People:     p.Can(who, policy.AreaPeople, policy.ActPeopleRead),
			Dictionary: p.Can(who, policy.AreaDictionary, policy.ActDictionaryRead),
			Agents:     p.Can(who, policy.AreaAgents, policy.ActAgentRead),
			Policies:   p.Can(who, policy.AreaPolicy, policy.ActPolicyRead),
			Audit:      p.Can(who, policy.AreaAudit, policy.ActAuditRead),
		},
	}, err
}

// Outcomes that the next page shows once. What a cookie holds may come from
// anywhere, so it is one of these or nothing.
const (
	flashCookie    = "flash"
	flashSaved     = "flash.saved"
	flashCorrected = "flash.corrected"
	flashDeleted   = "flash.deleted"
	flashSignedIn  = "flash.signed_in"
)

var flashes = []string{flashSaved, flashCorrected, flashDeleted, flashSignedIn}

// flash takes the outcome of what the visitor just did; asked again it is gone.
func (p *Pages) flash(c *gin.Context) views.Flash {
	cookie, err := c.Request.Cookie(flashCookie)
	if err != nil {
		return views.Flash{}
	}
	p.setFlash(c, "", -1)
	if !slices.Contains(flashes, cookie.Value) {
		return views.Flash{}
	}
	return views.Flash{Tone: ui.Good, Key: cookie.Value}
}

// flashSeconds is how long an outcome waits for its page.
const flashSeconds = 60

func (p *Pages) setFlash(c *gin.Context, key string, seconds int) {
	http.SetCookie(c.Writer, &http.Cookie{
		Name: flashCookie, Value: key, Path: "/", MaxAge: seconds, HttpOnly: true, Secure: p.Secure, SameSite: http.SameSiteLaxMode,
	})
}

// done answers a form that succeeded: on to a page that says so.
func (p *Pages) done(c *gin.Context, flash, to string) error {
	if flash != "" {
		p.setFlash(c, flash, flashSeconds)
	}
	return seeOther(c, to)
}

// seeOther sends the visitor on to a page of ours.
func seeOther(c *gin.Context, to string) error {
	c.Redirect(http.StatusSeeOther, ui.Local(to))
	return nil
}
