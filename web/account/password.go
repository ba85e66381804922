package account

import (
	"context"
	"fmt"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"
)

// Bounds of a password, in characters and bytes. The upper one bounds the work
// that a stranger can ask for.
const (
	minPassword = 12
	maxPassword = 200
)

// argonParams follow OWASP's second choice for Argon2id: 19 MiB, two passes, one
// lane.
var argonParams = &argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// hashing bounds how many passwords are hashed at a time: each takes 19 MiB.
var hashing = make(chan struct{}, 2)

func hashPassword(ctx context.Context, password string) (string, error) {
	if err := beginHash(ctx); err != nil {
		return "", err
	}
	defer func() { <-hashing }()
	hash, err := argon2id.CreateHash(password, argonParams)
	if err != nil {
		return "", fmt.Errorf("account: hash password: %w", err)
	}
	return hash, nil
}

func matches(ctx context.Context, password, hash string) (bool, error) {
	if err := beginHash(ctx); err != nil {
		return false, err
	}
	defer func() { <-hashing }()
	ok, err := argon2id.ComparePasswordAndHash(password, hash)
	if err != nil {
		return false, fmt.Errorf("account: compare password: %w", err)
	}
	return ok, nil
}

func beginHash(ctx context.Context) error {
	select {
	case hashing <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// checkPassword says what is wrong with a new password; empty when it is fine.
func checkPassword(password string) (code string) {
	switch n := utf8.RuneCountInString(password); {
	case !utf8.ValidString(password):
		return "invalid"
	case n < minPassword:
		return "too_short"
	case len(password) > maxPassword:
		return "too_long"
	}
	return ""
}
