package views

import (
	"context"

	"fornix/views/i18n"
	"fornix/views/ui"
)

// ConsoleChrome is what every page of the console shows around its content.
type ConsoleChrome struct {
	Tenant  string // whose memory this is
	User    string // name of who is signed in
	Path    string // of this page, for the language switch; a POST gives its GET's
	May     ConsoleNav
	Banners []Banner
	Flash   Flash
}

// ConsoleNav says which parts of the console the role may open; the overview is
// open to all staff.
type ConsoleNav struct {
	People     bool
	Dictionary bool
	Agents     bool
	Policies   bool
	Audit      bool
}

// Parts of the console, for the mark of the present one.
const (
	partOverview   = "/admin"
	partPeople     = "/admin/people"
	partDictionary = "/admin/dictionary"
	partAgents     = "/admin/agents"
	partPolicies   = "/admin/policies"
	partAudit      = "/admin/audit"
)

// chrome makes the frame of a page; part is the one whose link is marked, or empty.
func (c ConsoleChrome) chrome(ctx context.Context, title, part string) Chrome {
	items := []NavItem{{Label: i18n.T(ctx, "console.nav.overview"), Href: partOverview, Current: part == partOverview}}
	add := func(may bool, key, href, group string) {
		if may {
			items = append(items, NavItem{Label: i18n.T(ctx, key), Href: href, Current: href == part, Group: group})
		}
	}
	rules, proof := i18n.T(ctx, "console.nav.rules"), i18n.T(ctx, "console.nav.proof")
	add(c.May.People, "console.nav.people", partPeople, "")
	add(c.May.Dictionary, "console.nav.dictionary", partDictionary, rules)
	add(c.May.Agents, "console.nav.agents", partAgents, rules)
	add(c.May.Policies, "console.nav.policies", partPolicies, rules)
	add(c.May.Audit, "console.nav.audit", partAudit, proof)
	return Chrome{
		Title:   title,
		Home:    partOverview,
		Path:    c.Path,
		User:    i18n.T(ctx, "console.who", "user", c.User, "tenant", c.Tenant),
		SignOut: "/signout",
		Nav:     items,
		Wide:    true,
		Banners: c.Banners,
		Flash:   c.Flash,
	}
}

// ConsoleOverviewPage is GET /admin: how much there is, what waits, whether keys
// and log are well, and what happened last.
type ConsoleOverviewPage struct {
	Chrome  ConsoleChrome
	Counts  []ConsoleCount
	Keys    ConsoleKeys
	Waiting []ConsoleWaiting  // what waits for somebody; none with N 0
	Recent  []ConsoleEventRow // newest first; shown where May.Audit
}

// ConsoleCount is one number of the overview. Name: people, memories, attributes,
// turns, agents, events, erasures. Href is where it leads; empty: nowhere.
type ConsoleCount struct {
	Name string
	N    int
	Href string
}

// ConsoleKeys is the state of the key store. Kind: file, vault. State: ready,
// locked, down; an unknown one is shown as trouble.
type ConsoleKeys struct {
	Kind  string
	State string
}

func (k ConsoleKeys) tone() ui.Tone {
	switch {
	case k.State != "ready":
		return ui.Bad
	case k.Kind == "file":
		return ui.Warn
	}
	return ui.Good
}

// ConsoleWaiting is something that waits for staff. Kind: review, conflict,
// erasure, partial (an erasure that left something), restricted.
type ConsoleWaiting struct {
	Kind string
	N    int
	Href string // where to see to it; empty: nowhere yet
}

// ConsoleStepUpPage is GET, POST /admin/step-up: the password again, before what is
// grave. Fields: password, back.
type ConsoleStepUpPage struct {
	Chrome     ConsoleChrome
	Back       string // where to go on
	Faults     ui.Faults
	Wrong      bool // the password is wrong
	Wait       int  // seconds to wait after too many tries; 0: none
	NoPassword bool // the account signs in by link alone: the page says so and offers no form
}

// faults counts a wrong password as a fault of its field: there is only one.
func (p ConsoleStepUpPage) faults() ui.Faults {
	if p.Wrong && p.Faults.Of("password") == "" {
		return append(ui.Faults{{Name: "password", Code: "wrong"}}, p.Faults...)
	}
	return p.Faults
}
