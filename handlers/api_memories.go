package handlers

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"fornix/memory"
	"fornix/privacy"
)

// Rememberer writes and reads memories.
type Rememberer interface {
	Remember(ctx context.Context, in memory.RememberInput) (memory.Remembered, error)
	Memory(ctx context.Context, id string) (memory.MemoryView, error)
	// History lists a memory with all its versions, the oldest first.
	History(ctx context.Context, id string) ([]memory.MemoryView, error)
	Correct(ctx context.Context, id string, in memory.CorrectInput) (memory.Remembered, error)
}

// MemoryEraser erases a memory with its versions.
type MemoryEraser interface {
	EraseMemory(ctx context.Context, id string) (privacy.Erased, error)
}

// Memories answers /api/v1/memories.
type Memories struct {
	Memory  Rememberer
	Privacy MemoryEraser
}

// Create answers POST /memories.
func (h *Memories) Create(c *gin.Context) error {
	var in memory.RememberInput
	if err := bindJSON(c, &in); err != nil {
		return err
	}
	done, err := h.Memory.Remember(c.Request.Context(), in)
	if err != nil {
		return err
	}
	return answerJSON(c, statusOf(c, done), done)
}

// statusOf is 201 where the write made a row. An agent that may not read the
// category gets 200 whatever happened, so that it learns nothing.
func statusOf(c *gin.Context, done memory.Remembered) int {
	switch done.Outcome {
	case memory.OutcomeCreated, memory.OutcomeSuperseded, memory.OutcomePending, memory.OutcomeConflict:
		c.Header("Location", apiRoot+"/memories/"+done.MemoryID)
		return http.StatusCreated
	}
	return http.StatusOK
}

// Show answers GET /memories/{id}.
func (h *Memories) Show(c *gin.Context) error {
	id, err := pathText(c, "id")
	if err != nil {
		return err
	}
	view, err := h.Memory.Memory(c.Request.Context(), id)
	if err != nil {
		return err
	}
	return answerJSON(c, http.StatusOK, view)
}

// History answers GET /memories/{id}/history.
func (h *Memories) History(c *gin.Context) error {
	id, err := pathText(c, "id")
	if err != nil {
		return err
	}
	versions, err := h.Memory.History(c.Request.Context(), id)
	if err != nil {
		return err
	}
	if versions == nil {
		versions = []memory.MemoryView{}
	}
	return answerJSON(c, http.StatusOK, gin.H{"versions": versions})
}

// Correct answers PATCH /memories/{id}.
func (h *Memories) Correct(c *gin.Context) error {
	id, err := pathText(c, "id")
	if err != nil {
		return err
	}
	var in memory.CorrectInput
	if err := bindJSON(c, &in); err != nil {
		return err
	}
	done, err := h.Memory.Correct(c.Request.Context(), id, in)
	if err != nil {
		return err
	}
	return answerJSON(c, http.StatusOK, done)
}

// Erase answers DELETE /memories/{id}.
func (h *Memories) Erase(c *gin.Context) error {
	id, err := pathText(c, "id")
	if err != nil {
		return err
	}
	erased, err := h.Privacy.EraseMemory(c.Request.Context(), id)
	if err != nil {
		return err
	}
	return answerJSON(c, http.StatusOK, erased)
}
