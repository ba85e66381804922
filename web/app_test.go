package web

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// folder is a fresh data folder's settings, on a free port.
func folder(t *testing.T) Config {
	t.Helper()
	cfg, err := FromEnv(env(map[string]string{"LISTEN": "127.0.0.1:0", "DATA": filepath.Join(t.TempDir(), "data")}))
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

// installed is a folder with an installation of one tenant.
func installed(t *testing.T) Config {
	t.Helper()
	cfg := folder(t)
	if _, err := Migrate(t.Context(), cfg, Setup{Tenant: "acme", Name: "Acme", Locale: "en"}); err != nil {
		t.Fatal(err)
	}
	return cfg
}

func start(t *testing.T, cfg Config) *App {
	t.Helper()
	a, err := New(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

func ask(a http.Handler, method, target string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	a.ServeHTTP(w, httptest.NewRequest(method, target, nil))
	return w
}

// listing is every file below a folder, without those that come and go with an
// open database or key store, to see what a run made or removed.
func listing(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !strings.HasSuffix(path, "-shm") && !strings.HasSuffix(path, "-wal") && entry.Name() != "lock" {
			all.WriteString(path + "\n")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

func TestStartRefusesInOneLine(t *testing.T) {
	t.Parallel()
	remove := func(parts ...string) func(*testing.T, Config) {
		return func(t *testing.T, cfg Config) {
			if err := os.RemoveAll(filepath.Join(append([]string{cfg.Data}, parts...)...)); err != nil {
				t.Fatal(err)
			}
		}
	}
	write := func(text string, parts ...string) func(*testing.T, Config) {
		return func(t *testing.T, cfg Config) {
			path := filepath.Join(append([]string{cfg.Data}, parts...)...)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, c := range map[string]struct {
		from  func(*testing.T) Config
		spoil func(*testing.T, Config)
		want  string // in the demo's line
		serve string // in serve's; empty: it starts locked
	}{
		"a folder that can't be made":          {folder, func(t *testing.T, cfg Config) { write("")(t, cfg) }, "can't be", "can't be"},
		"keys without a database":              {installed, remove("fornix.db"), "holds keys and no database", "holds keys and no database"},
		"a database without a schema":          {installed, write("", "fornix.db"), "half written", ""},
		"a missing master key":                 {installed, remove("keys", "master.key"), "master.key is missing", ""},
		"a master key that isn't this store's": {installed, write(strings.Repeat("ab", 32), "keys", "master.key"), "isn't the key store of this database", ""},
		"an empty key store":                   {installed, remove("keys"), "nothing was deleted", ""},
		"a store without its canary":           {installed, remove("keys", "canary"), "half written", ""},
		"a start that was cut short":           {installed, func(*testing.T, Config) {}, "isn't a finished demo", ""},
		"nothing there":                        {folder, func(*testing.T, Config) {}, "", "holds no installation"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := c.from(t)
			c.spoil(t, cfg)
			check := func(err error, want string) {
				t.Helper()
				var line *StartError
				if !errors.As(err, &line) || !strings.Contains(line.Line, want) || strings.Contains(line.Line, "\n") {
					t.Errorf("got %v, want a line with %q", err, want)
				}
			}
			if c.want != "" {
				_, _, err := NewDemo(t.Context(), cfg)
				check(err, c.want)
			}
			if c.serve != "" {
				_, err := New(t.Context(), cfg)
				check(err, c.serve)
			}
		})
	}
	t.Run("a busy port", func(t *testing.T) {
		t.Parallel()
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		cfg := folder(t)
		cfg.Listen = l.Addr().String()
		if _, _, err = NewDemo(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "in use by another program") {
			t.Errorf("got %v", err)
		}
		if _, err := os.Stat(cfg.Data); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a folder was made: %v", err)
		}
	})
	t.Run("a folder in use", func(t *testing.T) {
		t.Parallel()
		cfg := installed(t)
		start(t, cfg)
		if _, err := New(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "in use by another fornix") {
			t.Errorf("got %v", err)
		}
	})
}

func TestLocked(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(t *testing.T, keys string){
		"an empty key store": func(t *testing.T, keys string) {
			if err := os.Mkdir(keys, 0o700); err != nil {
				t.Fatal(err)
			}
		},
		"another installation's key store": func(t *testing.T, keys string) {
			if err := os.Rename(installed(t).keyFolder(), keys); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := installed(t)
			kept := filepath.Join(t.TempDir(), "kept")
			if err := os.Rename(cfg.keyFolder(), kept); err != nil {
				t.Fatal(err)
			}
			spoil(t, cfg.keyFolder())
			before := listing(t, cfg.Data)
			a := start(t, cfg)
			if !a.Locked() {
				t.Fatal("it serves")
			}
			if w := ask(a, "GET", "/healthz"); w.Code != http.StatusOK {
				t.Errorf("health: %d", w.Code)
			}
			for _, target := range []string{"/api/v1/receipts/x", "/me", "/admin", "/"} {
				w := ask(a, "GET", target)
				if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
					t.Errorf("%s: %d %v", target, w.Code, w.Header())
				}
			}
			if after := listing(t, cfg.Data); after != before {
				t.Errorf("the folder changed:\n%s\n%s", before, after)
			}
			if err := errors.Join(os.RemoveAll(cfg.keyFolder()), os.Rename(kept, cfg.keyFolder()), a.open(t.Context())); err != nil {
				t.Fatal(err)
			}
			if w := ask(a, "GET", "/readyz"); a.Locked() || w.Code != http.StatusOK {
				t.Errorf("with the right key store back: locked %v, %d %s", a.Locked(), w.Code, w.Body)
			}
		})
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	t.Parallel()
	a := start(t, installed(t))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	res, err := http.Get(a.URL() + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	cancel()
	if err := <-ended; err != nil || res.StatusCode != http.StatusOK {
		t.Errorf("%d, %v", res.StatusCode, err)
	}
}
