package handlers

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"fornix/privacy"
)

// ErasureReader tells how far an erasure of the caller's tenant is.
type ErasureReader interface {
	Erasure(ctx context.Context, id string) (privacy.ErasureView, error)
}

// Erasures answers /api/v1/erasures.
type Erasures struct{ Privacy ErasureReader }

// Show answers GET /erasures/{id}.
func (h *Erasures) Show(c *gin.Context) error {
	id, err := pathText(c, "id")
	if err != nil {
		return err
	}
	view, err := h.Privacy.Erasure(c.Request.Context(), id)
	if err != nil {
		return err
	}
	if view.Stores == nil {
		view.Stores = []privacy.StoreView{}
	}
	return answerJSON(c, http.StatusOK, view)
}
