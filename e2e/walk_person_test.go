package e2e_test

import (
	"net/http"
	"strings"
	"testing"

	"fornix/e2e/browser"
)

// TestPersonWalk is what a person comes for: see what is remembered and why, put one
// item right, delete one, see who looked, wipe all, keep the receipt. Each look is a
// demo of its own, since the walk ends with nothing left of the person.
func TestPersonWalk(t *testing.T) {
	t.Parallel()
	for _, look := range looks() {
		t.Run(nameOf(look), func(t *testing.T) {
			t.Parallel()
			w := newWalker(t, startDemo(t), look)
			w.signIn(w.demo.Person, "/me")
			w.linkIsGone(w.demo.Person)

			w.open("/me")
			if items := w.Count(".mem"); items < 5 {
				t.Fatalf("the demo's person has %d items, want a story", items)
			}
			if missing := w.Count(".mem:not(:has(.because dt + dd))"); missing > 0 {
				t.Errorf("%d items don't say why they are remembered", missing)
			}
			w.check("me")
			w.tabs("me")

			w.correct()
			w.deleteOne()
			w.seeTheRest()
			w.wipe()
		})
	}
}

const firstMemory = `.mem:has(a[href^="/me/memories/"])`

// correct refuses an empty text, shows both versions when the item changed meanwhile,
// and takes the new text.
func (w *walker) correct() {
	w.t.Helper()
	w.open("/me")
	w.lead(firstMemory+` a[href$="/correct"]`, http.StatusOK)
	w.check("correct")
	version := w.Attribute("input[name=version]", "value")

	w.SkipBrowserChecks()
	w.Fill("[name=content]", " ")
	w.refused(`form[action$="/correct"] button`, http.StatusUnprocessableEntity)
	w.summary("content")
	w.check("correct refused")

	w.Choose("input[name=version]", "999999")
	w.Fill("[name=content]", words[w.language].corrected)
	w.refused(`form[action$="/correct"] button`, http.StatusConflict)
	if w.Count(".versions dd") != 2 {
		w.t.Error("a conflict doesn't show both versions")
	}
	w.check("correct conflict")
	if got := w.Attribute("input[name=version]", "value"); got != version {
		w.t.Errorf("after the conflict the form carries version %q, want the present one %q", got, version)
	}

	w.Fill("[name=content]", words[w.language].corrected)
	w.lead(`form[action$="/correct"] button`, http.StatusOK)
	w.arrivedAt("/me")
	w.flashed()
	if !strings.Contains(w.Text("main"), words[w.language].corrected) {
		w.t.Error("the corrected text isn't on the page")
	}
	w.check("me corrected")
}

func (w *walker) deleteOne() {
	w.t.Helper()
	w.open("/me")
	before, text := w.Count(".mem"), w.Text(firstMemory+" .say")
	w.lead(firstMemory+` a[href$="/delete"]`, http.StatusOK)
	if !strings.Contains(w.Text(".mem-now"), text) {
		w.t.Error("the page doesn't show what would be deleted")
	}
	w.check("delete")
	w.lead(`form[action$="/delete"] button`, http.StatusOK)
	w.arrivedAt("/me")
	w.flashed()
	if after := w.Count(".mem"); after != before-1 {
		w.t.Errorf("%d items after deleting one of %d", after, before)
	}
	if strings.Contains(w.Text("main"), text) {
		w.t.Error("the deleted text is still on the page")
	}
}

// seeTheRest looks at the conversations, deletes one turn, and sees who looked.
func (w *walker) seeTheRest() {
	w.t.Helper()
	w.open("/me/turns")
	turns := w.Count(".turn")
	if turns == 0 {
		w.t.Fatal("the demo's person has no conversation")
	}
	w.check("turns")
	w.lead(".turn-delete", http.StatusOK)
	w.check("delete turn")
	w.lead(`form[action$="/delete"] button`, http.StatusOK)
	w.open("/me/turns")
	if after := w.Count(".turn"); after != turns-1 {
		w.t.Errorf("%d turns after deleting one of %d", after, turns)
	}
	w.open("/me/access")
	w.check("access")
}

// wipe types the wrong word, then the right one, and follows the erasure to its receipt.
func (w *walker) wipe() {
	w.t.Helper()
	w.open("/me/wipe")
	w.check("wipe")
	w.SkipBrowserChecks()
	w.Fill("[name=confirm]", "no")
	w.refused(`form[action="/me/wipe"] button`, http.StatusUnprocessableEntity)
	w.summary("confirm")
	w.check("wipe refused")

	w.Fill("[name=confirm]", words[w.language].wipe)
	w.lead(`form[action="/me/wipe"] button`, http.StatusOK)
	if !strings.HasPrefix(w.Path(), "/me/erasure/") {
		w.t.Fatalf("a wipe leads to %s, want its progress", w.Path())
	}
	w.check("erasure")
	w.untilReceipt()
	w.check("receipt")
	if w.Count("main code") < 3 {
		w.t.Error("the receipt doesn't show what it is checked with")
	}
	receipt := w.Path()

	w.Expect(http.StatusUnauthorized)
	if status := w.Open("/me"); status == http.StatusOK && w.Has(".mem") {
		w.t.Error("a wiped person's page still shows items")
	}
	stranger := w.browser.Page(w.t, w.demo.URL, browser.Options{Language: w.language})
	if status := stranger.Open(receipt); status != http.StatusOK {
		w.t.Errorf("the receipt answers %d to somebody who isn't signed in, want 200", status)
	}
	stranger.Check("receipt of a stranger")
}
