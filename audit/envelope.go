package audit

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/google/uuid"
	"golang.org/x/mod/sumdb/tlog"
)

// envelopeVersion is the first field of the canonical bytes. A new layout gets a
// new number; the old one stays readable for as long as its leaves are kept.
const envelopeVersion = "fornix-audit-1"

// Envelope is the public part of an event. Micros is the time in microseconds
// since 1970, UTC. Subject is the subject's pseudonym, empty when none.
type Envelope struct {
	ID                            uuid.UUID
	Tenant                        string
	Micros                        int64
	ActorKind, ActorID, ActorRole string
	IP, UserAgent                 string
	Action, Object                string
	Subject                       string
	Epoch                         uint32
	RequestID                     string
}

// NewEnvelope builds the envelope of e. Address and agent string of a person's
// own request are left out: they are in the payload.
func NewEnvelope(id uuid.UUID, tenant string, micros int64, actor Actor, origin Origin, e Event, pseudonym string) Envelope {
	env := Envelope{
		ID: id, Tenant: tenant, Micros: micros,
		ActorKind: actor.Kind, ActorID: actor.ID, ActorRole: actor.Role,
		Action: e.Action, Object: e.Object, Subject: pseudonym, Epoch: e.Epoch,
		RequestID: origin.RequestID,
	}
	if actor.Kind != ActorSubject {
		env.IP, env.UserAgent = origin.IP, origin.UserAgent
	}
	return env
}

// Canonical returns the bytes that are hashed: each field with its length in
// four bytes before it, so no two envelopes share an encoding.
func (e Envelope) Canonical() []byte {
	var b []byte
	field := func(s []byte) {
		b = binary.BigEndian.AppendUint32(b, uint32(len(s)))
		b = append(b, s...)
	}
	field([]byte(envelopeVersion))
	field(e.ID[:])
	field([]byte(e.Tenant))
	field(binary.BigEndian.AppendUint64(nil, uint64(e.Micros)))
	for _, s := range []string{e.ActorKind, e.ActorID, e.ActorRole, e.IP, e.UserAgent, e.Action, e.Object, e.Subject} {
		field([]byte(s))
	}
	field(binary.BigEndian.AppendUint32(nil, e.Epoch))
	field([]byte(e.RequestID))
	return b
}

// Leaf is the record hash of RFC 6962 over H(envelope) ‖ H(ciphertext) ‖
// commitment. A changed payload shows without opening it; the wrapped data key
// isn't part of it, so rotation never changes a leaf.
func Leaf(e Envelope, ciphertext []byte, commitment [32]byte) [32]byte {
	envelope, sealed := sha256.Sum256(e.Canonical()), sha256.Sum256(ciphertext)
	record := make([]byte, 0, 3*sha256.Size)
	record = append(record, envelope[:]...)
	record = append(record, sealed[:]...)
	record = append(record, commitment[:]...)
	return tlog.RecordHash(record)
}
