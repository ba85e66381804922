package keys

import (
	"bytes"
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"log/slog"
)

// The blob: magic ‖ version ‖ algorithm ‖ epoch ‖ commitment ‖ nonce ‖ ciphertext ‖ tag.
const (
	// MagicHex is the first four bytes of every blob, for the CHECKs of the schema.
	MagicHex = "f04e5853"

	blobVersion   = 1
	algAES256GCM  = 1
	commitmentLen = 16
	nonceLen      = 12
	tagLen        = 16

	offVersion    = 4
	offAlgorithm  = 5
	offEpoch      = 6
	offCommitment = 10
	offNonce      = offCommitment + commitmentLen
	offCiphertext = offNonce + nonceLen
	// MinBlob is the length in bytes of a blob that seals nothing.
	MinBlob = offCiphertext + tagLen
)

var magic = [4]byte{0xf0, 0x4e, 0x58, 0x53}

const hidden = "[sealed]"

// Sealed is a sealed value. It can be stored and moved, and shows nothing of
// itself. The zero value isn't sealed and can't be stored: a column that may be
// empty is a *Sealed.
type Sealed struct{ blob []byte }

// ParseSealed reads a blob; ErrNotSealed when it can't be one. It doesn't say
// whether the blob opens.
func ParseSealed(blob []byte) (Sealed, error) {
	switch {
	case len(blob) < MinBlob || !bytes.Equal(blob[:4], magic[:]):
		return Sealed{}, ErrNotSealed
	case blob[offVersion] != blobVersion || blob[offAlgorithm] != algAES256GCM:
		return Sealed{}, fmt.Errorf("%w: version %d, algorithm %d", ErrNotSealed, blob[offVersion], blob[offAlgorithm])
	}
	return Sealed{blob: bytes.Clone(blob)}, nil
}

// IsZero tells whether nothing is sealed here.
func (s Sealed) IsZero() bool { return len(s.blob) == 0 }

// Epoch is the generation of the key the blob says it was sealed with.
func (s Sealed) Epoch() uint32 {
	if s.IsZero() {
		return 0
	}
	return binary.BigEndian.Uint32(s.blob[offEpoch:])
}

// Bytes returns a copy of the blob.
func (s Sealed) Bytes() []byte { return bytes.Clone(s.blob) }

// Len is the length of the blob in bytes.
func (s Sealed) Len() int { return len(s.blob) }

// Value stores the blob; anything that isn't sealed is an error.
func (s Sealed) Value() (driver.Value, error) {
	if _, err := ParseSealed(s.blob); err != nil {
		return nil, fmt.Errorf("keys: store: %w", err)
	}
	return bytes.Clone(s.blob), nil
}

// Scan reads a blob from the database.
func (s *Sealed) Scan(src any) error {
	raw, ok := src.([]byte)
	if !ok {
		return fmt.Errorf("keys: scan %T: %w", src, ErrNotSealed)
	}
	parsed, err := ParseSealed(raw)
	if err != nil {
		return fmt.Errorf("keys: scan: %w", err)
	}
	*s = parsed
	return nil
}

// GormDataType names the column type.
func (Sealed) GormDataType() string { return "bytes" }

func (Sealed) String() string               { return hidden }
func (Sealed) GoString() string             { return hidden }
func (Sealed) Format(f fmt.State, _ rune)   { _, _ = f.Write([]byte(hidden)) }
func (Sealed) MarshalJSON() ([]byte, error) { return []byte(`"` + hidden + `"`), nil }
func (Sealed) MarshalText() ([]byte, error) { return []byte(hidden), nil }
func (Sealed) LogValue() slog.Value         { return slog.StringValue(hidden) }

// UnmarshalJSON refuses: a sealed value never comes from outside.
func (*Sealed) UnmarshalJSON([]byte) error { return fmt.Errorf("keys: decode: %w", ErrNotSealed) }

// Token is a keyed HMAC-SHA256, cut to 16 bytes, that finds a value again
// without storing it.
type Token [16]byte

// IsZero tells whether no token is here.
func (t Token) IsZero() bool { return t == Token{} }

// Value stores the token.
func (t Token) Value() (driver.Value, error) {
	if t.IsZero() {
		return nil, fmt.Errorf("keys: store an empty token: %w", ErrNotSealed)
	}
	return bytes.Clone(t[:]), nil
}

// Scan reads a token from the database.
func (t *Token) Scan(src any) error {
	raw, ok := src.([]byte)
	if !ok || len(raw) != len(t) {
		return fmt.Errorf("keys: scan token: %w", ErrNotSealed)
	}
	copy(t[:], raw)
	return nil
}

// GormDataType names the column type.
func (Token) GormDataType() string { return "bytes" }

func (Token) String() string               { return "[token]" }
func (Token) GoString() string             { return "[token]" }
func (Token) Format(f fmt.State, _ rune)   { _, _ = f.Write([]byte("[token]")) }
func (Token) MarshalJSON() ([]byte, error) { return []byte(`"[token]"`), nil }
func (Token) MarshalText() ([]byte, error) { return []byte("[token]"), nil }
func (Token) LogValue() slog.Value         { return slog.StringValue("[token]") }

// UnmarshalJSON refuses: a token never comes from outside.
func (*Token) UnmarshalJSON([]byte) error { return fmt.Errorf("keys: decode token: %w", ErrNotSealed) }
