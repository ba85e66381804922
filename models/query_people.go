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

// Holdings counts what is kept of people: memories by status and active
// attributes.
func (db *DB) Holdings(ctx context.Context, subjects []uuid.UUID) (memories, attributes map[uuid.UUID]int64, err error) {
	type row struct {
		SubjectID uuid.UUID
		N         int64
	}
	counts := func(model any) (map[uuid.UUID]int64, error) {
		var rows []row
		err := db.ORM(ctx).Model(model).Select("subject_id, count(*) AS n").
			Where("subject_id IN ? AND status IN ?", subjects, []string{StatusActive, StatusPending}).Group("subject_id").Find(&rows).Error
		if err != nil {
			return nil, fmt.Errorf("models: count holdings: %w", mapError(err))
		}
		n := map[uuid.UUID]int64{}
		for _, r := range rows {
			n[r.SubjectID] = r.N
		}
		return n, nil
	}
	if memories, err = counts(&Memory{}); err != nil {
		return nil, nil, err
	}
	attributes, err = counts(&Attribute{})
	return memories, attributes, err
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
