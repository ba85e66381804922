package handlers

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/go-cmp/cmp"

	"fornix/memory"
	"fornix/privacy"
	"fornix/views"
)

type waitError struct{}

func (waitError) Error() string { return "wait" }
func (waitError) Seconds() int  { return 9 }

func TestSignIn(t *testing.T) {
	t.Parallel()
	down := errors.New("down")
	for name, c := range map[string]struct {
		email, password, back string
		err                   error
		status                int
		to                    string
	}{
		"success goes to the console":           {"a@b.c", "secret", "", nil, 303, "/admin"},
		"success goes back where it came from":  {"a@b.c", "secret", "/admin/people?q=x", nil, 303, "/admin/people?q=x"},
		"another host is no way back":           {"a@b.c", "secret", "//evil.example", nil, 303, "/admin"},
		"another part is no way back":           {"a@b.c", "secret", "/adminx", nil, 303, "/admin"},
		"a wrong pair shows the form":           {"a@b.c", "secret", "", ErrWrong, 422, ""},
		"too many tries say how long":           {"a@b.c", "secret", "", waitError{}, 429, ""},
		"no password is a fault":                {"a@b.c", "", "", errors.New("must not be asked"), 422, ""},
		"trouble with the accounts is returned": {"a@b.c", "secret", "", down, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := Front{Pages: testPages(), Accounts: fakeAccounts{signIn: func(string, string) error { return c.err }}}
			w, err := send(h.SignIn, http.MethodPost, "/signin", "/signin", form("email", c.email, "password", c.password, "back", c.back))
			if c.status == 0 {
				if !errors.Is(err, down) {
					t.Errorf("error = %v", err)
				}
				return
			}
			if err != nil || w.Code != c.status || w.Header().Get("Location") != c.to {
				t.Fatalf("status %d to %q, error %v, want %d to %q", w.Code, w.Header().Get("Location"), err, c.status, c.to)
			}
			if c.status != 303 && (!strings.Contains(w.Body.String(), "a@b.c") || strings.Contains(w.Body.String(), "secret")) {
				t.Error("the form must keep the address and never the password")
			}
		})
	}
}

func TestSignInLink(t *testing.T) {
	t.Parallel()
	gone := memory.Fail(memory.CodeGone, "x", "used")
	used := 0
	accounts := fakeAccounts{
		peek: func(token string) (Link, error) {
			if token != "good" {
				return Link{}, gone
			}
			return Link{Tenant: "Aurora", Portal: true}, nil
		},
		use: func(token string) (Link, error) {
			if used++; token != "good" {
				return Link{}, gone
			}
			return Link{Portal: true}, nil
		},
	}
	h := Front{Pages: testPages(), Accounts: accounts}
	for _, c := range []struct {
		name, method, target, body string
		handle                     func(*gin.Context) error
		status, used               int
		to                         string
	}{
		{"opening the page uses nothing up", "GET", "/signin/link?token=good", "", h.LinkForm, 200, 0, ""},
		{"what a link tracker adds is ignored", "GET", "/signin/link?token=good&utm_source=mail", "", h.LinkForm, 200, 0, ""},
		{"a used link says so", "GET", "/signin/link?token=old", "", h.LinkForm, 410, 0, ""},
		{"the button signs in", "POST", "/signin/link", form("token", "good"), h.UseLink, 303, 1, "/me"},
		{"the button of a used link says so", "POST", "/signin/link", form("token", "old"), h.UseLink, 410, 2, ""},
	} {
		w, err := send(c.handle, c.method, "/signin/link", c.target, c.body)
		if err != nil || w.Code != c.status || used != c.used || w.Header().Get("Location") != c.to {
			t.Errorf("%s: status %d, used %d, to %q, error %v", c.name, w.Code, used, w.Header().Get("Location"), err)
		}
	}
}

func TestLocale(t *testing.T) {
	t.Parallel()
	locale := ""
	h := Front{Pages: testPages(), Accounts: fakeAccounts{locale: &locale}}
	w, err := send(h.Locale, http.MethodPost, "/locale", "/locale", form("locale", "zh-Hans", "back", "/me?cursor=1"))
	if err != nil || w.Code != 303 || w.Header().Get("Location") != "/me?cursor=1" || locale != "zh-Hans" {
		t.Errorf("status %d to %q, locale %q, error %v", w.Code, w.Header().Get("Location"), locale, err)
	}
	if w, _ = send(h.Locale, http.MethodPost, "/locale", "/locale", form("locale", "en", "back", "//evil.example")); w.Header().Get("Location") != "/" {
		t.Errorf("goes to %q", w.Header().Get("Location"))
	}
	_, err = send(h.Locale, http.MethodPost, "/locale", "/locale", form("locale", "xx", "back", "/"))
	if diff := cmp.Diff([]string{"locale unknown"}, faultsOf(t, err)); diff != "" {
		t.Error(diff)
	}
}

func TestFlashIsShownOnce(t *testing.T) {
	t.Parallel()
	h := Front{Pages: testPages()}
	w, err := send(h.Landing, http.MethodGet, "/", "/", "", "Cookie", "flash=flash.deleted")
	if err != nil || !strings.Contains(w.Body.String(), "Deleted.") || !strings.Contains(w.Header().Get("Set-Cookie"), "Max-Age=0") {
		t.Errorf("error %v, cookies %q", err, w.Header().Get("Set-Cookie"))
	}
	w, err = send(h.Landing, http.MethodGet, "/", "/", "", "Cookie", "flash=common.sign_out")
	if err != nil || strings.Contains(w.Body.String(), `class="notice`) {
		t.Errorf("a key that is no outcome is shown; error %v", err)
	}
}

func TestToReceiptPage(t *testing.T) {
	t.Parallel()
	asked, done := time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC), time.Date(2026, 5, 1, 9, 0, 2, 0, time.UTC)
	receipt := privacy.ReceiptView{Body: "{}", Signature: "c2ln", PublicKey: "a2V5", ReceiptBody: privacy.ReceiptBody{
		ReceiptID: "r1", ErasureID: "e1", Tenant: "aurora", Subject: "sub_x", Scope: "all", RequestedBy: "subject", RequestedAt: asked, ExecutedAt: done,
		Deleted: map[string]int64{"turns": 12, "memories": 3, "queue": 1}, Key: &privacy.ReceiptKey{Epoch: 2, Destroyed: true},
		Kept: []string{"tombstone", "request_and_receipt", "audit_envelopes", "ledger"},
	}}
	want := views.ReceiptPage{
		ID: "r1", Erasure: "e1", Tenant: "aurora", Pseudonym: "sub_x", Scope: "all", Ground: "portal",
		Received: asked, Decided: asked, Executed: done, Issued: done, Decision: []views.ReceiptDecision{{Role: "subject", At: asked}},
		Key: views.ReceiptKey{ID: "sub_x", Epoch: 2, Destroyed: done, ReadBack: true},
		Stores: []views.ReceiptStoreRow{
			{Store: "memories", Before: 3, Method: "deleted"}, {Store: "queue", Before: 1, Method: "deleted"}, {Store: "turns", Before: 12, Method: "deleted"},
		},
		Kept: []views.ReceiptKeptRow{{What: "tombstone"}, {What: "receipt"}, {What: "audit"}, {What: "ledger"}},
		Body: "{}", Signature: "c2ln", PublicKey: "a2V5", Download: "/api/v1/receipts/r1",
	}
	if diff := cmp.Diff(want, toReceiptPage(receipt)); diff != "" {
		t.Error(diff)
	}
	receipt.Remaining = map[string]int64{"turns": 1}
	if page := toReceiptPage(receipt); !page.Partial || page.Stores[2].Before != 13 || page.Stores[2].Left != 1 {
		t.Errorf("a store with rows left makes %+v", page)
	}
}
