package handlers

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"fornix/memory"
	"fornix/views"
	"fornix/views/i18n"
)

// PortalHome answers what people read about themselves: /me, /me/turns, /me/access.
// KeptDays is how long turns are kept.
type PortalHome struct {
	*Pages
	Memory   PortalReader
	KeptDays int
}

// Show answers GET /me.
func (h *PortalHome) Show(c *gin.Context) error {
	query, err := pageQuery(c, "cursor")
	if err != nil {
		return err
	}
	mine, err := h.Memory.Mine(c.Request.Context(), query["cursor"])
	if err != nil {
		return err
	}
	page := toPortalHome(mine, i18n.From(c.Request.Context()))
	page.Next, page.First = pager(portalHome, query["cursor"], mine.Next)
	if page.Frame, err = h.portal(c, portalHome); err != nil {
		return err
	}
	return render(c, http.StatusOK, views.PortalHome(page))
}

// pager makes the addresses of the next page and, past the first, of the first.
func pager(path, cursor, next string) (nextPath, firstPath string) {
	if next != "" {
		nextPath = path + "?cursor=" + url.QueryEscape(next)
	}
	if cursor != "" {
		firstPath = path
	}
	return nextPath, firstPath
}

func toPortalHome(m memory.Mine, l i18n.Locale) views.PortalHomePage {
	page := views.PortalHomePage{Turns: int(m.Turns), Restricted: m.Restricted}
	for _, a := range m.Attributes {
		page.Attributes = append(page.Attributes, views.PortalAttributeRow{
			Key: a.Key, Label: labelOf(a, l), Value: valueText(a.Value), VisibleTo: a.VisibleTo, Until: timeOf(a.ExpireAt), Version: a.Version,
			Why: views.Why{Source: a.Source, Reason: a.Reason, Since: a.UpdatedAt, Unsure: isUnsure(a.Source, a.Confidence)},
		})
	}
	for _, v := range m.Memories {
		page.Memories = append(page.Memories, views.PortalMemoryRow{
			ID: v.MemoryID, Content: v.Content, Kind: v.Kind, VisibleTo: v.VisibleTo, Until: timeOf(v.ExpireAt), Version: v.Version,
			Why: views.Why{Source: v.Source, Quote: quoteOf(v.Evidence), Since: v.OccurredAt, Unsure: isUnsure(v.Source, v.Confidence), Pending: v.Pending},
		})
	}
	return page
}

// unsureBelow is the confidence under which agents are told that something is
// unsure.
const unsureBelow = 0.6

func isUnsure(source string, confidence float64) bool {
	return source == "inferred" || confidence < unsureBelow
}

// quoteOf is the latest of the person's own words that a memory rests on.
func quoteOf(evidence []memory.Evidence) string {
	var latest memory.Evidence
	for _, e := range evidence {
		if e.Quote != "" && !e.At.Before(latest.At) {
			latest = e
		}
	}
	return latest.Quote
}

// timeOf is zero where no time is set.
func timeOf(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

// labelOf is a field's name in the page's language; one that the dictionary has no
// word for is shown by its key, in words.
func labelOf(a memory.MyAttribute, l i18n.Locale) string {
	label := a.LabelEn
	if l == i18n.ZhHans {
		label = a.LabelZh
	}
	if label == "" || label == a.Key {
		return strings.ReplaceAll(a.Key, "_", " ")
	}
	return label
}

// valueText shows a value in JSON as people write it: texts without quotes, lists
// with commas.
func valueText(raw []byte) string {
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return string(raw)
	}
	switch v := value.(type) {
	case string:
		return v
	case []any:
		parts := make([]string, len(v))
		for i, e := range v {
			part, ok := e.(string)
			if !ok {
				return string(raw)
			}
			parts[i] = part
		}
		return strings.Join(parts, ", ")
	}
	return string(raw)
}

// Turns answers GET /me/turns.
func (h *PortalHome) Turns(c *gin.Context) error {
	query, err := pageQuery(c, "cursor")
	if err != nil {
		return err
	}
	turns, next, err := h.Memory.MyTurns(c.Request.Context(), query["cursor"])
	if err != nil {
		return err
	}
	page := views.PortalTurnsPage{Sessions: toSessions(turns), KeptDays: h.KeptDays, Deletable: true}
	page.Next, page.First = pager("/me/turns", query["cursor"], next)
	if page.Frame, err = h.portal(c, "/me/turns"); err != nil {
		return err
	}
	return render(c, http.StatusOK, views.PortalTurns(page))
}

// toSessions puts turns, the latest first, into their conversations: the latest
// conversation first, and each read from its beginning.
func toSessions(turns []memory.MyTurn) []views.PortalSessionRow {
	var sessions []views.PortalSessionRow
	at := map[string]int{}
	for _, t := range turns {
		i, ok := at[t.Session]
		if !ok {
			i = len(sessions)
			at[t.Session] = i
			sessions = append(sessions, views.PortalSessionRow{Agent: t.Agent})
		}
		row := views.PortalTurnRow{ID: t.ID, Role: t.Role, Content: t.Content, At: t.At}
		sessions[i].Turns = append(sessions[i].Turns, row)
	}
	for i := range sessions {
		slices.Reverse(sessions[i].Turns)
		sessions[i].Began = sessions[i].Turns[0].At
	}
	return sessions
}

// Access answers GET /me/access.
func (h *PortalHome) Access(c *gin.Context) error {
	query, err := pageQuery(c, "cursor")
	if err != nil {
		return err
	}
	looks, next, err := h.Memory.MyAccesses(c.Request.Context(), query["cursor"])
	if err != nil {
		return err
	}
	page := views.PortalAccessPage{}
	for _, l := range looks {
		page.Rows = append(page.Rows, toAccessRow(l))
	}
	page.Next, page.First = pager("/me/access", query["cursor"], next)
	if page.Frame, err = h.portal(c, "/me/access"); err != nil {
		return err
	}
	return render(c, http.StatusOK, views.PortalAccess(page))
}

// toAccessRow hands nothing on for a look that was refused.
func toAccessRow(l memory.MyAccess) views.PortalAccessRow {
	row := views.PortalAccessRow{At: l.At, Who: l.Who, Staff: l.Staff, What: l.What, Count: int(l.Count), Denied: l.Denied, Reason: l.Reason}
	if l.Denied {
		row.Count = 0
	}
	return row
}
