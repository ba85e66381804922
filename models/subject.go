package models

import (
	"github.com/google/uuid"

	"fornix/keys"
)

// Statuses of a subject.
const (
	SubjectActive     = "active"
	SubjectErasing    = "erasing"
	SubjectRestricted = "restricted"
)

// Statuses of memories and attributes.
const (
	StatusPending    = "pending"
	StatusActive     = "active"
	StatusArchived   = "archived"
	StatusSuperseded = "superseded"
	StatusRejected   = "rejected"
)

// Subject is a person remembered. Epoch is the generation of the key that seals
// what belongs to the person.
type Subject struct {
	TenantID   TenantID  `gorm:"primaryKey;<-:create"`
	SubjectID  uuid.UUID `gorm:"primaryKey;<-:create"`
	Epoch      uint32
	Status     string
	ExternalID keys.Sealed
	Pseudonym  string
	Locale     string
	ErasureID  *uuid.UUID
	CreatedAt  Micros `gorm:"autoCreateTime:false"`
	UpdatedAt  Micros `gorm:"autoUpdateTime:false"`
	Version    int64
}

// Ref is the key reference of the person's present epoch.
func (s Subject) Ref() keys.SubjectRef {
	return keys.SubjectRef{Tenant: string(s.TenantID), Subject: s.SubjectID, Epoch: s.Epoch}
}

// DirectoryEntry finds a subject by the keyed token of its external id.
type DirectoryEntry struct {
	TenantID      TenantID  `gorm:"primaryKey;<-:create"`
	ID            uuid.UUID `gorm:"primaryKey;<-:create"` // the subject's
	ExternalToken keys.Token
}

// Attribute is one version of a profile field. ValueVersion counts the values of
// the key, Version the changes of the row.
type Attribute struct {
	TenantID     TenantID  `gorm:"primaryKey;<-:create"`
	SubjectID    uuid.UUID `gorm:"primaryKey;<-:create"`
	ID           uuid.UUID `gorm:"primaryKey;<-:create"`
	KeyToken     keys.Token
	Name         keys.Sealed
	Value        keys.Sealed
	Category     string
	Source       string
	Confidence   float64
	Reason       *keys.Sealed
	Status       string
	Supersedes   *uuid.UUID
	ConflictWith *uuid.UUID
	AgentID      *uuid.UUID
	ValueVersion int64
	ExpireAt     *Micros
	CreatedAt    Micros `gorm:"autoCreateTime:false"`
	UpdatedAt    Micros `gorm:"autoUpdateTime:false"`
	Version      int64
}

// Memory is a text about a person. Labels seals topic, slot, value and tags,
// which have tokens beside them where they are looked up.
type Memory struct {
	TenantID     TenantID  `gorm:"primaryKey;<-:create"`
	SubjectID    uuid.UUID `gorm:"primaryKey;<-:create"`
	ID           uuid.UUID `gorm:"primaryKey;<-:create"`
	Namespace    string
	Kind         string
	Layer        string
	Category     string
	Source       string
	Status       string
	Content      keys.Sealed
	Labels       keys.Sealed
	ContentToken keys.Token
	SlotToken    *keys.Token
	TopicToken   *keys.Token
	Confidence   float64
	Importance   float64
	Supersedes   *uuid.UUID
	SupersededBy *uuid.UUID
	ConflictWith *uuid.UUID
	AgentID      *uuid.UUID
	SessionID    *uuid.UUID
	OccurredAt   Micros
	ExpireAt     *Micros
	AccessCount  int64
	LastAccessAt *Micros
	CreatedAt    Micros `gorm:"autoCreateTime:false"`
	UpdatedAt    Micros `gorm:"autoUpdateTime:false"`
	Version      int64
	Evidence     []MemoryEvidence `gorm:"foreignKey:TenantID,SubjectID,MemoryID;references:TenantID,SubjectID,ID"`
}

// MemoryEvidence says where a memory comes from: a turn, with the words quoted.
type MemoryEvidence struct {
	TenantID     TenantID  `gorm:"primaryKey;<-:create"`
	SubjectID    uuid.UUID `gorm:"primaryKey;<-:create"`
	ID           uuid.UUID `gorm:"primaryKey;<-:create"`
	MemoryID     uuid.UUID
	MessageToken *keys.Token
	TurnID       *uuid.UUID
	Quote        *keys.Sealed
	Source       string
	CreatedAt    Micros  `gorm:"autoCreateTime:false"`
	Memory       *Memory `gorm:"foreignKey:TenantID,SubjectID,MemoryID;references:TenantID,SubjectID,ID"`
}

// Session is a conversation and its working memory (L1).
type Session struct {
	TenantID     TenantID  `gorm:"primaryKey;<-:create"`
	SubjectID    uuid.UUID `gorm:"primaryKey;<-:create"`
	ID           uuid.UUID `gorm:"primaryKey;<-:create"`
	SessionToken keys.Token
	ExternalID   keys.Sealed
	State        *keys.Sealed
	Namespace    string
	Turns        int64
	StartedAt    Micros
	LastAt       Micros
	ExpireAt     Micros
	Version      int64
}

// Turn is one message of a conversation, as it was said. Its zone is kept since
// "yesterday" is a day of the speaker's calendar.
type Turn struct {
	TenantID     TenantID  `gorm:"primaryKey;<-:create"`
	SubjectID    uuid.UUID `gorm:"primaryKey;<-:create"`
	ID           uuid.UUID `gorm:"primaryKey;<-:create"`
	SessionID    uuid.UUID
	Namespace    string
	Role         string
	Content      keys.Sealed
	MessageToken keys.Token
	Position     int64
	AgentID      *uuid.UUID
	OccurredAt   Micros
	Zone         int64 // seconds east of UTC in which OccurredAt came
	ExpireAt     *Micros
	ExtractedAt  *Micros
	CreatedAt    Micros `gorm:"autoCreateTime:false"`
}

// Segment is the sealed search index of a person's memories of one namespace and
// category.
type Segment struct {
	TenantID  TenantID  `gorm:"primaryKey;<-:create"`
	SubjectID uuid.UUID `gorm:"primaryKey;<-:create"`
	ID        uuid.UUID `gorm:"primaryKey;<-:create"`
	Namespace string
	Category  string
	Block     keys.Sealed
	Entries   int64
	UpdatedAt Micros `gorm:"autoUpdateTime:false"`
	Version   int64
}

// SegmentDelta is a change of the index not yet folded into its segment.
type SegmentDelta struct {
	TenantID  TenantID  `gorm:"primaryKey;<-:create"`
	SubjectID uuid.UUID `gorm:"primaryKey;<-:create"`
	ID        uuid.UUID `gorm:"primaryKey;<-:create"`
	Namespace string
	Category  string
	EntryID   uuid.UUID
	Change    string
	Block     *keys.Sealed
}

// Recall is the record of one recall or profile read: what was asked and what
// went out, by ids.
type Recall struct {
	TenantID  TenantID  `gorm:"primaryKey;<-:create"`
	SubjectID uuid.UUID `gorm:"primaryKey;<-:create"`
	ID        uuid.UUID `gorm:"primaryKey;<-:create"`
	Namespace string
	AgentID   *uuid.UUID
	Decision  string
	Degraded  string
	Returned  int64
	Query     keys.Sealed
	Detail    keys.Sealed
	CreatedAt Micros `gorm:"autoCreateTime:false"`
}

// ErasedToken blocks that what a person erased is derived again.
type ErasedToken struct {
	TenantID  TenantID  `gorm:"primaryKey;<-:create"`
	SubjectID uuid.UUID `gorm:"primaryKey;<-:create"`
	ID        uuid.UUID `gorm:"primaryKey;<-:create"`
	Kind      string
	Token     keys.Token
	CreatedAt Micros `gorm:"autoCreateTime:false"`
}

// PortalLink signs a person in to the portal, once.
type PortalLink struct {
	TenantID  TenantID  `gorm:"primaryKey;<-:create"`
	SubjectID uuid.UUID `gorm:"primaryKey;<-:create"`
	ID        uuid.UUID `gorm:"primaryKey;<-:create"`
	TokenHash []byte
	Locale    string
	CreatedAt Micros `gorm:"autoCreateTime:false"`
	ExpiresAt Micros
	UsedAt    *Micros
}

// PortalSession is a person's signed-in browser.
type PortalSession struct {
	TenantID  TenantID  `gorm:"primaryKey;<-:create"`
	SubjectID uuid.UUID `gorm:"primaryKey;<-:create"`
	ID        uuid.UUID `gorm:"primaryKey;<-:create"`
	TokenHash []byte
	CreatedAt Micros `gorm:"autoCreateTime:false"`
	ExpiresAt Micros
}

func (Subject) TableName() string        { return "subjects" }
func (DirectoryEntry) TableName() string { return "subject_directory" }
func (Attribute) TableName() string      { return "attributes" }
func (Memory) TableName() string         { return "memories" }
func (MemoryEvidence) TableName() string { return "memory_evidence" }
func (Session) TableName() string        { return "sessions" }
func (Turn) TableName() string           { return "turns" }
func (Segment) TableName() string        { return "segments" }
func (SegmentDelta) TableName() string   { return "segment_deltas" }
func (Recall) TableName() string         { return "recalls" }
func (ErasedToken) TableName() string    { return "erased_tokens" }
func (PortalLink) TableName() string     { return "portal_links" }
func (PortalSession) TableName() string  { return "portal_sessions" }
