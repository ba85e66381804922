package handlers

import (
	"context"
	"time"

	"fornix/memory"
	"fornix/policy"
)

// PortalReader tells people what is remembered of them. Every method is about the
// person who is signed in and fails with not found for what isn't theirs.
type PortalReader interface {
	// Mine is all that is remembered, a page of memories at a time.
	Mine(ctx context.Context, cursor string) (Mine, error)
	MyAttribute(ctx context.Context, key string) (MyAttribute, error)
	MyMemory(ctx context.Context, id string) (MyMemory, error)
	MyTurn(ctx context.Context, id string) (MyTurn, error)
	MyTurns(ctx context.Context, cursor string) (MyTurns, error)
	MyAccess(ctx context.Context, cursor string) (MyAccess, error)
	// MyCounts is how much there is of each store, named as on a receipt.
	MyCounts(ctx context.Context) (MyCounts, error)
}

// PortalWriter puts right what is remembered. The person's word wins.
type PortalWriter interface {
	Correct(ctx context.Context, id string, in memory.CorrectInput) (memory.Remembered, error)
	CorrectOwnAttribute(ctx context.Context, key string, value []byte, version int64) (memory.AttributeWritten, error)
}

// Hold says that deletion is stopped and agents are told nothing.
type Hold struct {
	Restricted bool
	Until      time.Time // zero: no end is set
}

// Mine is what is remembered about a person. Next asks for older memories; empty:
// there are none.
type Mine struct {
	Hold
	Attributes []MyAttribute
	Memories   []MyMemory
	Turns      int
	Next       string
}

// Origin says where something comes from, who can see it, and until when.
type Origin struct {
	Source, Quote, Reason, Agent string
	Since, Until                 time.Time // Until zero: no end is set
	Unsure, Pending              bool
	VisibleTo                    []string // names of agents
	Version                      int64
	// ChangedKind says who changed it last; ChangedBy is the agent's name or the
	// role of staff.
	ChangedKind policy.Kind
	ChangedBy   string
	Changed     time.Time
}

// MyAttribute is a profile field with its value in JSON. Labels are by locale.
// Bands are the values it may have; none: any.
type MyAttribute struct {
	Origin
	Key    string
	Labels map[string]string
	Value  []byte
	Bands  []string
}

// MyMemory is a memory that holds at present.
type MyMemory struct {
	Origin
	ID, Content, Kind string
}

// MyTurns are conversations, the latest first. KeptDays 0: turns aren't kept.
type MyTurns struct {
	Sessions []MySession
	KeptDays int
	Next     string
}

// MySession is one conversation with an agent.
type MySession struct {
	Agent string
	Began time.Time
	Turns []MyTurn
}

// MyTurn is one turn of a conversation.
type MyTurn struct {
	ID, Role, Content string
	At                time.Time
}

// MyAccess is who saw what, the latest first.
type MyAccess struct {
	Looks []Look
	Next  string
}

// Look is one look at a person's memory. Who is an agent's name or a staff role.
type Look struct {
	At        time.Time
	Who, What string
	Staff     bool
	Count     int
	Denied    bool
	Reason    string
}

// MyCounts says what a wipe takes away and who is told.
type MyCounts struct {
	Hold
	Stores     []StoreCount
	Recipients []string
}

// StoreCount is how many rows a store has.
type StoreCount struct {
	Store string
	N     int
}
