package browser

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/audits"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
)

// watch collects what a tab does wrong. Chromium's reader calls see, so it only takes
// a note under the lock.
type watch struct {
	mu       sync.Mutex
	faults   []fault
	expected []int
	host     string // the first server asked: the page's own
}

type fault struct {
	text   string
	status int // of the answer that caused it; 0: something else did
}

var loggedStatus = regexp.MustCompile(`status of (\d{3})`)

func (w *watch) see(event any) {
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		if slices.Contains([]runtime.ConsoleAPICalledType{runtime.ConsoleAPICalledTypeError, runtime.ConsoleAPICalledTypeWarning, runtime.ConsoleAPICalledTypeAssert}, e.Type) {
			text := ""
			for _, arg := range e.Args {
				text += " " + string(arg.Value) + arg.Description
			}
			w.note(0, "console %s:%s", e.Type, text)
		}
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			text += " " + e.ExceptionDetails.Exception.Description
		}
		w.note(0, "exception: %s", text)
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			status := 0
			if found := loggedStatus.FindStringSubmatch(e.Entry.Text); found != nil && e.Entry.Source == log.EntrySourceNetwork {
				status, _ = strconv.Atoi(found[1]) // three digits, as matched
			}
			w.note(status, "log %s (%s): %s", e.Entry.Level, e.Entry.Source, e.Entry.Text)
		}
	case *audits.EventIssueAdded:
		if csp := e.Issue.Details.ContentSecurityPolicyIssueDetails; csp != nil {
			w.note(0, "CSP report: %s refused %s (%s)", csp.ViolatedDirective, csp.BlockedURL, csp.ContentSecurityPolicyViolationType)
		}
	case *network.EventRequestWillBeSent:
		w.seeRequest(e.Request.URL)
	case *network.EventResponseReceived:
		if e.Response.Status >= 400 {
			w.note(int(e.Response.Status), "answer %d: %s", e.Response.Status, bare(e.Response.URL))
		}
	case *network.EventLoadingFailed:
		// A navigation that leaves a page cancels what that page was still loading.
		if !e.Canceled {
			w.note(0, "request failed: %s %s", e.ErrorText, e.BlockedReason)
		}
	}
}

// seeRequest notes a request to any server but the page's own: the product loads
// nothing from elsewhere.
func (w *watch) seeRequest(address string) {
	target, err := url.Parse(address)
	if err != nil || !strings.HasPrefix(target.Scheme, "http") {
		return
	}
	w.mu.Lock()
	if w.host == "" {
		w.host = target.Host
	}
	foreign := w.host != target.Host
	w.mu.Unlock()
	if foreign {
		w.note(0, "asks another server: %s", bare(address))
	}
}

// bare leaves the query out: it may hold the token of a sign-in link.
func bare(address string) string {
	path, _, _ := strings.Cut(address, "?")
	return path
}

func (w *watch) note(status int, format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.faults = append(w.faults, fault{text: fmt.Sprintf(format, args...), status: status})
}

func (w *watch) expect(statuses []int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.expected = append(w.expected, statuses...)
}

// take returns the faults that weren't expected, and forgets all.
func (w *watch) take() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var texts []string
	for _, f := range w.faults {
		if f.status == 0 || !slices.Contains(w.expected, f.status) {
			texts = append(texts, f.text)
		}
	}
	w.faults, w.expected = nil, nil
	return texts
}
