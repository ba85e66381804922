package keys

import (
	"encoding/binary"
	"sync"
)

// Ring is the opened keys of one subject and epoch, or of a tenant's operator.
// Close it once when done; it is safe for concurrent use until then.
type Ring struct {
	ref   SubjectRef
	data  *box
	token []byte
	done  func(*Ring) // told once the keys are zeroed; nil in tests

	mu      sync.RWMutex
	users   int
	evicted bool // not in the cache any more: the last user zeroes the keys
	dropped bool // never to be used again
}

func newRing(ref SubjectRef, secret []byte) (*Ring, error) {
	var epoch [4]byte
	binary.BigEndian.PutUint32(epoch[:], ref.Epoch)
	key := func(purpose string) []byte {
		return derive(secret, []byte(ref.Tenant), ref.Subject[:], epoch[:], []byte(purpose))
	}
	dataKey := key(purposeData)
	defer clear(dataKey)
	data, err := newBox(dataKey)
	if err != nil {
		return nil, err
	}
	return &Ring{ref: ref, data: data, token: key(purposeToken)}, nil
}

// Seal seals plaintext for the cell. The cell must be of the ring's subject and
// epoch; anything else is ErrOpen.
func (r *Ring) Seal(cell Cell, plaintext []byte) (Sealed, error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if err := r.usable(cell.SubjectRef); err != nil {
		return Sealed{}, err
	}
	return r.data.seal(cell, plaintext)
}

// Open opens a sealed value of the cell, or fails with ErrOpen.
func (r *Ring) Open(cell Cell, s Sealed) ([]byte, error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if err := r.usable(cell.SubjectRef); err != nil {
		return nil, err
	}
	return r.data.open(cell, s)
}

// Token is a keyed token of text under the subject's token key; equal texts of
// one purpose and subject have equal tokens. A dropped ring gives an empty one,
// which can't be stored.
func (r *Ring) Token(purpose string, text []byte) Token {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.dropped {
		return Token{}
	}
	return token(r.token, purpose, text)
}

// Hash64 is the first eight bytes of a token, for the entries of search indexes.
func (r *Ring) Hash64(purpose string, text []byte) uint64 {
	t := r.Token(purpose, text)
	return binary.BigEndian.Uint64(t[:8])
}

// Ref is the generation the ring belongs to.
func (r *Ring) Ref() SubjectRef { return r.ref }

func (r *Ring) usable(ref SubjectRef) error {
	switch {
	case r.dropped:
		return ErrDropped
	case ref != r.ref:
		return ErrOpen
	}
	return nil
}

// Close gives the ring back.
func (r *Ring) Close() {
	r.mu.Lock()
	r.users--
	gone := r.zeroIfUnused()
	r.mu.Unlock()
	if gone && r.done != nil { // outside the lock: the sealer takes its own first
		r.done(r)
	}
}

func (r *Ring) retain() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.dropped || r.evicted {
		return false
	}
	r.users++
	return true
}

// retire takes the ring out of use: at once when dropped, else when its last
// user is done. It tells whether the keys still work for somebody.
func (r *Ring) retire(drop bool) (inUse bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.evicted = true
	if drop {
		r.dropped = true
		r.zero()
		return false
	}
	return !r.zeroIfUnused()
}

func (r *Ring) zeroIfUnused() bool {
	if !r.evicted || r.users > 0 {
		return false
	}
	r.dropped = true
	r.zero()
	return true
}

func (r *Ring) zero() {
	clear(r.token)
	clear(r.data.commit)
	r.data.aead = nil
}
