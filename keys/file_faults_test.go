package keys

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"
)

func newFile(t *testing.T) *FileStore {
	t.Helper()
	s, err := CreateFile(filepath.Join(t.TempDir(), "keys"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func wipeOf(pseudonym string) Entry {
	return Entry{Tenant: "a", Pseudonym: pseudonym, Epoch: 1, Scope: ScopeAll}
}

func TestFileStoreFaults(t *testing.T) {
	t.Parallel()
	must := func(t *testing.T, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ref := func() SubjectRef { return SubjectRef{Tenant: "a", Subject: uuid.Must(uuid.NewV7()), Epoch: 1} }

	t.Run("an entry whose head failed is finished by asking again", func(t *testing.T) {
		t.Parallel()
		s := newFile(t)
		head := filepath.Join(s.dir, headFile)
		must(t, os.Remove(head))
		must(t, os.Mkdir(head, 0o700)) // what a rename can't replace
		if _, err := s.AppendLedger(t.Context(), wipeOf("sub_1")); err == nil {
			t.Fatal("an entry without its head was acknowledged")
		}
		must(t, os.Remove(head))
		e, err := s.AppendLedger(t.Context(), wipeOf("sub_1"))
		if err != nil || e.Seq != 1 {
			t.Fatalf("again: %d, %v", e.Seq, err)
		}
		if raw, err := os.ReadFile(head); err != nil || !strings.Contains(string(raw), `"seq":1`) {
			t.Errorf("head: %s, %v", raw, err)
		}
	})
	t.Run("a destroyed secret is overwritten, under each of its names", func(t *testing.T) {
		t.Parallel()
		s := newFile(t)
		r, second := ref(), filepath.Join(t.TempDir(), "second")
		must(t, s.CreateSubject(t.Context(), r))
		must(t, os.Link(s.path(r, ".key"), second))
		_, err := s.AppendLedger(t.Context(), wipeOf("sub_1"))
		must(t, err)
		must(t, s.DestroySubject(t.Context(), r, "sub_1"))
		if raw, err := os.ReadFile(second); err != nil || len(raw) == 0 || !isZero(raw) {
			t.Errorf("%d bytes are left, %v", len(raw), err)
		}
	})
	t.Run("a ledger cut together with its head's removal is refused", func(t *testing.T) {
		t.Parallel()
		s := newFile(t)
		_, err := s.AppendLedger(t.Context(), wipeOf("sub_1"))
		must(t, err)
		must(t, s.Close())
		must(t, os.WriteFile(filepath.Join(s.dir, ledgerFile), nil, 0o600))
		must(t, os.Remove(filepath.Join(s.dir, headFile)))
		if _, err := OpenFile(s.dir); !errors.Is(err, ErrLedger) {
			t.Errorf("open: %v", err)
		}
	})
	t.Run("an entry written without its head, by a kill between the two, is kept", func(t *testing.T) {
		t.Parallel()
		s := newFile(t)
		before, err := os.ReadFile(filepath.Join(s.dir, headFile))
		must(t, err)
		_, err = s.AppendLedger(t.Context(), wipeOf("sub_1"))
		must(t, err)
		must(t, s.Close())
		must(t, os.WriteFile(filepath.Join(s.dir, headFile), before, 0o600))
		s, err = OpenFile(s.dir)
		must(t, err)
		defer s.Close()
		if head, err := s.LedgerHead(t.Context()); err != nil || head != 1 {
			t.Errorf("head %d, %v", head, err)
		}
	})
	t.Run("a secret moved to another person or epoch doesn't open", func(t *testing.T) {
		t.Parallel()
		s := newFile(t)
		mine, yours := ref(), ref()
		must(t, s.CreateSubject(t.Context(), mine))
		must(t, s.CreateSubject(t.Context(), yours))
		must(t, os.Rename(s.path(mine, ".key"), s.path(yours, ".key")))
		if secret, err := s.SubjectSecret(t.Context(), yours); !errors.Is(err, ErrWrongKey) || secret != nil {
			t.Errorf("secret: %v", err)
		}
	})
	t.Run("a torn or zeroed secret is missing and not erased", func(t *testing.T) {
		t.Parallel()
		s := newFile(t)
		for _, content := range [][]byte{nil, make([]byte, 74), []byte("torn")} {
			r := ref()
			must(t, s.CreateSubject(t.Context(), r))
			must(t, os.WriteFile(s.path(r, ".key"), content, 0o600))
			if _, err := s.SubjectSecret(t.Context(), r); !errors.Is(err, ErrMissing) || errors.Is(err, ErrErased) {
				t.Errorf("%d bytes: %v", len(content), err)
			}
		}
	})
	t.Run("a destruction killed before its end is finished by the next", func(t *testing.T) {
		t.Parallel()
		s := newFile(t)
		r := ref()
		must(t, s.CreateSubject(t.Context(), r))
		_, err := s.AppendLedger(t.Context(), wipeOf("sub_1"))
		must(t, err)
		secret, err := os.ReadFile(s.path(r, ".key"))
		must(t, err)
		must(t, s.DestroySubject(t.Context(), r, "sub_1"))
		must(t, os.WriteFile(s.path(r, ".key"), secret, 0o600)) // as if killed after the record
		if gone, err := s.Destroyed(t.Context(), r); err != nil || gone {
			t.Errorf("destroyed = %t, %v while the secret lies there", gone, err)
		}
		if _, err := s.SubjectSecret(t.Context(), r); !errors.Is(err, ErrErased) {
			t.Errorf("secret: %v", err)
		}
		must(t, s.DestroySubject(t.Context(), r, "sub_1"))
		if _, err := os.Lstat(s.path(r, ".key")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the secret is left: %v", err)
		}
	})
	t.Run("drafts of a killed process go, and the secrets they name stay", func(t *testing.T) {
		t.Parallel()
		s := newFile(t)
		r := ref()
		must(t, s.CreateSubject(t.Context(), r))
		must(t, os.Link(s.path(r, ".key"), filepath.Join(s.dir, draftPrefix+"1")))
		must(t, os.WriteFile(filepath.Join(s.dir, draftPrefix+"2"), []byte("half"), 0o600))
		must(t, s.Close())
		s, err := OpenFile(s.dir)
		must(t, err)
		defer s.Close()
		if left, _ := filepath.Glob(filepath.Join(s.dir, draftPrefix+"*")); len(left) != 0 {
			t.Errorf("left: %d drafts", len(left))
		}
		if _, err := s.SubjectSecret(t.Context(), r); err != nil {
			t.Errorf("secret: %v", err)
		}
	})
	t.Run("a closed store does no work", func(t *testing.T) {
		t.Parallel()
		s := newFile(t)
		r := ref()
		must(t, s.CreateSubject(t.Context(), r))
		must(t, s.Close())
		must(t, s.Close())
		_, secret := s.SubjectSecret(t.Context(), r)
		_, entry := s.AppendLedger(t.Context(), wipeOf("sub_1"))
		_, destroyed := s.Destroyed(t.Context(), r)
		for name, err := range map[string]error{
			"secret": secret, "append": entry, "destroyed": destroyed, "create": s.CreateSubject(t.Context(), ref()),
			"destroy": s.DestroySubject(t.Context(), r, "sub_1"), "check": s.Check(t.Context()),
		} {
			if !errors.Is(err, ErrUnavailable) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
	for name, c := range map[string]struct {
		spoil func(dir string) error
		want  error
	}{
		"a master key that went missing": {func(dir string) error { return os.Remove(filepath.Join(dir, masterFile)) }, ErrMasterKeyMissing},
		"a master key open to others":    {func(dir string) error { return os.Chmod(filepath.Join(dir, masterFile), 0o640) }, ErrPermissions},
		"a canary that went missing":     {func(dir string) error { return os.Remove(filepath.Join(dir, canaryFile)) }, ErrHalfMade},
		"a lock that was removed":        {func(dir string) error { return os.Remove(filepath.Join(dir, lockFile)) }, ErrLocked},
		"a lock that was replaced": {func(dir string) error {
			// Renamed over, not removed first: a new file may get the old one's number.
			if err := os.WriteFile(filepath.Join(dir, "other"), nil, 0o600); err != nil {
				return err
			}
			return os.Rename(filepath.Join(dir, "other"), filepath.Join(dir, lockFile))
		}, ErrLocked},
	} {
		t.Run("a running store notices "+name, func(t *testing.T) {
			t.Parallel()
			s := newFile(t)
			must(t, s.Check(t.Context()))
			must(t, c.spoil(s.dir))
			if err := s.Check(t.Context()); !errors.Is(err, c.want) {
				t.Errorf("check: %v", err)
			}
		})
	}
}
