package keys

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// FileStore keeps secrets in a directory of its own. One process uses it at a
// time.
//
//	master.key            32 random bytes in hex, mode 0600
//	canary, signing.key   sealed under the master key
//	subjects/TENANT/XX/SUBJECT.EPOCH.key    sealed secret
//	subjects/TENANT/XX/SUBJECT.EPOCH.gone   what is left of a destroyed one
//	ledger.jsonl, ledger.head               the erasure ledger and its last number
type FileStore struct {
	dir    string
	master *box
	sign   ed25519.PrivateKey
	lock   *os.File
	now    func() time.Time

	mu     sync.Mutex
	ledger *fileLedger
	closed bool
}

var _ Store = (*FileStore)(nil)

const (
	masterFile  = "master.key"
	canaryFile  = "canary"
	signingFile = "signing.key"
	lockFile    = "lock"
	subjectsDir = "subjects"
	canaryText  = "fornix key store"
)

// CreateFile makes a key store in a directory that doesn't exist or is empty. The
// store is made beside it and moved into place whole, so a killed run leaves
// nothing half made there.
func CreateFile(dir string) (*FileStore, error) {
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return nil, fmt.Errorf("keys: create %s: %w", dir, ErrExists)
	}
	parent := filepath.Dir(filepath.Clean(dir))
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return nil, fmt.Errorf("keys: create: %w", err)
	}
	draft, err := os.MkdirTemp(parent, ".keys-draft-")
	if err != nil {
		return nil, fmt.Errorf("keys: create: %w", err)
	}
	defer os.RemoveAll(draft)
	if err := fill(draft); err != nil {
		return nil, fmt.Errorf("keys: create: %w", err)
	}
	// Rename replaces an empty directory and refuses a full one.
	if err := os.Rename(draft, dir); err != nil {
		return nil, fmt.Errorf("keys: create: %w", err)
	}
	if err := syncDir(parent); err != nil {
		return nil, fmt.Errorf("keys: create: %w", err)
	}
	return OpenFile(dir)
}

func fill(dir string) error {
	secret := make([]byte, keyLen)
	defer clear(secret)
	_, _ = rand.Read(secret)
	master, err := newBox(secret)
	if err != nil {
		return err
	}
	_, signing, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	head, err := json.Marshal(ledgerHead{})
	if err != nil {
		return err
	}
	files := map[string][]byte{ledgerFile: nil, headFile: head, masterFile: []byte(fmt.Sprintf("%x\n", secret))}
	for name, content := range map[string][]byte{canaryFile: []byte(canaryText), signingFile: signing.Seed()} {
		sealed, err := master.seal(fileCell(name), content)
		if err != nil {
			return err
		}
		files[name] = sealed.blob
	}
	for name, content := range files {
		if err := writeNew(dir, filepath.Join(dir, name), content); err != nil {
			return err
		}
	}
	if err := os.Mkdir(filepath.Join(dir, subjectsDir), 0o700); err != nil {
		return err
	}
	return syncDir(dir)
}

// OpenFile opens a key store. It makes nothing; its errors say what to do.
func OpenFile(dir string) (*FileStore, error) {
	fail := func(err error) (*FileStore, error) { return nil, fmt.Errorf("keys: open %s: %w", dir, err) }
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && len(entries) == 0:
		return fail(ErrNotThere)
	case err != nil:
		return fail(err)
	}
	secret, err := readMaster(dir)
	if err != nil {
		return fail(err)
	}
	defer clear(secret)
	s := &FileStore{dir: dir, now: time.Now}
	if s.master, err = newBox(secret); err != nil {
		return fail(err)
	}
	seed, err := s.readSealed(signingFile)
	if err != nil {
		return fail(err)
	}
	if len(seed) != ed25519.SeedSize {
		return fail(fmt.Errorf("%s: %w", signingFile, ErrWrongKey))
	}
	s.sign = ed25519.NewKeyFromSeed(seed)
	clear(seed)
	if err := s.canary(); err != nil {
		return fail(err)
	}
	if s.lock, err = lockExclusive(filepath.Join(dir, lockFile)); err != nil {
		return fail(err)
	}
	if s.ledger, err = openLedger(dir, s.sign); err == nil {
		err = removeDrafts(dir)
	}
	if err != nil {
		_ = s.lock.Close()
		return fail(err)
	}
	return s, nil
}

func readMaster(dir string) ([]byte, error) {
	path := filepath.Join(dir, masterFile)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: put %s back from its backup; without it nothing sealed opens", ErrMasterKeyMissing, masterFile)
	}
	if err != nil {
		return nil, err
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%w: run chmod 600 %s", ErrPermissions, masterFile)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var secret []byte
	if _, err := fmt.Sscanf(string(raw), "%x", &secret); err != nil || len(secret) != keyLen {
		return nil, fmt.Errorf("%w: %s isn't 64 hex digits", ErrWrongKey, masterFile)
	}
	return secret, nil
}

// fileCell is the cell of a file of the store, so that one file can't stand in
// another's place.
func fileCell(name string) Cell { return Cell{Table: "file", Column: name} }

func (s *FileStore) readSealed(name string) ([]byte, error) {
	raw, err := os.ReadFile(filepath.Join(s.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s is missing", ErrHalfMade, name)
	}
	if err != nil {
		return nil, err
	}
	sealed, err := ParseSealed(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, ErrWrongKey)
	}
	plain, err := s.master.open(fileCell(name), sealed)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, ErrWrongKey)
	}
	return plain, nil
}

func (s *FileStore) canary() error {
	text, err := s.readSealed(canaryFile)
	if err == nil && string(text) != canaryText {
		err = ErrWrongKey
	}
	return err
}

// Check reads master key, permissions, canary and lock again from the disk.
func (s *FileStore) Check(context.Context) error {
	secret, err := readMaster(s.dir)
	if err != nil {
		return fmt.Errorf("keys: check: %w", err)
	}
	defer clear(secret)
	now, err := newBox(secret)
	if err != nil {
		return fmt.Errorf("keys: check: %w", err)
	}
	if string(now.commit) != string(s.master.commit) {
		return fmt.Errorf("keys: check: %s was replaced: %w", masterFile, ErrWrongKey)
	}
	if err := s.canary(); err != nil {
		return fmt.Errorf("keys: check: %w", err)
	}
	if err := s.holdsLock(); err != nil {
		return fmt.Errorf("keys: check: %w", err)
	}
	return nil
}

// holdsLock fails when the lock is given back, or when its file was removed: a
// second process could then lock a new one.
func (s *FileStore) holdsLock() error {
	held, err := s.lock.Stat()
	if err != nil {
		return errClosed
	}
	there, err := os.Stat(filepath.Join(s.dir, lockFile))
	if err != nil || !os.SameFile(held, there) {
		return fmt.Errorf("%w: the lock file was replaced; stop every process on it and start one", ErrLocked)
	}
	return nil
}

// errClosed refuses work after Close, when another process may hold the lock.
var errClosed = fmt.Errorf("%w: it is closed", ErrUnavailable)

// begin locks the store for one operation.
func (s *FileStore) begin() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return errClosed
	}
	return nil
}

// Close gives the directory free for another process.
func (s *FileStore) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	if err := s.lock.Close(); err != nil {
		return fmt.Errorf("keys: close: %w", err)
	}
	return nil
}

// Sign signs with the store's Ed25519 key.
func (s *FileStore) Sign(_ context.Context, message []byte) ([]byte, error) {
	return ed25519.Sign(s.sign, message), nil
}

// PublicKey is the key that checks what Sign signed.
func (s *FileStore) PublicKey(context.Context) (ed25519.PublicKey, error) {
	return s.sign.Public().(ed25519.PublicKey), nil
}

// WrapTenant makes a tenant's secret and returns it wrapped.
func (s *FileStore) WrapTenant(_ context.Context, tenant string) ([]byte, error) {
	if !tenantForm.MatchString(tenant) {
		return nil, fmt.Errorf("keys: wrap tenant: %w: tenant name", ErrInvalid)
	}
	secret := make([]byte, keyLen)
	defer clear(secret)
	_, _ = rand.Read(secret)
	sealed, err := s.master.seal(tenantCell(tenant), secret)
	if err != nil {
		return nil, fmt.Errorf("keys: wrap tenant: %w", err)
	}
	return sealed.blob, nil
}

// UnwrapTenant opens what WrapTenant returned.
func (s *FileStore) UnwrapTenant(_ context.Context, tenant string, wrapped []byte) ([]byte, error) {
	sealed, err := ParseSealed(wrapped)
	if err != nil {
		return nil, fmt.Errorf("keys: unwrap tenant: %w", ErrWrongKey)
	}
	secret, err := s.master.open(tenantCell(tenant), sealed)
	if err != nil || len(secret) != keyLen {
		return nil, fmt.Errorf("keys: unwrap tenant: %w", ErrWrongKey)
	}
	return secret, nil
}

func tenantCell(tenant string) Cell {
	return Cell{SubjectRef: SubjectRef{Tenant: tenant}, Table: "tenant", Column: "secret"}
}

// AppendLedger adds an entry to the ledger.
func (s *FileStore) AppendLedger(_ context.Context, e Entry) (Entry, error) {
	if err := s.begin(); err != nil {
		return Entry{}, fmt.Errorf("keys: append to ledger: %w", err)
	}
	defer s.mu.Unlock()
	e, err := s.ledger.append(e, s.now())
	if err != nil {
		return Entry{}, fmt.Errorf("keys: append to ledger: %w", err)
	}
	return e, nil
}

// LedgerHead is the last sequence number.
func (s *FileStore) LedgerHead(context.Context) (uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ledger.head.Seq, nil
}
