package models

import (
	"context"
	"fmt"

	"fornix/audit"
	"fornix/keys"
)

// OpenPayload opens the sealed part of an event. subject is the living subject
// that the event concerns, nil when it concerns none.
func (db *DB) OpenPayload(ctx context.Context, e AuditEvent, subject *Subject) (audit.Payload, error) {
	var (
		ring *keys.Ring
		cell = keys.OperatorCell(string(e.TenantID), e.TableName(), "payload", e.ID)
		err  error
	)
	if subject == nil {
		ring, err = db.sealer.OperatorRing(ctx, string(e.TenantID))
	} else {
		cell.SubjectRef = keys.SubjectRef{Tenant: string(e.TenantID), Subject: subject.SubjectID, Epoch: e.Epoch}
		ring, err = db.sealer.Ring(ctx, cell.SubjectRef)
	}
	if err != nil {
		return audit.Payload{}, fmt.Errorf("models: open payload: %w", err)
	}
	defer ring.Close()
	raw, err := keys.OpenWithDataKey(ring, cell, e.Payload, e.PayloadKey, [32]byte(e.Commitment))
	if err != nil {
		return audit.Payload{}, fmt.Errorf("models: open payload: %w", err)
	}
	return audit.DecodePayload(raw)
}
