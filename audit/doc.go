// Package audit owns what an audit event is: its envelope, the canonical bytes
// that are hashed, the leaf of the log, and who acts (Actor, Origin) in a
// context. It stores nothing and opens nothing: models seals the payload and
// writes the row in the business transaction.
//
// An event has two parts. The envelope is public to whoever may read the log: it
// holds ids, an action and a time, never a value or a name. The payload (before,
// after, reason, a person's own address) is sealed under the subject's key, so it
// dies with the subject; the salted commitment in the leaf proves what it was to
// whoever is shown payload and salt, and tells nothing to anyone else.
//
// audit imports x/mod (the RFC 6962 hashes of its log) and nothing of Fornix.
package audit
