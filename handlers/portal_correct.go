package handlers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"fornix/memory"
	"fornix/views"
	"fornix/views/i18n"
)

// PortalCorrections answers /me/memories/{id}/correct and
// /me/attributes/{key}/correct.
type PortalCorrections struct {
	*Pages
	Memory interface {
		PortalReader
		PortalWriter
	}
}

// MemoryForm answers GET /me/memories/{id}/correct.
func (h *PortalCorrections) MemoryForm(c *gin.Context) error {
	page, _, err := h.memoryPage(c)
	if err != nil {
		return err
	}
	return render(c, http.StatusOK, views.PortalCorrect(page))
}

// memoryPage is the form as it opens, and where the memory comes from.
func (h *PortalCorrections) memoryPage(c *gin.Context) (views.PortalCorrectPage, lastChange, error) {
	id, err := pathText(c, "id")
	if err != nil {
		return views.PortalCorrectPage{}, lastChange{}, err
	}
	m, err := present(c.Request.Context(), h.Memory, id)
	if err != nil {
		return views.PortalCorrectPage{}, lastChange{}, err
	}
	page := views.PortalCorrectPage{Item: views.Item{Kind: "memory", Key: m.MemoryID, Value: m.Content}, Version: m.Version, Input: m.Content}
	page.Frame, err = h.portal(c, "/me/memories/"+url.PathEscape(id)+"/correct")
	return page, lastChange{m.Source, m.UpdatedAt}, err
}

// CorrectMemory answers POST /me/memories/{id}/correct.
func (h *PortalCorrections) CorrectMemory(c *gin.Context) error {
	id, err := pathText(c, "id")
	if err != nil {
		return err
	}
	form, version, err := correction(c, "content")
	if err != nil {
		return err
	}
	_, err = h.Memory.Correct(c.Request.Context(), id, memory.CorrectInput{Content: form["content"], Version: version})
	if err == nil {
		return h.done(c, flashCorrected, portalHome)
	}
	return h.again(c, err, "content", form["content"], version, func() (views.PortalCorrectPage, lastChange, error) {
		return h.memoryPage(c)
	})
}

// AttributeForm answers GET /me/attributes/{key}/correct.
func (h *PortalCorrections) AttributeForm(c *gin.Context) error {
	page, _, err := h.attributePage(c)
	if err != nil {
		return err
	}
	return render(c, http.StatusOK, views.PortalCorrect(page))
}

func (h *PortalCorrections) attributePage(c *gin.Context) (views.PortalCorrectPage, memory.MyAttribute, error) {
	key, err := pathText(c, "key")
	if err != nil {
		return views.PortalCorrectPage{}, memory.MyAttribute{}, err
	}
	a, err := h.Memory.MyAttribute(c.Request.Context(), key)
	if err != nil {
		return views.PortalCorrectPage{}, a, err
	}
	text := valueText(a.Value)
	page := views.PortalCorrectPage{
		Item:    views.Item{Kind: "attribute", Key: a.Key, Label: labelOf(a, i18n.From(c.Request.Context())), Value: text},
		Version: a.Version, Input: text,
	}
	page.Frame, err = h.portal(c, "/me/attributes/"+url.PathEscape(key)+"/correct")
	return page, a, err
}

// CorrectAttribute answers POST /me/attributes/{key}/correct.
func (h *PortalCorrections) CorrectAttribute(c *gin.Context) error {
	form, version, err := correction(c, "value")
	if err != nil {
		return err
	}
	_, now, err := h.attributePage(c)
	if err != nil {
		return err
	}
	value, err := typedLike(form["value"], now.Value)
	if err == nil {
		_, err = h.Memory.CorrectOwnAttribute(c.Request.Context(), now.Key, value, version)
	}
	if err == nil {
		return h.done(c, flashCorrected, portalHome)
	}
	return h.again(c, err, "value", form["value"], version, func() (views.PortalCorrectPage, lastChange, error) {
		page, a, err := h.attributePage(c)
		return page, lastChange{a.Source, a.UpdatedAt}, err
	})
}

// correction reads the form of a correction: the new words and the version that
// the person saw.
func correction(c *gin.Context, field string) (form map[string]string, version int64, err error) {
	if form, err = bindForm(c, field, "version"); err != nil {
		return nil, 0, err
	}
	if version, err = strconv.ParseInt(form["version"], 10, 64); err != nil || version < 1 {
		return nil, 0, fault("version", "invalid", "the form has no version; open the page again")
	}
	return form, version, nil
}

// typedLike writes what a person typed as JSON of the kind that the field has: a
// number or a list stays one. An emptied field is no value.
func typedLike(typed string, now []byte) ([]byte, error) {
	if isBlank(typed) {
		return nil, fault("value", "required", "say what it is, or delete it")
	}
	var old, value any
	if json.Unmarshal(now, &old) == nil {
		switch old.(type) {
		case float64, bool, map[string]any:
			if json.Unmarshal([]byte(typed), &value) == nil {
				return bytes.TrimSpace([]byte(typed)), nil
			}
			return nil, fault("value", "invalid", "must be of the kind it was")
		case []any:
			return json.Marshal(splitList(typed))
		}
	}
	return json.Marshal(typed)
}

// again shows the form once more: with its faults (422), or with both versions when
// somebody else changed it meanwhile (409). Every other error goes on.
func (h *PortalCorrections) again(c *gin.Context, err error, field, input string, version int64, read func() (views.PortalCorrectPage, lastChange, error)) error {
	faults, invalid := formFaults(err, field)
	conflict := memory.CodeOf(err) == memory.CodeConflict
	if !invalid && !conflict {
		return err
	}
	page, now, readErr := read()
	if readErr != nil {
		return errors.Join(readErr, err)
	}
	page.Input = input
	if conflict {
		page.Conflict = &views.PortalConflict{Value: page.Item.Value, Version: page.Version, Changed: now.at, By: now.by(c.Request.Context())}
		page.Version = version
		return render(c, http.StatusConflict, views.PortalCorrect(page))
	}
	page.Faults, page.Version = faults, version
	return render(c, http.StatusUnprocessableEntity, views.PortalCorrect(page))
}

// lastChange is who changed something last, by where it comes from, and when.
type lastChange struct {
	source string
	at     time.Time
}

// by names in words who it was.
func (l lastChange) by(ctx context.Context) string {
	switch l.source {
	case "user":
		return i18n.T(ctx, "portal.turns.you")
	case "manual":
		return i18n.Word(ctx, "portal.role.", "staff")
	}
	return i18n.T(ctx, "portal.role.agent")
}

func isBlank(text string) bool { return strings.TrimSpace(text) == "" }

// splitList reads what valueText wrote; Chinese commas separate too.
func splitList(text string) []string {
	parts := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",，、\n", r) })
	list := []string{}
	for _, part := range parts {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}
