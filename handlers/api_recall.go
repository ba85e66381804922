package handlers

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"fornix/memory"
)

// Recaller finds what is remembered.
type Recaller interface {
	Recall(ctx context.Context, in memory.RecallInput) (memory.RecallAnswer, error)
}

// Recalls answers /api/v1/recall and /api/v1/recalls. Explain tells of one recall
// why its items came, or why the memory asked about didn't; it is empty when none
// is asked about.
type Recalls struct {
	Memory  Recaller
	Explain func(ctx context.Context, id, memory string) (any, error)
}

// Create answers POST /recall.
func (h *Recalls) Create(c *gin.Context) error {
	var in memory.RecallInput
	if err := bindJSON(c, &in); err != nil {
		return err
	}
	answer, err := h.Memory.Recall(c.Request.Context(), in)
	if err != nil {
		return err
	}
	if answer.Items == nil {
		answer.Items = []memory.RecallItem{}
	}
	if answer.Degraded == nil {
		answer.Degraded = []string{}
	}
	return answerJSON(c, http.StatusOK, answer)
}

// Show answers GET /recalls/{id}?memory=….
func (h *Recalls) Show(c *gin.Context) error {
	id, err := pathText(c, "id")
	if err != nil {
		return err
	}
	query, err := bindQuery(c, "memory")
	if err != nil {
		return err
	}
	explained, err := h.Explain(c.Request.Context(), id, query["memory"])
	if err != nil {
		return err
	}
	return answerJSON(c, http.StatusOK, explained)
}
