package handlers

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"fornix/memory"
)

func init() { gin.SetMode(gin.TestMode) }

// send runs one request through a handler registered for the pattern, on an engine
// set up as web's is.
func send(handle func(*gin.Context) error, method, pattern, target, body string, headers ...string) (*httptest.ResponseRecorder, error) {
	e := gin.New()
	e.UseRawPath, e.UnescapePathValues = true, true
	var err error
	reached := false
	e.Handle(method, pattern, func(c *gin.Context) { reached, err = true, handle(c) })
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	r := httptest.NewRequest(method, target, reader)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	if !reached {
		err = errors.New("the route was not reached")
	}
	return w, err
}

// faultsOf lists an error's faults as "name code".
func faultsOf(t *testing.T, err error) []string {
	t.Helper()
	var e *memory.Error
	if !errors.As(err, &e) || e.Code != memory.CodeInvalid {
		t.Fatalf("error = %v, want an invalid one", err)
	}
	var list []string
	for _, f := range e.Fields {
		if f.Text == "" {
			t.Errorf("fault of %s has no text", f.Name)
		}
		list = append(list, f.Name+" "+f.Code)
	}
	return list
}

// fakeMemory is a Rememberer, Listener, Recaller and Profiler of functions.
type fakeMemory struct {
	remember   func(memory.RememberInput) (memory.Remembered, error)
	messages   func(memory.MessagesInput) (memory.Accepted, error)
	recall     func(memory.RecallInput) (memory.RecallAnswer, error)
	attributes func(subject string, keys []string) (memory.Attributes, error)
	put        func(subject, key string, in memory.AttributeInput) (memory.AttributeWritten, error)
	history    func(id string) ([]memory.MemoryView, error)
	correct    func(id string, in memory.CorrectInput) (memory.Remembered, error)
}

func (f fakeMemory) Remember(_ context.Context, in memory.RememberInput) (memory.Remembered, error) {
	return f.remember(in)
}

func (f fakeMemory) Memory(context.Context, string) (memory.MemoryView, error) {
	return memory.MemoryView{}, memory.NotFound()
}

func (f fakeMemory) History(_ context.Context, id string) ([]memory.MemoryView, error) {
	return f.history(id)
}

func (f fakeMemory) Correct(_ context.Context, id string, in memory.CorrectInput) (memory.Remembered, error) {
	return f.correct(id, in)
}

func (f fakeMemory) Messages(_ context.Context, in memory.MessagesInput) (memory.Accepted, error) {
	return f.messages(in)
}

func (f fakeMemory) Recall(_ context.Context, in memory.RecallInput) (memory.RecallAnswer, error) {
	return f.recall(in)
}

func (f fakeMemory) Attributes(_ context.Context, subject string, keys []string) (memory.Attributes, error) {
	return f.attributes(subject, keys)
}

func (f fakeMemory) PutAttribute(_ context.Context, subject, key string, in memory.AttributeInput) (memory.AttributeWritten, error) {
	return f.put(subject, key, in)
}

func TestCreateMemory(t *testing.T) {
	t.Parallel()
	for outcome, status := range map[string]int{
		memory.OutcomeCreated: 201, memory.OutcomeSuperseded: 201, memory.OutcomePending: 201, memory.OutcomeConflict: 201,
		memory.OutcomeMerged: 200, memory.OutcomeIgnored: 200, memory.OutcomeAccepted: 200,
	} {
		t.Run(outcome+" answers its status", func(t *testing.T) {
			t.Parallel()
			var got memory.RememberInput
			h := Memories{Memory: fakeMemory{remember: func(in memory.RememberInput) (memory.Remembered, error) {
				got = in
				return memory.Remembered{MemoryID: "mem_1", Outcome: outcome, Version: 1}, nil
			}}}
			w, err := send(h.Create, http.MethodPost, "/api/v1/memories", "/api/v1/memories", `{"subject":"王/小明+1","content":"喜欢 <tea> & 𝄞"}`)
			if err != nil || w.Code != status {
				t.Fatalf("status %d, error %v, want %d", w.Code, err, status)
			}
			if got.Subject != "王/小明+1" || got.Content != "喜欢 <tea> & 𝄞" {
				t.Errorf("input = %+v", got)
			}
			if hasLocation := w.Header().Get("Location") == "/api/v1/memories/mem_1"; hasLocation != (status == 201) {
				t.Errorf("Location = %q", w.Header().Get("Location"))
			}
			if body := w.Body.String(); !strings.Contains(body, `"outcome":"`+outcome+`"`) {
				t.Errorf("body = %s", body)
			}
		})
	}
}

func TestErrorsOfServicesAreReturned(t *testing.T) {
	t.Parallel()
	conflict := &memory.Error{Code: memory.CodeConflict, Current: 7}
	h := Memories{Memory: fakeMemory{correct: func(string, memory.CorrectInput) (memory.Remembered, error) {
		return memory.Remembered{}, conflict
	}}}
	w, err := send(h.Correct, http.MethodPatch, "/api/v1/memories/:id", "/api/v1/memories/mem_x", `{"content":"a","version":6}`)
	if !errors.Is(err, conflict) || w.Body.Len() > 0 {
		t.Fatalf("error = %v, body %q", err, w.Body)
	}
}

func TestNilListsAreEmptyLists(t *testing.T) {
	t.Parallel()
	fake := fakeMemory{
		history:    func(string) ([]memory.MemoryView, error) { return nil, nil },
		recall:     func(memory.RecallInput) (memory.RecallAnswer, error) { return memory.RecallAnswer{}, nil },
		attributes: func(string, []string) (memory.Attributes, error) { return memory.Attributes{}, nil },
	}
	memories, recalls, attributes := Memories{Memory: fake}, Recalls{Memory: fake}, Attributes{Memory: fake}
	for name, c := range map[string]struct {
		handle                        func(*gin.Context) error
		method, pattern, target, body string
		want                          []string
	}{
		"history":    {memories.History, "GET", "/m/:id/history", "/m/x/history", "", []string{`"versions":[]`}},
		"recall":     {recalls.Create, "POST", "/r", "/r", `{"query":"a"}`, []string{`"items":[]`, `"degraded":[]`}},
		"attributes": {attributes.List, "GET", "/s/:subject/attributes", "/s/x/attributes?keys=a", "", []string{`"attributes":{}`, `"denied":[]`, `"missing":[]`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, err := send(c.handle, c.method, c.pattern, c.target, c.body)
			if err != nil || w.Code != http.StatusOK {
				t.Fatalf("status %d, error %v", w.Code, err)
			}
			for _, want := range c.want {
				if !strings.Contains(w.Body.String(), want) {
					t.Errorf("body %s lacks %s", w.Body, want)
				}
			}
		})
	}
}
