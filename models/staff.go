package models

import (
	"github.com/google/uuid"

	"fornix/keys"
)

// Tenant is a customer of this installation. It is the only table, beside the
// program's own cursors, that belongs to no tenant: it is read in System.
type Tenant struct {
	ID            string `gorm:"primaryKey"`
	Name          string
	Locale        string
	SecretWrapped []byte
	CreatedAt     Micros `gorm:"autoCreateTime:false"`
	Version       int64
}

// User is a member of staff.
type User struct {
	TenantID   TenantID  `gorm:"primaryKey;<-:create"`
	ID         uuid.UUID `gorm:"primaryKey;<-:create"`
	EmailToken keys.Token
	Email      keys.Sealed
	Name       keys.Sealed
	Password   *keys.Sealed
	Locale     string
	Status     string
	CreatedAt  Micros `gorm:"autoCreateTime:false"`
	ExpiresAt  *Micros
	Version    int64
}

// UserSession is a signed-in browser of staff.
type UserSession struct {
	TenantID    TenantID  `gorm:"primaryKey;<-:create"`
	ID          uuid.UUID `gorm:"primaryKey;<-:create"`
	UserID      uuid.UUID
	TokenHash   []byte
	CreatedAt   Micros `gorm:"autoCreateTime:false"`
	ExpiresAt   Micros
	SteppedUpAt *Micros
}

// SignInLink signs a member of staff in, once.
type SignInLink struct {
	TenantID  TenantID  `gorm:"primaryKey;<-:create"`
	ID        uuid.UUID `gorm:"primaryKey;<-:create"`
	UserID    uuid.UUID
	TokenHash []byte
	CreatedAt Micros `gorm:"autoCreateTime:false"`
	ExpiresAt Micros
	UsedAt    *Micros
}

// Agent is a module with an API key; KeyPrefix is what the console shows of it.
type Agent struct {
	TenantID   TenantID  `gorm:"primaryKey;<-:create"`
	ID         uuid.UUID `gorm:"primaryKey;<-:create"`
	Name       string
	Module     string
	KeyHash    []byte
	KeyPrefix  string
	Status     string
	CreatedAt  Micros `gorm:"autoCreateTime:false"`
	LastUsedAt *Micros
	Version    int64
}

// AttributeDef is the dictionary's entry of an attribute key. JSONSchema and
// Bands are JSON texts; TTLDays nil means for ever.
type AttributeDef struct {
	TenantID    TenantID  `gorm:"primaryKey;<-:create"`
	ID          uuid.UUID `gorm:"primaryKey;<-:create"`
	Key         string
	LabelZh     string
	LabelEn     string
	JSONSchema  string `gorm:"column:json_schema"`
	Sensitivity string
	TTLDays     *int64 `gorm:"column:ttl_days"`
	PurposeZh   string
	PurposeEn   string
	LawfulBasis string
	Rule        string
	Bands       string
	Category    string
	CreatedAt   Micros `gorm:"autoCreateTime:false"`
	UpdatedAt   Micros `gorm:"autoUpdateTime:false"`
	Version     int64
}

// PolicyRule is one row of the policy; see policy.Rule.
type PolicyRule struct {
	TenantID TenantID  `gorm:"primaryKey;<-:create"`
	ID       uuid.UUID `gorm:"primaryKey;<-:create"`
	Ptype    string
	Sub      string
	Mod      string
	Cat      string
	Act      string
	Eft      string
}

// Knowledge is a text shared by a namespace, belonging to no person (open mode).
type Knowledge struct {
	TenantID    TenantID  `gorm:"primaryKey;<-:create"`
	ID          uuid.UUID `gorm:"primaryKey;<-:create"`
	Namespace   string
	Kind        string
	Category    string
	Content     string
	ContentHash string
	Source      string
	Confidence  float64
	Importance  float64
	Status      string
	ExpireAt    *Micros
	CreatedAt   Micros `gorm:"autoCreateTime:false"`
	UpdatedAt   Micros `gorm:"autoUpdateTime:false"`
	Version     int64
}

// KnowledgeVector is an open-mode vector, in a table of its own so that counters
// and decay never rewrite it (R6).
type KnowledgeVector struct {
	TenantID    TenantID  `gorm:"primaryKey;<-:create"`
	KnowledgeID uuid.UUID `gorm:"primaryKey;<-:create"`
	Model       string    `gorm:"primaryKey;<-:create"`
	Dim         int64
	Vector      []byte
}

// SystemState holds the program's cursors, such as the ledger's last applied
// entry.
type SystemState struct {
	Key   string `gorm:"primaryKey"`
	Value int64
}

func (Tenant) TableName() string          { return "tenants" }
func (User) TableName() string            { return "users" }
func (UserSession) TableName() string     { return "user_sessions" }
func (SignInLink) TableName() string      { return "sign_in_links" }
func (Agent) TableName() string           { return "agents" }
func (AttributeDef) TableName() string    { return "attribute_defs" }
func (PolicyRule) TableName() string      { return "policy_rules" }
func (Knowledge) TableName() string       { return "knowledge" }
func (KnowledgeVector) TableName() string { return "knowledge_vectors" }
func (SystemState) TableName() string     { return "system_state" }
