package views

import (
	"context"
	"time"

	"fornix/views/i18n"
)

// PortalHomePage is GET /me: all that is remembered about the person.
type PortalHomePage struct {
	Frame      PortalFrame
	Attributes []PortalAttributeRow
	Memories   []PortalMemoryRow // newest first; the page groups them by kind
	Turns      int               // turns of conversations kept, shown at /me/turns
	Next       string            // address of the next page of memories
	First      string            // address of the first page; empty on it
	// Restricted: a hold stops deletion. What is here is kept and no agent is told
	// of it. HoldUntil may be zero.
	Restricted bool
	HoldUntil  time.Time
}

// PortalAttributeRow is one profile field.
type PortalAttributeRow struct {
	Key       string // in the addresses; never shown
	Label     string // of the dictionary, in the page's language
	Value     string
	Why       Why
	VisibleTo []string // names of the agents that may read it
	Until     time.Time
	Version   int64
}

// PortalMemoryRow is one memory.
type PortalMemoryRow struct {
	ID        string // public id, in the addresses; never shown
	Content   string
	Kind      string // hard_fact, soft_preference, event_fragment, procedure
	Why       Why
	VisibleTo []string
	Until     time.Time // zero: no end is set
	Version   int64
}

func (p PortalHomePage) empty() bool {
	return len(p.Attributes) == 0 && len(p.Memories) == 0 && p.First == ""
}

// themes are the sections of the page in their order.
func (p PortalHomePage) themes(ctx context.Context) []portalTheme {
	kinds := []string{"hard_fact", "soft_preference", "procedure", "event_fragment"}
	byKind := map[string][]PortalMemoryRow{}
	for _, m := range p.Memories {
		kind := m.Kind
		if !i18n.Has(ctx, "portal.kind."+kind) {
			kind = kinds[0]
		}
		byKind[kind] = append(byKind[kind], m)
	}
	var themes []portalTheme
	for _, kind := range kinds {
		if rows := byKind[kind]; len(rows) > 0 {
			themes = append(themes, portalTheme{title: i18n.T(ctx, "portal.kind."+kind), rows: rows})
		}
	}
	return themes
}

type portalTheme struct {
	title string
	rows  []PortalMemoryRow
}
