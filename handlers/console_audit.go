package handlers

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	"github.com/gin-gonic/gin"

	"fornix/policy"
	"fornix/privacy"
	"fornix/views"
	"fornix/views/i18n"
	"fornix/views/ui"
)

// TrailReader reads the audit log, and opens an event's payload for a reason that
// is recorded first.
type TrailReader interface {
	TrailSearcher
	TrailEvent(ctx context.Context, id string) (privacy.TrailDetail, error)
	RevealTrail(ctx context.Context, id, reason string) (privacy.TrailReveal, error)
}

// Trail answers /admin/audit.
type Trail struct {
	*Pages
	Privacy TrailReader
	StepUps StepUps
}

const auditPath = "/admin/audit"

// List answers GET /admin/audit.
func (h *Trail) List(c *gin.Context) error {
	query, err := pageQuery(c, "actor", "action", "object", "subject", "from", "to", "cursor")
	if err != nil {
		return err
	}
	ctx := c.Request.Context()
	page := views.ConsoleAuditPage{Actions: policy.Actions(), Filter: views.ConsoleAuditFilter{
		Actor: query["actor"], Action: query["action"], Object: query["object"], Subject: query["subject"], From: query["from"], To: query["to"],
	}}
	if page.Chrome, err = h.console(c, auditPath); err != nil {
		return err
	}
	q, faults := toTrailQuery(page.Filter, query["cursor"], i18n.Zone(ctx))
	if page.Faults = faults; len(faults) > 0 {
		return render(c, http.StatusUnprocessableEntity, views.ConsoleAudit(page))
	}
	found, err := h.Privacy.SearchTrail(ctx, q)
	if err != nil {
		return err
	}
	for _, e := range found.Rows {
		page.Rows = append(page.Rows, toEventRow(e))
	}
	page.Next, page.First = trailPager(query, found.Next)
	return render(c, http.StatusOK, views.ConsoleAudit(page))
}

// trailPager makes the addresses of the next page and of the first, with the search
// in them.
func trailPager(query map[string]string, next string) (nextPath, firstPath string) {
	values := url.Values{}
	for name, value := range query {
		if value != "" && name != "cursor" {
			values.Set(name, value)
		}
	}
	if query["cursor"] != "" {
		firstPath = auditPath
		if len(values) > 0 {
			firstPath += "?" + values.Encode()
		}
	}
	if next != "" {
		values.Set("cursor", next)
		nextPath = auditPath + "?" + values.Encode()
	}
	return nextPath, firstPath
}

// toTrailQuery reads the search; its days are those of the reader's zone, both
// included.
func toTrailQuery(f views.ConsoleAuditFilter, cursor string, zone *time.Location) (privacy.TrailQuery, ui.Faults) {
	q := privacy.TrailQuery{Actor: f.Actor, Action: f.Action, Object: f.Object, Subject: f.Subject, Cursor: cursor}
	var faults ui.Faults
	day := func(name, text string) time.Time {
		at, err := time.ParseInLocation(time.DateOnly, text, zone)
		if text != "" && err != nil {
			faults = append(faults, ui.Fault{Name: name, Code: "invalid"})
		}
		if text == "" || err != nil {
			return time.Time{}
		}
		return at
	}
	q.From, q.To = day("from", f.From), day("to", f.To)
	if !q.To.IsZero() {
		q.To = q.To.AddDate(0, 0, 1) // the search ends before it
		if !q.To.After(q.From) {
			faults = append(faults, ui.Fault{Name: "to", Code: "out_of_range"})
		}
	}
	return q, faults
}

func toEventRow(e privacy.TrailRow) views.ConsoleEventRow {
	return views.ConsoleEventRow{
		ID: e.ID, At: e.At, ActorKind: e.ActorKind, Actor: e.ActorID, ActorRole: e.ActorRole, Action: e.Action, Object: e.Object, Subject: e.Subject,
	}
}

// Show answers GET /admin/audit/{id}.
func (h *Trail) Show(c *gin.Context) error {
	page, err := h.page(c)
	if err != nil {
		return err
	}
	return render(c, http.StatusOK, views.ConsoleEvent(page))
}

func eventPath(id string) string { return auditPath + "/" + url.PathEscape(id) }

func (h *Trail) page(c *gin.Context) (views.ConsoleEventPage, error) {
	id, err := pathText(c, "id")
	if err != nil {
		return views.ConsoleEventPage{}, err
	}
	event, err := h.Privacy.TrailEvent(c.Request.Context(), id)
	if err != nil {
		return views.ConsoleEventPage{}, err
	}
	page := toEventPage(event)
	page.MayReveal = event.Readable && h.may(c, policy.AreaAudit, policy.ActAuditReveal)
	page.Chrome, err = h.console(c, eventPath(id))
	return page, err
}

func toEventPage(e privacy.TrailDetail) views.ConsoleEventPage {
	page := views.ConsoleEventPage{
		Event: toEventRow(e.TrailRow), RequestID: e.RequestID, IP: e.IP, UserAgent: e.UserAgent, Leaf: hex.EncodeToString(e.Leaf), Payload: "gone",
	}
	if e.Readable {
		page.Payload = "sealed"
	}
	return page
}

// Reveal answers POST /admin/audit/{id}/reveal with the payload, once.
func (h *Trail) Reveal(c *gin.Context) error {
	form, err := bindForm(c, "reason")
	if err != nil {
		return err
	}
	page, err := h.page(c)
	if err != nil {
		return err
	}
	ctx := c.Request.Context()
	if !h.StepUps.SteppedUp(ctx) {
		return seeOther(c, stepUpPath(eventPath(page.Event.ID)))
	}
	page.Reason = form["reason"]
	opened, err := h.Privacy.RevealTrail(ctx, page.Event.ID, form["reason"])
	if faults, ok := formFaults(err, "reason"); ok {
		page.Faults = faults
		return render(c, http.StatusUnprocessableEntity, views.ConsoleEvent(page))
	}
	if err != nil {
		return err
	}
	page.Opened = toPayload(opened)
	return render(c, http.StatusOK, views.ConsoleEvent(page))
}

func toPayload(r privacy.TrailReveal) *views.ConsolePayload {
	return &views.ConsolePayload{Reason: r.Reason, Before: indented(r.Before), After: indented(r.After), IP: r.IP, UserAgent: r.UserAgent}
}

// indented shows what an event holds as JSON to read; nothing is an empty text.
func indented(values map[string]any) string {
	if len(values) == 0 {
		return ""
	}
	text, err := json.MarshalIndent(values, "", "  ")
	if err != nil { // the values came out of JSON
		return ""
	}
	return string(text)
}
