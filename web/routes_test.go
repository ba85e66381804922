package web

import (
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/google/go-cmp/cmp"

	"fornix/policy"
)

var update = flag.Bool("update", false, "write the golden file of public routes")

func fill(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if strings.HasPrefix(p, ":") || strings.HasPrefix(p, "*") {
			parts[i] = "x"
		}
	}
	return strings.Join(parts, "/")
}

func TestRoutes(t *testing.T) {
	t.Parallel()
	a := start(t, installed(t))
	s := &server{cfg: a.cfg, url: a.URL(), services: a.services}
	table := s.routes()
	engine, err := s.engine(table)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("each has a need that can be met, and stands in the table", func(t *testing.T) {
		names := map[string]bool{}
		for _, r := range table {
			name := r.method + " " + r.path
			if !r.need.Valid() || names[name] {
				t.Errorf("%s: need %q, twice: %v", name, r.need, names[name])
			}
			names[name] = true
		}
		for _, r := range engine.Routes() {
			if !names[r.Method+" "+r.Path] {
				t.Errorf("%s %s is registered past the table", r.Method, r.Path)
			}
		}
	})
	t.Run("one without a need isn't registered", func(t *testing.T) {
		for _, need := range []policy.Need{{}, policy.Public(""), policy.Agent("nonsense", policy.ActRecall)} {
			bad := route{http.MethodGet, "/bad", need, func(*gin.Context) error { return nil }}
			if _, err := s.engine([]route{bad}); err == nil {
				t.Errorf("need %q was registered", need)
			}
		}
	})
	t.Run("what changes something is behind the cross-origin guard", func(t *testing.T) {
		for _, r := range table {
			if r.method == http.MethodGet || r.method == http.MethodHead {
				continue
			}
			req := httptest.NewRequest(r.method, fill(r.path), nil)
			req.Header.Set("Origin", "https://evil.example")
			req.Header.Set("Sec-Fetch-Site", "cross-site")
			w := httptest.NewRecorder()
			a.ServeHTTP(w, req)
			if w.Code != http.StatusForbidden || !strings.Contains(w.Header().Get("Content-Security-Policy"), "default-src 'none'") {
				t.Errorf("%s %s: %d", r.method, r.path, w.Code)
			}
		}
	})
	t.Run("nobody gets into what isn't public", func(t *testing.T) {
		for _, r := range table {
			if r.need.IsPublic() {
				continue
			}
			w := ask(a, r.method, fill(r.path))
			signIn := w.Code == http.StatusSeeOther && strings.HasPrefix(w.Header().Get("Location"), "/signin?back=")
			if w.Code != http.StatusUnauthorized && !signIn {
				t.Errorf("%s %s: %d", r.method, r.path, w.Code)
			}
		}
	})
	t.Run("nothing that a GET asks for changes anything", func(t *testing.T) {
		for _, r := range table {
			if r.method == http.MethodGet && strings.HasSuffix(r.need.Action, ".write") && strings.HasPrefix(r.path, "/api/") {
				t.Errorf("GET %s needs %s", r.path, r.need.Action)
			}
		}
	})
	t.Run("public ones and stars stand in the golden file", func(t *testing.T) {
		var lines []string
		for _, r := range table {
			if r.need.IsPublic() {
				lines = append(lines, r.method+" "+r.path+"  "+r.need.Reason)
			}
		}
		for _, r := range policy.DefaultRules("TENANT") {
			if r.Ptype == policy.PtypePolicy && (r.Mod == policy.Any || r.Cat == policy.Any || r.Act == policy.Any) {
				lines = append(lines, "rule "+r.String())
			}
		}
		slices.Sort(lines)
		got := strings.Join(lines, "\n") + "\n"
		golden := filepath.Join("testdata", "open.golden")
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("run go test ./web -run TestRoutes -update if this is meant:\n%s", diff)
		}
	})
	t.Run("unknown addresses and ways are told as such", func(t *testing.T) {
		for target, want := range map[string]int{"/api/v1/nothing": 404, "/nothing": 404, "//evil.example/": 404, "/healthz/": 404} {
			if w := ask(a, "GET", target); w.Code != want || w.Header().Get("Location") != "" {
				t.Errorf("%s: %d, to %q", target, w.Code, w.Header().Get("Location"))
			}
		}
		if w := ask(a, "DELETE", "/healthz"); w.Code != http.StatusMethodNotAllowed {
			t.Errorf("DELETE /healthz: %d", w.Code)
		}
	})
}
