package handlers

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"

	"github.com/gin-gonic/gin"

	"fornix/privacy"
	"fornix/views"
	"fornix/views/ui"
)

// OwnWiper erases all of the person who is signed in, and tells how far that is to
// whoever has the secret of its address.
type OwnWiper interface {
	WipeSelf(ctx context.Context) (privacy.Requested, error)
	ErasureByToken(ctx context.Context, id, token string) (privacy.ErasureView, error)
}

// PortalWipe answers /me/wipe and /me/erasure/{id}.
type PortalWipe struct {
	*Pages
	Memory   PortalReader
	Privacy  OwnWiper
	Accounts Accounts
}

const wipePath = "/me/wipe"

// Form answers GET /me/wipe.
func (h *PortalWipe) Form(c *gin.Context) error {
	page, err := h.page(c)
	if err != nil {
		return err
	}
	return render(c, http.StatusOK, views.PortalWipe(page))
}

func (h *PortalWipe) page(c *gin.Context) (views.PortalWipePage, error) {
	counts, restricted, err := holdings(c.Request.Context(), h.Memory)
	if err != nil {
		return views.PortalWipePage{}, err
	}
	page := views.PortalWipePage{Counts: counts, Restricted: restricted}
	page.Frame, err = h.portal(c, wipePath)
	return page, err
}

// Wipe answers POST /me/wipe. The word in any language of ours confirms.
func (h *PortalWipe) Wipe(c *gin.Context) error {
	form, err := bindForm(c, "confirm")
	if err != nil {
		return err
	}
	if !views.ConfirmsWipe(form["confirm"]) {
		page, err := h.page(c)
		if err != nil {
			return err
		}
		page.Confirm, page.Faults = form["confirm"], ui.Faults{{Name: "confirm", Code: confirmFault(form["confirm"])}}
		return render(c, http.StatusUnprocessableEntity, views.PortalWipe(page))
	}
	requested, err := h.Privacy.WipeSelf(c.Request.Context())
	if err != nil {
		return err
	}
	h.Accounts.Forget(c)
	return seeOther(c, erasurePath(requested.ErasureID, requested.ProgressToken))
}

func confirmFault(typed string) string {
	if isBlank(typed) {
		return "required"
	}
	return "mismatch"
}

func erasurePath(id, token string) string {
	return "/me/erasure/" + url.PathEscape(id) + "?token=" + url.QueryEscape(token)
}

// Erasure answers GET /me/erasure/{id}?token=…, after signing out too.
func (h *PortalWipe) Erasure(c *gin.Context) error {
	id, err := pathText(c, "id")
	if err != nil {
		return err
	}
	query, err := pageQuery(c, "token")
	if err != nil {
		return err
	}
	view, err := h.Privacy.ErasureByToken(c.Request.Context(), id, query["token"])
	if err != nil {
		return err
	}
	page := toPortalErasure(view)
	page.Refresh = erasurePath(id, query["token"])
	// Nobody is signed in here, so the page can't say whose portal it was.
	page.Frame = views.PortalFrame{Path: page.Refresh, Banners: h.Banners, Flash: h.flash(c)}
	return render(c, http.StatusOK, views.PortalErasure(page))
}

func toPortalErasure(v privacy.ErasureView) views.PortalErasurePage {
	page := views.PortalErasurePage{State: v.State, Scope: v.Scope, Requested: v.RequestedAt, Left: toCounts(v.Remaining)}
	if v.CompletedAt != nil {
		page.Completed = *v.CompletedAt
	}
	if v.ReceiptID != "" {
		page.Receipt = receiptPath(v.ReceiptID)
	}
	return page
}

// toCounts lists how many rows stores have, by their names; empty ones are left out.
func toCounts(rows map[string]int64) []views.PortalCount {
	var counts []views.PortalCount
	for _, store := range slices.Sorted(maps.Keys(rows)) {
		if n := rows[store]; n > 0 {
			counts = append(counts, views.PortalCount{Store: store, N: int(n)})
		}
	}
	return counts
}
