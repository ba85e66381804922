package handlers

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"fornix/views"
	"fornix/views/i18n"
)

// PortalHome answers what people read about themselves: /me, /me/turns, /me/access.
type PortalHome struct {
	*Pages
	Memory PortalReader
}

// Show answers GET /me.
func (h *PortalHome) Show(c *gin.Context) error {
	query, err := bindQuery(c, "cursor")
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

func toPortalHome(m Mine, l i18n.Locale) views.PortalHomePage {
	page := views.PortalHomePage{Turns: m.Turns, Restricted: m.Restricted, HoldUntil: m.Hold.Until}
	for _, a := range m.Attributes {
		page.Attributes = append(page.Attributes, views.PortalAttributeRow{
			Key: a.Key, Label: labelOf(a, l), Value: valueText(a.Value), Why: toWhy(a.Origin), VisibleTo: a.VisibleTo, Until: a.Until, Version: a.Version,
		})
	}
	for _, v := range m.Memories {
		page.Memories = append(page.Memories, views.PortalMemoryRow{
			ID: v.ID, Content: v.Content, Kind: v.Kind, Why: toWhy(v.Origin), VisibleTo: v.VisibleTo, Until: v.Until, Version: v.Version,
		})
	}
	return page
}

// labelOf is a field's name in the page's language; one that the dictionary has no
// word for is shown by its key, in words.
func labelOf(a MyAttribute, l i18n.Locale) string {
	return or(a.Labels[string(l)], strings.ReplaceAll(a.Key, "_", " "))
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

func toWhy(o Origin) views.Why {
	return views.Why{Source: o.Source, Quote: o.Quote, Reason: o.Reason, Agent: o.Agent, Since: o.Since, Unsure: o.Unsure, Pending: o.Pending}
}

// Turns answers GET /me/turns.
func (h *PortalHome) Turns(c *gin.Context) error {
	query, err := bindQuery(c, "cursor")
	if err != nil {
		return err
	}
	turns, err := h.Memory.MyTurns(c.Request.Context(), query["cursor"])
	if err != nil {
		return err
	}
	page := toPortalTurns(turns)
	page.Next, page.First = pager("/me/turns", query["cursor"], turns.Next)
	if page.Frame, err = h.portal(c, "/me/turns"); err != nil {
		return err
	}
	return render(c, http.StatusOK, views.PortalTurns(page))
}

func toPortalTurns(t MyTurns) views.PortalTurnsPage {
	page := views.PortalTurnsPage{KeptDays: t.KeptDays, Deletable: true}
	for _, s := range t.Sessions {
		row := views.PortalSessionRow{Agent: s.Agent, Began: s.Began}
		for _, turn := range s.Turns {
			row.Turns = append(row.Turns, views.PortalTurnRow(turn))
		}
		page.Sessions = append(page.Sessions, row)
	}
	return page
}

// Access answers GET /me/access.
func (h *PortalHome) Access(c *gin.Context) error {
	query, err := bindQuery(c, "cursor")
	if err != nil {
		return err
	}
	access, err := h.Memory.MyAccess(c.Request.Context(), query["cursor"])
	if err != nil {
		return err
	}
	page := views.PortalAccessPage{}
	for _, l := range access.Looks {
		page.Rows = append(page.Rows, toAccessRow(l))
	}
	page.Next, page.First = pager("/me/access", query["cursor"], access.Next)
	if page.Frame, err = h.portal(c, "/me/access"); err != nil {
		return err
	}
	return render(c, http.StatusOK, views.PortalAccess(page))
}

// toAccessRow hands nothing on for a look that was refused.
func toAccessRow(l Look) views.PortalAccessRow {
	row := views.PortalAccessRow{At: l.At, Who: l.Who, Staff: l.Staff, What: l.What, Count: l.Count, Denied: l.Denied, Reason: l.Reason}
	if l.Denied {
		row.Count = 0
	}
	return row
}
