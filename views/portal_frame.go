package views

import (
	"context"
	"time"

	"fornix/views/i18n"
)

// PortalFrame is what every page of the portal shows around its content.
type PortalFrame struct {
	Tenant  string // whose portal it is, in the header
	Path    string // of this page, for the language switch
	Banners []Banner
	Flash   Flash
}

// Tabs of the portal, for the mark of the present one.
const (
	tabHome   = "/me"
	tabTurns  = "/me/turns"
	tabAccess = "/me/access"
)

// chrome makes the frame of a page; current is one of the tabs, or empty where the
// page is none of them.
func (f PortalFrame) chrome(ctx context.Context, title, current string) Chrome {
	tab := func(key, href string) NavItem {
		return NavItem{Label: i18n.T(ctx, key), Href: href, Current: href == current}
	}
	return Chrome{
		Title:   title,
		Product: f.Tenant,
		Home:    tabHome,
		Path:    f.Path,
		SignOut: "/signout",
		Nav: []NavItem{
			tab("portal.nav.home", tabHome),
			tab("portal.nav.turns", tabTurns),
			tab("portal.nav.access", tabAccess),
		},
		Banners: f.Banners,
		Flash:   f.Flash,
	}
}

// open makes the frame of a portal page that works after signing out: no tabs, no
// sign-out.
func (f PortalFrame) open(title string) Chrome {
	return Chrome{Title: title, Product: f.Tenant, Home: "/", Path: f.Path, Banners: f.Banners, Flash: f.Flash}
}

// Why says where something remembered comes from, in the person's terms.
type Why struct {
	Source  string // user, manual, external, inferred
	Quote   string // the person's own words; empty: none kept
	Reason  string // the reason written beside it; empty: none
	Agent   string // name of the agent that wrote it; empty: none or staff
	Since   time.Time
	Unsure  bool // inferred or of low confidence, marked so towards agents
	Pending bool // waits for review: no agent is told yet
}
