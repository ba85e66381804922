package views

import (
	"context"

	"fornix/views/i18n"
	"fornix/views/ui"
)

// NavItem is a link of the main navigation.
type NavItem struct {
	Label   string
	Href    string
	Current bool
	Count   int    // what waits there; 0 shows nothing
	Group   string // console: the heading it stands under; empty: none
}

// Banner is a standing message above the page, such as "file key store: not for
// production". Key names its text.
type Banner struct {
	Tone ui.Tone
	Key  string
}

// Flash is the outcome of what the person just did, shown once. Key names its
// text; an empty key shows nothing.
type Flash struct {
	Tone ui.Tone
	Key  string
}

// Chrome is what surrounds a page: names, ways and messages.
type Chrome struct {
	Title   string // of the window; Layout adds Product
	Product string // name in the header: the tenant's in the portal, else "Fornix"
	Home    string // where the name leads
	Path    string // of this page, where the language switch comes back to
	User    string // who is signed in; empty: nobody
	SignOut string // where the sign-out form posts; empty: no form
	Nav     []NavItem
	Wide    bool // the console's frame with the navigation at the side
	Banners []Banner
	Flash   Flash
}

func (c Chrome) product() string {
	if c.Product == "" {
		return "Fornix"
	}
	return c.Product
}

// otherLocales are the languages that the switch offers.
func otherLocales(ctx context.Context) []i18n.Locale {
	var others []i18n.Locale
	for _, l := range i18n.Locales() {
		if l != i18n.From(ctx) {
			others = append(others, l)
		}
	}
	return others
}

// navGroup is a run of items under one heading.
type navGroup struct {
	title string
	items []NavItem
}

func groups(items []NavItem) []navGroup {
	var all []navGroup
	for _, item := range items {
		if len(all) == 0 || all[len(all)-1].title != item.Group {
			all = append(all, navGroup{title: item.Group})
		}
		last := &all[len(all)-1]
		last.items = append(last.items, item)
	}
	return all
}
