package keys

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"fmt"
	"io"
)

// Purposes of derived keys.
const (
	purposeData   = "data"
	purposeVector = "vector"
	purposeToken  = "token"
)

// derive gives the 32-byte key of a purpose (HKDF-SHA256, RFC 5869). info is the
// length-prefixed list of fields.
func derive(secret []byte, fields ...[]byte) []byte {
	var info []byte
	for _, f := range append([][]byte{[]byte(product)}, fields...) {
		info = appendField(info, f)
	}
	key, err := hkdf.Key(sha256.New, secret, nil, string(info), 32)
	if err != nil { // only for lengths beyond 255 hashes
		panic("keys: hkdf: " + err.Error())
	}
	return key
}

// box seals with one key. Blobs commit to the key: a blob can't be made that
// opens under two (AES-GCM alone doesn't promise that).
type box struct {
	aead   cipher.AEAD
	commit []byte
}

func newBox(key []byte) (*box, error) {
	encryption := derive(key, []byte("encrypt"))
	defer clear(encryption)
	block, err := aes.NewCipher(encryption)
	if err != nil {
		return nil, fmt.Errorf("keys: cipher: %w", err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, fmt.Errorf("keys: cipher: %w", err)
	}
	return &box{aead: aead, commit: derive(key, []byte("commit"))}, nil
}

// commitment is HMAC-SHA256(commit key, nonce), cut to 16 bytes.
func (b *box) commitment(nonce []byte) [commitmentLen]byte {
	mac := hmac.New(sha256.New, b.commit)
	mac.Write(nonce)
	var sum [sha256.Size]byte
	mac.Sum(sum[:0])
	return [commitmentLen]byte(sum[:commitmentLen])
}

// random is where nonces come from; test vectors replace it.
var (
	defaultRandom io.Reader = rand.Reader
	random                  = defaultRandom
)

func (b *box) seal(cell Cell, plaintext []byte) (Sealed, error) {
	blob := make([]byte, offCiphertext, MinBlob+len(plaintext))
	copy(blob, magic[:])
	blob[offVersion], blob[offAlgorithm] = blobVersion, algAES256GCM
	binary.BigEndian.PutUint32(blob[offEpoch:], cell.Epoch)
	nonce := blob[offNonce:offCiphertext]
	if _, err := io.ReadFull(random, nonce); err != nil {
		return Sealed{}, fmt.Errorf("keys: nonce: %w", err)
	}
	commitment := b.commitment(nonce)
	copy(blob[offCommitment:], commitment[:])
	return Sealed{blob: b.aead.Seal(blob, nonce, plaintext, cell.aad())}, nil
}

func (b *box) open(cell Cell, s Sealed) ([]byte, error) {
	if len(s.blob) < MinBlob || s.Epoch() != cell.Epoch {
		return nil, ErrOpen
	}
	nonce := s.blob[offNonce:offCiphertext]
	commitment := b.commitment(nonce)
	if subtle.ConstantTimeCompare(commitment[:], s.blob[offCommitment:offNonce]) != 1 {
		return nil, ErrOpen
	}
	plaintext, err := b.aead.Open(nil, nonce, s.blob[offCiphertext:], cell.aad())
	if err != nil {
		return nil, ErrOpen
	}
	return plaintext, nil
}

// token is HMAC-SHA256(key, purpose ‖ text), cut to 16 bytes; purpose is
// length-prefixed.
func token(key []byte, purpose string, text []byte) Token {
	sum := mac(key, purpose, text)
	return Token(sum[:16])
}

func mac(key []byte, purpose string, text []byte) [sha256.Size]byte {
	m := hmac.New(sha256.New, key)
	m.Write(appendField(make([]byte, 0, 64), []byte(purpose)))
	m.Write(text)
	var sum [sha256.Size]byte
	m.Sum(sum[:0])
	return sum
}
