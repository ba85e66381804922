package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fornix/models"
)

var personLink = regexp.MustCompile(`/admin/people/[0-9a-f-]{36}`)

// browser keeps the cookies of a visitor, as far as these tests need it.
type browser struct {
	app     http.Handler
	cookies map[string]*http.Cookie
}

func visit(app http.Handler) *browser { return &browser{app: app, cookies: map[string]*http.Cookie{}} }

func (b *browser) send(method, target string, form url.Values) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(form.Encode()))
	r.Header.Set("Origin", "http://"+r.Host)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for _, cookie := range b.cookies {
		r.AddCookie(cookie)
	}
	w := httptest.NewRecorder()
	b.app.ServeHTTP(w, r)
	for _, cookie := range w.Result().Cookies() {
		b.cookies[cookie.Name] = cookie
		if cookie.MaxAge < 0 {
			delete(b.cookies, cookie.Name)
		}
	}
	return w
}

func (b *browser) get(target string) *httptest.ResponseRecorder { return b.send("GET", target, nil) }

// use opens a sign-in link and presses its button.
func (b *browser) use(t *testing.T, link string) *httptest.ResponseRecorder {
	t.Helper()
	if w := b.get(link); w.Code != http.StatusOK || len(b.cookies) > 0 {
		t.Fatalf("looking at a link: %d, cookies %v", w.Code, b.cookies)
	}
	parsed, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	return b.send("POST", "/signin/link", url.Values{"token": {parsed.Query().Get("token")}})
}

func call(app http.Handler, key, method, target, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+key)
	w := httptest.NewRecorder()
	app.ServeHTTP(w, r)
	return w
}

func startDemo(t *testing.T, cfg Config) (*App, Welcome) {
	t.Helper()
	a, w, err := NewDemo(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return a, w
}

func TestDemo(t *testing.T) {
	t.Parallel()
	cfg := folder(t)
	app, welcome := startDemo(t, cfg)
	first := welcome.Tenants[0]
	t.Run("prints the lines that are read by programs", func(t *testing.T) {
		text := welcome.Text()
		for prefix, n := range map[string]int{"url: http://127.0.0.1:": 1, "sign-in admin: http": 2, "sign-in compliance: http": 1, "sign-in person: http": 1, "agent key support: fx_": 1, "curl ": 1} {
			got := 0
			for line := range strings.SplitSeq(text, "\n") {
				if strings.HasPrefix(line, prefix) {
					got++
				}
			}
			if got != n {
				t.Errorf("%d lines begin with %q, want %d", got, prefix, n)
			}
		}
	})
	t.Run("a link signs in once, on its button", func(t *testing.T) {
		b := visit(app)
		if w := b.use(t, first.Person); w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/me" {
			t.Fatalf("%d to %q", w.Code, w.Header().Get("Location"))
		}
		if w := b.get("/me"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "39.5") {
			t.Errorf("/me: %d", w.Code)
		}
		again := visit(app)
		parsed, _ := url.Parse(first.Person)
		if w := again.send("POST", "/signin/link", url.Values{"token": {parsed.Query().Get("token")}}); w.Code != http.StatusGone || len(again.cookies) > 0 {
			t.Errorf("a second use: %d", w.Code)
		}
		t.Run("and the session is bound to the browser and ends", func(t *testing.T) {
			cookie := *b.cookies[personCookie]
			if !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.Path != "/" {
				t.Errorf("cookie %+v", cookie)
			}
			if w := b.get("/admin"); w.Code != http.StatusSeeOther && w.Code != http.StatusNotFound {
				t.Errorf("a person in the console: %d", w.Code)
			}
			if w := b.send("POST", "/signout", nil); w.Code != http.StatusOK {
				t.Errorf("sign-out: %d", w.Code)
			}
			b.cookies[personCookie] = &cookie
			if w := b.get("/me"); w.Code != http.StatusUnauthorized {
				t.Errorf("with the old cookie: %d", w.Code)
			}
		})
	})
	recall := func(app http.Handler, t TenantWelcome) *httptest.ResponseRecorder {
		body, _ := json.Marshal(map[string]string{"subject": t.Subject, "query": t.Query})
		return call(app, t.AgentKey, "POST", "/api/v1/recall", string(body))
	}
	t.Run("the printed call recalls something, in both tenants", func(t *testing.T) {
		for _, tenant := range welcome.Tenants {
			var answer struct{ Items []struct{ Content string } }
			if w := recall(app, tenant); w.Code != http.StatusOK || json.Unmarshal(w.Body.Bytes(), &answer) != nil || len(answer.Items) == 0 {
				t.Errorf("%s: %d %s", tenant.ID, w.Code, w.Body)
			}
		}
	})
	t.Run("a tenant's key reaches nobody of another", func(t *testing.T) {
		crossed := first
		crossed.AgentKey = welcome.Tenants[1].AgentKey
		if w := recall(app, crossed); strings.Contains(w.Body.String(), "39.5") {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
	t.Run("staff sign in by password, and not by a wrong one", func(t *testing.T) {
		b := visit(app)
		form := url.Values{"email": {first.PasswordEmail}, "password": {"wrong"}, "back": {"//evil.example"}}
		if w := b.send("POST", "/signin", form); w.Code != http.StatusUnprocessableEntity || b.cookies[staffCookie] != nil {
			t.Errorf("wrong: %d", w.Code)
		}
		form.Set("password", first.PasswordNow)
		if w := b.send("POST", "/signin", form); w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/admin" || b.cookies[staffCookie] == nil {
			t.Errorf("right: %d to %q", w.Code, w.Header().Get("Location"))
		}
	})
	t.Run("staff see every page of the console, of their own tenant alone", func(t *testing.T) {
		pages := []string{"/admin", "/admin/people", "/admin/dictionary", "/admin/dictionary/city", "/admin/agents", "/admin/policies", "/admin/audit", "/admin/step-up"}
		admin, other := visit(app), visit(app)
		for b, link := range map[*browser]string{admin: first.Admins[0], other: welcome.Tenants[1].Admins[0]} {
			if w := b.use(t, link); w.Header().Get("Location") != "/admin" {
				t.Fatalf("%d to %q", w.Code, w.Header().Get("Location"))
			}
			for _, page := range pages {
				if w := b.get(page); w.Code != http.StatusOK || strings.Contains(w.Body.String(), "⟦") {
					t.Errorf("%s: %d", page, w.Code)
				}
			}
		}
		found := personLink.FindString(admin.get("/admin/people?q=" + first.Subject).Body.String())
		if w := admin.get(found); found == "" || w.Code != http.StatusOK || strings.Contains(w.Body.String(), "39.5") {
			t.Errorf("%q: %d, or its values aren't sealed", found, w.Code)
		}
		if w := other.get(found); w.Code != http.StatusNotFound {
			t.Errorf("another tenant's admin: %d", w.Code)
		}
		if w := admin.get("/me"); w.Code != http.StatusUnauthorized {
			t.Errorf("staff in the portal: %d", w.Code)
		}
		if w := call(app, admin.cookies[staffCookie].Value, "POST", "/api/v1/recall", "{}"); w.Code != http.StatusUnauthorized {
			t.Errorf("a session as a key: %d", w.Code)
		}
	})
	before, err := app.services.db.Count(asTenant(t, first.ID))
	if err != nil || before.People < 15 || before.Memories < 100 || before.Turns < 80 {
		t.Fatalf("the demo holds %+v, %v", before, err)
	}
	if w := call(app, first.AgentKey, "DELETE", "/api/v1/subjects/"+url.PathEscape(first.Subject), ""); w.Code != http.StatusAccepted {
		t.Fatalf("wipe: %d %s", w.Code, w.Body)
	}
	if err := errors.Join(app.services.queue.Drain(t.Context()), app.Close()); err != nil {
		t.Fatal(err)
	}
	t.Run("a second start goes on with the same people and gives new links and keys", func(t *testing.T) {
		app, again := startDemo(t, cfg)
		defer app.Close()
		after, err := app.services.db.Count(asTenant(t, first.ID))
		if err != nil || after.People != before.People-1 {
			t.Errorf("%+v, then %+v, %v", before, after, err)
		}
		now := again.Tenants[0]
		if now.Subject == first.Subject {
			t.Error("the link is of somebody who was wiped")
		}
		if w := recall(app, first); w.Code != http.StatusUnauthorized {
			t.Errorf("the old key: %d", w.Code)
		}
		if w := recall(app, now); w.Code != http.StatusOK {
			t.Errorf("the new key: %d", w.Code)
		}
		if w := visit(app).use(t, now.Person); w.Code != http.StatusSeeOther {
			t.Errorf("the new link: %d", w.Code)
		}
	})
}

func TestDemoCutShort(t *testing.T) {
	t.Parallel()
	cfg := folder(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var calls atomic.Int64
	cfg.Clock = func() time.Time {
		if calls.Add(1) == 300 { // well within the seeding
			cancel()
		}
		return time.Now()
	}
	if _, _, err := NewDemo(ctx, cfg); err == nil {
		t.Fatal("it started all the same")
	}
	var line *StartError
	if _, _, err := NewDemo(t.Context(), folderAgain(cfg)); !errors.As(err, &line) || !strings.Contains(line.Line, "isn't a finished demo") {
		t.Errorf("the next start: %v", err)
	}
}

func folderAgain(cfg Config) Config {
	cfg.Clock = nil
	return cfg
}

func asTenant(t *testing.T, tenant string) context.Context {
	t.Helper()
	return models.WithTenant(t.Context(), tenant)
}
