package models

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"gorm.io/gorm"
)

// People lists subjects that aren't erased, oldest first, after the subject with
// this id (nil: from the start).
func (db *DB) People(ctx context.Context, after *uuid.UUID, limit int) ([]Subject, error) {
	return list[Subject](ctx, db, func(g *gorm.DB) *gorm.DB {
		if after != nil { // a UUIDv7 orders by the time it was made
			g = g.Where("subject_id > ?", *after)
		}
		return g.Order("subject_id").Limit(limit)
	})
}

// Held is how much is kept of a person: memories and attributes that are active or
// wait for approval, and turns.
type Held struct{ Memories, Attributes, Turns int64 }

// Holdings counts what is kept of people.
func (db *DB) Holdings(ctx context.Context, subjects []uuid.UUID) (map[uuid.UUID]Held, error) {
	type row struct {
		SubjectID uuid.UUID
		N         int64
	}
	held := map[uuid.UUID]Held{}
	current := []string{StatusActive, StatusPending}
	for _, c := range []struct {
		model    any
		statuses []string
		add      func(*Held, int64)
	}{
		{&Memory{}, current, func(h *Held, n int64) { h.Memories = n }},
		{&Attribute{}, current, func(h *Held, n int64) { h.Attributes = n }},
		{&Turn{}, nil, func(h *Held, n int64) { h.Turns = n }},
	} {
		g := db.ORM(ctx).Model(c.model).Select("subject_id, count(*) AS n").Where("subject_id IN ?", subjects)
		if c.statuses != nil {
			g = g.Where("status IN ?", c.statuses)
		}
		var rows []row
		if err := g.Group("subject_id").Find(&rows).Error; err != nil {
			return nil, fmt.Errorf("models: count holdings: %w", mapError(err))
		}
		for _, r := range rows {
			h := held[r.SubjectID]
			c.add(&h, r.N)
			held[r.SubjectID] = h
		}
	}
	return held, nil
}

// MemoriesOf lists a person's memories of these statuses, newest first, before
// the memory with this id.
func (db *DB) MemoriesOf(ctx context.Context, subject uuid.UUID, statuses []string, before *uuid.UUID, limit int) ([]Memory, error) {
	return list[Memory](ctx, db, func(g *gorm.DB) *gorm.DB {
		g = g.Where("subject_id = ? AND status IN ?", subject, statuses)
		if before != nil {
			g = g.Where("id < ?", *before)
		}
		return g.Order("id DESC").Limit(limit)
	})
}

// AttributesOf lists a person's attributes of these statuses, oldest key first.
func (db *DB) AttributesOf(ctx context.Context, subject uuid.UUID, statuses []string) ([]Attribute, error) {
	return list[Attribute](ctx, db, func(g *gorm.DB) *gorm.DB {
		return g.Where("subject_id = ? AND status IN ?", subject, statuses).Order("id")
	})
}

// AttributeRow reads one attribute of a person.
func (db *DB) AttributeRow(ctx context.Context, subject, id uuid.UUID) (Attribute, error) {
	return first[Attribute](ctx, db, "subject_id = ? AND id = ?", subject, id)
}

// TurnsOf lists a person's turns, newest first.
func (db *DB) TurnsOf(ctx context.Context, subject uuid.UUID, before *uuid.UUID, limit int) ([]Turn, error) {
	return list[Turn](ctx, db, func(g *gorm.DB) *gorm.DB {
		g = g.Where("subject_id = ?", subject)
		if before != nil {
			g = g.Where("id < ?", *before)
		}
		return g.Order("id DESC").Limit(limit)
	})
}

// CountTurns counts a person's turns.
func (db *DB) CountTurns(ctx context.Context, subject uuid.UUID) (int64, error) {
	return count[Turn](ctx, db, "subject_id = ?", subject)
}

// RecallsOf lists the records of reads of a person, newest first.
func (db *DB) RecallsOf(ctx context.Context, subject uuid.UUID, before *uuid.UUID, limit int) ([]Recall, error) {
	return list[Recall](ctx, db, func(g *gorm.DB) *gorm.DB {
		g = g.Where("subject_id = ?", subject)
		if before != nil {
			g = g.Where("id < ?", *before)
		}
		return g.Order("id DESC").Limit(limit)
	})
}

// PortalLink reads a sign-in link of a person.
func (db *DB) PortalLink(ctx context.Context, subject, id uuid.UUID) (PortalLink, error) {
	return first[PortalLink](ctx, db, "subject_id = ? AND id = ?", subject, id)
}

// UsePortalLink uses a link up, once: a second use, or one past its time, is
// ErrNotFound.
func (tx *Tx) UsePortalLink(ctx context.Context, subject, id uuid.UUID, at Micros) error {
	res := tx.gorm.WithContext(ctx).Model(&PortalLink{}).
		Where("subject_id = ? AND id = ? AND used_at IS NULL AND expires_at > ?", subject, id, at).Update("used_at", at)
	if res.Error != nil {
		return fmt.Errorf("models: use portal link: %w", mapError(res.Error))
	}
	if res.RowsAffected == 0 {
		return fmt.Errorf("models: use portal link: %w", ErrNotFound)
	}
	return nil
}

// PortalSession reads a person's session.
func (db *DB) PortalSession(ctx context.Context, subject, id uuid.UUID) (PortalSession, error) {
	return first[PortalSession](ctx, db, "subject_id = ? AND id = ?", subject, id)
}

// EndPortalSession removes a person's session.
func (tx *Tx) EndPortalSession(ctx context.Context, subject, id uuid.UUID) error {
	_, err := remove[PortalSession](ctx, tx, "subject_id = ? AND id = ?", subject, id)
	return err
}
