package views

import (
	"context"
	"time"

	"fornix/views/i18n"
	"fornix/views/ui"
)

// ConsolePeoplePage is GET /admin/people?q=&cursor=: people by pseudonym, newest
// first, or the one whose external id is exactly q.
type ConsolePeoplePage struct {
	Chrome ConsoleChrome
	Query  string // the external id that was sought; empty: none
	Faults ui.Faults
	Rows   []ConsolePersonRow
	First  string
	Next   string
}

// ConsolePersonRow is a person without their external id, which stays sealed.
type ConsolePersonRow struct {
	ID         string
	Pseudonym  string
	Status     string // active, erasing, restricted
	Attributes int
	Memories   int
	Turns      int
	Since      time.Time
	LastSeen   time.Time // zero: not known
}

// ConsolePersonPage is GET /admin/people/{id}. All values are sealed; each row has
// a form to open it (POST /admin/people/{id}/reveal, see ConsoleRevealPage).
type ConsolePersonPage struct {
	Chrome     ConsoleChrome
	Person     ConsolePersonRow
	HoldUntil  time.Time // while restricted; zero: no end is set
	Attributes []ConsoleAttributeRow
	Memories   []ConsoleMemoryRow
	First      string // pages of the memories
	Next       string
	MayWipe    bool
}

// ConsoleAttributeRow is the present value of a key, sealed, with those before it.
type ConsoleAttributeRow struct {
	ID         string
	Key        string
	Label      string // of the dictionary, in the page's language; empty: not in it
	Category   string
	Source     string // user, manual, external, inferred
	Status     string // pending, active, archived, superseded, rejected
	Confidence float64
	Updated    time.Time
	Until      time.Time // zero: for ever
	Version    int
	MayReveal  bool
	Past       []ConsolePastRow
}

// ConsoleMemoryRow is a memory, sealed, with those it superseded.
type ConsoleMemoryRow struct {
	ID         string
	Kind       string // hard_fact, soft_preference, event_fragment, procedure
	Category   string
	Source     string
	Status     string
	Confidence float64
	Updated    time.Time
	Until      time.Time
	Version    int
	MayReveal  bool
	Past       []ConsolePastRow
}

// ConsolePastRow is an earlier value of the history, newest first. Href is its page;
// empty: it has none.
type ConsolePastRow struct {
	Status  string
	Source  string
	Version int
	Since   time.Time
	Href    string
}

// ConsoleMemoryPage is GET /admin/memories/{id}: everything about a memory but its
// words, and the form that opens those.
type ConsoleMemoryPage struct {
	Chrome     ConsoleChrome
	Memory     ConsoleMemoryRow // Past is not shown here, Chain is
	Person     string           // id, for the way back and the reveal
	Pseudonym  string
	Layer      string // episodic, semantic, procedural
	Namespace  string
	Agent      string // name of who wrote it; empty: staff or the person
	Importance float64
	Occurred   time.Time
	Created    time.Time
	Accesses   int
	LastAccess time.Time
	Chain      []ConsoleVersionRow // newest first, this one among them
	Evidence   []ConsoleEvidenceRow
}

// ConsoleVersionRow is one memory of a chain of supersedes.
type ConsoleVersionRow struct {
	ID      string
	Status  string
	Source  string
	Version int
	Since   time.Time
	Current bool // the one whose page this is
}

// ConsoleEvidenceRow says where a memory comes from; the quote stays sealed.
type ConsoleEvidenceRow struct {
	Source   string
	At       time.Time
	HasQuote bool
}

// ConsoleItem is what a reveal is about. Kind is "memory" or "attribute", and the
// name of the form field that carries ID.
type ConsoleItem struct {
	Kind     string
	ID       string
	Label    string // of an attribute; empty for a memory
	Category string
}

// ConsoleRevealPage is POST /admin/people/{id}/reveal shown again (422), and its
// GET, which opens nothing. Fields: memory or attribute, reason (10 characters at
// least).
type ConsoleRevealPage struct {
	Chrome    ConsoleChrome
	Person    string
	Pseudonym string
	Item      ConsoleItem
	Reason    string
	Faults    ui.Faults
}

// ConsoleRevealedPage answers the reveal with 200 and no-store: the value, once.
type ConsoleRevealedPage struct {
	Chrome    ConsoleChrome
	Person    string
	Pseudonym string
	Item      ConsoleItem
	Value     string
	Reason    string   // why it was opened, as it stands in the log
	Quotes    []string // the person's words it rests on
	Event     string   // id of the audit event; empty where the role may not see it
	At        time.Time
}

// ConsoleWipePage is GET, POST /admin/people/{id}/wipe. Fields: reason (10
// characters at least), confirm (see ConfirmsWipe). Success: 303 to the erasure.
type ConsoleWipePage struct {
	Chrome       ConsoleChrome
	Person       string
	Pseudonym    string
	Counts       []PortalCount // what goes: store names as on the receipt
	BackupsUntil time.Time     // zero: not known
	Reason       string
	Confirm      string
	Faults       ui.Faults
	Restricted   bool // a hold: the page says so and offers no form
	HoldUntil    time.Time
}

// ConsoleErasurePage is GET /admin/erasures/{id}.
type ConsoleErasurePage struct {
	Chrome      ConsoleChrome
	ID          string
	Pseudonym   string
	State       string // requested, key_destroyed, rows_deleted, partial, complete
	Scope       string // all, rows
	RequestedBy string // "user:…", "subject", "agent:…" as in the audit log
	Requested   time.Time
	Completed   time.Time
	Erased      []PortalCount
	Left        []PortalCount // shown while partial
	Receipt     string        // address of the receipt; empty: not issued yet
}

// title names a memory by its kind and the end of its id, since its words are sealed.
func (p ConsoleMemoryPage) title(ctx context.Context) string {
	return i18n.Word(ctx, "console.kind.", p.Memory.Kind) + " " + tail(p.Memory.ID)
}

type consoleStep struct {
	name string
	mark string // done, now, open
}

// steps take their marks from the portal's page, since there is one order of erasing
// (design §7); only the words differ.
func (p ConsoleErasurePage) steps(ctx context.Context) []consoleStep {
	names := []string{"requested", "key_destroyed", "rows_deleted", "complete"}
	if p.Scope == "rows" {
		names = []string{"requested", "rows_deleted", "complete"}
	}
	var steps []consoleStep
	for i, s := range (PortalErasurePage{State: p.State, Scope: p.Scope}).steps(ctx) {
		steps = append(steps, consoleStep{name: names[i], mark: s.mark})
	}
	return steps
}
