package handlers

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/gin-gonic/gin"

	"fornix/privacy"
)

// ReceiptReader reads a receipt by its id, which is all that is needed.
type ReceiptReader interface {
	Receipt(ctx context.Context, id string) (privacy.ReceiptView, error)
}

// Receipts answers /api/v1/receipts.
type Receipts struct{ Privacy ReceiptReader }

// receiptAnswer carries the receipt twice: to read, and as the text that is signed,
// byte for byte.
type receiptAnswer struct {
	Receipt   json.RawMessage `json:"receipt"`
	Body      string          `json:"body"`
	Signature string          `json:"signature"`
	PublicKey string          `json:"public_key"`
}

// Show answers GET /receipts/{id}.
func (h *Receipts) Show(c *gin.Context) error {
	id, err := pathText(c, "id")
	if err != nil {
		return err
	}
	r, err := h.Privacy.Receipt(c.Request.Context(), id)
	if err != nil {
		return err
	}
	return answerJSON(c, http.StatusOK, receiptAnswer{
		Receipt: json.RawMessage(r.Body), Body: r.Body, Signature: r.Signature, PublicKey: r.PublicKey,
	})
}
