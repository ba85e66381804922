// Package e2e_test walks the demo as its people would, in Chromium, in both languages:
// the person (walk_person_test.go), the admin and the compliance officer. It sees the
// program from outside: what it prints, its pages and its API.
package e2e_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"fornix/e2e/browser"
	"fornix/e2e/process"
)

// built is what all walks share: the program, a data folder that one demo has filled,
// and Chromium. Each walk works on a copy of the folder, for it leaves it changed.
var built struct {
	once    sync.Once
	dir     string
	browser *browser.Browser
	err     error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if built.browser != nil {
		if err := built.browser.Close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
	if built.dir != "" {
		_ = os.RemoveAll(built.dir) // a leftover in the temporary folder fails no walk
	}
	os.Exit(code)
}

// ready builds and fills what the walks share. Without Chromium or axe-core the walks
// are left out, unless REQUIRE_CHROMIUM says that they must not be.
func ready(t *testing.T) {
	t.Helper()
	if _, _, err := browser.Find(); errors.Is(err, browser.ErrMissing) && os.Getenv("REQUIRE_CHROMIUM") == "" {
		t.Skip("left out: ", err)
	}
	built.once.Do(func() { built.err = build() })
	if built.err != nil {
		t.Fatal(built.err)
	}
}

func build() (err error) {
	if built.dir, err = os.MkdirTemp("", "fornix-e2e-"); err != nil {
		return err
	}
	command := exec.Command("go", "build", "-o", program(), "fornix")
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	first, err := demoOn(filled())
	if err != nil {
		return err
	}
	if err := first.Stop(); err != nil {
		return err
	}
	built.browser, err = browser.Start(filepath.Join(built.dir, "chromium"))
	return err
}

func program() string { return filepath.Join(built.dir, "fornix") }
func filled() string  { return filepath.Join(built.dir, "filled") }

func demoOn(data string) (*process.Demo, error) {
	return process.Settings{Env: []string{"FORNIX_DATA=" + data, "FORNIX_LISTEN=127.0.0.1:0"}}.Start(program(), "demo")
}

// chromium is the one browser of all walks.
func chromium(t *testing.T) *browser.Browser {
	t.Helper()
	ready(t)
	return built.browser
}

// turns lets as many demos run as the machine has cores for: more would only wait.
var turns = make(chan struct{}, 2)

// startDemo starts a demo of the test's own, with fresh links, on a copy of the filled
// folder. When the test ends, so does the demo, and it must end well.
func startDemo(t *testing.T) *process.Demo {
	t.Helper()
	ready(t)
	turns <- struct{}{}
	t.Cleanup(func() { <-turns })
	data := filepath.Join(t.TempDir(), "data")
	if err := os.CopyFS(data, os.DirFS(filled())); err != nil {
		t.Fatal(err)
	}
	if err := tighten(data); err != nil {
		t.Fatal(err)
	}
	demo, err := demoOn(data)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the demo logged:\n%s", logged(demo.Output()))
		}
		if err := demo.Stop(); err != nil {
			t.Error(err)
		}
	})
	return demo
}

// logged leaves out what the demo announces: its links and keys have no place in a log.
func logged(output string) string {
	var log strings.Builder
	for line := range strings.Lines(output) {
		if strings.HasPrefix(line, "time=") {
			log.WriteString(line)
		}
	}
	return log.String()
}

// tighten gives the copy the modes that the key store insists on; copying loosens them.
func tighten(data string) error {
	return filepath.WalkDir(data, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		from, err := filepath.Rel(data, path)
		if err != nil {
			return err
		}
		info, err := os.Stat(filepath.Join(filled(), from))
		if err != nil {
			return err
		}
		return os.Chmod(path, info.Mode().Perm())
	})
}
