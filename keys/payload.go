package keys

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
)

const (
	saltLen = 32
	keyLen  = 32
	// keyColumn is added to a payload's column to name the cell of its data key.
	keyColumn = "_key"
)

// SealWithDataKey seals a payload under a data key of its own and wraps that key
// under the ring, so that a rotation rewraps the key and never touches the
// payload. commitment is HMAC-SHA256(salt, payload); the salt is sealed with the
// payload.
func SealWithDataKey(r *Ring, cell Cell, payload []byte) (sealed, wrapped Sealed, commitment [32]byte, err error) {
	fail := func(err error) (Sealed, Sealed, [32]byte, error) {
		return Sealed{}, Sealed{}, [32]byte{}, fmt.Errorf("keys: seal payload: %w", err)
	}
	dataKey := make([]byte, keyLen)
	defer clear(dataKey)
	salted := make([]byte, saltLen, saltLen+len(payload))
	_, _ = rand.Read(dataKey) // never fails: crypto/rand ends the program instead
	_, _ = rand.Read(salted)
	commitment = commit(salted, payload)
	b, err := newBox(dataKey)
	if err != nil {
		return fail(err)
	}
	if sealed, err = b.seal(cell, append(salted, payload...)); err != nil {
		return fail(err)
	}
	if wrapped, err = r.Seal(keyCell(cell), dataKey); err != nil {
		return fail(err)
	}
	return sealed, wrapped, commitment, nil
}

// OpenWithDataKey opens what SealWithDataKey sealed and checks the commitment.
func OpenWithDataKey(r *Ring, cell Cell, sealed, wrapped Sealed, commitment [32]byte) ([]byte, error) {
	dataKey, err := r.Open(keyCell(cell), wrapped)
	if err != nil {
		return nil, fmt.Errorf("keys: open payload: %w", err)
	}
	defer clear(dataKey)
	b, err := newBox(dataKey)
	if err != nil {
		return nil, err
	}
	salted, err := b.open(cell, sealed)
	if err != nil || len(salted) < saltLen {
		return nil, fmt.Errorf("keys: open payload: %w", ErrOpen)
	}
	payload := salted[saltLen:]
	if want := commit(salted[:saltLen], payload); !hmac.Equal(want[:], commitment[:]) {
		return nil, fmt.Errorf("keys: open payload: commitment: %w", ErrOpen)
	}
	return payload, nil
}

func commit(salt, payload []byte) [32]byte {
	m := hmac.New(sha256.New, salt)
	m.Write(payload)
	return [32]byte(m.Sum(nil))
}

func keyCell(c Cell) Cell {
	c.Column += keyColumn
	return c
}
