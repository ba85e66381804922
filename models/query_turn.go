package models

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"fornix/keys"
)

// SaidAt is when the turn was said, on the calendar of who said it.
func (t Turn) SaidAt() time.Time {
	if t.Zone == 0 {
		return t.OccurredAt.Time()
	}
	return t.OccurredAt.Time().In(time.FixedZone("", int(t.Zone)))
}

// SessionByToken finds a person's session by the keyed token of its name.
func (db *DB) SessionByToken(ctx context.Context, subject uuid.UUID, token keys.Token) (Session, error) {
	return first[Session](ctx, db, "subject_id = ? AND session_token = ?", subject, token)
}

// TurnsByToken lists the turns that are kept already, by their message tokens.
func (db *DB) TurnsByToken(ctx context.Context, subject uuid.UUID, tokens []keys.Token) ([]Turn, error) {
	if len(tokens) == 0 {
		return nil, nil
	}
	return list[Turn](ctx, db, func(g *gorm.DB) *gorm.DB {
		return g.Where("subject_id = ? AND message_token IN ?", subject, tokens)
	})
}

// BlockedTurns lists which of the message tokens belong to turns that were erased.
func (db *DB) BlockedTurns(ctx context.Context, subject uuid.UUID, tokens []keys.Token) ([]ErasedToken, error) {
	if len(tokens) == 0 {
		return nil, nil
	}
	return list[ErasedToken](ctx, db, func(g *gorm.DB) *gorm.DB {
		return g.Where("subject_id = ? AND kind = 'turn' AND token IN ?", subject, tokens)
	})
}

// UnreadTurns lists turns of a session that extraction hasn't read yet, in the
// order they were said.
func (db *DB) UnreadTurns(ctx context.Context, subject, session uuid.UUID, limit int) ([]Turn, error) {
	return list[Turn](ctx, db, func(g *gorm.DB) *gorm.DB {
		return g.Where("subject_id = ? AND session_id = ? AND extracted_at IS NULL", subject, session).Order("position").Limit(limit)
	})
}

// MarkRead notes that extraction has read a turn; ErrNotFound when it had before,
// or the turn is gone. The condition stands in the statement, so that of two
// workers one wins.
func (tx *Tx) MarkRead(ctx context.Context, subject, turn uuid.UUID, at Micros) error {
	res := tx.gorm.WithContext(ctx).Model(&Turn{}).
		Where("subject_id = ? AND id = ? AND extracted_at IS NULL", subject, turn).UpdateColumn("extracted_at", at)
	if res.Error != nil {
		return fmt.Errorf("models: mark turn as read: %w", mapError(res.Error))
	}
	if res.RowsAffected != 1 {
		return fmt.Errorf("models: mark turn as read: %w", ErrNotFound)
	}
	return nil
}
