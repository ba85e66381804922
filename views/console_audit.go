package views

import (
	"net/url"
	"time"

	"fornix/views/ui"
)

// ConsoleAuditPage is GET /admin/audit?q=&actor=&action=&object=&subject=&from=&to=&cursor=,
// newest first.
type ConsoleAuditPage struct {
	Chrome  ConsoleChrome
	Filter  ConsoleAuditFilter
	Faults  ui.Faults
	Actions []string // known actions, offered while typing
	Rows    []ConsoleEventRow
	First   string
	Next    string
}

// ConsoleAuditFilter is the search as it stands in the address. From and To are
// days, both included, as YYYY-MM-DD.
type ConsoleAuditFilter struct {
	Q       string `form:"q"`
	Actor   string `form:"actor"`
	Action  string `form:"action"`
	Object  string `form:"object"`
	Subject string `form:"subject"`
	From    string `form:"from"`
	To      string `form:"to"`
}

type auditTerm struct {
	name  string // of the field
	value string
}

// terms lists what narrows the search, in the order of the form.
func (f ConsoleAuditFilter) terms() []auditTerm {
	var set []auditTerm
	for _, t := range []auditTerm{
		{"q", f.Q}, {"actor", f.Actor}, {"action", f.Action}, {"object", f.Object},
		{"subject", f.Subject}, {"from", f.From}, {"to", f.To},
	} {
		if t.value != "" {
			set = append(set, t)
		}
	}
	return set
}

// without is the address of the search less one of its terms.
func (f ConsoleAuditFilter) without(name string) string {
	query := url.Values{}
	for _, t := range f.terms() {
		if t.name != name {
			query.Set(t.name, t.value)
		}
	}
	if len(query) == 0 {
		return partAudit
	}
	return partAudit + "?" + query.Encode()
}

// ConsoleEventRow is the open part of an audit event. Action, Object and ActorKind
// are words of the log and never translated.
type ConsoleEventRow struct {
	ID        string
	At        time.Time
	ActorKind string // agent, user, subject, system
	Actor     string // name or id
	ActorRole string
	Action    string
	Object    string
	Subject   string // pseudonym; empty: concerns no person
}

// ConsoleEventPage is GET /admin/audit/{id}, and POST /admin/audit/{id}/reveal,
// which answers with Opened (200, no-store) or shows the form again (422). Field:
// reason (10 characters at least).
type ConsoleEventPage struct {
	Chrome     ConsoleChrome
	Event      ConsoleEventRow
	RequestID  string
	IP         string
	UserAgent  string
	Epoch      int
	Leaf       string // hex
	Commitment string // hex
	Payload    string // sealed, gone (its key was destroyed), none
	MayReveal  bool
	Reason     string
	Faults     ui.Faults
	Opened     *ConsolePayload
}

// ConsolePayload is the sealed part of an event. Empty parts are left out.
type ConsolePayload struct {
	Reason string
	Before string
	After  string
	Note   string
}
