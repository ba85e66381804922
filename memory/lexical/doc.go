// Package lexical owns the built-in search and the duplicate detector: it turns a
// text into terms, a text of a person into an index entry of keyed hashes, and a
// question into a ranking of entries (BM25 with neighbours, sessions, dates and
// cues). Chinese and English are equals, and one text may hold both.
//
// The package is pure: no clock, no key, no database. An Entry holds no text, only
// what the caller's Hasher made of it, so that it can be kept sealed beside the
// person's key and searched without opening a single memory. It must not import
// anything of this module.
//
// Term statistics are those of the entries given to Search and of no others: what
// a caller may not read can't shift its ranking.
package lexical
