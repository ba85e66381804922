package memory

import (
	"encoding/json"
	"time"
)

// RememberInput is one text to remember. An empty Subject makes shared knowledge
// of the namespace.
type RememberInput struct {
	Subject    string     `json:"subject"`
	Content    string     `json:"content"`
	Namespace  string     `json:"namespace"`
	Kind       string     `json:"kind"`
	Layer      string     `json:"layer"`
	Source     string     `json:"source"`
	Confidence *float64   `json:"confidence"`
	Importance *float64   `json:"importance"`
	Topic      string     `json:"topic"`
	Slot       string     `json:"slot"`
	Tags       []string   `json:"tags"`
	ExpireAt   *time.Time `json:"expire_at"`
	OccurredAt *time.Time `json:"occurred_at"`
	SessionID  string     `json:"session_id"`
	MessageID  string     `json:"message_id"`
	Quote      string     `json:"quote"`
	Category   string     `json:"category"`
	Mode       string     `json:"mode"` // sealed (default with a subject) or open
}

// Outcomes of writes.
const (
	OutcomeCreated    = "created"
	OutcomeMerged     = "merged"
	OutcomeSuperseded = "superseded"
	OutcomeConflict   = "conflict"
	OutcomePending    = "pending"
	OutcomeIgnored    = "ignored"
	OutcomeAccepted   = "accepted" // the writer may not read the category, so it learns nothing
)

// Remembered says what a write came to.
type Remembered struct {
	MemoryID     string `json:"memory_id"`
	Outcome      string `json:"outcome"`
	Version      int64  `json:"version"`
	SupersededID string `json:"superseded_id,omitempty"`
	ConflictID   string `json:"conflict_id,omitempty"`
}

// MemoryView is a memory as its reader may see it, opened.
type MemoryView struct {
	MemoryID   string     `json:"memory_id"`
	Content    string     `json:"content"`
	Namespace  string     `json:"namespace"`
	Kind       string     `json:"kind"`
	Layer      string     `json:"layer"`
	Category   string     `json:"category"`
	Source     string     `json:"source"`
	Status     string     `json:"status"`
	Topic      string     `json:"topic,omitempty"`
	Slot       string     `json:"slot,omitempty"`
	Tags       []string   `json:"tags"`
	Confidence float64    `json:"confidence"`
	Importance float64    `json:"importance"`
	OccurredAt time.Time  `json:"occurred_at"`
	CreatedAt  time.Time  `json:"created_at"`
	UpdatedAt  time.Time  `json:"updated_at"`
	ExpireAt   *time.Time `json:"expire_at,omitempty"`
	Version    int64      `json:"version"`
	Supersedes string     `json:"supersedes,omitempty"`
	ReplacedBy string     `json:"superseded_by,omitempty"`
	Evidence   []Evidence `json:"evidence"`
}

// Evidence is where a memory comes from.
type Evidence struct {
	Quote  string    `json:"quote,omitempty"`
	Source string    `json:"source"`
	TurnID string    `json:"turn_id,omitempty"`
	At     time.Time `json:"at"`
}

// CorrectInput corrects a memory's words. Version is the one the caller read; 0
// is refused.
type CorrectInput struct {
	Content string `json:"content"`
	Version int64  `json:"version"`
}

// MessagesInput is a piece of a conversation.
type MessagesInput struct {
	Subject   string    `json:"subject"`
	SessionID string    `json:"session_id"`
	Namespace string    `json:"namespace"`
	Messages  []Message `json:"messages"`
}

// Message is one turn as a client sends it.
type Message struct {
	Role       string     `json:"role"` // user, assistant, system, tool
	Content    string     `json:"content"`
	OccurredAt *time.Time `json:"occurred_at"`
	MessageID  string     `json:"message_id"`
}

// Accepted says that turns are kept and extraction is queued. Accepted counts
// the new ones; a turn sent again is not kept twice.
type Accepted struct {
	JobID    string `json:"job_id"`
	Accepted int    `json:"accepted"`
}

// RecallInput asks for what is remembered.
type RecallInput struct {
	Subject       string          `json:"subject"`
	Query         string          `json:"query"`
	Namespace     string          `json:"namespace"`
	Limit         int             `json:"limit"` // 8 when 0, at most 50
	Ranking       string          `json:"ranking"`
	Gate          string          `json:"gate"`
	MinImportance float64         `json:"min_importance"`
	MinConfidence float64         `json:"min_confidence"`
	Kinds         []string        `json:"kinds"`
	Tags          []string        `json:"tags"`
	Since         *time.Time      `json:"since"`
	Until         *time.Time      `json:"until"`
	Vector        json.RawMessage `json:"vector"`
	Explain       bool            `json:"explain"`
	Locale        string          `json:"locale"`
}

// RecallAnswer is what a recall gives.
type RecallAnswer struct {
	RecallID       string         `json:"recall_id"`
	Items          []RecallItem   `json:"items"`
	Cards          string         `json:"cards"`
	Mode           string         `json:"mode"` // memory, gated or llm_only
	Degraded       []string       `json:"degraded"`
	FallbackReason string         `json:"fallback_reason,omitempty"`
	Legs           map[string]Leg `json:"legs"`
}

// Leg says how one way of searching went.
type Leg struct {
	Candidates int     `json:"candidates"`
	MS         float64 `json:"ms"`
}

// RecallItem is one memory or turn that was recalled.
type RecallItem struct {
	MemoryID   string             `json:"memory_id"`
	Content    string             `json:"content"`
	Kind       string             `json:"kind"` // a memory's kind, or turn
	Layer      string             `json:"layer"`
	Score      float64            `json:"score"`
	Importance float64            `json:"importance"`
	Confidence float64            `json:"confidence"`
	Unsure     bool               `json:"unsure"`
	Source     string             `json:"source"`
	Tags       []string           `json:"tags"`
	OccurredAt time.Time          `json:"occurred_at"`
	CreatedAt  time.Time          `json:"created_at"`
	Legs       map[string]float64 `json:"legs,omitempty"` // with explain
}

// AttributeInput writes a profile field.
type AttributeInput struct {
	Value      json.RawMessage `json:"value"`
	Source     string          `json:"source"`
	Confidence *float64        `json:"confidence"`
	TTLDays    *int64          `json:"ttl_days"`
	Reason     string          `json:"reason"`
	Version    int64           `json:"version"` // 0: whatever it is
}

// AttributeWritten says what writing a field came to.
type AttributeWritten struct {
	Version int64  `json:"version"`
	Outcome string `json:"outcome"`
}

// AttributeView is a profile field, opened.
type AttributeView struct {
	Value      json.RawMessage `json:"value"`
	Source     string          `json:"source"`
	Confidence float64         `json:"confidence"`
	ExpiresAt  *time.Time      `json:"expires_at"`
	UpdatedAt  time.Time       `json:"updated_at"`
	Version    int64           `json:"version"`
}

// Attributes is the answer to reading a profile: the fields, those the policy
// denies, and those that aren't there.
type Attributes struct {
	Attributes map[string]AttributeView `json:"attributes"`
	Denied     []string                 `json:"denied"`
	Missing    []string                 `json:"missing"`
	Degraded   []string                 `json:"degraded,omitempty"`
}
