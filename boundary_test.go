// Package main_test holds the repository to its own layout: who may import whom, who
// owns which library, and how files are shaped. The checks are functions of what
// `go list` and the files say; boundary_red_test.go gives them bad examples.
package main_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	module       = "fornix"
	maxFileLines = 400
)

// everything marks the two composition roots that may import any package but main's.
const everything = "*"

// edges says which top-level packages a top-level package may import. Sub-packages
// follow their parent, and a parent and its sub-packages may import each other.
var edges = map[string][]string{
	"":           {"cmd"},
	"cmd":        {"web", "audit", "privacy", "models", "migrations", "keys"},
	"web":        {everything},
	"handlers":   {"memory", "privacy", "policy", "views"},
	"views":      {"static"},
	"jobs":       {"memory", "privacy", "audit", "models"},
	"memory":     {"models", "keys", "audit", "policy", "llm"},
	"privacy":    {"memory", "models", "keys", "audit", "policy", "llm"},
	"models":     {"audit", "keys", "policy"},
	"policy":     {},
	"keys":       {},
	"audit":      {},
	"llm":        {},
	"static":     {},
	"migrations": {},
	"bench":      {everything},
	"e2e":        {},
}

// harness are packages that exist for tests alone: they may wire what their parent
// may not, and nothing but tests may import them.
var harness = map[string][]string{
	"models/modelstest": {"migrations"},
}

// testEdges are what tests may import over the edges of their package: a real database.
var testEdges = []string{"models/modelstest", "migrations", "models", "keys", "policy"}

// owner says which top-level packages may import a library; inTests frees tests of it,
// where a test has a reason to look under the owner's hands (raw SQL, say).
type owner struct {
	prefix  string
	tops    []string
	inTests bool
}

var owners = []owner{
	{prefix: "gorm.io", tops: []string{"models"}},
	{prefix: "github.com/pgvector", tops: []string{"models"}},
	{prefix: "github.com/libtnb/sqlite", tops: []string{"models"}, inTests: true},
	{prefix: "modernc.org/sqlite", tops: []string{"models"}, inTests: true},
	{prefix: "github.com/casbin", tops: []string{"policy"}},
	{prefix: "github.com/hashicorp/vault", tops: []string{"keys"}},
	{prefix: "golang.org/x/mod", tops: []string{"audit", ""}},
	{prefix: "github.com/chromedp", tops: []string{"e2e"}},
	{prefix: "github.com/riverqueue", tops: []string{"models", "jobs", "web"}},
	{prefix: "github.com/gin-gonic", tops: []string{"web", "handlers"}},
	{prefix: "github.com/alecthomas/kong", tops: []string{"cmd"}},
	{prefix: "github.com/pressly/goose", tops: []string{"migrations"}},
}

var forbiddenNames = []string{"util", "utils", "common", "helpers", "types"}

// listed is the part of `go list -json` that the checks read.
type listed struct {
	ImportPath, Name                   string
	Imports, TestImports, XTestImports []string
}

// inside returns the path of an import inside this module, and whether it is one.
func inside(path string) (string, bool) {
	if path == module {
		return "", true
	}
	return strings.CutPrefix(path, module+"/")
}

func top(path string) string {
	name, _, _ := strings.Cut(path, "/")
	return name
}

func under(path, prefix string) bool {
	return path == prefix || strings.HasPrefix(path, prefix+"/")
}

// checkPackage returns a line for each rule that a package breaks.
func checkPackage(p listed) []string {
	var faults []string
	path, ours := inside(p.ImportPath)
	if !ours {
		return []string{p.ImportPath + ": isn't in module " + module}
	}
	for _, name := range append(strings.Split(path, "/"), strings.TrimSuffix(p.Name, "_test")) {
		if slices.Contains(forbiddenNames, name) {
			faults = append(faults, fmt.Sprintf("%s: %q says nothing of a duty", p.ImportPath, name))
		}
	}
	if _, known := edges[top(path)]; !known {
		return append(faults, fmt.Sprintf("%s: %q has no row in the import table", p.ImportPath, top(path)))
	}
	for _, to := range p.Imports {
		faults = append(faults, checkImport(path, to, false)...)
	}
	for _, to := range slices.Concat(p.TestImports, p.XTestImports) {
		faults = append(faults, checkImport(path, to, true)...)
	}
	return faults
}

func checkImport(from, to string, test bool) []string {
	if target, ours := inside(to); ours {
		if mayImport(from, target, test) {
			return nil
		}
		return []string{fmt.Sprintf("%s/%s may not import %s", module, from, to)}
	}
	for _, o := range owners {
		if under(to, o.prefix) && !slices.Contains(o.tops, top(from)) && (!test || !o.inTests) {
			return []string{fmt.Sprintf("%s/%s may not import %s: it belongs to %s", module, from, to, strings.Join(o.tops, ", "))}
		}
	}
	if top(from) == "llm" && strings.Contains(top(to), ".") && !test {
		return []string{fmt.Sprintf("%s/%s may not import %s: llm speaks HTTP with the standard library", module, from, to)}
	}
	return nil
}

func mayImport(from, to string, test bool) bool {
	if test && (top(from) == top(to) || slices.ContainsFunc(testEdges, func(e string) bool { return under(to, e) && top(from) != "e2e" })) {
		return true
	}
	if to == "" {
		return false
	}
	if _, testOnly := harness[to]; testOnly {
		return test
	}
	if top(from) == top(to) || slices.Contains(harness[from], top(to)) {
		return true
	}
	allowed := edges[top(from)]
	return slices.Contains(allowed, top(to)) || slices.Contains(allowed, everything) && !slices.Contains([]string{"cmd", "bench", "e2e"}, top(to))
}

var (
	inlineStyle = regexp.MustCompile(`(?i)(^|[\s"'{])style\s*=|<style[\s>]`)
	generated   = regexp.MustCompile(`_templ\.go$`)
)

// checkFile returns a line for each rule that a file of the repository breaks.
func checkFile(name string, content []byte) []string {
	var faults []string
	switch {
	case generated.MatchString(name):
	case strings.HasSuffix(name, ".go"):
		if n := bytes.Count(content, []byte("\n")); n > maxFileLines {
			faults = append(faults, fmt.Sprintf("%s: %d lines, at most %d: split it by duty", name, n, maxFileLines))
		}
		faults = append(faults, serializerTags(name, content)...)
	case strings.HasSuffix(name, ".templ"):
		for i, line := range strings.Split(string(content), "\n") {
			if inlineStyle.MatchString(line) {
				faults = append(faults, fmt.Sprintf("%s:%d: inline style: the CSP refuses it", name, i+1))
			}
		}
	}
	return faults
}

// serializerTags finds GORM tags that would turn a sealed value into text behind the
// sealer's back.
func serializerTags(name string, content []byte) []string {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, content, parser.SkipObjectResolution)
	if err != nil {
		return []string{fmt.Sprintf("%s: %v", name, err)}
	}
	var faults []string
	ast.Inspect(file, func(n ast.Node) bool {
		field, ok := n.(*ast.Field)
		if !ok || field.Tag == nil {
			return true
		}
		tag, err := strconv.Unquote(field.Tag.Value)
		if err == nil && strings.Contains(strings.ToLower(reflect.StructTag(tag).Get("gorm")), "serializer:") {
			faults = append(faults, fmt.Sprintf("%s: GORM serializer: sealed fields are sealed in the open", set.Position(field.Pos())))
		}
		return true
	})
	return faults
}

func listPackages(t *testing.T) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-e", "-json=ImportPath,Name,Imports,TestImports,XTestImports", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []listed
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatalf("go list: %v", err)
		}
		packages = append(packages, p)
	}
}

func TestBoundaries(t *testing.T) {
	t.Parallel()
	t.Run("imports follow the table", func(t *testing.T) {
		t.Parallel()
		packages := listPackages(t)
		if len(packages) < 10 {
			t.Fatalf("go list found %d packages: the check looks at the wrong place", len(packages))
		}
		for _, p := range packages {
			for _, fault := range checkPackage(p) {
				t.Error(fault)
			}
		}
	})
	t.Run("files are small, styled by sheets and free of serializers", func(t *testing.T) {
		t.Parallel()
		seen := 0
		err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() {
				if name := entry.Name(); path != "." && (strings.HasPrefix(name, ".") || name == "node_modules" || name == "fornix-data") {
					return filepath.SkipDir
				}
				return nil
			}
			if !strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, ".templ") {
				return nil
			}
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			seen++
			for _, fault := range checkFile(filepath.ToSlash(path), content) {
				t.Error(fault)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if seen < 50 {
			t.Fatalf("saw %d files: the check looks at the wrong place", seen)
		}
	})
}
