package models

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"fornix/keys"
)

// UserByEmail finds a member of staff by the keyed token of the address.
func (db *DB) UserByEmail(ctx context.Context, token keys.Token) (User, error) {
	return first[User](ctx, db, "email_token = ?", token)
}

// User reads one member of staff.
func (db *DB) User(ctx context.Context, id uuid.UUID) (User, error) {
	return first[User](ctx, db, "id = ?", id)
}

// Users lists a tenant's staff, the oldest account first.
func (db *DB) Users(ctx context.Context) ([]User, error) {
	return list[User](ctx, db, func(g *gorm.DB) *gorm.DB { return g.Order("created_at, id") })
}

// UserSessionByHash finds a signed-in browser by the hash of its token. Whether it
// has expired is the caller's to judge.
func (db *DB) UserSessionByHash(ctx context.Context, hash []byte) (UserSession, error) {
	return first[UserSession](ctx, db, "token_hash = ?", hash)
}

// SignInLinkByHash finds a sign-in link by the hash of its token, used or not.
func (db *DB) SignInLinkByHash(ctx context.Context, hash []byte) (SignInLink, error) {
	return first[SignInLink](ctx, db, "token_hash = ?", hash)
}

// UseSignInLink marks the link as used; ErrNotFound when it was used before or
// has expired. The condition stands in the statement, so that of two uses at the
// same time one wins.
func (tx *Tx) UseSignInLink(ctx context.Context, id uuid.UUID, at Micros) error {
	res := tx.gorm.WithContext(ctx).Model(&SignInLink{}).
		Where("id = ? AND used_at IS NULL AND expires_at > ?", id, at).UpdateColumn("used_at", at)
	if res.Error != nil {
		return fmt.Errorf("models: use sign-in link: %w", mapError(res.Error))
	}
	if res.RowsAffected != 1 {
		return fmt.Errorf("models: use sign-in link: %w", ErrNotFound)
	}
	return nil
}

// StepUpSession notes that the user proved again who they are.
func (tx *Tx) StepUpSession(ctx context.Context, id uuid.UUID, at Micros) error {
	res := tx.gorm.WithContext(ctx).Model(&UserSession{}).Where("id = ?", id).UpdateColumn("stepped_up_at", at)
	if res.Error != nil {
		return fmt.Errorf("models: step up session: %w", mapError(res.Error))
	}
	if res.RowsAffected != 1 {
		return fmt.Errorf("models: step up session: %w", ErrNotFound)
	}
	return nil
}

// EndUserSession removes one signed-in browser; ending it twice changes nothing.
func (tx *Tx) EndUserSession(ctx context.Context, id uuid.UUID) error {
	_, err := remove[UserSession](ctx, tx, "id = ?", id)
	return err
}

// EndUserSessions removes all signed-in browsers and open links of a user, and
// says how many sessions went.
func (tx *Tx) EndUserSessions(ctx context.Context, user uuid.UUID) (int64, error) {
	if _, err := remove[SignInLink](ctx, tx, "user_id = ?", user); err != nil {
		return 0, err
	}
	return remove[UserSession](ctx, tx, "user_id = ?", user)
}

// DropExpiredAccess removes sessions and links that are past their time.
func (tx *Tx) DropExpiredAccess(ctx context.Context, at Micros) error {
	if _, err := remove[SignInLink](ctx, tx, "expires_at <= ? OR used_at IS NOT NULL", at); err != nil {
		return err
	}
	_, err := remove[UserSession](ctx, tx, "expires_at <= ?", at)
	return err
}
