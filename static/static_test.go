package static

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

func get(method, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, httptest.NewRequest(method, path, nil))
	return w
}

func TestHandlerServesForEver(t *testing.T) {
	t.Parallel()
	for name, kind := range map[string]string{
		"css/app.css": "text/css; charset=utf-8", "js/app.js": "text/javascript; charset=utf-8", "icons/fornix.svg": "image/svg+xml",
	} {
		w := get(http.MethodGet, Path(name))
		if w.Code != http.StatusOK || w.Body.Len() == 0 {
			t.Errorf("%s: status %d, %d bytes", name, w.Code, w.Body.Len())
		}
		if got := w.Header().Get("Content-Type"); got != kind {
			t.Errorf("%s is %s, want %s", name, got, kind)
		}
		if got := w.Header().Get("Cache-Control"); !strings.Contains(got, "immutable") {
			t.Errorf("%s: Cache-Control %q", name, got)
		}
		if w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s may be sniffed", name)
		}
	}
	if w := get(http.MethodHead, Path("js/app.js")); w.Code != http.StatusOK || w.Body.Len() != 0 {
		t.Errorf("HEAD: status %d, %d bytes", w.Code, w.Body.Len())
	}
}

func TestHandlerRefuses(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]string{
		"another build": "/static/0123456789abcdef/js/app.js",
		"no hash":       "/static/js/app.js",
		"unknown":       Path("js/app.js") + "x",
		"a folder":      strings.TrimSuffix(Path("js/app.js"), "app.js"),
		"a single part": strings.Replace(Path("css/app.css"), "app", "reset", 1),
		"a way out":     strings.Replace(Path("js/app.js"), "js/app.js", "../static.go", 1),
	} {
		if w := get(http.MethodGet, path); w.Code != http.StatusNotFound || strings.Contains(w.Header().Get("Cache-Control"), "immutable") {
			t.Errorf("%s: status %d, Cache-Control %q", name, w.Code, w.Header().Get("Cache-Control"))
		}
	}
	if w := get(http.MethodPost, Path("js/app.js")); w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") == "" {
		t.Errorf("POST: status %d", w.Code)
	}
}

func TestAddressesChangeWithContent(t *testing.T) {
	t.Parallel()
	of := func(files map[string]string) string {
		fsys := fstest.MapFS{}
		for name, body := range files {
			fsys[name] = &fstest.MapFile{Data: []byte(body)}
		}
		got, err := read(fsys)
		if err != nil {
			t.Fatal(err)
		}
		return got.hash
	}
	base := of(map[string]string{"js/a.js": "1", "js/b.js": "2"})
	for name, files := range map[string]map[string]string{
		"another body":       {"js/a.js": "1", "js/b.js": "3"},
		"another name":       {"js/a.js": "1", "js/c.js": "2"},
		"bodies swapped":     {"js/a.js": "2", "js/b.js": "1"},
		"a border moved":     {"js/a.js": "12", "js/b.js": ""},
		"one file more":      {"js/a.js": "1", "js/b.js": "2", "js/d.js": ""},
		"one file less":      {"js/a.js": "1"},
		"name runs into one": {"js/a.js": "1", "js/b.js 1 2": ""},
	} {
		if of(files) == base {
			t.Errorf("%s: the address stays", name)
		}
	}
	if of(map[string]string{"js/b.js": "2", "js/a.js": "1"}) != base {
		t.Error("the order of reading changes the address")
	}
}

func TestSheetOrdersItsLayersFirst(t *testing.T) {
	t.Parallel()
	css := regexp.MustCompile(`(?s)/\*.*?\*/`).ReplaceAllString(string(Sheet()), "")
	if !strings.HasPrefix(strings.TrimSpace(css), "@layer reset, tokens, base, layout, components, pages, utilities;") {
		t.Errorf("the sheet begins with %.80q", css)
	}
	for _, no := range []string{"url(", "@import", "http"} {
		if strings.Contains(css, no) {
			t.Errorf("the sheet asks for something elsewhere: %s", no)
		}
	}
	for _, must := range []string{"prefers-reduced-motion", "forced-colors: active", "@media print", "light-dark("} {
		if !strings.Contains(css, must) {
			t.Errorf("nothing about %s", must)
		}
	}
}

// A rule outside a layer would win over all of them.
func TestEverySheetStaysInALayer(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("css/*.css")
	if err != nil || len(names) < 5 {
		t.Fatalf("%d sheets, %v", len(names), err)
	}
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		css := regexp.MustCompile(`(?s)/\*.*?\*/`).ReplaceAllString(string(raw), "")
		depth, outside := 0, ""
		for _, r := range css {
			switch r {
			case '{':
				depth++
			case '}':
				depth--
			default:
				if depth == 0 {
					outside += string(r)
				}
			}
		}
		for _, rule := range strings.Fields(strings.TrimSpace(regexp.MustCompile(`@layer [a-z, ]+;?`).ReplaceAllString(outside, ""))) {
			t.Errorf("%s: %q stands outside a layer", name, rule)
		}
		if depth != 0 {
			t.Errorf("%s: braces don't close", name)
		}
	}
}

func TestScriptsAreSmallAndNeedNoTrust(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("js/*.js")
	if err != nil || len(names) == 0 {
		t.Fatalf("%d scripts, %v", len(names), err)
	}
	imported := regexp.MustCompile(`from "\./([a-z-]+\.js)"`)
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(raw, []byte("\n")); n >= 150 {
			t.Errorf("%s has %d lines", name, n)
		}
		for _, sink := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", ".style", "setAttribute(\"on"} {
			if bytes.Contains(raw, []byte(sink)) {
				t.Errorf("%s uses %s, which the content policy refuses", name, sink)
			}
		}
		for _, m := range imported.FindAllSubmatch(raw, -1) {
			Path("js/" + string(m[1])) // panics for a module that isn't there
		}
	}
}
