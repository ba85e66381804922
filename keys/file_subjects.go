package keys

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// gone is what is left of a destroyed secret: which entry of the ledger asked
// for it.
type gone struct {
	Seq       uint64    `json:"ledger_seq"`
	Pseudonym string    `json:"pseudonym"`
	Time      time.Time `json:"destroyed_at"`
}

func (s *FileStore) path(ref SubjectRef, ending string) string {
	name := ref.Subject.String()
	// The last two digits of a UUIDv7 are random: 256 folders of equal size.
	return filepath.Join(s.dir, subjectsDir, ref.Tenant, name[len(name)-2:], name+"."+strconv.FormatUint(uint64(ref.Epoch), 10)+ending)
}

func secretCell(ref SubjectRef) Cell {
	return Cell{SubjectRef: ref, Table: "subject", Column: "secret"}
}

// CreateSubject makes a secret.
func (s *FileStore) CreateSubject(_ context.Context, ref SubjectRef) error {
	if err := ref.check(); err != nil {
		return fmt.Errorf("keys: create subject: %w", err)
	}
	secret := make([]byte, keyLen)
	defer clear(secret)
	_, _ = rand.Read(secret)
	sealed, err := s.master.seal(secretCell(ref), secret)
	if err != nil {
		return fmt.Errorf("keys: create subject: %w", err)
	}
	if err := s.begin(); err != nil {
		return fmt.Errorf("keys: create subject: %w", err)
	}
	defer s.mu.Unlock()
	if _, err := os.Lstat(s.path(ref, ".gone")); err == nil {
		return fmt.Errorf("keys: create subject: %w", ErrExists)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("keys: create subject: %w: %w", ErrUnavailable, err)
	}
	path := s.path(ref, ".key")
	if err := s.makeDirs(filepath.Dir(path)); err != nil {
		return fmt.Errorf("keys: create subject: %w", err)
	}
	if err := writeNew(s.dir, path, sealed.blob); err != nil {
		return fmt.Errorf("keys: create subject: %w", err)
	}
	return nil
}

// makeDirs makes the folders of a secret and makes their names durable.
func (s *FileStore) makeDirs(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for d := dir; d != s.dir; d = filepath.Dir(d) {
		if err := syncDir(filepath.Dir(d)); err != nil {
			return err
		}
	}
	return nil
}

// SubjectSecret reads a secret.
func (s *FileStore) SubjectSecret(_ context.Context, ref SubjectRef) ([]byte, error) {
	fail := func(err error) ([]byte, error) { return nil, fmt.Errorf("keys: subject secret: %w", err) }
	if err := ref.check(); err != nil {
		return fail(err)
	}
	if err := s.begin(); err != nil {
		return fail(err)
	}
	defer s.mu.Unlock()
	if erased, err := s.destroyed(ref); err != nil {
		return fail(err)
	} else if erased {
		return fail(ErrErased)
	}
	raw, err := os.ReadFile(s.path(ref, ".key"))
	if errors.Is(err, fs.ErrNotExist) {
		return fail(ErrMissing)
	}
	if err != nil {
		return fail(fmt.Errorf("%w: %w", ErrUnavailable, err))
	}
	sealed, err := ParseSealed(raw)
	if err != nil {
		return fail(ErrMissing) // overwritten or torn: not a secret any more
	}
	secret, err := s.master.open(secretCell(ref), sealed)
	if err != nil || len(secret) != keyLen {
		return fail(ErrWrongKey)
	}
	return secret, nil
}

// destroyed reads the destruction metadata and believes it only with its entry
// of the ledger.
func (s *FileStore) destroyed(ref SubjectRef) (bool, error) {
	raw, err := os.ReadFile(s.path(ref, ".gone"))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	var g gone
	if err := json.Unmarshal(raw, &g); err != nil {
		return false, fmt.Errorf("%w: destruction record can't be read", ErrMissing)
	}
	want := Entry{Tenant: ref.Tenant, Pseudonym: g.Pseudonym, Epoch: ref.Epoch, Scope: ScopeAll}
	if seq, ok := s.ledger.known[want.identity()]; !ok || seq != g.Seq {
		return false, fmt.Errorf("%w: destruction record without its ledger entry", ErrMissing)
	}
	return true, nil
}

// Destroyed tells whether the secret is destroyed and nothing of it is left.
func (s *FileStore) Destroyed(_ context.Context, ref SubjectRef) (bool, error) {
	if err := ref.check(); err != nil {
		return false, fmt.Errorf("keys: destroyed: %w", err)
	}
	if err := s.begin(); err != nil {
		return false, fmt.Errorf("keys: destroyed: %w", err)
	}
	defer s.mu.Unlock()
	erased, err := s.destroyed(ref)
	if err != nil {
		return false, fmt.Errorf("keys: destroyed: %w", err)
	}
	if !erased {
		return false, nil
	}
	_, err = os.Lstat(s.path(ref, ".key"))
	return errors.Is(err, fs.ErrNotExist), nil
}

// DestroySubject destroys a secret: the record first, so that a kill at any
// moment leaves either the secret or the proof that it was asked to go.
func (s *FileStore) DestroySubject(_ context.Context, ref SubjectRef, pseudonym string) error {
	fail := func(err error) error { return fmt.Errorf("keys: destroy subject: %w", err) }
	if err := ref.check(); err != nil {
		return fail(err)
	}
	if err := s.begin(); err != nil {
		return fail(err)
	}
	defer s.mu.Unlock()
	want := Entry{Tenant: ref.Tenant, Pseudonym: pseudonym, Epoch: ref.Epoch, Scope: ScopeAll}
	seq, ok := s.ledger.known[want.identity()]
	if !ok {
		return fail(ErrNoLedgerEntry)
	}
	erased, err := s.destroyed(ref)
	if err != nil {
		return fail(err)
	}
	key := s.path(ref, ".key")
	_, statErr := os.Lstat(key)
	switch {
	case erased && errors.Is(statErr, fs.ErrNotExist):
		return nil
	case errors.Is(statErr, fs.ErrNotExist):
		return fail(ErrMissing)
	case statErr != nil:
		return fail(statErr)
	}
	if !erased {
		raw, err := json.Marshal(gone{Seq: seq, Pseudonym: pseudonym, Time: s.now().UTC()})
		if err != nil {
			return fail(err)
		}
		if err := writeNew(s.dir, s.path(ref, ".gone"), raw); err != nil {
			return fail(err)
		}
	}
	if err := shred(key); err != nil {
		return fail(err)
	}
	if _, err := os.Lstat(key); !errors.Is(err, fs.ErrNotExist) {
		return fail(fmt.Errorf("%w: the secret is still there", ErrUnavailable))
	}
	return nil
}
