package handlers

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"fornix/memory"
)

// Listener keeps turns of conversations and queues what is learned of them.
type Listener interface {
	Messages(ctx context.Context, in memory.MessagesInput) (memory.Accepted, error)
}

// Messages answers /api/v1/messages.
type Messages struct{ Memory Listener }

// Create answers POST /messages.
func (h *Messages) Create(c *gin.Context) error {
	var in memory.MessagesInput
	if err := bindJSON(c, &in); err != nil {
		return err
	}
	accepted, err := h.Memory.Messages(c.Request.Context(), in)
	if err != nil {
		return err
	}
	return answerJSON(c, http.StatusAccepted, accepted)
}
