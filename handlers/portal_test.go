package handlers

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/go-cmp/cmp"

	"fornix/memory"
	"fornix/policy"
	"fornix/privacy"
	"fornix/views"
	"fornix/views/i18n"
)

func testPages() *Pages {
	return &Pages{
		Tenant: func(context.Context) (string, error) { return "Aurora Travel", nil },
		Can:    func(policy.Principal, string, string) bool { return true },
	}
}

// fakePortal is a person's memory of functions; what isn't given isn't there.
type fakePortal struct {
	mine      Mine
	attribute MyAttribute
	memory    MyMemory
	counts    MyCounts
	correct   func(id string, in memory.CorrectInput) error
	attr      func(key, value string, version int64) error
	wiped     *int
}

func (f fakePortal) Mine(context.Context, string) (Mine, error) { return f.mine, nil }

func (f fakePortal) MyAttribute(_ context.Context, key string) (MyAttribute, error) {
	if f.attribute.Key != key {
		return MyAttribute{}, memory.NotFound()
	}
	return f.attribute, nil
}

func (f fakePortal) MyMemory(_ context.Context, id string) (MyMemory, error) {
	if f.memory.ID != id {
		return MyMemory{}, memory.NotFound()
	}
	return f.memory, nil
}

func (f fakePortal) MyTurn(context.Context, string) (MyTurn, error) {
	return MyTurn{}, memory.NotFound()
}
func (f fakePortal) MyTurns(context.Context, string) (MyTurns, error)   { return MyTurns{}, nil }
func (f fakePortal) MyAccess(context.Context, string) (MyAccess, error) { return MyAccess{}, nil }
func (f fakePortal) MyCounts(context.Context) (MyCounts, error)         { return f.counts, nil }

func (f fakePortal) Correct(_ context.Context, id string, in memory.CorrectInput) (memory.Remembered, error) {
	return memory.Remembered{}, f.correct(id, in)
}

func (f fakePortal) CorrectOwnAttribute(_ context.Context, key string, value []byte, version int64) (memory.AttributeWritten, error) {
	return memory.AttributeWritten{}, f.attr(key, string(value), version)
}

func (f fakePortal) WipeSelf(context.Context) (privacy.Requested, error) {
	*f.wiped++
	return privacy.Requested{ErasureID: "e1", ProgressToken: "s&1"}, nil
}

func (f fakePortal) ErasureByToken(_ context.Context, id, token string) (privacy.ErasureView, error) {
	if id != "e1" || token != "s&1" {
		return privacy.ErasureView{}, memory.NotFound()
	}
	return privacy.ErasureView{ErasureID: id, State: "complete", Scope: "all", ReceiptID: "r1"}, nil
}

type fakeAccounts struct {
	signIn    func(email, password string) error
	use       func(token string) (Link, error)
	peek      func(token string) (Link, error)
	forgotten *int
	locale    *string
}

func (f fakeAccounts) SignIn(_ *gin.Context, email, password string) error {
	return f.signIn(email, password)
}
func (f fakeAccounts) PeekLink(_ context.Context, token string) (Link, error) { return f.peek(token) }
func (f fakeAccounts) UseLink(_ *gin.Context, token string) (Link, error)     { return f.use(token) }
func (f fakeAccounts) SignOut(*gin.Context) (bool, error)                     { return true, nil }
func (f fakeAccounts) Forget(*gin.Context)                                    { *f.forgotten++ }
func (f fakeAccounts) SetLocale(_ *gin.Context, locale string)                { *f.locale = locale }

func form(pairs ...string) string {
	values := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		values.Set(pairs[i], pairs[i+1])
	}
	return values.Encode()
}

func TestCorrectMemory(t *testing.T) {
	t.Parallel()
	const pattern, target = "/me/memories/:id/correct", "/me/memories/mem_1/correct"
	present := MyMemory{ID: "mem_1", Content: "Lives in Hangzhou", Origin: Origin{Version: 4, ChangedKind: policy.KindUser, ChangedBy: "admin"}}
	for name, c := range map[string]struct {
		err    error
		status int
		want   []string
	}{
		"success goes on to the memory": {nil, 303, nil},
		"faults show the form with what was typed": {
			memory.Invalid(memory.Field{Name: "content", Code: "too_long", Text: "x"}), 422,
			[]string{"moved to Suzhou", "Lives in Hangzhou", i18n.In(i18n.En, "error.field.too_long"), `name="version" value="3"`},
		},
		"a conflict shows both versions": {
			&memory.Error{Code: memory.CodeConflict, Current: 4}, 409,
			[]string{"moved to Suzhou", "Lives in Hangzhou", `name="version" value="4"`, i18n.In(i18n.En, "portal.role.admin")},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got memory.CorrectInput
			h := PortalCorrections{Pages: testPages(), Memory: fakePortal{memory: present, correct: func(_ string, in memory.CorrectInput) error {
				got = in
				return c.err
			}}}
			w, err := send(h.CorrectMemory, http.MethodPost, pattern, target, form("content", "moved to Suzhou\r\nin May", "version", "3"))
			if err != nil || w.Code != c.status {
				t.Fatalf("status %d, error %v, want %d", w.Code, err, c.status)
			}
			if diff := cmp.Diff(memory.CorrectInput{Content: "moved to Suzhou\nin May", Version: 3}, got); diff != "" {
				t.Error(diff)
			}
			for _, want := range c.want {
				if !strings.Contains(w.Body.String(), want) {
					t.Errorf("the page lacks %q", want)
				}
			}
			if c.status == 303 && (w.Header().Get("Location") != "/me" || !strings.Contains(w.Header().Get("Set-Cookie"), "flash.corrected")) {
				t.Errorf("headers = %v", w.Header())
			}
		})
	}
	t.Run("other errors are web's", func(t *testing.T) {
		t.Parallel()
		h := PortalCorrections{Pages: testPages(), Memory: fakePortal{correct: func(string, memory.CorrectInput) error { return memory.NotFound() }}}
		_, err := send(h.CorrectMemory, http.MethodPost, pattern, target, form("content", "x", "version", "3"))
		if memory.CodeOf(err) != memory.CodeNotFound {
			t.Errorf("error = %v", err)
		}
	})
	for name, body := range map[string]string{
		"no version": form("content", "x"), "version 0": form("content", "x", "version", "0"),
		"a field of another form": form("content", "x", "version", "1", "source", "manual"),
	} {
		t.Run(name+" writes nothing", func(t *testing.T) {
			t.Parallel()
			h := PortalCorrections{Pages: testPages(), Memory: fakePortal{memory: present, correct: func(string, memory.CorrectInput) error {
				t.Error("the service was called")
				return nil
			}}}
			_, err := send(h.CorrectMemory, http.MethodPost, pattern, target, body)
			faultsOf(t, err)
		})
	}
}

func TestCorrectAttributeKeepsTheKindOfValue(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ now, typed, want string }{
		"text":                   {`"vegan"`, `says "tea"`, `"says \"tea\""`},
		"a text of digits":       {`"12"`, `13`, `"13"`},
		"number":                 {`2`, ` 3 `, `3`},
		"truth":                  {`true`, `false`, `false`},
		"list":                   {`["a","b"]`, `茶, b，c`, `["茶","b","c"]`},
		"words for a number":     {`2`, `two`, ``},
		"blank is not a value":   {`"vegan"`, ` `, ``},
		"object stays an object": {`{"a":1}`, `{"a":2}`, `{"a":2}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			written := ""
			h := PortalCorrections{Pages: testPages(), Memory: fakePortal{
				attribute: MyAttribute{Key: "diet", Value: []byte(c.now), Origin: Origin{Version: 1}},
				attr:      func(_, value string, _ int64) error { written = value; return nil },
			}}
			w, err := send(h.CorrectAttribute, http.MethodPost, "/me/attributes/:key/correct", "/me/attributes/diet/correct", form("value", c.typed, "version", "1"))
			status := http.StatusSeeOther
			if c.want == "" {
				status = http.StatusUnprocessableEntity
			}
			if err != nil || w.Code != status || written != c.want {
				t.Errorf("status %d, error %v, wrote %q, want %q", w.Code, err, written, c.want)
			}
		})
	}
}

func TestWipe(t *testing.T) {
	t.Parallel()
	for typed, status := range map[string]int{"wipe": 303, " WIPE ": 303, "清除": 303, "": 422, "yes": 422} {
		t.Run("typed "+typed, func(t *testing.T) {
			t.Parallel()
			wiped, forgotten := 0, 0
			h := PortalWipe{Pages: testPages(), Accounts: fakeAccounts{forgotten: &forgotten}}
			portal := fakePortal{wiped: &wiped, counts: MyCounts{Stores: []StoreCount{{"memories", 41}}}}
			h.Memory, h.Privacy = portal, portal
			w, err := send(h.Wipe, http.MethodPost, "/me/wipe", "/me/wipe", form("confirm", typed))
			if err != nil || w.Code != status {
				t.Fatalf("status %d, error %v, want %d", w.Code, err, status)
			}
			done := 0
			if status == 303 {
				done = 1
				if to := w.Header().Get("Location"); to != "/me/erasure/e1?token=s%261" {
					t.Errorf("goes to %s", to)
				}
			} else if !strings.Contains(w.Body.String(), "41") {
				t.Error("the page doesn't say what goes")
			}
			if wiped != done || forgotten != done {
				t.Errorf("wiped %d, forgotten %d times, want %d", wiped, forgotten, done)
			}
		})
	}
	t.Run("progress needs the secret and leads to the receipt", func(t *testing.T) {
		t.Parallel()
		h := PortalWipe{Pages: testPages(), Privacy: fakePortal{}}
		w, err := send(h.Erasure, http.MethodGet, "/me/erasure/:id", "/me/erasure/e1?token=s%261", "")
		if err != nil || !strings.Contains(w.Body.String(), `href="/receipts/r1"`) {
			t.Errorf("error %v, page %s", err, w.Body)
		}
		if _, err = send(h.Erasure, http.MethodGet, "/me/erasure/:id", "/me/erasure/e1?token=s", ""); memory.CodeOf(err) != memory.CodeNotFound {
			t.Errorf("error = %v", err)
		}
	})
}

func TestToPortalHome(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	origin := Origin{Source: "user", Quote: "我吃素", Agent: "Concierge", Since: at, Until: at.AddDate(1, 0, 0), VisibleTo: []string{"Sales"}, Version: 2}
	got := toPortalHome(Mine{
		Attributes: []MyAttribute{
			{Origin: origin, Key: "diet", Labels: map[string]string{"zh-Hans": "饮食", "en": "Diet"}, Value: []byte(`["素","无辣"]`)},
			{Key: "home_town", Value: []byte(`"杭州"`)},
		},
		Memories: []MyMemory{{Origin: origin, ID: "mem_1", Content: "吃素", Kind: "hard_fact"}}, Turns: 7,
	}, i18n.ZhHans)
	why := views.Why{Source: "user", Quote: "我吃素", Agent: "Concierge", Since: at}
	want := views.PortalHomePage{
		Attributes: []views.PortalAttributeRow{
			{Key: "diet", Label: "饮食", Value: "素, 无辣", Why: why, VisibleTo: []string{"Sales"}, Until: origin.Until, Version: 2},
			{Key: "home_town", Label: "home town", Value: "杭州"},
		},
		Memories: []views.PortalMemoryRow{{ID: "mem_1", Content: "吃素", Kind: "hard_fact", Why: why, VisibleTo: []string{"Sales"}, Until: origin.Until, Version: 2}},
		Turns:    7,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
