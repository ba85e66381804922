// Package memory owns what agents remember and recall: the write path (messages,
// memories, attributes), the sealed search index, recall, and what people and
// staff see of it. Erasing is privacy's; deciding who may is policy's.
//
// Every call takes its actor (policy.Principal) and tenant from the context and
// checks the actor's grant itself; a caller can't forget to. Every failure is an
// *Error with one of eight codes, or an internal error.
package memory
