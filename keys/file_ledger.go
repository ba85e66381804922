package keys

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"time"
)

const (
	ledgerFile = "ledger.jsonl"
	headFile   = "ledger.head"
)

// fileLedger is the ledger of a FileStore: one JSON line an entry. The head is
// written after each entry, so that a ledger cut at its end shows.
type fileLedger struct {
	dir     string
	sign    ed25519.PrivateKey
	entries []Entry
	known   map[string]uint64
	head    ledgerHead
	// promised is the last number the head file says; a crash or a full disk may
	// leave it one behind.
	promised uint64
	// broken says that half a line may stand at the end, which no entry may follow
	// before a start has cut it off.
	broken bool
}

type ledgerHead struct {
	Seq  uint64 `json:"seq"`
	Hash []byte `json:"hash"`
}

func openLedger(dir string, sign ed25519.PrivateKey) (*fileLedger, error) {
	l := &fileLedger{dir: dir, sign: sign, known: map[string]uint64{}}
	var promised ledgerHead
	raw, err := os.ReadFile(filepath.Join(dir, headFile))
	if err == nil {
		err = json.Unmarshal(raw, &promised)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s is missing or can't be read", ErrLedger, headFile)
	}
	l.promised = promised.Seq
	whole, err := l.read()
	if err != nil {
		return nil, err
	}
	if l.head.Seq < promised.Seq || promised.Seq > 0 && !bytes.Equal(l.hashAt(promised.Seq), promised.Hash) {
		return nil, fmt.Errorf("%w: it ends at %d, its head says %d", ErrLedger, l.head.Seq, promised.Seq)
	}
	if whole >= 0 { // a torn last line, never acknowledged to anybody
		if err := os.Truncate(filepath.Join(dir, ledgerFile), whole); err != nil {
			return nil, err
		}
	}
	if l.head.Seq > promised.Seq {
		return l, l.writeHead()
	}
	return l, nil
}

// read loads all entries. whole is where a torn last line begins, -1 without one.
func (l *fileLedger) read() (whole int64, err error) {
	raw, err := os.ReadFile(filepath.Join(l.dir, ledgerFile))
	if errors.Is(err, fs.ErrNotExist) {
		return -1, fmt.Errorf("%w: %s is missing", ErrLedger, ledgerFile)
	}
	if err != nil {
		return -1, err
	}
	key := l.sign.Public().(ed25519.PublicKey)
	var offset int64
	for len(raw) > 0 {
		line, rest, ended := bytes.Cut(raw, []byte("\n"))
		if !ended {
			return offset, nil
		}
		var e Entry
		if err := json.Unmarshal(line, &e); err != nil {
			return -1, fmt.Errorf("%w: line %d can't be read", ErrLedger, l.head.Seq+1)
		}
		if err := e.verify(l.head.Seq+1, l.head.Hash, key); err != nil {
			return -1, err
		}
		l.add(e)
		offset += int64(len(line)) + 1
		raw = rest
	}
	return -1, nil
}

func (l *fileLedger) add(e Entry) {
	hash := e.Hash()
	l.entries = append(l.entries, e)
	l.known[e.identity()] = e.Seq
	l.head = ledgerHead{Seq: e.Seq, Hash: hash[:]}
}

func (l *fileLedger) hashAt(seq uint64) []byte {
	hash := l.entries[seq-1].Hash()
	return hash[:]
}

func (l *fileLedger) append(e Entry, now time.Time) (Entry, error) {
	e.Rows = slices.Clone(e.Rows)
	if err := e.check(); err != nil {
		return Entry{}, err
	}
	if l.broken {
		return Entry{}, fmt.Errorf("%w: an entry was half written, start again", ErrUnavailable)
	}
	if seq, ok := l.known[e.identity()]; ok {
		return l.entries[seq-1], l.writeHead()
	}
	e.Seq, e.Prev, e.Time = l.head.Seq+1, l.head.Hash, now.UTC().Truncate(time.Microsecond)
	hash := e.Hash()
	e.Sig = ed25519.Sign(l.sign, hash[:])
	line, err := json.Marshal(e)
	if err != nil {
		return Entry{}, err
	}
	path := filepath.Join(l.dir, ledgerFile)
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return Entry{}, err
	}
	info, err := f.Stat()
	if err != nil {
		return Entry{}, errors.Join(err, f.Close())
	}
	_, err = f.Write(append(line, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		// A full disk may leave half a line, which the next entry must not follow.
		cut := os.Truncate(path, info.Size())
		l.broken = cut != nil
		return Entry{}, errors.Join(err, cut)
	}
	l.add(e)
	return e, l.writeHead()
}

func (l *fileLedger) writeHead() error {
	if l.promised == l.head.Seq {
		return nil
	}
	raw, err := json.Marshal(l.head)
	if err != nil {
		return err
	}
	if err := replace(filepath.Join(l.dir, headFile), raw); err != nil {
		return err
	}
	l.promised = l.head.Seq
	return nil
}

// Ledger yields the entries from a sequence number on.
func (s *FileStore) Ledger(_ context.Context, from uint64) iter.Seq2[Entry, error] {
	s.mu.Lock()
	entries := slices.Clone(s.ledger.entries)
	s.mu.Unlock()
	key := s.sign.Public().(ed25519.PublicKey)
	return func(yield func(Entry, error) bool) {
		var prev []byte
		for i, e := range entries {
			err := e.verify(uint64(i)+1, prev, key)
			hash := e.Hash()
			prev = hash[:]
			if e.Seq < from && err == nil {
				continue
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}
