package models

import (
	"context"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"fornix/keys"
)

// MemoryRow reads one memory of a person, whatever its status.
func (db *DB) MemoryRow(ctx context.Context, subject, id uuid.UUID) (Memory, error) {
	return first[Memory](ctx, db, "subject_id = ? AND id = ?", subject, id)
}

// ActiveMemories reads the active ones among memories of a person, in no order.
func (db *DB) ActiveMemories(ctx context.Context, subject uuid.UUID, ids []uuid.UUID) ([]Memory, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return list[Memory](ctx, db, func(g *gorm.DB) *gorm.DB {
		return g.Where("subject_id = ? AND status = ? AND id IN ?", subject, StatusActive, ids)
	})
}

// MemoriesByContent lists the memories of a namespace and category that say
// exactly this and are active, pending or rejected; the active one comes first.
func (db *DB) MemoriesByContent(ctx context.Context, subject uuid.UUID, namespace, category string, content keys.Token) ([]Memory, error) {
	var found []Memory
	// Apart and with the words in the statement, so that each finds its index: the
	// one by content holds active rows alone.
	for _, status := range []string{"status = 'active'", "status IN ('pending', 'rejected')"} {
		rows, err := list[Memory](ctx, db, func(g *gorm.DB) *gorm.DB {
			return g.Where("subject_id = ? AND namespace = ? AND category = ? AND content_token = ?", subject, namespace, category, content).
				Where(status)
		})
		if err != nil {
			return nil, err
		}
		found = append(found, rows...)
	}
	return found, nil
}

// MemoriesBySlot lists the active memories of a namespace and category that fill
// a slot, newest first.
func (db *DB) MemoriesBySlot(ctx context.Context, subject uuid.UUID, namespace, category string, slot keys.Token) ([]Memory, error) {
	return list[Memory](ctx, db, func(g *gorm.DB) *gorm.DB {
		return g.Where("subject_id = ? AND slot_token = ? AND status = ?", subject, slot, StatusActive).
			Where("namespace = ? AND category = ?", namespace, category).Order("occurred_at DESC, id DESC")
	})
}

// HasEvidence tells whether a memory already rests on a message.
func (db *DB) HasEvidence(ctx context.Context, subject, memory uuid.UUID, message keys.Token) (bool, error) {
	n, err := count[MemoryEvidence](ctx, db, "subject_id = ? AND memory_id = ? AND message_token = ?", subject, memory, message)
	return n > 0, err
}

// Blocked returns when something was erased whose token is blocked; ErrNotFound
// when it isn't. Kind is memory, attribute or turn.
func (db *DB) Blocked(ctx context.Context, subject uuid.UUID, kind string, token keys.Token) (Micros, error) {
	row, err := first[ErasedToken](ctx, db, "subject_id = ? AND kind = ? AND token = ?", subject, kind, token)
	return row.CreatedAt, err
}

// Unblock lifts the block of a token: the person said it again.
func (tx *Tx) Unblock(ctx context.Context, subject uuid.UUID, kind string, token keys.Token) error {
	_, err := remove[ErasedToken](ctx, tx, "subject_id = ? AND kind = ? AND token = ?", subject, kind, token)
	return err
}

// KnowledgeRow reads one shared text.
func (db *DB) KnowledgeRow(ctx context.Context, id uuid.UUID) (Knowledge, error) {
	return first[Knowledge](ctx, db, "id = ?", id)
}

// KnowledgeByContent finds a shared text again by the hash of its words.
func (db *DB) KnowledgeByContent(ctx context.Context, namespace, category, hash string) (Knowledge, error) {
	return first[Knowledge](ctx, db, "namespace = ? AND category = ? AND content_hash = ?", namespace, category, hash)
}
