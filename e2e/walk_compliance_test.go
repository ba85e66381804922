package e2e_test

import (
	"net/http"
	"strings"
	"testing"

	"fornix/e2e/browser"
)

// TestComplianceWalk is a compliance officer's day: find events, open one, open a sealed
// value with a reason, erase a person for them, and keep the receipt.
func TestComplianceWalk(t *testing.T) {
	t.Parallel()
	for _, look := range looks() {
		t.Run(nameOf(look), func(t *testing.T) {
			t.Parallel()
			w := newWalker(t, startDemo(t), look)
			w.signIn(w.demo.Compliance, "/admin")
			w.check("compliance overview")
			w.searchTrail()
			w.revealEvent()
			w.eraseSomebody()
		})
	}
}

// searchTrail looks at the audit page, narrows it to what finds nothing, and takes that
// back.
func (w *walker) searchTrail() {
	w.t.Helper()
	w.open("/admin/audit")
	if w.Count("main tbody tr") == 0 {
		w.t.Fatal("the demo's trail is empty")
	}
	w.check("audit")
	w.tabs("audit")

	w.open("/admin/audit?action=subject.wipe")
	if w.Has("main tbody tr") {
		w.t.Error("a demo that nobody wiped lists a wipe")
	}
	w.check("audit without a match")
}

// revealEvent opens an entry with something sealed in it, is refused without a reason,
// and is told what was sealed.
func (w *walker) revealEvent() {
	w.t.Helper()
	w.open("/admin/audit?action=memory.create")
	entries := browser.Ask[[]string](w.Page, `[...document.querySelectorAll("main tbody a[href^='/admin/audit/']")].map(a => a.getAttribute("href"))`)
	if len(entries) == 0 {
		w.t.Fatal("the trail of a filled demo has no memory.create")
	}
	w.open(entries[0])
	w.check("audit entry")

	w.SkipBrowserChecks()
	w.reasonInView("short")
	w.refused(`form[action$="/reveal"] button`, http.StatusUnprocessableEntity)
	w.check("audit reveal refused")

	w.reasonInView(words[w.language].reason)
	w.lead(`form[action$="/reveal"] button`, http.StatusOK)
	if w.Has(`form[action$="/reveal"]`) {
		w.t.Error("the entry is still sealed after its reveal")
	}
	w.check("audit revealed")
}

// eraseSomebody wipes a person other than the demo's, with a reason and the word.
func (w *walker) eraseSomebody() {
	w.t.Helper()
	w.open("/admin/people")
	w.lead(`main tbody a[href^="/admin/people/"]`, http.StatusOK)
	person := w.Path()
	w.lead(`main a[href$="/wipe"]`, http.StatusOK)
	w.check("staff wipe")

	w.SkipBrowserChecks()
	w.Fill("[name=reason]", "no")
	w.Fill("[name=confirm]", "no")
	w.refused(`form[action$="/wipe"] button`, http.StatusUnprocessableEntity)
	w.summary("reason")
	w.check("staff wipe refused")

	w.Fill("[name=reason]", words[w.language].reason)
	w.Fill("[name=confirm]", words[w.language].wipe)
	w.lead(`form[action$="/wipe"] button`, http.StatusOK)
	if !strings.HasPrefix(w.Path(), "/admin/erasures/") {
		w.t.Fatalf("a wipe leads to %s, want its progress", w.Path())
	}
	w.check("staff erasure")
	w.untilReceipt()
	w.check("staff receipt")

	w.Expect(http.StatusNotFound, http.StatusGone)
	if status := w.Open(person); status == http.StatusOK && w.Has(`form[action$="/reveal"]`) {
		w.t.Error("a wiped person still has values to reveal")
	}
	w.Faults()
	w.open("/admin/audit?action=subject.wipe")
	if !w.Has("main tbody tr") {
		w.t.Error("the trail doesn't list the wipe")
	}
}
