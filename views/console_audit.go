package views

import (
	"context"
	"net/url"
	"slices"
	"time"

	"fornix/views/i18n"
	"fornix/views/ui"
)

// ConsoleAuditPage is GET /admin/audit?actor=&action=&object=&subject=&from=&to=&cursor=,
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
// days, both included, as YYYY-MM-DD. Subject is a pseudonym or an external id.
type ConsoleAuditFilter struct {
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
		{"actor", f.Actor}, {"action", f.Action}, {"object", f.Object},
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
	Chrome    ConsoleChrome
	Event     ConsoleEventRow
	RequestID string
	IP        string // empty: not known, or part of the payload
	UserAgent string
	Leaf      string // hex
	Payload   string // sealed, gone (its key was destroyed), none
	MayReveal bool
	Reason    string
	Faults    ui.Faults
	Opened    *ConsolePayload
}

// ConsolePayload is the sealed part of an event. Before and After are texts or
// indented JSON. Empty parts are left out.
type ConsolePayload struct {
	Reason    string
	Before    string
	After     string
	IP        string
	UserAgent string
}

// actions are the choices of the form. One that was asked for by address stays
// among them, known or not.
func (p ConsoleAuditPage) actions(ctx context.Context) []ui.Option {
	names := p.Actions
	if p.Filter.Action != "" && !slices.Contains(names, p.Filter.Action) {
		names = append(slices.Clone(names), p.Filter.Action)
	}
	options := []ui.Option{{Label: i18n.T(ctx, "console.audit.any")}}
	for _, n := range names {
		options = append(options, ui.Option{Value: n, Label: n})
	}
	return options
}

func auditLabels(ctx context.Context) map[string]string {
	return map[string]string{
		"actor":   i18n.T(ctx, "console.event.actor"),
		"action":  i18n.T(ctx, "console.event.action"),
		"object":  i18n.T(ctx, "console.event.object"),
		"subject": i18n.T(ctx, "console.audit.subject"),
		"from":    i18n.T(ctx, "console.audit.from"),
		"to":      i18n.T(ctx, "console.audit.to"),
	}
}

// facts lists the parts of the payload that say something.
func (p ConsolePayload) facts(ctx context.Context) []entryField {
	var set []entryField
	for _, f := range []entryField{
		{"reason", i18n.T(ctx, "console.reason"), p.Reason},
		{"before", i18n.T(ctx, "console.event.before"), p.Before},
		{"after", i18n.T(ctx, "console.event.after"), p.After},
		{"ip", i18n.T(ctx, "console.event.ip"), p.IP},
		{"user_agent", i18n.T(ctx, "console.event.agent"), p.UserAgent},
	} {
		if f.shown != "" {
			set = append(set, f)
		}
	}
	return set
}
