package handlers

import (
	"maps"
	"net/http"
	"net/url"
	"slices"

	"github.com/gin-gonic/gin"

	"fornix/policy"
	"fornix/privacy"
	"fornix/views"
)

// ReceiptPages answers /receipts/{id}.
type ReceiptPages struct {
	*Pages
	Privacy ReceiptReader
}

// Show answers GET /receipts/{id}.
func (h *ReceiptPages) Show(c *gin.Context) error {
	id, err := pathText(c, "id")
	if err != nil {
		return err
	}
	r, err := h.Privacy.Receipt(c.Request.Context(), id)
	if err != nil {
		return err
	}
	page := toReceiptPage(r)
	page.Frame = h.public(c, receiptPath(page.ID))
	return render(c, http.StatusOK, views.Receipt(page))
}

func receiptPath(id string) string { return "/receipts/" + url.PathEscape(id) }

// groundOf says in the page's words on whose request something was erased.
var groundOf = map[string]string{
	string(policy.KindSubject): "portal", string(policy.KindAgent): "agent", string(policy.KindUser): "staff",
}

// keptOf names what stays in the page's words.
var keptOf = map[string]string{
	"tombstone": "tombstone", "request_and_receipt": "receipt", "audit_envelopes": "audit", "ledger": "ledger",
}

// toReceiptPage shows a receipt. It is complete only where the read-back found
// nothing.
func toReceiptPage(r privacy.ReceiptView) views.ReceiptPage {
	body := r.ReceiptBody
	page := views.ReceiptPage{
		ID: body.ReceiptID, Erasure: body.ErasureID, Pseudonym: body.Subject, Tenant: body.Tenant, Scope: body.Scope,
		Ground: groundOf[body.RequestedBy], Received: body.RequestedAt, Decided: body.RequestedAt, Executed: body.ExecutedAt, Issued: body.ExecutedAt,
		Body: r.Body, Signature: r.Signature, PublicKey: r.PublicKey, Download: apiRoot + receiptPath(body.ReceiptID),
	}
	if page.Ground == "portal" {
		page.Decision = []views.ReceiptDecision{{Role: "subject", At: body.RequestedAt}}
	} else if page.Ground == "agent" {
		page.Decision = []views.ReceiptDecision{{Role: "agent", At: body.RequestedAt}}
	}
	stores := map[string]bool{}
	for store := range body.Deleted {
		stores[store] = true
	}
	for store, n := range body.Remaining {
		stores[store] = true
		if n > 0 {
			page.Partial, page.PartialReason = true, "rows_left"
		}
	}
	for _, store := range slices.Sorted(maps.Keys(stores)) {
		left := int(body.Remaining[store])
		page.Stores = append(page.Stores, views.ReceiptStoreRow{
			Store: store, Before: int(body.Deleted[store]) + left, Left: left, Method: "deleted",
		})
	}
	if body.Key != nil {
		page.Key = views.ReceiptKey{ID: body.Subject, Epoch: int(body.Key.Epoch)}
		if body.Key.Destroyed {
			// The receipt is written only after the key was asked for again and was gone.
			page.Key.Destroyed, page.Key.ReadBack = body.ExecutedAt, true
		}
	}
	for _, what := range body.Kept {
		if name, ok := keptOf[what]; ok {
			page.Kept = append(page.Kept, views.ReceiptKeptRow{What: name})
		}
	}
	return page
}
