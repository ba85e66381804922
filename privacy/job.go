// Package privacy owns erasure: one item or all of a person, the registered stores,
// the ledger's replay, receipts, and the readable audit trail.
package privacy

import (
	"context"

	"github.com/google/uuid"

	"fornix/models"
)

// Job asks for an erasure to be carried out. It names the erasure alone.
type Job struct {
	Tenant  string    `json:"tenant"`
	Erasure uuid.UUID `json:"erasure"`
}

// Enqueuer puts an erasure into the queue in the caller's transaction.
type Enqueuer interface {
	EnqueueErasure(ctx context.Context, tx *models.Tx, job Job) error
}
