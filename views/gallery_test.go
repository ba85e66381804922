package views

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"fornix/static"
	"fornix/views/i18n"
)

// galleryDir, when given, gets every page as a file with the assets beside it, to
// be looked at: go test ./views -run Gallery -gallery DIR, then serve DIR.
var galleryDir = flag.String("gallery", "", "write the gallery's pages into this folder")

// exhibit is a page with canned data.
type exhibit struct {
	name string
	page templ.Component
}

// wing makes the exhibits of one part of the pages. All words that come from
// people pass through say, which gives them back or something hostile instead.
type wing func(say func(string) string) []exhibit

// wings holds what the gallery_*_test.go files add in their init functions.
var wings []wing

// hostile are texts that have broken pages elsewhere.
var hostile = []string{
	`<script>alert(1)</script>`,
	`"><img src=x onerror=alert(1)>`,
	`</textarea><iframe src="//evil.example"></iframe>`,
	"\u202eهذا نص من اليمين إلى اليسار\u202c",
	strings.Repeat("长", 2000),
	strings.Repeat("x", 2000),
	`{n} {word} {{.}} %s ${x}`,
	"javascript:alert(1)",
	"//evil.example/\\x",
	"line\nbreak\ttab\r\n\x00nul",
}

func benign(text string) string { return text }

// hostility returns a say that answers each word with the next hostile one,
// beginning at the given one.
func hostility(start int) func(string) string {
	i := start
	return func(string) string {
		i++
		return hostile[i%len(hostile)]
	}
}

func exhibits(say func(string) string) []exhibit {
	var all []exhibit
	for _, w := range wings {
		all = append(all, w(say)...)
	}
	return all
}

func render(t *testing.T, l i18n.Locale, page templ.Component) string {
	t.Helper()
	var out bytes.Buffer
	if err := page.Render(i18n.With(context.Background(), l), &out); err != nil {
		t.Fatalf("render: %v", err)
	}
	return out.String()
}

func TestGallery(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, e := range exhibits(benign) {
		if names[e.name] {
			t.Fatalf("two exhibits are named %q", e.name)
		}
		names[e.name] = true
		for _, l := range i18n.Locales() {
			t.Run(e.name+" in "+string(l)+" is sound", func(t *testing.T) {
				t.Parallel()
				page := render(t, l, e.page)
				for _, fault := range pageFaults(page, l) {
					t.Error(fault)
				}
				for _, fault := range languageFaults(page, l) {
					t.Error(fault)
				}
				hang(t, e.name, l, page)
			})
		}
	}
}

// Rotating the hostile texts puts each of them into each place.
func TestGalleryWithHostileText(t *testing.T) {
	t.Parallel()
	for start := range hostile {
		for _, e := range exhibits(hostility(start)) {
			for _, l := range i18n.Locales() {
				for _, fault := range pageFaults(render(t, l, e.page), l) {
					t.Errorf("%s in %s, from text %d: %s", e.name, l, start, fault)
				}
			}
		}
	}
}

func hang(t *testing.T, name string, l i18n.Locale, page string) {
	t.Helper()
	if *galleryDir == "" {
		return
	}
	file := filepath.Join(*galleryDir, string(l), strings.ReplaceAll(name, " ", "-")+".html")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestMain(m *testing.M) {
	flag.Parse()
	if *galleryDir != "" {
		if err := static.Export(*galleryDir); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
