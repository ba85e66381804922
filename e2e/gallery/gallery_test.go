// Package gallery looks at every page of the product with canned data, in Chromium: also
// at those that a walk comes across seldom, such as faults and holds. The views' own
// gallery test writes the pages; here they are served under the product's policy.
package gallery

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fornix/e2e/browser"
)

// policyHeader is the product's content security policy. The walks hold the product to
// the header that it sends; here it makes a page go red that couldn't live with it.
const policyHeader = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

// fewestPages guards against a gallery that writes next to nothing.
const fewestPages = 20

func TestGallery(t *testing.T) {
	if _, _, err := browser.Find(); errors.Is(err, browser.ErrMissing) && os.Getenv("REQUIRE_CHROMIUM") == "" {
		t.Skip("left out: ", err)
	}
	dir := t.TempDir()
	written, err := exec.Command("go", "test", "-count=1", "-run", "^TestGallery$", "fornix/views", "-gallery", dir).CombinedOutput()
	if err != nil {
		t.Fatalf("write the gallery: %v\n%s", err, written)
	}
	files := http.FileServer(http.Dir(dir))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policyHeader)
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	chromium, err := browser.Start(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := chromium.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, language := range []string{"en", "zh-Hans"} {
		pages, err := fs.Glob(os.DirFS(dir), language+"/*.html")
		if err != nil {
			t.Fatal(err)
		}
		if len(pages) < fewestPages {
			t.Fatalf("the gallery has %d pages in %s, want %d at least", len(pages), language, fewestPages)
		}
		for _, look := range []browser.Options{
			{Language: language, Width: browser.Desktop},
			{Language: language, Dark: true, Width: browser.Phone},
		} {
			t.Run(fmt.Sprintf("%s %d px", language, look.Width), func(t *testing.T) {
				t.Parallel()
				p := chromium.Page(t, server.URL, look)
				for _, page := range pages {
					name := strings.TrimSuffix(filepath.Base(page), ".html")
					p.Open("/" + page)
					p.Check(name)
					if look.Width != browser.Phone { // a phone has no Tab key
						p.CheckKeyboard(name)
					}
				}
			})
		}
	}
}
