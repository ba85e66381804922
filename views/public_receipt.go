package views

import "time"

// ReceiptPage is GET /receipts/{id}: what an erasure did, in words, for whoever
// holds the id. It names nobody.
type ReceiptPage struct {
	Frame     PublicFrame
	ID        string
	Erasure   string
	Pseudonym string
	Tenant    string
	Scope     string // all, rows
	// Partial: something is left or unsigned. The page never calls that complete.
	Partial       bool
	PartialReason string // what is missing: rows_left, awaiting_signature; empty when complete
	// Ground: portal (the person asked here), agent (the host product asked for the
	// person), staff.
	Ground   string
	Received time.Time
	Decided  time.Time
	Executed time.Time
	Issued   time.Time
	Decision []ReceiptDecision // roles, never names
	Key      ReceiptKey        // zero where only rows were erased
	Stores   []ReceiptStoreRow
	Kept     []ReceiptKeptRow
	// BackupsUntil and SnapshotsUntil are the horizons of database backups and of
	// key-store snapshots; zero: unknown.
	BackupsUntil   time.Time
	SnapshotsUntil time.Time
	Exports        []string // exports that held the person, by id
	Recipients     []ReceiptRecipientRow
	Body           string // the signed text, canonical JSON
	Signature      string // base64
	PublicKey      string // base64
	Download       string // address of the receipt as a file; empty: none
}

// ReceiptDecision is one step of who decided.
type ReceiptDecision struct {
	Role string // subject, agent, admin, compliance
	At   time.Time
}

// ReceiptKey is the key that sealed all of the person.
type ReceiptKey struct {
	ID        string
	Epoch     int
	Destroyed time.Time
	ReadBack  bool // asked for again, and the key store no longer had it
}

// ReceiptStoreRow is what was done to one store.
type ReceiptStoreRow struct {
	Store  string // attributes, memories, versions, turns, segments, recalls, …
	Before int
	Left   int    // found at the read-back
	Method string // deleted, key_destroyed, vacuumed
}

// ReceiptKeptRow is what stays.
type ReceiptKeptRow struct {
	What  string    // tombstone, receipt, audit, ledger, deliveries, hold
	Until time.Time // zero: no end is set
}

// ReceiptRecipientRow is who was told.
type ReceiptRecipientRow struct {
	Name         string
	Told         time.Time
	Acknowledged time.Time
}
