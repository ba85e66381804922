// Package process starts a built Fornix as its user does, from outside: by its command
// line, with a data folder of its own, reading what it prints. It imports none of the
// product's packages.
package process
