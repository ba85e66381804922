package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"fornix/memory"
	"fornix/policy"
	"fornix/views"
	"fornix/web/account"
)

// problem is an error answer of the API (application/problem+json).
type problem struct {
	Type      string         `json:"type"`
	Title     string         `json:"title"`
	Status    int            `json:"status"`
	Detail    string         `json:"detail,omitempty"`
	Code      string         `json:"code"`
	Fields    []problemField `json:"fields,omitempty"`
	Version   int64          `json:"current_version,omitempty"`
	RequestID string         `json:"request_id"`

	key   string // of the page's text
	retry int    // seconds; 0: none
}

type problemField struct {
	Name    string `json:"name"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// retryUnavailable is how long a caller should wait for a dependency, in seconds.
const retryUnavailable = 5

var statusOf = map[memory.Code]int{
	memory.CodeInvalid:         http.StatusUnprocessableEntity,
	memory.CodeUnauthenticated: http.StatusUnauthorized,
	memory.CodeForbidden:       http.StatusForbidden,
	memory.CodeNotFound:        http.StatusNotFound,
	memory.CodeConflict:        http.StatusConflict,
	memory.CodeGone:            http.StatusGone,
	memory.CodeUnavailable:     http.StatusServiceUnavailable,
	memory.CodeTooLarge:        http.StatusRequestEntityTooLarge,
}

// newProblem turns an error into an answer. What isn't a *memory.Error is an
// internal fault of which the caller learns the request's id alone.
func newProblem(err error) problem {
	var (
		known    *memory.Error
		wait     *account.WaitError
		tooLarge *http.MaxBytesError
	)
	switch {
	case errors.As(err, &wait):
		return problem{Status: http.StatusTooManyRequests, Code: "too_many", Detail: "too many tries", retry: wait.Seconds()}
	case errors.As(err, &tooLarge):
		return problem{Status: http.StatusRequestEntityTooLarge, Code: string(memory.CodeTooLarge), Detail: "the body is too large"}
	case errors.As(err, &known) && statusOf[known.Code] != 0:
		p := problem{Status: statusOf[known.Code], Code: string(known.Code), Detail: known.Text, Version: known.Current, key: known.Key}
		for _, f := range known.Fields {
			p.Fields = append(p.Fields, problemField{Name: f.Name, Code: f.Code, Message: f.Text})
		}
		if known.Code == memory.CodeUnavailable {
			p.retry = retryUnavailable
		}
		return p
	case errors.Is(err, policy.ErrConflict):
		return problem{Status: http.StatusConflict, Code: string(memory.CodeConflict), Detail: "the policy was changed meanwhile"}
	}
	return problem{Status: http.StatusInternalServerError, Code: "internal", Detail: "something went wrong on our side"}
}

// plainProblem is an answer for a status alone.
func plainProblem(status int, code, detail string) problem {
	return problem{Status: status, Code: code, Detail: detail}
}

// isAPI tells whether the caller is a program: it is answered in JSON.
func isAPI(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path, "/api/") || r.URL.Path == "/healthz" || r.URL.Path == "/readyz"
}

// writeProblem answers a program in JSON and a person with a page.
func writeProblem(w http.ResponseWriter, r *http.Request, p problem) {
	p.Type, p.Title, p.RequestID = "about:blank", http.StatusText(p.Status), requestID(r.Context())
	if p.retry > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(p.retry))
	}
	if p.Status == http.StatusUnauthorized && isAPI(r) {
		w.Header().Set("WWW-Authenticate", `Bearer realm="fornix"`)
	}
	if isAPI(r) {
		body, err := json.Marshal(p)
		if err != nil {
			http.Error(w, http.StatusText(p.Status), p.Status)
			return
		}
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(p.Status)
		_, _ = w.Write(append(body, '\n'))
		return
	}
	body, err := errorPage(r.Context(), r.URL.Path, p)
	if err != nil {
		http.Error(w, http.StatusText(p.Status), p.Status)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(p.Status)
	_, _ = w.Write(body)
}

func errorPage(ctx context.Context, path string, p problem) ([]byte, error) {
	page := views.ErrorPage{Status: p.Status, RequestID: p.RequestID, Key: p.key, Retry: p.retry}
	switch {
	case strings.HasPrefix(path, "/admin"):
		page.Home = "/admin"
	case strings.HasPrefix(path, "/me"):
		page.Home = "/me"
	}
	if p.Status == http.StatusUnauthorized {
		page.Home = "/"
	}
	var out bytes.Buffer
	err := views.ErrorView(page).Render(ctx, &out)
	return out.Bytes(), err
}
