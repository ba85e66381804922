package handlers

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/gin-gonic/gin"

	"fornix/views/i18n"
)

// PortalLinker makes sign-in links for people. A ttl of 0 is the usual one.
type PortalLinker interface {
	CreatePortalLink(ctx context.Context, subject, locale string, ttl time.Duration) (token string, expires time.Time, err error)
}

// PortalLinks answers /api/v1/portal-links. Base is how people reach this server,
// without a slash at the end.
type PortalLinks struct {
	Memory PortalLinker
	Base   string
}

// portalLinkInput asks for a link; ExpiresIn is in seconds.
type portalLinkInput struct {
	Subject   string `json:"subject"`
	Locale    string `json:"locale"`
	ExpiresIn *int64 `json:"expires_in"`
}

type portalLinkAnswer struct {
	URL       string    `json:"url"`
	ExpiresAt time.Time `json:"expires_at"`
}

// maxLinkLife bounds how long a link may wait to be used.
const maxLinkLife = 24 * time.Hour

// Create answers POST /portal-links.
func (h *PortalLinks) Create(c *gin.Context) error {
	var in portalLinkInput
	if err := bindJSON(c, &in); err != nil {
		return err
	}
	if in.Subject == "" {
		return fault("subject", "required", "name the person by your product's id")
	}
	if _, ok := i18n.Parse(in.Locale); in.Locale != "" && !ok {
		return fault("locale", "unknown", "zh-Hans or en")
	}
	var ttl time.Duration
	if in.ExpiresIn != nil {
		if *in.ExpiresIn < 1 || *in.ExpiresIn > int64(maxLinkLife/time.Second) {
			return fault("expires_in", "out_of_range", "1 to 86400 seconds")
		}
		ttl = time.Duration(*in.ExpiresIn) * time.Second
	}
	token, expires, err := h.Memory.CreatePortalLink(c.Request.Context(), in.Subject, in.Locale, ttl)
	if err != nil {
		return err
	}
	return answerJSON(c, http.StatusCreated, portalLinkAnswer{URL: signInURL(h.Base, token), ExpiresAt: expires.UTC()})
}

// signInURL is the page whose button uses the token up.
func signInURL(base, token string) string {
	return base + "/signin/link?token=" + url.QueryEscape(token)
}
