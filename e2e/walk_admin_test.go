package e2e_test

import (
	"net/http"
	"strings"
	"testing"

	"fornix/e2e/browser"
)

// TestAdminWalk is an admin's day: sign in by a link, look at every page of the console,
// find a person by their id, open a sealed value with a reason and find that in the
// trail, change the dictionary, and sign out.
func TestAdminWalk(t *testing.T) {
	t.Parallel()
	for _, look := range looks() {
		t.Run(nameOf(look), func(t *testing.T) {
			t.Parallel()
			w := newWalker(t, startDemo(t), look)
			w.signIn(w.demo.Admins[0], "/admin")
			w.check("overview")
			w.everyPage()
			w.revealMemory()
			w.changeDictionary()
			w.policiesAreReadOnly()
			w.signOut()
		})
	}
}

// TestBothAdmins holds that the second admin's link works too, in a demo of its own.
func TestBothAdmins(t *testing.T) {
	t.Parallel()
	demo := startDemo(t)
	if len(demo.Admins) != 2 {
		t.Fatalf("the demo names %d admins, want two", len(demo.Admins))
	}
	for _, link := range demo.Admins {
		newWalker(t, demo, browser.Options{Language: "en"}).signIn(link, "/admin")
	}
}

// everyPage opens what the navigation offers.
func (w *walker) everyPage() {
	w.t.Helper()
	w.open("/admin")
	pages := browser.Ask[[]string](w.Page, `[...document.querySelectorAll("nav a[href^='/admin']")].map(a => a.getAttribute("href"))`)
	if len(pages) < 5 {
		w.t.Fatalf("the navigation offers %q, want the console's pages", pages)
	}
	for _, path := range pages {
		w.open(path)
		if current := w.Attribute("nav a[aria-current=page]", "href"); current != path {
			w.t.Errorf("on %s the navigation marks %q", path, current)
		}
		w.check("console" + strings.ReplaceAll(path, "/", "-"))
		w.tabs(path)
	}
}

// revealMemory finds no value on a person's page, is refused one without a reason, sees
// it once with one, and finds that in the trail.
func (w *walker) revealMemory() {
	w.t.Helper()
	w.open("/admin/people")
	w.lead(`main tbody a[href^="/admin/people/"]`, http.StatusOK)
	if !w.Has(`form[action$="/reveal"]`) {
		w.t.Fatalf("%s offers nothing to reveal", w.Path())
	}
	w.check("person")
	w.tabs("person")

	w.SkipBrowserChecks()
	w.reasonInView("short")
	w.refused(`form[action$="/reveal"] button`, http.StatusUnprocessableEntity)
	w.check("reveal refused")

	w.reasonInView(words[w.language].reason)
	w.lead(`form[action$="/reveal"] button`, http.StatusOK)
	w.check("revealed")

	w.open("/admin/audit")
	if !strings.Contains(w.Text("main"), "reveal") {
		w.t.Error("the trail doesn't show the reveal")
	}
}

// reasonInView opens the details around the first reason, where it stands in some, and
// fills it.
func (w *walker) reasonInView(reason string) {
	w.t.Helper()
	browser.Ask[bool](w.Page, `(() => { const d = document.querySelector("form[action$='/reveal'] [name=reason]")?.closest("details"); if (d) d.open = true; return true })()`)
	w.Fill(`form[action$="/reveal"] [name=reason]`, reason)
}

// changeDictionary changes an entry's label, and is told of a change that came between.
func (w *walker) changeDictionary() {
	w.t.Helper()
	w.open("/admin/dictionary")
	w.lead(`main a[href^="/admin/dictionary/"]:not([href$="/new"])`, http.StatusOK)
	w.check("dictionary entry")
	field := "[name=label_en]"
	if w.language == "zh-Hans" {
		field = "[name=label_zh]"
	}

	w.SkipBrowserChecks()
	w.Choose("input[name=version]", "999999")
	w.Fill(field, words[w.language].label)
	w.refused(`main form[method=post] button`, http.StatusConflict)
	w.check("dictionary conflict")

	// The form shown again carries the present version: saving once more is a choice.
	w.Fill(field, words[w.language].label)
	w.lead(`main form[method=post] button`, http.StatusOK)
	w.flashed()
	if !strings.Contains(w.Text("main"), words[w.language].label) {
		w.t.Errorf("the new label isn't on %s", w.Path())
	}
}

func (w *walker) policiesAreReadOnly() {
	w.t.Helper()
	w.open("/admin/policies")
	if w.Has("main form[method=post]") {
		w.t.Error("the policies can be changed")
	}
	if !w.Has("main table caption") {
		w.t.Error("the policies aren't a table with a caption")
	}
}

func (w *walker) signOut() {
	w.t.Helper()
	w.open("/admin")
	w.lead(`form[action$="/signout"] button`, http.StatusOK)
	w.check("signed out")
	w.Expect(http.StatusUnauthorized)
	if status := w.Open("/admin"); status == http.StatusOK && strings.HasPrefix(w.Path(), "/admin") {
		w.t.Error("the console opens after signing out")
	}
}
