package keys

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"testing"

	"github.com/google/uuid"
)

// A vector fixes the format: what it seals to, or how it fails to open. Change
// one only together with the blob's version.
type vector struct {
	Name      string    `json:"name"`
	Secret    string    `json:"secret"` // subject secret ‖ tenant secret, hex
	Tenant    string    `json:"tenant"`
	Subject   uuid.UUID `json:"subject"`
	Epoch     uint32    `json:"epoch"`
	Table     string    `json:"table"`
	Column    string    `json:"column"`
	Row       uuid.UUID `json:"row"`
	Blob      string    `json:"blob"`
	Plaintext string    `json:"plaintext"`
	Outcome   string    `json:"outcome"` // opens, not_sealed, wrong_cell_or_key
}

func TestVectors(t *testing.T) {
	raw, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []vector
	if err := json.Unmarshal(raw, &vectors); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, v := range vectors {
		t.Run(v.Name, func(t *testing.T) {
			seen[v.Outcome]++
			secret, err := hex.DecodeString(v.Secret)
			if err != nil {
				t.Fatal(err)
			}
			blob, err := hex.DecodeString(v.Blob)
			if err != nil {
				t.Fatal(err)
			}
			ref := SubjectRef{Tenant: v.Tenant, Subject: v.Subject, Epoch: v.Epoch}
			ring, err := newRing(ref, secret)
			if err != nil {
				t.Fatal(err)
			}
			sealed, err := ParseSealed(blob)
			if v.Outcome == "not_sealed" {
				if !errors.Is(err, ErrNotSealed) {
					t.Errorf("parse: %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			cell := Cell{SubjectRef: ref, Table: v.Table, Column: v.Column, Row: v.Row}
			got, err := ring.Open(cell, sealed)
			switch v.Outcome {
			case "opens":
				if err != nil || string(got) != v.Plaintext {
					t.Fatalf("open = %q, %v", got, err)
				}
				random = bytes.NewReader(blob[offNonce:offCiphertext])
				defer func() { random = defaultRandom }()
				again, err := ring.Seal(cell, []byte(v.Plaintext))
				if err != nil || !bytes.Equal(again.blob, blob) {
					t.Errorf("seals to %x (%v)", again.blob, err)
				}
			case "wrong_cell_or_key":
				if !errors.Is(err, ErrOpen) {
					t.Errorf("open = %q, %v", got, err)
				}
			default:
				t.Fatalf("unknown outcome %q", v.Outcome)
			}
		})
	}
	for _, outcome := range []string{"opens", "not_sealed", "wrong_cell_or_key"} {
		if seen[outcome] == 0 {
			t.Errorf("no vector %s", outcome)
		}
	}
}
