// Package keys owns key stores, subject keys and sealing. It is the only place
// that holds a secret, and the only importer of Vault's client. It imports no
// other package of Fornix.
//
// # Key management
//
// Each subject has a 32-byte secret per epoch that exists only in the key store,
// never in the database. Each tenant has a secret that stands in the database,
// wrapped by the key store. What seals a subject's values is derived from both:
//
//	key = HKDF-SHA256(subject secret ‖ tenant secret; product, tenant, subject, epoch, purpose)
//
// so neither a copy of the database nor the key store alone opens anything, and
// destroying a subject's secret puts every value sealed with it beyond reach, in
// each backup of the database too.
//
// What belongs to a tenant and to no subject is sealed under the tenant's
// operator key, which comes from the tenant secret alone. It doesn't die with a
// person, so nothing that a person's wipe must reach may be sealed with it.
//
// # Backup and loss
//
// The embedded FileStore keeps secrets in a directory of its own (0700), sealed
// under master.key (0600). It is meant for one machine and for trying Fornix out;
// production uses Vault.
//
// Back the directory up apart from the database: whoever has both can read
// everything. Losing master.key loses everything sealed, and nobody can help.
//
// A backup of the key store brings destroyed secrets back to life. Keep few, for
// a short time, and destroy them with care: a wipe is as good as the oldest
// backup of the key store. Restored alone it also lacks the ledger's last
// entries; the start compares the ledger with what the database has applied and
// refuses a ledger that ends earlier.
//
// # The erasure ledger
//
// ledger.jsonl says what was erased, by pseudonym and number and without content.
// Each entry carries the hash of the one before and a signature. ledger.head
// holds the last number, so that a ledger that lost whole lines at its end is
// refused; half a line, left by a crash and never acknowledged, is cut off.
// Somebody who may write both files and puts older copies of both back isn't
// noticed here but by the database's number.
//
// A secret that isn't there is a fault (ErrMissing) and not an erasure: only
// destruction metadata together with its entry of the ledger says erased
// (ErrErased). Nothing here makes a lost key again.
//
// # When it doesn't open
//
//	ErrMasterKeyMissing  put master.key back from its backup
//	ErrWrongKey          master.key or a sealed file belongs to another store: put back the pair
//	ErrPermissions       chmod 600 master.key
//	ErrLocked            stop the other process that uses the directory
//	ErrHalfMade          a file is gone: put the directory back from its backup
//	ErrLedger            the ledger was cut or changed: put it back with its head, and ask who did it
//	ErrNotThere          the path is wrong or the disk isn't mounted; nothing is made in its place
//
// # What stays in memory
//
// Opened keys are kept for five minutes at most and dropped at a wipe, those in
// use too. They are zeroed when the last user of an evicted ring closes it. Go's
// cipher keeps expanded round keys that can't be zeroed; they live until
// collected. Tenant secrets stay in memory while the program runs.
//
// Destroyed secrets are overwritten before they are removed. A disk or file
// system that writes copies may keep the old blocks; the master key seals those.
package keys
