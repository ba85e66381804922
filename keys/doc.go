// Package keys owns key stores, subject keys and sealing. It is the only place
// that holds a secret, and the only importer of Vault's client.
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
// The embedded FileStore keeps secrets in a directory of its own, sealed under
// master.key (mode 0600). Back that directory up apart from the database, or a
// thief of the backup has both. Losing master.key loses everything sealed. It is
// meant for one machine and for trying Fornix out; production uses Vault.
//
// A secret that isn't there is a fault (ErrMissing) and not an erasure: only
// destruction metadata together with an entry of the signed ledger says erased
// (ErrErased). Nothing here makes a lost key again.
//
// Keys are zeroed when the last user of an evicted ring closes it. Go's cipher
// keeps expanded round keys that can't be zeroed; they live until collected.
package keys
