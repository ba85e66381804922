package keys

import "errors"

var (
	// ErrOpen says that a value doesn't open: another cell, key or epoch, or
	// changed bytes. It never says which.
	ErrOpen = errors.New("sealed value doesn't open")
	// ErrNotSealed says that a value isn't a sealed blob.
	ErrNotSealed = errors.New("not a sealed value")
	// ErrDropped says that the key was dropped while it was in use: the subject
	// was wiped. Ask for the ring again.
	ErrDropped = errors.New("key was dropped")

	// ErrMissing says that the store has no such secret and no proof that it was
	// erased: a fault of the store. Nothing may be deleted or made anew for it.
	ErrMissing = errors.New("secret is missing from the key store")
	// ErrErased says that the secret was destroyed, by an entry of the ledger.
	ErrErased = errors.New("secret was erased")
	// ErrExists says that the subject has a secret, or had one, in this epoch.
	ErrExists = errors.New("secret exists already")
	// ErrNoLedgerEntry says that nothing in the ledger asks for the destruction.
	ErrNoLedgerEntry = errors.New("no entry in the erasure ledger")
	// ErrUnavailable says that the store can't be reached just now.
	ErrUnavailable = errors.New("key store unavailable")
	// ErrInvalid says that a reference names no subject: bad tenant name, no id or
	// epoch zero. It is a fault of the caller.
	ErrInvalid = errors.New("bad reference")
	// ErrNoTenant says that the tenant's secret isn't loaded.
	ErrNoTenant = errors.New("tenant's secret isn't loaded")

	// ErrMasterKeyMissing says that a file key store has no master.key.
	ErrMasterKeyMissing = errors.New("master key is missing")
	// ErrWrongKey says that the store's secrets don't open with its master key.
	ErrWrongKey = errors.New("key store doesn't open with this key")
	// ErrLocked says that another process uses the store.
	ErrLocked = errors.New("key store is in use by another process")
	// ErrHalfMade says that a directory holds a part of a key store.
	ErrHalfMade = errors.New("key store is half made")
	// ErrNotThere says that there is no key store in the directory.
	ErrNotThere = errors.New("no key store here")
	// ErrPermissions says that others may read the store's secrets.
	ErrPermissions = errors.New("key store is open to others")
	// ErrLedger says that the ledger was cut or changed.
	ErrLedger = errors.New("erasure ledger was cut or changed")
)
