package handlers

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"fornix/memory"
	"fornix/policy"
	"fornix/views"
	"fornix/views/i18n"
	"fornix/views/ui"
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
func (h *PortalCorrections) memoryPage(c *gin.Context) (views.PortalCorrectPage, Origin, error) {
	id, err := pathText(c, "id")
	if err != nil {
		return views.PortalCorrectPage{}, Origin{}, err
	}
	m, err := h.Memory.MyMemory(c.Request.Context(), id)
	if err != nil {
		return views.PortalCorrectPage{}, Origin{}, err
	}
	page := views.PortalCorrectPage{Item: views.Item{Kind: "memory", Key: m.ID, Value: m.Content}, Version: m.Version, Input: m.Content}
	page.Frame, err = h.portal(c, "/me/memories/"+url.PathEscape(id)+"/correct")
	return page, m.Origin, err
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
	return h.again(c, err, "content", form["content"], version, func() (views.PortalCorrectPage, Origin, error) {
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

func (h *PortalCorrections) attributePage(c *gin.Context) (views.PortalCorrectPage, MyAttribute, error) {
	key, err := pathText(c, "key")
	if err != nil {
		return views.PortalCorrectPage{}, MyAttribute{}, err
	}
	a, err := h.Memory.MyAttribute(c.Request.Context(), key)
	if err != nil {
		return views.PortalCorrectPage{}, a, err
	}
	text := valueText(a.Value)
	page := views.PortalCorrectPage{
		Item:    views.Item{Kind: "attribute", Key: a.Key, Label: labelOf(a, i18n.From(c.Request.Context())), Value: text},
		Version: a.Version, Input: text, Options: toOptions(a.Bands),
	}
	page.Frame, err = h.portal(c, "/me/attributes/"+url.PathEscape(key)+"/correct")
	return page, a, err
}

func toOptions(values []string) []ui.Option {
	var options []ui.Option
	for _, v := range values {
		options = append(options, ui.Option{Value: v, Label: v})
	}
	return options
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
	return h.again(c, err, "value", form["value"], version, func() (views.PortalCorrectPage, Origin, error) {
		page, a, err := h.attributePage(c)
		return page, a.Origin, err
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
func (h *PortalCorrections) again(c *gin.Context, err error, field, input string, version int64, read func() (views.PortalCorrectPage, Origin, error)) error {
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
		page.Conflict = &views.PortalConflict{Value: page.Item.Value, Version: page.Version, Changed: now.Changed, By: changedBy(c, now)}
		page.Version = version
		return render(c, http.StatusConflict, views.PortalCorrect(page))
	}
	page.Faults, page.Version = faults, version
	return render(c, http.StatusUnprocessableEntity, views.PortalCorrect(page))
}

// changedBy names in words who changed something last.
func changedBy(c *gin.Context, o Origin) string {
	ctx := c.Request.Context()
	switch o.ChangedKind {
	case policy.KindSubject:
		return i18n.T(ctx, "portal.turns.you")
	case policy.KindUser:
		return i18n.T(ctx, "portal.access.staff", "role", i18n.Word(ctx, "portal.role.", o.ChangedBy))
	}
	return o.ChangedBy
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
