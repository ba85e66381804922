package models

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"gorm.io/gorm"

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

// TrailFilter narrows the audit log; empty fields narrow nothing. Before is the
// id of the last event of the page before.
type TrailFilter struct {
	Actor, Action, Object, Pseudonym string
	From, To                         Micros // From included, To not
	Before                           *uuid.UUID
	Limit                            int
}

// Trail lists audit events, newest first. Action may name a group ("memory.").
func (db *DB) Trail(ctx context.Context, f TrailFilter) ([]AuditEvent, error) {
	return list[AuditEvent](ctx, db, func(g *gorm.DB) *gorm.DB {
		for column, value := range map[string]string{"object": f.Object, "pseudonym": f.Pseudonym} {
			if value != "" {
				g = g.Where(column+" = ?", value)
			}
		}
		if f.Actor != "" {
			g = g.Where("(actor_id = ? OR actor_kind = ? OR actor_role = ?)", f.Actor, f.Actor, f.Actor)
		}
		if group, ok := strings.CutSuffix(f.Action, "."); ok {
			g = g.Where("action >= ? AND action < ?", group+".", group+"/") // '/' follows '.'
		} else if f.Action != "" {
			g = g.Where("action = ?", f.Action)
		}
		if f.From != 0 {
			g = g.Where("occurred_at >= ?", f.From)
		}
		if f.To != 0 {
			g = g.Where("occurred_at < ?", f.To)
		}
		if f.Before != nil {
			g = g.Where("id < ?", *f.Before)
		}
		return g.Order("id DESC").Limit(f.Limit)
	})
}

// TrailEvent reads one event.
func (db *DB) TrailEvent(ctx context.Context, id uuid.UUID) (AuditEvent, error) {
	return first[AuditEvent](ctx, db, "id = ?", id)
}

// CountTrail counts the tenant's events.
func (db *DB) CountTrail(ctx context.Context) (int64, error) {
	return count[AuditEvent](ctx, db, "1 = 1")
}
