package views

import "time"

// PortalTurnsPage is GET /me/turns: what was said lately, as long as it is kept.
type PortalTurnsPage struct {
	Frame     PortalFrame
	Sessions  []PortalSessionRow
	KeptDays  int // retention; 0: turns are not kept
	Next      string
	First     string
	Deletable bool // each turn has a delete link
}

// PortalSessionRow is one conversation.
type PortalSessionRow struct {
	Agent string
	Began time.Time
	Turns []PortalTurnRow
}

// PortalTurnRow is one turn. Role is "user" for the person, else "assistant".
type PortalTurnRow struct {
	ID      string
	Role    string
	Content string
	At      time.Time
}

// PortalAccessPage is GET /me/access: who saw what, newest first.
type PortalAccessPage struct {
	Frame PortalFrame
	Rows  []PortalAccessRow
	Next  string
	First string
}

// PortalAccessRow is one look at the person's memory.
type PortalAccessRow struct {
	At time.Time
	// Who is the agent's name, or the role of the staff member ("compliance").
	Who   string
	Staff bool
	// What happened: recall, attributes, read, reveal, export.
	What  string
	Count int // items that were handed out
	// Denied: the policy said no and nothing was handed out.
	Denied bool
	Reason string // of a reveal
}
