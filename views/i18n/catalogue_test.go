package i18n

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

var placeholder = regexp.MustCompile(`\{([^{}]*)\}`)

func placeholders(text string) []string {
	var names []string
	for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func TestLanguagesAreEquals(t *testing.T) {
	t.Parallel()
	for _, fault := range parityFaults(catalogues()[En], catalogues()[ZhHans]) {
		t.Error(fault)
	}
}

func parityFaults(en, zh map[string]string) []string {
	var faults []string
	for key, text := range en {
		other, ok := zh[key]
		switch {
		case !ok:
			faults = append(faults, key+" has no Chinese")
		case !cmp.Equal(placeholders(text), placeholders(other)):
			faults = append(faults, key+" has other placeholders in Chinese")
		}
	}
	for key := range zh {
		if _, ok := en[key]; !ok {
			faults = append(faults, key+" has no English")
		}
	}
	slices.Sort(faults)
	return faults
}

func TestParityFaultsAreFound(t *testing.T) {
	t.Parallel()
	got := parityFaults(
		map[string]string{"a": "x", "b": "{n} of {m}", "c": "{n}", "d": "{n}{n}"},
		map[string]string{"b": "{m} 的 {n}", "c": "{m}", "d": "{n}", "e": "x"},
	)
	want := []string{"a has no Chinese", "c has other placeholders in Chinese", "e has no English"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTextsAreWellFormed(t *testing.T) {
	t.Parallel()
	key := regexp.MustCompile(`^[a-z]+(\.[a-z0-9_]+)+$`)
	name := regexp.MustCompile(`^[a-z_]+$`)
	for l, texts := range catalogues() {
		if len(texts) == 0 {
			t.Errorf("%s has no texts", l)
		}
		for k, text := range texts {
			if !key.MatchString(k) {
				t.Errorf("%s: the key %q is not dotted words", l, k)
			}
			if strings.TrimSpace(text) != text || text == "" {
				t.Errorf("%s: %s is empty or has space around it", l, k)
			}
			if strings.Contains(text, "<") {
				t.Errorf("%s: %s holds markup, which would be shown as it is", l, k)
			}
			for _, p := range placeholders(text) {
				if !name.MatchString(p) {
					t.Errorf("%s: %s has the placeholder {%s}", l, k, p)
				}
			}
			if strings.Count(text, "{") != len(placeholder.FindAllString(text, -1)) {
				t.Errorf("%s: %s has an open brace", l, k)
			}
			if one, found := strings.CutSuffix(k, ".one"); found && texts[one+".other"] == "" {
				t.Errorf("%s: %s has no form for other numbers", l, one)
			}
		}
	}
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	file := func(body string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(body)} }
	tests := []struct {
		name string
		fs   fstest.MapFS
		want string
	}{
		{"a key in two files", fstest.MapFS{"en/a.json": file(`{"a.b":"x"}`), "en/b.json": file(`{"a.b":"y"}`)}, "another file"},
		{"a file that is not JSON", fstest.MapFS{"zh-Hans/a.json": file(`{"a.b":`)}, "zh-Hans/a.json"},
		{"a nested catalogue", fstest.MapFS{"en/a.json": file(`{"a":{"b":"x"}}`)}, "en/a.json"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, err := read(tt.fs); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one that names %q", err, tt.want)
			}
		})
	}
}

// JSON keeps the last of two equal keys in silence, so a text could be lost
// unseen.
func TestNoFileHasAKeyTwice(t *testing.T) {
	t.Parallel()
	line := regexp.MustCompile(`(?m)^\s*"([a-z0-9_.]+)"\s*:`)
	for _, l := range Locales() {
		entries, err := files.ReadDir(string(l))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			raw, err := files.ReadFile(string(l) + "/" + e.Name())
			if err != nil {
				t.Fatal(err)
			}
			seen := map[string]bool{}
			for _, m := range line.FindAllStringSubmatch(string(raw), -1) {
				if seen[m[1]] {
					t.Errorf("%s/%s: %s stands twice", l, e.Name(), m[1])
				}
				seen[m[1]] = true
			}
		}
	}
}
