package e2e_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"fornix/e2e/browser"
	"fornix/e2e/process"
)

// looks are the machines that every walk is made on: both languages, both widths, light
// and dark, and without scripts.
func looks() []browser.Options {
	return []browser.Options{
		{Language: "zh-Hans", Width: browser.Desktop},
		{Language: "en", Width: browser.Phone, Dark: true},
		{Language: "zh-Hans", Width: browser.Phone, NoScript: true},
		{Language: "en", Width: browser.Desktop, NoScript: true},
	}
}

func nameOf(o browser.Options) string {
	name := fmt.Sprintf("%s %d px", o.Language, o.Width)
	if o.Dark {
		name += " dark"
	}
	if o.NoScript {
		name += " without scripts"
	}
	return name
}

// words are what people type, per language.
var words = map[string]struct{ wipe, corrected, reason, label string }{
	"en":      {wipe: "wipe", corrected: "Takes the train on Thursdays, never the bus.", reason: "Call 4711: the customer asks what we hold.", label: "Night train"},
	"zh-Hans": {wipe: "清除", corrected: "星期四坐火车，从来不坐公交车。", reason: "客户来电核对我们保存的内容，工单 4711。", label: "夜间列车"},
}

// walker is a person on a walk through the demo, with a page of their own.
type walker struct {
	*browser.Page
	t        *testing.T
	browser  *browser.Browser
	demo     *process.Demo
	language string
	scripts  bool
}

func newWalker(t *testing.T, demo *process.Demo, look browser.Options) *walker {
	t.Helper()
	b := chromium(t)
	if look.Language == "zh-Hans" {
		// The Chinese tenant's people speak Chinese: their pages hold long Chinese texts.
		theirs, err := demo.Of("beifeng")
		if err != nil {
			t.Fatal(err)
		}
		demo = theirs
	}
	return &walker{Page: b.Page(t, demo.URL, look), t: t, browser: b, demo: demo, language: look.Language, scripts: !look.NoScript}
}

// open opens a path and wants it to be there.
func (w *walker) open(path string) {
	w.t.Helper()
	if status := w.Open(path); status != http.StatusOK {
		w.t.Fatalf("%s answers %d, want 200", path, status)
	}
}

// check is Check, and the language that was asked for.
func (w *walker) check(name string) {
	w.t.Helper()
	if lang := w.Attribute("html", "lang"); lang != w.language {
		w.t.Errorf("%s is in %q, want %q", name, lang, w.language)
	}
	w.Check(name)
}

// tabs walks the page by keyboard, where the look has scripts.
func (w *walker) tabs(name string) {
	w.t.Helper()
	if !w.scripts {
		return
	}
	for _, fault := range w.TabWalk() {
		w.t.Errorf("%s by keyboard: %s", name, fault)
	}
}

// lead follows a link or button and wants the status.
func (w *walker) lead(selector string, want int) {
	w.t.Helper()
	if status := w.Follow(selector); status != want {
		w.t.Fatalf("%s leads to %d (%s), want %d", selector, status, w.Path(), want)
	}
}

// refused is lead to an answer that the harness would take for a fault.
func (w *walker) refused(selector string, want int) {
	w.t.Helper()
	w.Expect(want)
	w.lead(selector, want)
}

// summary wants the error summary to link to the field and, where scripts run, to have the
// focus.
func (w *walker) summary(field string) {
	w.t.Helper()
	if !w.Has(`.summary[role=alert] a[href="#` + w.Attribute("[name="+field+"]", "id") + `"]`) {
		w.t.Errorf("no error summary that links to %s", field)
	}
	if w.scripts && !browser.Ask[bool](w.Page, `document.activeElement?.matches(".summary")`) {
		w.t.Error("the error summary doesn't have the focus")
	}
}

// flashed wants the outcome of the last step to be said.
func (w *walker) flashed() {
	w.t.Helper()
	if strings.TrimSpace(w.Text("[role=status]")) == "" {
		w.t.Errorf("%s doesn't say what came of the last step", w.Path())
	}
}

func (w *walker) arrivedAt(path string) {
	w.t.Helper()
	if got, _, _ := strings.Cut(w.Path(), "?"); got != path {
		w.t.Fatalf("arrived at %s, want %s", got, path)
	}
}

// signIn opens a sign-in link twice, as a preview would, and then presses its button.
func (w *walker) signIn(link, home string) {
	w.t.Helper()
	w.open(link)
	w.open(link)
	w.check("sign-in link")
	w.lead(`form[action="/signin/link"] button`, http.StatusOK)
	w.arrivedAt(home)
}

// linkIsGone wants a used link to sign nobody in.
func (w *walker) linkIsGone(link string) {
	w.t.Helper()
	stranger := w.browser.Page(w.t, w.demo.URL, browser.Options{Language: w.language})
	stranger.Expect(http.StatusGone, http.StatusNotFound)
	stranger.Open(link)
	if stranger.Has(`form[action="/signin/link"]`) {
		stranger.Expect(http.StatusGone)
		stranger.Follow(`form[action="/signin/link"] button`)
	}
	if path := stranger.Path(); strings.HasPrefix(path, "/me") || strings.HasPrefix(path, "/admin") {
		w.t.Errorf("a used sign-in link leads to %s", path)
	}
	stranger.Check("used sign-in link")
}

// untilReceipt asks for the erasure's progress again until it has a receipt, and opens it.
func (w *walker) untilReceipt() {
	w.t.Helper()
	const enough = 200 // each time is a request: many seconds on any machine
	for range enough {
		if w.Has(`main a[href^="/receipts/"]`) {
			w.lead(`main a[href^="/receipts/"]`, http.StatusOK)
			return
		}
		w.open(w.Path())
	}
	w.t.Fatalf("no receipt at %s: %s", w.Path(), w.Text("main"))
}
