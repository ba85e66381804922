package account

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"strings"
)

// Prefixes of tokens, so that one kind can't be used as another.
const (
	linkPrefix    = "fl_"
	sessionPrefix = "fs_"
)

const secretLen = 32

var tokenForm = regexp.MustCompile(`^([a-z]{2}_)([a-z0-9-]{1,40})\.([A-Za-z0-9_-]{43})$`)

// newToken makes a token and the hash that is stored of it.
func newToken(prefix, tenant string) (token string, hash []byte) {
	secret := make([]byte, secretLen)
	_, _ = rand.Read(secret) // never fails: crypto/rand ends the program instead
	token = prefix + tenant + "." + base64.RawURLEncoding.EncodeToString(secret)
	return token, hashOf(token)
}

func hashOf(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// parseToken tells which tenant a token belongs to; false for what isn't one.
func parseToken(prefix, token string) (tenant string, ok bool) {
	m := tokenForm.FindStringSubmatch(token)
	if m == nil || m[1] != prefix {
		return "", false
	}
	return m[2], true
}

// IsLink tells whether a token is meant as a sign-in link of staff, whether or not
// it is valid.
func IsLink(token string) bool { return strings.HasPrefix(token, linkPrefix) }
