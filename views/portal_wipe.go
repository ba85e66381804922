package views

import (
	"context"
	"strings"
	"time"

	"fornix/views/i18n"
	"fornix/views/ui"
)

// PortalWipePage is GET and POST /me/wipe: what goes, what stays, and the typed
// word. Field: confirm.
type PortalWipePage struct {
	Frame  PortalFrame
	Counts []PortalCount // what goes: store names as on the receipt
	// BackupsUntil is when the last backup of the database is gone; zero: unknown.
	BackupsUntil time.Time
	Recipients   []string // names of the agents and systems that are told
	Confirm      string   // what was typed, when the form is shown again
	Faults       ui.Faults
	Restricted   bool // a hold: the page says so and offers no form
	HoldUntil    time.Time
}

// PortalCount is a number of rows of one store.
type PortalCount struct {
	Store string // attributes, memories, turns, …
	N     int
}

// kept lists all that stays after a wipe, and nothing else does.
func keptAfterWipe() []string {
	return []string{"tombstone", "receipt", "audit", "ledger", "deliveries"}
}

// WipeWord is the word to type before everything is erased, in the language of the
// page.
func WipeWord(l i18n.Locale) string { return i18n.In(l, "portal.wipe.word") }

// ConfirmsWipe says whether the typed text is the word in any language: the person
// may have switched languages between reading and typing.
func ConfirmsWipe(typed string) bool {
	typed = strings.ToLower(strings.TrimSpace(typed))
	for _, l := range i18n.Locales() {
		if typed == WipeWord(l) {
			return true
		}
	}
	return false
}

// PortalErasurePage is GET /me/erasure/{id}: how far an erasure is. It works after
// signing out, by the secret in its address.
type PortalErasurePage struct {
	Frame PortalFrame
	// State: requested, key_destroyed, rows_deleted, partial, complete.
	State     string
	Scope     string // all, rows
	Requested time.Time
	Completed time.Time
	Left      []PortalCount // what is still there; shown while partial
	Receipt   string        // address of the receipt; empty: not issued yet
	Refresh   string        // address of this page with its secret, to look again
}

// step is one line of the progress list.
type erasureStep struct {
	text string
	mark string // done, now, open
}

// steps lists the way of an erasure as §7 of the design orders it. A smaller
// erasure leaves the key alone.
func (p PortalErasurePage) steps(ctx context.Context) []erasureStep {
	names := []string{"requested", "key_destroyed", "rows_deleted", "complete"}
	if p.Scope == "rows" {
		names = []string{"requested", "rows_deleted", "complete"}
	}
	reached := -1
	for i, name := range names {
		if name == p.State || (p.State == "partial" && name == "rows_deleted") {
			reached = i
		}
	}
	var steps []erasureStep
	for i, name := range names {
		mark := "open"
		switch {
		case i < reached, i == reached && p.State != "partial":
			mark = "done"
		case i == reached, i == reached+1 && p.State != "partial":
			mark = "now"
		}
		steps = append(steps, erasureStep{text: i18n.T(ctx, "portal.erasure.step."+name), mark: mark})
	}
	return steps
}
