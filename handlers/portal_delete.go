package handlers

import (
	"context"
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"

	"fornix/privacy"
	"fornix/views"
	"fornix/views/i18n"
)

// OwnEraser erases single items of the person who is signed in.
type OwnEraser interface {
	EraseMemory(ctx context.Context, id string) (privacy.Erased, error)
	EraseOwnAttribute(ctx context.Context, key string) (privacy.Erased, error)
	EraseTurn(ctx context.Context, id string) (privacy.Erased, error)
}

// PortalDeletions answers /me/memories/{id}/delete, /me/attributes/{key}/delete and
// /me/turns/{id}/delete.
type PortalDeletions struct {
	*Pages
	Memory  PortalReader
	Privacy OwnEraser
}

// MemoryForm answers GET /me/memories/{id}/delete.
func (h *PortalDeletions) MemoryForm(c *gin.Context) error {
	id, err := pathText(c, "id")
	if err != nil {
		return err
	}
	m, err := present(c.Request.Context(), h.Memory, id)
	if err != nil {
		return err
	}
	return h.ask(c, "/me/memories/", views.Item{Kind: "memory", Key: m.MemoryID, Value: m.Content})
}

// DeleteMemory answers POST /me/memories/{id}/delete.
func (h *PortalDeletions) DeleteMemory(c *gin.Context) error {
	return h.erase(c, "id", portalHome, h.Privacy.EraseMemory)
}

// AttributeForm answers GET /me/attributes/{key}/delete.
func (h *PortalDeletions) AttributeForm(c *gin.Context) error {
	key, err := pathText(c, "key")
	if err != nil {
		return err
	}
	a, err := h.Memory.MyAttribute(c.Request.Context(), key)
	if err != nil {
		return err
	}
	label := labelOf(a, i18n.From(c.Request.Context()))
	return h.ask(c, "/me/attributes/", views.Item{Kind: "attribute", Key: a.Key, Label: label, Value: valueText(a.Value)})
}

// DeleteAttribute answers POST /me/attributes/{key}/delete.
func (h *PortalDeletions) DeleteAttribute(c *gin.Context) error {
	return h.erase(c, "key", portalHome, h.Privacy.EraseOwnAttribute)
}

// TurnForm answers GET /me/turns/{id}/delete.
func (h *PortalDeletions) TurnForm(c *gin.Context) error {
	id, err := pathText(c, "id")
	if err != nil {
		return err
	}
	t, err := turn(c.Request.Context(), h.Memory, id)
	if err != nil {
		return err
	}
	return h.ask(c, "/me/turns/", views.Item{Kind: "turn", Key: t.ID, Value: t.Content})
}

// DeleteTurn answers POST /me/turns/{id}/delete.
func (h *PortalDeletions) DeleteTurn(c *gin.Context) error {
	return h.erase(c, "id", "/me/turns", h.Privacy.EraseTurn)
}

// ask shows the item and asks before it is erased.
func (h *PortalDeletions) ask(c *gin.Context, folder string, item views.Item) error {
	// A person under a hold can't reach this page yet: nothing of them is opened.
	page := views.PortalDeletePage{Item: item}
	var err error
	if page.Frame, err = h.portal(c, folder+url.PathEscape(item.Key)+"/delete"); err != nil {
		return err
	}
	return render(c, http.StatusOK, views.PortalDelete(page))
}

// erase does what the form asked; part names the item in the address.
func (h *PortalDeletions) erase(c *gin.Context, part, back string, erase func(context.Context, string) (privacy.Erased, error)) error {
	name, err := pathText(c, part)
	if err != nil {
		return err
	}
	if _, err := bindForm(c); err != nil {
		return err
	}
	if _, err := erase(c.Request.Context(), name); err != nil {
		return err
	}
	return h.done(c, flashDeleted, back)
}
