package views

import (
	"context"
	"net/url"
	"time"

	"fornix/views/i18n"
	"fornix/views/ui"
)

// Item says what a page of the portal is about: one memory, attribute or turn.
type Item struct {
	Kind  string // "memory", "attribute", "turn"
	Key   string // the id or attribute key in the address
	Label string // of an attribute; empty for the others
	Value string // what is remembered now
}

// path is the address of the item's page for the verb.
func (i Item) path(verb string) string {
	folder := map[string]string{"memory": "memories", "attribute": "attributes", "turn": "turns"}[i.Kind]
	return "/me/" + folder + "/" + url.PathEscape(i.Key) + "/" + verb
}

// back is where the person came from.
func (i Item) back() string {
	if i.Kind == "turn" {
		return tabTurns
	}
	return tabHome
}

// PortalCorrectPage is GET and POST /me/memories/{id}/correct and
// /me/attributes/{key}/correct. Status 200, 422 with Faults, 409 with Conflict.
type PortalCorrectPage struct {
	Frame   PortalFrame
	Item    Item
	Version int64 // the version the form was opened with
	// Input is what the form shows: the present value at first, what the person
	// wrote when it is shown again.
	Input  string
	Faults ui.Faults // fields: content (memory) or value (attribute)
	// Options are the values a banded or enumerated attribute may have; empty: any
	// text.
	Options  []ui.Option
	Conflict *PortalConflict
}

// PortalConflict is what somebody else made of the item meanwhile. The form then
// carries Version, so that saving again is a choice and no accident.
type PortalConflict struct {
	Value   string // what is remembered now
	Version int64
	Changed time.Time
	By      string // who, in words: an agent's name, "staff", "you"
}

// field is the name of the input, as the routes have it.
func (p PortalCorrectPage) field() string {
	if p.Item.Kind == "attribute" {
		return "value"
	}
	return "content"
}

func (p PortalCorrectPage) version() int64 {
	if p.Conflict != nil {
		return p.Conflict.Version
	}
	return p.Version
}

func (p PortalCorrectPage) label(ctx context.Context) string {
	if p.Item.Label != "" {
		return p.Item.Label
	}
	return i18n.T(ctx, "portal.correct.label")
}

// PortalDeletePage is GET and POST /me/memories/{id}/delete,
// /me/attributes/{key}/delete and /me/turns/{id}/delete: it asks before one item
// is erased.
type PortalDeletePage struct {
	Frame PortalFrame
	Item  Item
	// BackupsUntil is when the last backup with the item is gone; zero: no backups
	// are known.
	BackupsUntil time.Time
	// Restricted: a hold stops deletion, so the page says so and offers no button.
	Restricted bool
}
