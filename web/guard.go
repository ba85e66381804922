package web

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/google/uuid"

	"fornix/audit"
	"fornix/views/i18n"
)

// maxBody bounds what a request may send, in bytes.
const maxBody = 1 << 20

// contentPolicy is the CSP of every page: our own files, and nothing inline.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
	"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

type requestKey struct{}

func requestID(ctx context.Context) string {
	id, _ := ctx.Value(requestKey{}).(string)
	return id
}

// guarded puts around the routes what holds for every request: an id, the origin,
// the language, the headers, the refusal of other sites' forms, and the bound on
// the body. A panic becomes a 500 with the request's id.
func (c Config) guarded(next http.Handler) http.Handler {
	own := c.sameOrigin(next)
	cross := http.NewCrossOriginProtection()
	cross.SetDenyHandler(http.HandlerFunc(refuseOrigin))
	inner := cross.Handler(own)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := uuid.Must(uuid.NewV7()).String()
		ctx := context.WithValue(r.Context(), requestKey{}, id)
		ctx = audit.WithOrigin(ctx, audit.Origin{IP: c.clientIP(r), UserAgent: short(r.UserAgent(), 200), RequestID: id})
		ctx = i18n.With(ctx, localeOf(r))
		r = r.WithContext(ctx)
		setHeaders(w.Header(), id)
		if c.secure() {
			w.Header().Set("Strict-Transport-Security", "max-age=31536000")
		}
		defer func() {
			if fault := recover(); fault != nil {
				if fault == http.ErrAbortHandler {
					panic(fault)
				}
				c.log().ErrorContext(ctx, "a request ended in a panic", "request_id", id, "fault", faultText(fault), "stack", string(debug.Stack()))
				writeProblem(w, r, plainProblem(http.StatusInternalServerError, "internal", "something went wrong on our side"))
			}
		}()
		if r.ContentLength > maxBody {
			writeProblem(w, r, plainProblem(http.StatusRequestEntityTooLarge, "too_large", "the body is larger than 1 MB"))
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		inner.ServeHTTP(w, r)
	})
}

// faultText says what a panic was. Text that the program wrote may hold a value of
// a person, so only what the runtime says is shown.
func faultText(fault any) string {
	if err, ok := fault.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("%T", fault)
}

func setHeaders(h http.Header, id string) {
	h.Set("Content-Security-Policy", contentPolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Request-Id", id)
}

func refuseOrigin(w http.ResponseWriter, r *http.Request) {
	writeProblem(w, r, plainProblem(http.StatusForbidden, "forbidden", "the request came from another site"))
}

// sameOrigin is the second lock on forms: whatever changes something and names an
// origin must name ours, and whatever carries a cookie must name one. The first
// lock lets requests through that say nothing of where they come from.
func (c Config) sameOrigin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodGet, http.MethodHead, http.MethodOptions:
			next.ServeHTTP(w, r)
			return
		}
		origin := r.Header.Get("Origin")
		if origin == "null" && r.Header.Get("Sec-Fetch-Site") == "same-origin" {
			// Our pages say no-referrer, so browsers hide the origin of our own forms.
			// A page can't forge Sec-Fetch-Site; a sandboxed or foreign one says cross-site.
			origin = ""
		}
		switch {
		case origin != "" && !c.isOurs(origin, r.Host),
			origin == "" && r.Header.Get("Sec-Fetch-Site") == "" && r.Header.Get("Cookie") != "":
			refuseOrigin(w, r)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

func (c Config) isOurs(origin, host string) bool {
	if c.PublicURL != "" && origin == c.PublicURL {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && !c.secure() && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && strings.EqualFold(u.Host, host)
}

// clientIP is the address a request comes from. X-Forwarded-For is read from the
// right, past the proxies that are trusted, and only when a trusted one sent it.
func (c Config) clientIP(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return ""
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return ""
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && c.trusts(addr); i-- {
		next, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		addr = next
	}
	return addr.Unmap().WithZone("").String()
}

func (c Config) trusts(addr netip.Addr) bool {
	for _, p := range c.TrustedProxies {
		if p.Contains(addr.Unmap()) {
			return true
		}
	}
	return false
}

// localeCookie keeps the language that somebody chose.
const localeCookie = "locale"

func localeOf(r *http.Request) i18n.Locale {
	if cookie, err := r.Cookie(localeCookie); err == nil {
		if l, ok := i18n.Parse(cookie.Value); ok {
			return l
		}
	}
	return i18n.Match(r.Header.Get("Accept-Language"))
}

func short(text string, limit int) string {
	if len(text) > limit {
		text = text[:limit]
	}
	return strings.ToValidUTF8(text, "")
}
