package models

import (
	"github.com/google/uuid"

	"fornix/audit"
	"fornix/keys"
)

// AuditEvent is a row of the audit log: the envelope in clear, the payload sealed
// under a data key of its own that stands wrapped beside it, outside the leaf.
type AuditEvent struct {
	TenantID   TenantID  `gorm:"primaryKey;<-:create"`
	ID         uuid.UUID `gorm:"primaryKey;<-:create"`
	OccurredAt Micros
	ActorKind  string
	ActorID    string
	ActorRole  string
	IP         string `gorm:"column:ip"`
	UserAgent  string
	Action     string
	Object     string
	Pseudonym  string
	Epoch      uint32
	RequestID  string
	Payload    keys.Sealed
	PayloadKey keys.Sealed
	Commitment []byte
	Leaf       []byte
}

// Envelope is the event's public part, as it was hashed.
func (e AuditEvent) Envelope() audit.Envelope {
	return audit.Envelope{
		ID: e.ID, Tenant: string(e.TenantID), Micros: int64(e.OccurredAt),
		ActorKind: e.ActorKind, ActorID: e.ActorID, ActorRole: e.ActorRole,
		IP: e.IP, UserAgent: e.UserAgent, Action: e.Action, Object: e.Object,
		Subject: e.Pseudonym, Epoch: e.Epoch, RequestID: e.RequestID,
	}
}

func (e *AuditEvent) fill(env audit.Envelope) {
	e.ID, e.OccurredAt = env.ID, Micros(env.Micros)
	e.ActorKind, e.ActorID, e.ActorRole = env.ActorKind, env.ActorID, env.ActorRole
	e.IP, e.UserAgent, e.Action, e.Object = env.IP, env.UserAgent, env.Action, env.Object
	e.Pseudonym, e.Epoch, e.RequestID = env.Subject, env.Epoch, env.RequestID
}

// States of an erasure, in their order; partial says that something is left.
const (
	ErasureRequested    = "requested"
	ErasureKeyDestroyed = "key_destroyed"
	ErasureRowsDeleted  = "rows_deleted"
	ErasurePartial      = "partial"
	ErasureComplete     = "complete"
)

// Erasure is the request and progress of one erasure. Counts and Remaining are
// JSON objects: store → number. It outlives the person and holds no id but the
// pseudonym.
type Erasure struct {
	TenantID     TenantID  `gorm:"primaryKey;<-:create"`
	ID           uuid.UUID `gorm:"primaryKey;<-:create"`
	Pseudonym    string
	Epoch        uint32
	Scope        string
	State        string
	RequestedBy  string
	Counts       string
	Remaining    string
	ReceiptID    *uuid.UUID
	ProgressHash []byte
	RequestedAt  Micros
	UpdatedAt    Micros `gorm:"autoUpdateTime:false"`
	CompletedAt  *Micros
	Version      int64
}

// Receipt is the signed statement that an erasure was done.
type Receipt struct {
	TenantID  TenantID  `gorm:"primaryKey;<-:create"`
	ID        uuid.UUID `gorm:"primaryKey;<-:create"`
	ErasureID uuid.UUID
	Body      string
	Signature []byte
	PublicKey []byte
	IssuedAt  Micros
}

// Tombstone is what is left of a person: that somebody with this external id was
// erased, readable only to whoever holds the erasure key and the id.
type Tombstone struct {
	TenantID     TenantID  `gorm:"primaryKey;<-:create"`
	ID           uuid.UUID `gorm:"primaryKey;<-:create"`
	ErasureToken keys.Token
	Epoch        uint32
	ErasedAt     Micros
}

func (AuditEvent) TableName() string { return "audit_events" }
func (Erasure) TableName() string    { return "erasures" }
func (Receipt) TableName() string    { return "receipts" }
func (Tombstone) TableName() string  { return "tombstones" }
