package handlers

import (
	"context"
	"encoding/json"
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
	mine      map[string]memory.Mine // by cursor
	attribute memory.MyAttribute
	memories  []memory.MemoryView
	correct   func(id string, in memory.CorrectInput) error
	attr      func(key, value string, version int64) error
	wiped     *int
}

func (f fakePortal) Mine(_ context.Context, cursor string) (memory.Mine, error) {
	return f.mine[cursor], nil
}

func (f fakePortal) MyAttribute(_ context.Context, key string) (memory.MyAttribute, error) {
	if f.attribute.Key != key {
		return memory.MyAttribute{}, memory.NotFound()
	}
	return f.attribute, nil
}

func (f fakePortal) MyMemory(_ context.Context, id string) (memory.MemoryView, error) {
	for _, m := range f.memories {
		if m.MemoryID == id {
			return m, nil
		}
	}
	return memory.MemoryView{}, memory.NotFound()
}

func (f fakePortal) MyTurns(_ context.Context, cursor string) ([]memory.MyTurn, string, error) {
	if cursor == "" {
		return []memory.MyTurn{{ID: "trn_2", Content: "latest"}}, "older", nil
	}
	return []memory.MyTurn{{ID: "trn_1", Content: "first words"}}, "", nil
}

func (f fakePortal) MyAccesses(context.Context, string) ([]memory.MyAccess, string, error) {
	return []memory.MyAccess{{Who: "Sales", What: "recall", Count: 3, Denied: true}}, "", nil
}

func (f fakePortal) Correct(_ context.Context, id string, in memory.CorrectInput) (memory.Remembered, error) {
	return memory.Remembered{}, f.correct(id, in)
}

func (f fakePortal) CorrectOwnAttribute(_ context.Context, key string, value json.RawMessage, version int64) (memory.AttributeWritten, error) {
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
	// Somebody replaced the memory meanwhile: the address names the old one.
	chain := []memory.MemoryView{
		{MemoryID: "mem_1", Content: "Lived in Wuhan", Version: 3, ReplacedBy: "mem_2"},
		{MemoryID: "mem_2", Content: "Lives in Hangzhou", Version: 4, Source: "user"},
	}
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
			[]string{"moved to Suzhou", "Lives in Hangzhou", `name="version" value="4"`, `action="/me/memories/mem_2/correct"`, i18n.In(i18n.En, "portal.turns.you")},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got memory.CorrectInput
			h := PortalCorrections{Pages: testPages(), Memory: fakePortal{memories: chain, correct: func(_ string, in memory.CorrectInput) error {
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
			h := PortalCorrections{Pages: testPages(), Memory: fakePortal{memories: chain, correct: func(string, memory.CorrectInput) error {
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
				attribute: memory.MyAttribute{Key: "diet", Value: []byte(c.now), Version: 1},
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
			portal := fakePortal{wiped: &wiped, mine: map[string]memory.Mine{
				"": {Memories: make([]memory.MyMemory, 30), Next: "2", Turns: 7}, "2": {Memories: make([]memory.MyMemory, 11), Turns: 7},
			}}
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
			} else if !strings.Contains(w.Body.String(), "<b>41</b>") {
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
	at, until := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC), time.Date(2027, 5, 1, 0, 0, 0, 0, time.UTC)
	got := toPortalHome(memory.Mine{
		Attributes: []memory.MyAttribute{
			{Key: "diet", LabelZh: "饮食", LabelEn: "Diet", Value: []byte(`["素","无辣"]`), Source: "inferred", Reason: "点过素菜", Confidence: .9,
				VisibleTo: []string{"sales"}, ExpireAt: &until, UpdatedAt: at, Version: 2},
			{Key: "home_town", LabelZh: "home_town", Value: []byte(`"杭州"`), Source: "user", Confidence: 1},
		},
		Memories: []memory.MyMemory{{VisibleTo: []string{"sales"}, Pending: true, MemoryView: memory.MemoryView{
			MemoryID: "mem_1", Content: "吃素", Kind: "hard_fact", Source: "user", Confidence: .5, OccurredAt: at, ExpireAt: &until, Version: 2,
			Evidence: []memory.Evidence{{Quote: "我吃素", At: at}, {Quote: "早先的话", At: at.AddDate(-1, 0, 0)}, {At: until}},
		}}},
		Turns: 7,
	}, i18n.ZhHans)
	want := views.PortalHomePage{
		Attributes: []views.PortalAttributeRow{
			{Key: "diet", Label: "饮食", Value: "素, 无辣", Why: views.Why{Source: "inferred", Reason: "点过素菜", Since: at, Unsure: true},
				VisibleTo: []string{"sales"}, Until: until, Version: 2},
			{Key: "home_town", Label: "home town", Value: "杭州", Why: views.Why{Source: "user"}},
		},
		Memories: []views.PortalMemoryRow{{ID: "mem_1", Content: "吃素", Kind: "hard_fact", VisibleTo: []string{"sales"}, Until: until, Version: 2,
			Why: views.Why{Source: "user", Quote: "我吃素", Since: at, Unsure: true, Pending: true}}},
		Turns: 7,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestToSessions(t *testing.T) {
	t.Parallel()
	at := func(minute int) time.Time { return time.Date(2026, 5, 1, 9, minute, 0, 0, time.UTC) }
	got := toSessions([]memory.MyTurn{
		{ID: "4", Session: "b", Agent: "Sales", At: at(9)}, {ID: "3", Session: "a", At: at(3)}, {ID: "2", Session: "b", At: at(2)}, {ID: "1", Session: "a", At: at(1)},
	})
	want := []views.PortalSessionRow{
		{Agent: "Sales", Began: at(2), Turns: []views.PortalTurnRow{{ID: "2", At: at(2)}, {ID: "4", At: at(9)}}},
		{Began: at(1), Turns: []views.PortalTurnRow{{ID: "1", At: at(1)}, {ID: "3", At: at(3)}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestDeleteAsksFirst(t *testing.T) {
	t.Parallel()
	h := PortalDeletions{Pages: testPages(), Memory: fakePortal{}}
	w, err := send(h.TurnForm, http.MethodGet, "/me/turns/:id/delete", "/me/turns/trn_1/delete", "")
	if err != nil || !strings.Contains(w.Body.String(), "first words") || !strings.Contains(w.Body.String(), `action="/me/turns/trn_1/delete"`) {
		t.Errorf("error %v, page %s", err, w.Body)
	}
	if _, err = send(h.TurnForm, http.MethodGet, "/me/turns/:id/delete", "/me/turns/trn_x/delete", ""); memory.CodeOf(err) != memory.CodeNotFound {
		t.Errorf("error = %v", err)
	}
}
