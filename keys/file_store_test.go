package keys_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"fornix/keys"
	"fornix/keys/keystest"
)

// killChild is how a test starts this binary again to kill it.
const killChild = "FORNIX_KEYS_KILL_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(killChild); dir != "" {
		child(dir)
		return
	}
	os.Exit(m.Run())
}

func newStore(t *testing.T) (*keys.FileStore, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "keys")
	s, err := keys.CreateFile(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, dir
}

func TestFileStore(t *testing.T) {
	t.Parallel()
	keystest.Run(t, func(t *testing.T) keys.Store { s, _ := newStore(t); return s })
}

func TestFileStoreOpen(t *testing.T) {
	t.Parallel()
	remove := func(name string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	write := func(name, content string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, c := range map[string]struct {
		spoil func(t *testing.T, dir string)
		want  error
	}{
		"no directory":             {func(t *testing.T, dir string) { _ = os.RemoveAll(dir) }, keys.ErrNotThere},
		"master key missing":       {remove("master.key"), keys.ErrMasterKeyMissing},
		"another master key":       {write("master.key", strings.Repeat("ab", 32)+"\n"), keys.ErrWrongKey},
		"master key is not hex":    {write("master.key", "secret"), keys.ErrWrongKey},
		"canary missing":           {remove("canary"), keys.ErrHalfMade},
		"signing key missing":      {remove("signing.key"), keys.ErrHalfMade},
		"signing key in its place": {func(t *testing.T, dir string) { copyFile(t, dir, "canary", "signing.key") }, keys.ErrWrongKey},
		"master key open to others": {func(t *testing.T, dir string) {
			if err := os.Chmod(filepath.Join(dir, "master.key"), 0o644); err != nil {
				t.Fatal(err)
			}
		}, keys.ErrPermissions},
		"ledger cut":     {func(t *testing.T, dir string) { editLedger(t, dir, func(l []string) []string { return l[:1] }) }, keys.ErrLedger},
		"ledger removed": {remove("ledger.jsonl"), keys.ErrLedger},
		"head removed":   {remove("ledger.head"), keys.ErrLedger},
		"ledger reordered": {func(t *testing.T, dir string) {
			editLedger(t, dir, func(l []string) []string { return []string{l[1], l[0]} })
		}, keys.ErrLedger},
		"ledger changed": {func(t *testing.T, dir string) {
			editLedger(t, dir, func(l []string) []string { return []string{l[0], strings.Replace(l[1], "sub_1", "sub_9", 1)} })
		}, keys.ErrLedger},
		"head changed": {write("ledger.head", `{"seq":2,"hash":"AAAA"}`), keys.ErrLedger},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, dir := newStore(t)
			for i := range 2 {
				if _, err := s.AppendLedger(t.Context(), keys.Entry{Tenant: "a", Pseudonym: fmt.Sprint("sub_", i), Epoch: 1, Scope: keys.ScopeAll}); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			c.spoil(t, dir)
			before := listing(t, dir)
			if got, err := keys.OpenFile(dir); !errors.Is(err, c.want) {
				t.Errorf("open = %v, %v; want %v", got, err, c.want)
			}
			if after := listing(t, dir); after != before {
				t.Errorf("a refused open changed the directory:\n%s\n%s", before, after)
			}
		})
	}
	t.Run("a second process is refused", func(t *testing.T) {
		t.Parallel()
		_, dir := newStore(t)
		if _, err := keys.OpenFile(dir); !errors.Is(err, keys.ErrLocked) {
			t.Errorf("open: %v", err)
		}
	})
	t.Run("a full directory isn't made into a store", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		write("mine.txt", "mine")(t, dir)
		if _, err := keys.CreateFile(dir); !errors.Is(err, keys.ErrExists) {
			t.Errorf("create: %v", err)
		}
	})
	t.Run("a torn last line is dropped and the next entry follows", func(t *testing.T) {
		t.Parallel()
		s, dir := newStore(t)
		if _, err := s.AppendLedger(t.Context(), keys.Entry{Tenant: "a", Pseudonym: "sub_1", Epoch: 1, Scope: keys.ScopeAll}); err != nil {
			t.Fatal(err)
		}
		_ = s.Close()
		f, err := os.OpenFile(filepath.Join(dir, "ledger.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = f.WriteString(`{"seq":2,"ten`)
		_ = f.Close()
		s, err = keys.OpenFile(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if e, err := s.AppendLedger(t.Context(), keys.Entry{Tenant: "a", Pseudonym: "sub_2", Epoch: 1, Scope: keys.ScopeAll}); err != nil || e.Seq != 2 {
			t.Errorf("append: %d, %v", e.Seq, err)
		}
	})
	t.Run("a destruction record without its ledger entry isn't believed", func(t *testing.T) {
		t.Parallel()
		s, dir := newStore(t)
		ref := keys.SubjectRef{Tenant: "a", Subject: uuid.Must(uuid.NewV7()), Epoch: 1}
		if err := s.CreateSubject(t.Context(), ref); err != nil {
			t.Fatal(err)
		}
		found, err := filepath.Glob(filepath.Join(dir, "subjects", "a", "*", "*.key"))
		if err != nil || len(found) != 1 {
			t.Fatalf("secrets: %v, %v", found, err)
		}
		forged := strings.TrimSuffix(found[0], ".key") + ".gone"
		if err := os.WriteFile(forged, []byte(`{"ledger_seq":1,"pseudonym":"sub_x"}`), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := s.SubjectSecret(t.Context(), ref); errors.Is(err, keys.ErrErased) || !errors.Is(err, keys.ErrMissing) {
			t.Errorf("secret: %v", err)
		}
	})
}

// TestFileStoreKill kills a child while it makes and destroys secrets, and finds
// every acknowledged step done and the store whole.
func TestFileStoreKill(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes")
	}
	s, dir := newStore(t)
	_ = s.Close()
	state := map[string]string{}
	for round := range 12 {
		cmd := exec.Command(os.Args[0], "-test.run=^$")
		cmd.Env = append(os.Environ(), killChild+"="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(20+round*17)*time.Millisecond, func() { _ = cmd.Process.Kill() })
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			if id, what, ok := strings.Cut(lines.Text(), " "); ok {
				state[id] = what
			}
		}
		_ = cmd.Wait()
		timer.Stop()
	}
	s, err := keys.OpenFile(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if len(state) < 5 {
		t.Fatalf("the children did only %d steps", len(state))
	}
	for id, what := range state {
		ref := keys.SubjectRef{Tenant: "a", Subject: uuid.MustParse(id), Epoch: 1}
		_, err := s.SubjectSecret(t.Context(), ref)
		switch {
		case what == "destroyed" && !errors.Is(err, keys.ErrErased):
			t.Errorf("%s was destroyed: %v", id, err)
		case what == "created" && err != nil && !errors.Is(err, keys.ErrErased): // the next step may have been done unsaid
			t.Errorf("%s was created: %v", id, err)
		}
	}
}

func child(dir string) {
	s, err := keys.OpenFile(dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	background := context.Background()
	for {
		id := uuid.Must(uuid.NewV7())
		ref := keys.SubjectRef{Tenant: "a", Subject: id, Epoch: 1}
		step(s.CreateSubject(background, ref))
		fmt.Println(id, "created")
		_, err := s.AppendLedger(background, keys.Entry{Tenant: "a", Pseudonym: "sub_" + id.String(), Epoch: 1, Scope: keys.ScopeAll})
		step(err)
		step(s.DestroySubject(background, ref, "sub_"+id.String()))
		fmt.Println(id, "destroyed")
	}
}

func step(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func copyFile(t *testing.T, dir, from, to string) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, from))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, to), raw, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func editLedger(t *testing.T, dir string, edit func([]string) []string) {
	t.Helper()
	path := filepath.Join(dir, "ledger.jsonl")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := edit(strings.Split(strings.TrimSpace(string(raw)), "\n"))
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

func listing(t *testing.T, dir string) string {
	t.Helper()
	var b bytes.Buffer
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name() != "lock" {
			raw, _ := os.ReadFile(path)
			fmt.Fprintf(&b, "%s %x\n", d.Name(), raw)
		}
		return nil
	})
	return b.String()
}
