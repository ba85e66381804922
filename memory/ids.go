package memory

import (
	"encoding/base32"
	"strings"

	"github.com/google/uuid"
)

// ID names a row of a person in public: it carries the person, so that the query
// and the sealing take the subject from what the caller sent.
type ID struct {
	Subject, Row uuid.UUID
}

// Prefixes of public ids.
const (
	PrefixMemory    = "mem_"
	PrefixRecall    = "rec_"
	PrefixTurn      = "trn_"
	PrefixShared    = "shr_" // shared knowledge; Subject is zero
	PrefixAttribute = "att_"
)

var idEncoding = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// Public writes the id with its prefix.
func (id ID) Public(prefix string) string {
	raw := append(id.Subject[:], id.Row[:]...)
	return prefix + idEncoding.EncodeToString(raw)
}

// ParseID reads a public id; what isn't one is as unknown as any other id.
func ParseID(prefix, text string) (ID, error) {
	body, ok := strings.CutPrefix(text, prefix)
	raw, err := idEncoding.DecodeString(body)
	if !ok || err != nil || len(raw) != 32 {
		return ID{}, NotFound()
	}
	id := ID{Subject: uuid.UUID(raw[:16]), Row: uuid.UUID(raw[16:])}
	if id.Public(prefix) != text { // spare bits that differ would be a second name
		return ID{}, NotFound()
	}
	return id, nil
}
