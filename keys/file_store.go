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
	"strconv"
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
	files := map[string][]byte{masterFile: []byte(fmt.Sprintf("%x\n", secret))}
	for name, content := range map[string][]byte{canaryFile: []byte(canaryText), signingFile: signing.Seed()} {
		sealed, err := master.seal(fileCell(name), content)
		if err != nil {
			return err
		}
		files[name] = sealed.blob
	}
	for name, content := range files {
		if err := writeNew(filepath.Join(dir, name), content); err != nil {
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
	if err := s.canary(); err != nil {
		return fail(err)
	}
	if s.lock, err = lockExclusive(filepath.Join(dir, lockFile)); err != nil {
		return fail(err)
	}
	if s.ledger, err = openLedger(dir, s.sign); err != nil {
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

// Check reads master key, permissions and canary again from the disk.
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
	return nil
}

// Close gives the directory free for another process.
func (s *FileStore) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.lock.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
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
	s.mu.Lock()
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
	if !tenantForm.MatchString(ref.Tenant) {
		return fmt.Errorf("keys: create subject: %w: bad tenant name", ErrOpen)
	}
	secret := make([]byte, keyLen)
	defer clear(secret)
	_, _ = rand.Read(secret)
	sealed, err := s.master.seal(secretCell(ref), secret)
	if err != nil {
		return fmt.Errorf("keys: create subject: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := os.Lstat(s.path(ref, ".gone")); err == nil {
		return fmt.Errorf("keys: create subject: %w", ErrExists)
	}
	path := s.path(ref, ".key")
	if err := s.makeDirs(filepath.Dir(path)); err != nil {
		return fmt.Errorf("keys: create subject: %w", err)
	}
	if err := writeNew(path, sealed.blob); err != nil {
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
	s.mu.Lock()
	defer s.mu.Unlock()
	fail := func(err error) ([]byte, error) { return nil, fmt.Errorf("keys: subject secret: %w", err) }
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
	s.mu.Lock()
	defer s.mu.Unlock()
	erased, err := s.destroyed(ref)
	if err != nil || !erased {
		return false, err
	}
	_, err = os.Lstat(s.path(ref, ".key"))
	return errors.Is(err, fs.ErrNotExist), nil
}

// DestroySubject destroys a secret: the record first, so that a kill at any
// moment leaves either the secret or the proof that it was asked to go.
func (s *FileStore) DestroySubject(_ context.Context, ref SubjectRef, pseudonym string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	fail := func(err error) error { return fmt.Errorf("keys: destroy subject: %w", err) }
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
		if err := writeNew(s.path(ref, ".gone"), raw); err != nil {
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
