package web

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"fornix/audit"
	"fornix/memory"
	"fornix/views/i18n"
	"fornix/web/account"
)

func TestGuardRefusesOtherSites(t *testing.T) {
	t.Parallel()
	served := func(cfg Config, method string, headers map[string]string) int {
		h := cfg.guarded(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
		r := httptest.NewRequest(method, "http://fornix.test/me/wipe", nil)
		for name, value := range headers {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code
	}
	public := Config{PublicURL: "https://fornix.test"}
	for name, c := range map[string]struct {
		cfg     Config
		method  string
		headers map[string]string
		allowed bool
	}{
		"a form of ours": {Config{}, "POST", map[string]string{"Origin": "http://fornix.test", "Sec-Fetch-Site": "same-origin", "Cookie": "a=b"}, true},
		"a form of ours from a browser without Fetch": {Config{}, "POST", map[string]string{"Origin": "http://fornix.test", "Cookie": "a=b"}, true},
		"a program with a key":                        {Config{}, "POST", map[string]string{"Authorization": "Bearer x"}, true},
		"a form of ours behind a proxy":               {public, "POST", map[string]string{"Origin": "https://fornix.test"}, true},
		"reading from anywhere":                       {Config{}, "GET", map[string]string{"Origin": "https://evil.test", "Sec-Fetch-Site": "cross-site"}, true},
		"another site's form":                         {Config{}, "POST", map[string]string{"Origin": "https://evil.test", "Sec-Fetch-Site": "cross-site"}, false},
		"another site's form that lies of its site":   {Config{}, "POST", map[string]string{"Origin": "https://evil.test", "Sec-Fetch-Site": "same-origin"}, false},
		"a sister's form":                             {Config{}, "POST", map[string]string{"Origin": "http://a.fornix.test", "Sec-Fetch-Site": "same-site"}, false},
		"an origin that hides itself":                 {Config{}, "POST", map[string]string{"Origin": "null"}, false},
		"a cookie from nowhere":                       {Config{}, "POST", map[string]string{"Cookie": "a=b"}, false},
		"plain HTTP where HTTPS is public":            {public, "POST", map[string]string{"Origin": "http://fornix.test"}, false},
		"another site's deletion":                     {Config{}, "DELETE", map[string]string{"Origin": "https://evil.test"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := http.StatusForbidden
			if c.allowed {
				want = http.StatusNoContent
			}
			if got := served(c.cfg, c.method, c.headers); got != want {
				t.Errorf("got %d, want %d", got, want)
			}
		})
	}
}

func TestGuardHolds(t *testing.T) {
	t.Parallel()
	serve := func(h http.HandlerFunc, r *http.Request) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		Config{}.guarded(h).ServeHTTP(w, r)
		return w
	}
	t.Run("every answer carries the headers and the request's id", func(t *testing.T) {
		t.Parallel()
		var origin audit.Origin
		w := serve(func(_ http.ResponseWriter, r *http.Request) { origin = audit.OriginFrom(r.Context()) }, httptest.NewRequest("GET", "/", nil))
		h := w.Header()
		for name, part := range map[string]string{
			"Content-Security-Policy": "default-src 'none'", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
			"Cache-Control": "no-store", "Cross-Origin-Opener-Policy": "same-origin", "X-Request-Id": origin.RequestID,
		} {
			if part == "" || !strings.Contains(h.Get(name), part) {
				t.Errorf("%s: %q lacks %q", name, h.Get(name), part)
			}
		}
		if strings.Contains(h.Get("Content-Security-Policy"), "unsafe") {
			t.Error("the CSP lets something unsafe through")
		}
		if origin.IP != "192.0.2.1" {
			t.Errorf("origin %+v", origin)
		}
	})
	t.Run("a panic becomes a 500 that tells nothing", func(t *testing.T) {
		t.Parallel()
		w := serve(func(http.ResponseWriter, *http.Request) { panic("s3cr3t") }, httptest.NewRequest("GET", "/api/v1/x", nil))
		if w.Code != http.StatusInternalServerError || strings.Contains(w.Body.String(), "s3cr3t") || !strings.Contains(w.Body.String(), w.Header().Get("X-Request-Id")) {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
	t.Run("a body over a megabyte is refused, told or found", func(t *testing.T) {
		t.Parallel()
		read := func(w http.ResponseWriter, r *http.Request) {
			if _, err := io.ReadAll(r.Body); err != nil {
				writeProblem(w, r, newProblem(err))
			}
		}
		for _, told := range []bool{true, false} {
			r := httptest.NewRequest("POST", "/api/v1/messages", strings.NewReader(strings.Repeat("x", maxBody+1)))
			if !told {
				r.ContentLength = -1
			}
			if w := serve(read, r); w.Code != http.StatusRequestEntityTooLarge {
				t.Errorf("told %v: %d", told, w.Code)
			}
		}
	})
	t.Run("the language follows the cookie, then the browser", func(t *testing.T) {
		t.Parallel()
		var got i18n.Locale
		see := func(_ http.ResponseWriter, r *http.Request) { got = i18n.From(r.Context()) }
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Accept-Language", "zh-CN,zh;q=0.9")
		if serve(see, r); got != i18n.ZhHans {
			t.Errorf("by browser: %s", got)
		}
		r.AddCookie(&http.Cookie{Name: localeCookie, Value: "en"})
		if serve(see, r); got != i18n.En {
			t.Errorf("by cookie: %s", got)
		}
	})
}

func TestClientIP(t *testing.T) {
	t.Parallel()
	proxies := Config{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}
	for name, c := range map[string]struct {
		cfg             Config
		remote, forward string
		want            string
	}{
		"nobody is trusted by default":            {Config{}, "10.0.0.1:1", "203.0.113.9", "10.0.0.1"},
		"a trusted proxy's word counts":           {proxies, "10.0.0.1:1", "203.0.113.9", "203.0.113.9"},
		"what the client wrote itself is ignored": {proxies, "10.0.0.1:1", "1.2.3.4, 203.0.113.9, 10.0.0.2", "203.0.113.9"},
		"a stranger's word doesn't count":         {proxies, "203.0.113.5:1", "1.2.3.4", "203.0.113.5"},
		"nonsense ends the chain":                 {proxies, "10.0.0.1:1", "1.2.3.4, nonsense", "10.0.0.1"},
		"a mapped address is the plain one":       {proxies, "[::ffff:10.0.0.1]:1", "203.0.113.9", "203.0.113.9"},
		"no address is none":                      {proxies, "nonsense", "203.0.113.9", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest("GET", "/", nil)
			r.RemoteAddr = c.remote
			r.Header.Set("X-Forwarded-For", c.forward)
			if got := c.cfg.clientIP(r); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestProblem(t *testing.T) {
	t.Parallel()
	conflict := memory.Fail(memory.CodeConflict, "error.conflict", "changed")
	conflict.Current = 7
	for name, c := range map[string]struct {
		err    error
		status int
		parts  []string
	}{
		"a field":     {memory.Invalid(memory.Field{Name: "content", Code: "required", Text: "say something"}), 422, []string{`"name":"content"`, `"code":"required"`, `"message":"say something"`}},
		"a conflict":  {fmt.Errorf("write: %w", conflict), 409, []string{`"current_version":7`, `"code":"conflict"`}},
		"unavailable": {memory.Fail(memory.CodeUnavailable, "", "down"), 503, nil},
		"not found":   {memory.NotFound(), 404, nil},
		"gone":        {memory.Fail(memory.CodeGone, "", "gone"), 410, nil},
		"too many":    {&account.WaitError{Wait: 1}, 429, []string{`"code":"too_many"`}},
		"internal":    {errors.New("s3cr3t"), 500, []string{`"code":"internal"`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := httptest.NewRecorder()
			writeProblem(w, httptest.NewRequest("GET", "/api/v1/x", nil), newProblem(c.err))
			if w.Code != c.status || w.Header().Get("Content-Type") != "application/problem+json" {
				t.Errorf("%d %s", w.Code, w.Header())
			}
			for _, part := range c.parts {
				if !strings.Contains(w.Body.String(), part) {
					t.Errorf("%s lacks %s", w.Body, part)
				}
			}
			if strings.Contains(w.Body.String(), "s3cr3t") {
				t.Error("an internal error is shown")
			}
			if wait := w.Header().Get("Retry-After"); (c.status == 503 || c.status == 429) != (wait != "") {
				t.Errorf("Retry-After %q with %d", wait, c.status)
			}
			page := httptest.NewRecorder()
			writeProblem(page, httptest.NewRequest("GET", "/me", nil), newProblem(c.err))
			if page.Code != c.status || !strings.Contains(page.Body.String(), "<h1") || strings.Contains(page.Body.String(), "s3cr3t") {
				t.Errorf("page: %d", page.Code)
			}
		})
	}
}
