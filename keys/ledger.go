package keys

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// Scopes of ledger entries.
const (
	ScopeAll  = "all"
	ScopeRows = "rows"
)

// Entry says that something was erased, and nothing of what it was. Entries are
// numbered from 1; Prev is the hash of the entry before, Sig the store's
// signature over the entry's hash.
type Entry struct {
	Seq       uint64      `json:"seq"`
	Tenant    string      `json:"tenant"`
	Pseudonym string      `json:"pseudonym"`
	Epoch     uint32      `json:"epoch"`
	Scope     string      `json:"scope"`
	Rows      []uuid.UUID `json:"rows,omitempty"`
	Time      time.Time   `json:"time"`
	Prev      []byte      `json:"prev"`
	Sig       []byte      `json:"sig"`
}

// Hash is SHA-256 over the entry's fields, each with its length before it.
func (e Entry) Hash() [32]byte {
	b := appendField(nil, []byte("fornix-ledger-1"))
	b = appendField(b, binary.BigEndian.AppendUint64(nil, e.Seq))
	b = appendField(b, []byte(e.identity()))
	b = appendField(b, binary.BigEndian.AppendUint64(nil, uint64(e.Time.UnixMicro())))
	return sha256.Sum256(appendField(b, e.Prev))
}

// identity is what makes two entries the same request.
func (e Entry) identity() string {
	b := appendField(nil, []byte(e.Tenant))
	b = appendField(b, []byte(e.Pseudonym))
	b = binary.BigEndian.AppendUint32(b, e.Epoch)
	b = appendField(b, []byte(e.Scope))
	for _, row := range e.Rows {
		b = append(b, row[:]...)
	}
	return string(b)
}

func (e Entry) check() error {
	switch {
	case e.Tenant == "" || e.Pseudonym == "":
		return fmt.Errorf("%w: entry without tenant or pseudonym", ErrLedger)
	case e.Scope == ScopeAll && len(e.Rows) == 0 && e.Epoch > 0:
		return nil
	case e.Scope == ScopeRows && len(e.Rows) > 0:
		return nil
	}
	return fmt.Errorf("%w: scope %q with %d rows, epoch %d", ErrLedger, e.Scope, len(e.Rows), e.Epoch)
}

// verify checks an entry against the one before it.
func (e Entry) verify(seq uint64, prev []byte, key ed25519.PublicKey) error {
	hash := e.Hash()
	switch {
	case e.Seq != seq:
		return fmt.Errorf("%w: entry %d where %d belongs", ErrLedger, e.Seq, seq)
	case string(e.Prev) != string(prev):
		return fmt.Errorf("%w: entry %d doesn't follow the one before", ErrLedger, e.Seq)
	case len(e.Sig) != ed25519.SignatureSize || !ed25519.Verify(key, hash[:], e.Sig):
		return fmt.Errorf("%w: signature of entry %d", ErrLedger, e.Seq)
	}
	return e.check()
}
