package main_test

import (
	"strings"
	"testing"
)

// TestBoundaryChecks shows each rule going red on a bad example and staying quiet on a
// good one, so that a silent checker can't pass for a clean repository.
func TestBoundaryChecks(t *testing.T) {
	t.Parallel()
	imports := func(path string, to ...string) listed { return listed{ImportPath: path, Name: "x", Imports: to} }
	tests := func(path string, to ...string) listed { return listed{ImportPath: path, Name: "x", TestImports: to} }
	for claim, c := range map[string]struct {
		p     listed
		fault string // empty: the package is fine
	}{
		"main wires cmd":                         {imports("fornix", "fornix/cmd"), ""},
		"main wires nothing else":                {imports("fornix", "fornix/web"), "may not import fornix/web"},
		"cmd doesn't reach memory":               {imports("fornix/cmd", "fornix/memory"), "may not import fornix/memory"},
		"web wires everything":                   {imports("fornix/web", "fornix/handlers", "fornix/jobs", "fornix/llm"), ""},
		"web doesn't reach up":                   {imports("fornix/web", "fornix/cmd"), "may not import fornix/cmd"},
		"handlers don't see rows":                {imports("fornix/handlers", "fornix/models"), "may not import fornix/models"},
		"views see no services":                  {imports("fornix/views/ui", "fornix/memory"), "may not import fornix/memory"},
		"memory doesn't import privacy":          {imports("fornix/memory", "fornix/privacy"), "may not import fornix/privacy"},
		"privacy imports memory":                 {imports("fornix/privacy", "fornix/memory", "fornix/keys"), ""},
		"a sub-package follows its parent":       {imports("fornix/memory/extract", "fornix/web"), "may not import fornix/web"},
		"a sub-package has its parent's rights":  {imports("fornix/memory/extract", "fornix/policy"), ""},
		"policy imports no models":               {imports("fornix/policy", "fornix/models"), "may not import fornix/models"},
		"nobody imports main":                    {imports("fornix/cmd", "fornix"), "may not import fornix"},
		"the harness is for tests":               {imports("fornix/memory", "fornix/models/modelstest"), "may not import fornix/models/modelstest"},
		"tests use the harness":                  {tests("fornix/memory", "fornix/models/modelstest"), ""},
		"the harness migrates":                   {imports("fornix/models/modelstest", "fornix/migrations"), ""},
		"models don't migrate":                   {imports("fornix/models", "fornix/migrations"), "may not import fornix/migrations"},
		"tests keep the table otherwise":         {tests("fornix/views", "fornix/memory"), "may not import fornix/memory"},
		"browser tests see no package":           {tests("fornix/e2e", "fornix/models"), "may not import fornix/models"},
		"a new package needs a row":              {imports("fornix/shiny"), "no row in the import table"},
		"a vague name is refused":                {imports("fornix/memory/util"), "says nothing of a duty"},
		"a vague package clause is refused":      {listed{ImportPath: "fornix/web/x", Name: "helpers"}, "says nothing of a duty"},
		"GORM belongs to models":                 {imports("fornix/memory", "gorm.io/gorm/clause"), "belongs to models"},
		"GORM belongs to models in tests too":    {tests("fornix/memory", "gorm.io/gorm"), "belongs to models"},
		"a name that starts alike isn't GORM":    {imports("fornix/memory", "gorm.iox/gorm"), ""},
		"pgvector belongs to models":             {imports("fornix/jobs", "github.com/pgvector/pgvector-go"), "belongs to models"},
		"the driver belongs to models":           {imports("fornix/web", "modernc.org/sqlite"), "belongs to models"},
		"tests may write raw SQL":                {tests("fornix/web", "modernc.org/sqlite"), ""},
		"Casbin belongs to policy":               {imports("fornix/web", "github.com/casbin/casbin/v2"), "belongs to policy"},
		"Vault belongs to keys":                  {imports("fornix/web", "github.com/hashicorp/vault/api"), "belongs to keys"},
		"x/mod belongs to audit":                 {imports("fornix/privacy", "golang.org/x/mod/sumdb/note"), "belongs to audit"},
		"Chromium belongs to e2e":                {tests("fornix/views", "github.com/chromedp/chromedp"), "belongs to e2e"},
		"River belongs to models, jobs and web":  {imports("fornix/memory", "github.com/riverqueue/river"), "belongs to models, jobs, web"},
		"jobs run River":                         {imports("fornix/jobs", "github.com/riverqueue/river/riverdriver"), ""},
		"llm uses the standard library for HTTP": {imports("fornix/llm", "github.com/x/openai"), "standard library"},
		"llm may use net/http":                   {imports("fornix/llm", "net/http"), ""},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			expectFault(t, checkPackage(c.p), c.fault)
		})
	}
}

func TestFileChecks(t *testing.T) {
	t.Parallel()
	lines := func(n int) string { return "package x\n" + strings.Repeat("\n", n-1) }
	for claim, c := range map[string]struct{ name, content, fault string }{
		"400 lines are fine":              {"web/a.go", lines(400), ""},
		"401 lines are too many":          {"web/a.go", lines(401), "401 lines"},
		"tests count too":                 {"web/a_test.go", lines(401), "401 lines"},
		"generated files don't count":     {"views/a_templ.go", lines(900), ""},
		"a style attribute is found":      {"views/a.templ", "<p\n style=\"color:red\">", "a.templ:2: inline style"},
		"a dynamic style is found":        {"views/a.templ", "<p style={ x }>", "inline style"},
		"a style element is found":        {"views/a.templ", "<style>", "inline style"},
		"a class is fine":                 {"views/a.templ", `<p class="style" data-style="x">`, ""},
		"a serializer is found":           {"models/a.go", "package x\ntype T struct {\n\tA string `gorm:\"column:a;Serializer:json\"`\n}\n", "a.go:3:2: GORM serializer"},
		"another tag is fine":             {"models/a.go", "package x\ntype T struct {\n\tA string `json:\"serializer:\" gorm:\"column:a\"`\n}\n", ""},
		"a file that doesn't parse fails": {"models/a.go", "package", "expected"},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			expectFault(t, checkFile(c.name, []byte(c.content)), c.fault)
		})
	}
}

// expectFault wants exactly one fault that says want, or none if want is empty.
func expectFault(t *testing.T, faults []string, want string) {
	t.Helper()
	switch {
	case want == "" && len(faults) > 0:
		t.Errorf("faults %q, want none", faults)
	case want != "" && (len(faults) != 1 || !strings.Contains(faults[0], want)):
		t.Errorf("faults %q, want one that says %q", faults, want)
	}
}
