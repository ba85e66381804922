package handlers

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/go-cmp/cmp"

	"fornix/memory"
	"fornix/privacy"
)

type linkFunc func(subject, locale string, ttl time.Duration) (string, time.Time, error)

func (f linkFunc) CreatePortalLink(_ context.Context, subject, locale string, ttl time.Duration) (string, time.Time, error) {
	return f(subject, locale, ttl)
}

func TestPortalLinks(t *testing.T) {
	t.Parallel()
	var got []any
	h := PortalLinks{Base: "https://m.example", Memory: linkFunc(func(subject, locale string, ttl time.Duration) (string, time.Time, error) {
		got = []any{subject, locale, ttl}
		return "a+b/c", time.Date(2026, 5, 1, 17, 0, 0, 0, time.FixedZone("", 8*3600)), nil
	})}
	w, err := send(h.Create, http.MethodPost, "/l", "/l", `{"subject":"王","locale":"zh-Hans","expires_in":60}`)
	if err != nil || w.Code != http.StatusCreated {
		t.Fatalf("status %d, error %v", w.Code, err)
	}
	want := `{"url":"https://m.example/signin/link?token=a%2Bb%2Fc","expires_at":"2026-05-01T09:00:00Z"}` + "\n"
	if diff := cmp.Diff(want, w.Body.String()) + cmp.Diff([]any{"王", "zh-Hans", time.Minute}, got); diff != "" {
		t.Error(diff)
	}
	got = nil
	for body, fault := range map[string]string{
		`{"locale":"en"}`:                               "subject required",
		`{"subject":"a","locale":"fr"}`:                 "locale unknown",
		`{"subject":"a","expires_in":0}`:                "expires_in out_of_range",
		`{"subject":"a","expires_in":-9}`:               "expires_in out_of_range",
		`{"subject":"a","expires_in":86401}`:            "expires_in out_of_range",
		`{"subject":"a","expires_in":9e99}`:             "expires_in invalid",
		`{"subject":"a","expires_in":9999999999999999}`: "expires_in out_of_range",
	} {
		_, err := send(h.Create, http.MethodPost, "/l", "/l", body)
		if diff := cmp.Diff([]string{fault}, faultsOf(t, err)); diff != "" || got != nil {
			t.Errorf("%s: %s, service got %v", body, diff, got)
		}
	}
}

type wipeFunc func(subject, reason string) (privacy.Requested, error)

func (f wipeFunc) Wipe(_ context.Context, subject, reason string) (privacy.Requested, error) {
	return f(subject, reason)
}

func TestWipeByAgent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ body, reason, fault string }{
		"without a body":     {"", "", ""},
		"with a reason":      {`{"reason":"asked by mail"}`, "asked by mail", ""},
		"with another field": {`{"why":"x"}`, "", "why unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			h := Subjects{Privacy: wipeFunc(func(subject, reason string) (privacy.Requested, error) {
				got = []string{subject, reason}
				return privacy.Requested{ErasureID: "e1", ProgressToken: "secret"}, nil
			})}
			w, err := send(h.Wipe, http.MethodDelete, "/api/v1/subjects/:subject", "/api/v1/subjects/a+b%2Fc", c.body)
			if c.fault != "" {
				if diff := cmp.Diff([]string{c.fault}, faultsOf(t, err)); diff != "" || got != nil {
					t.Error(diff, got)
				}
				return
			}
			if err != nil || w.Code != http.StatusAccepted || w.Header().Get("Location") != "/api/v1/erasures/e1" {
				t.Fatalf("status %d, error %v, headers %v", w.Code, err, w.Header())
			}
			if diff := cmp.Diff([]string{"a+b/c", c.reason}, got) + cmp.Diff("{\"erasure_id\":\"e1\"}\n", w.Body.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

type receiptFunc func(id string) (privacy.ReceiptView, error)

func (f receiptFunc) Receipt(_ context.Context, id string) (privacy.ReceiptView, error) { return f(id) }

func TestReceiptKeepsTheSignedText(t *testing.T) {
	t.Parallel()
	const body = `{"version":1,"note":"<é>"}`
	h := Receipts{Privacy: receiptFunc(func(string) (privacy.ReceiptView, error) {
		return privacy.ReceiptView{Body: body, Signature: "c2ln", PublicKey: "a2V5"}, nil
	})}
	w, err := send(h.Show, http.MethodGet, "/r/:id", "/r/x", "")
	want := `{"receipt":{"version":1,"note":"<é>"},"body":"{\"version\":1,\"note\":\"<é>\"}","signature":"c2ln","public_key":"a2V5"}` + "\n"
	if diff := cmp.Diff(want, w.Body.String()); err != nil || diff != "" {
		t.Errorf("error %v, %s", err, diff)
	}
}

func TestAttributeKeys(t *testing.T) {
	t.Parallel()
	var got []string
	h := Attributes{Memory: fakeMemory{attributes: func(_ string, keys []string) (memory.Attributes, error) {
		got = keys
		return memory.Attributes{}, nil
	}}}
	const pattern = "/s/:subject/attributes"
	if _, err := send(h.List, http.MethodGet, pattern, "/s/a/attributes?keys=a,%20b,,a", ""); err != nil || cmp.Diff([]string{"a", "b"}, got) != "" {
		t.Errorf("keys = %q, error %v", got, err)
	}
	for query, fault := range map[string]string{
		"": "keys required", "?keys=,": "keys required", "?key=a": "key unknown",
		"?keys=" + manyKeys(101): "keys too_long",
	} {
		_, err := send(h.List, http.MethodGet, pattern, "/s/a/attributes"+query, "")
		if diff := cmp.Diff([]string{fault}, faultsOf(t, err)); diff != "" {
			t.Errorf("%s: %s", query, diff)
		}
	}
}

func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(",k" + strings.Repeat("x", i))
	}
	return b.String()
}

func TestALargeBodyIsAnErrorOfItsOwn(t *testing.T) {
	t.Parallel()
	h := Messages{Memory: fakeMemory{messages: func(memory.MessagesInput) (memory.Accepted, error) {
		t.Error("the service was called")
		return memory.Accepted{}, nil
	}}}
	limited := func(c *gin.Context) error {
		c.Request.Body = http.MaxBytesReader(httptest.NewRecorder(), c.Request.Body, 10)
		return h.Create(c)
	}
	_, err := send(limited, http.MethodPost, "/m", "/m", `{"subject":"somebody"}`)
	var large *http.MaxBytesError
	if !errors.As(err, &large) {
		t.Errorf("error = %v", err)
	}
}
