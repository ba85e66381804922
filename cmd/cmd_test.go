package cmd

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

func TestCommandLine(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	run := func(settings map[string]string, args ...string) (code int, out, errs string) {
		var o, e bytes.Buffer
		env := func(name string) string {
			if value, ok := settings[name]; ok {
				return value
			}
			return map[string]string{"FORNIX_DATA": data, "FORNIX_LISTEN": "127.0.0.1:0"}[name]
		}
		code = Main(args, env, &o, &e)
		return code, o.String(), e.String()
	}
	oneLine := func(text string) bool {
		return strings.HasPrefix(text, "fornix: ") && strings.Count(text, "\n") == 1
	}
	t.Run("help is no fault", func(t *testing.T) {
		if code, out, _ := run(nil, "--help"); code != 0 || !strings.Contains(out, "migrate") {
			t.Errorf("%d %q", code, out)
		}
	})
	t.Run("arguments without sense are", func(t *testing.T) {
		for _, args := range [][]string{{"nonsense"}, {"import", "--format", "csv", "--tenant", "a", "cmd_test.go"}, {}} {
			if code, _, errs := run(nil, args...); code == 0 || errs == "" {
				t.Errorf("%q: %d %q", args, code, errs)
			}
		}
	})
	t.Run("a fault of starting is one line and exit code 1", func(t *testing.T) {
		if code, _, errs := run(nil, "serve"); code != 1 || !oneLine(errs) {
			t.Errorf("%d %q", code, errs)
		}
		if code, _, errs := run(map[string]string{"FORNIX_SESSION_TTL": "x"}, "serve"); code != 1 || !strings.Contains(errs, "FORNIX_SESSION_TTL") {
			t.Errorf("%d %q", code, errs)
		}
	})
	t.Run("migrate makes an installation that the others take", func(t *testing.T) {
		code, out, errs := run(nil, "migrate", "--tenant", "acme", "--admin", "ada@example.com")
		if code != 0 || !strings.Contains(out, "tenant: acme") || !strings.Contains(out, "sign-in admin: http://127.0.0.1:0/signin/link?token=") {
			t.Fatalf("%d %q %q", code, out, errs)
		}
		if code, out, errs := run(nil, "doctor"); code != 0 || !strings.Contains(out, "ok key store") {
			t.Errorf("%d %q %q", code, out, errs)
		}
		if code, out, errs := run(nil, "keys"); code != 0 || !strings.HasPrefix(out, "ed25519 ") {
			t.Errorf("%d %q %q", code, out, errs)
		}
		if code, _, errs := run(nil, "demo"); code != 1 || !oneLine(errs) {
			t.Errorf("%d %q", code, errs)
		}
		if code, _, errs := run(nil, "migrate", "--tenant", "Not An Id"); code != 1 || !oneLine(errs) {
			t.Errorf("%d %q", code, errs)
		}
	})
}
