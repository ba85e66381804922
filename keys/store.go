package keys

import (
	"context"
	"crypto/ed25519"
	"iter"
)

// Store keeps secrets and the erasure ledger. Implementations are safe for
// concurrent use and pass keystest.
type Store interface {
	// CreateSubject makes a random secret for the epoch; ErrExists when there is,
	// or ever was, one.
	CreateSubject(ctx context.Context, ref SubjectRef) error
	// SubjectSecret returns the 32-byte secret, which the caller zeroes. ErrErased
	// needs destruction metadata and the ledger entry; all else is ErrMissing.
	SubjectSecret(ctx context.Context, ref SubjectRef) ([]byte, error)
	// DestroySubject destroys the secret for good, reads that back and keeps
	// metadata. It refuses with ErrNoLedgerEntry without an entry of scope "all"
	// for the pseudonym and epoch. Doing it again changes nothing.
	DestroySubject(ctx context.Context, ref SubjectRef, pseudonym string) error
	// Destroyed tells whether the secret is destroyed, by metadata and ledger.
	Destroyed(ctx context.Context, ref SubjectRef) (bool, error)

	// WrapTenant makes a tenant's secret and returns it wrapped.
	WrapTenant(ctx context.Context, tenant string) (wrapped []byte, err error)
	// UnwrapTenant opens what WrapTenant returned, for the same tenant alone.
	UnwrapTenant(ctx context.Context, tenant string, wrapped []byte) (secret []byte, err error)

	// AppendLedger adds an entry and fills Seq, Time, Prev and Sig. An equal entry
	// (tenant, pseudonym, epoch, scope, rows) isn't added twice: the first is
	// returned.
	AppendLedger(ctx context.Context, e Entry) (Entry, error)
	// Ledger yields the entries from a sequence number on, each checked against
	// the chain and its signature; it ends after the first error.
	Ledger(ctx context.Context, from uint64) iter.Seq2[Entry, error]
	// LedgerHead is the last sequence number; 0 when the ledger is empty.
	LedgerHead(ctx context.Context) (uint64, error)

	// Sign signs with the store's Ed25519 key.
	Sign(ctx context.Context, message []byte) ([]byte, error)
	PublicKey(ctx context.Context) (ed25519.PublicKey, error)

	// Check proves that the store opens what it sealed; it makes nothing.
	Check(ctx context.Context) error
	Close() error
}
