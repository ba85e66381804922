package i18n

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// named lists prefixes of keys that data or other packages name at run time: an
// error carries its key, a handler says which flash or banner to show.
var named = []string{"error.", "flash.", "common.banner."}

func TestEveryTextIsUsed(t *testing.T) {
	t.Parallel()
	for _, key := range unused(catalogues()[En], sources(t), named) {
		t.Errorf("nothing shows %s", key)
	}
}

func TestEveryTextAskedForIsThere(t *testing.T) {
	t.Parallel()
	for _, key := range missing(catalogues()[En], sources(t)) {
		t.Errorf("there is no text for %s", key)
	}
}

func TestUseFaultsAreFound(t *testing.T) {
	t.Parallel()
	texts := map[string]string{"a.b": "", "a.c.one": "", "a.c.other": "", "d.x": "", "e.f.of": "", "g.1.t": "", "h.i": "", "flash.j": ""}
	source := `i18n.T(ctx, "a.b") i18n.N(ctx, "a.c", 2) "d."+x k := "e.f"; k+".of" "g.%d.%s" i18n.T(ctx, "z.z") i18n.N(ctx, "a.b", 1) i18n.T(ctx, "d."+y)`
	if diff := cmp.Diff([]string{"h.i"}, unused(texts, source, named)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"a.b.other", "z.z"}, missing(texts, source)); diff != "" {
		t.Error(diff)
	}
}

var literal = regexp.MustCompile(`"([a-z0-9_.%]+)"`)

// unused lists the keys that no literal of the source can make: by itself, as the
// beginning of one put together, with a form of number, or as a format.
func unused(texts map[string]string, source string, named []string) []string {
	exact := map[string]bool{}
	var starts, ends []string
	var formats []*regexp.Regexp
	for _, m := range literal.FindAllStringSubmatch(source, -1) {
		switch word := m[1]; {
		case strings.Contains(word, "%") && strings.Contains(word, "."):
			pattern := regexp.MustCompile(`%[a-z]`).ReplaceAllString(regexp.QuoteMeta(word), `[a-z0-9_]+`)
			formats = append(formats, regexp.MustCompile("^"+pattern+"$"))
		case strings.HasPrefix(word, "."):
			ends = append(ends, word)
		case strings.HasSuffix(word, ".") && strings.Count(word, ".") >= 1 && len(word) > 1:
			starts = append(starts, word)
		case strings.Contains(word, "."):
			exact[word] = true
		}
	}
	ends = append(ends, ".one", ".other")
	var out []string
	for key := range texts {
		used := exact[key] ||
			slices.ContainsFunc(slices.Concat(starts, named), func(s string) bool { return strings.HasPrefix(key, s) }) ||
			slices.ContainsFunc(formats, func(f *regexp.Regexp) bool { return f.MatchString(key) }) ||
			slices.ContainsFunc(ends, func(e string) bool {
				stem, found := strings.CutSuffix(key, e)
				return found && exact[stem]
			})
		if !used {
			out = append(out, key)
		}
	}
	slices.Sort(out)
	return out
}

var (
	asked   = regexp.MustCompile(`\bT\(ctx, "([a-z0-9_.]+)"[,)]`)
	counted = regexp.MustCompile(`\bN\(ctx, "([a-z0-9_.]+)",`)
)

// missing lists the keys that a source asks for in so many words and that have no
// text.
func missing(texts map[string]string, source string) []string {
	var want []string
	for _, m := range asked.FindAllStringSubmatch(source, -1) {
		want = append(want, m[1])
	}
	for _, m := range counted.FindAllStringSubmatch(source, -1) {
		want = append(want, m[1]+".other")
	}
	slices.Sort(want)
	return slices.DeleteFunc(slices.Compact(want), func(key string) bool {
		_, ok := texts[key]
		return ok
	})
}

// sources is all that may name a text: templates and hand-written Go of the views
// and of what uses them, without tests.
func sources(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, folder := range []string{"..", "../../handlers", "../../web"} {
		err := filepath.WalkDir(folder, func(name string, e fs.DirEntry, err error) error {
			if os.IsNotExist(err) {
				return nil
			}
			if err != nil || e.IsDir() {
				return err
			}
			own := strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_templ.go") && !strings.HasSuffix(name, "_test.go")
			if own || strings.HasSuffix(name, ".templ") {
				raw, err := os.ReadFile(name)
				if err != nil {
					return err
				}
				all.Write(raw)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all.String()
}
