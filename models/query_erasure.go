package models

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"fornix/keys"
)

// Erasure reads one erasure.
func (db *DB) Erasure(ctx context.Context, id uuid.UUID) (Erasure, error) {
	return first[Erasure](ctx, db, "id = ?", id)
}

// SubjectOfErasure finds the subject that an erasure is erasing.
func (db *DB) SubjectOfErasure(ctx context.Context, erasure uuid.UUID) (Subject, error) {
	return first[Subject](ctx, db, "erasure_id = ?", erasure)
}

// OpenErasures lists the tenant's erasures that aren't complete, oldest first.
func (db *DB) OpenErasures(ctx context.Context) ([]Erasure, error) {
	return list[Erasure](ctx, db, func(g *gorm.DB) *gorm.DB {
		return g.Where("state <> ?", ErasureComplete).Order("id")
	})
}

// Erasures lists the tenant's newest erasures.
func (db *DB) Erasures(ctx context.Context, limit int) ([]Erasure, error) {
	return list[Erasure](ctx, db, func(g *gorm.DB) *gorm.DB { return g.Order("id DESC").Limit(limit) })
}

// Receipt reads a receipt by its id alone: whoever holds the id may read it.
func (db *DB) Receipt(ctx context.Context, id uuid.UUID) (Receipt, error) {
	return first[Receipt](System(ctx, "a receipt is public to whoever holds its random id"), db, "id = ?", id)
}

// ErasureAnywhere reads an erasure by its id in any tenant, for the progress page
// that a person opens with a secret after the sign-in is gone.
func (db *DB) ErasureAnywhere(ctx context.Context, id uuid.UUID) (Erasure, error) {
	return first[Erasure](System(ctx, "the progress page proves itself by a secret"), db, "id = ?", id)
}

// MemoryChain returns the ids of a memory and of all versions linked to it, older
// and newer.
func (db *DB) MemoryChain(ctx context.Context, subject, memory uuid.UUID) ([]Memory, error) {
	seen := map[uuid.UUID]bool{}
	var chain []Memory
	for queue := []uuid.UUID{memory}; len(queue) > 0; queue = queue[1:] {
		if seen[queue[0]] {
			continue
		}
		seen[queue[0]] = true
		rows, err := list[Memory](ctx, db, func(g *gorm.DB) *gorm.DB {
			return g.Where("subject_id = ?", subject).
				Where("id = ? OR supersedes = ? OR superseded_by = ?", queue[0], queue[0], queue[0])
		})
		if err != nil {
			return nil, err
		}
		for _, m := range rows {
			if m.ID == queue[0] {
				chain = append(chain, m)
			}
			queue = append(queue, m.ID)
			for _, link := range []*uuid.UUID{m.Supersedes, m.SupersededBy} {
				if link != nil {
					queue = append(queue, *link)
				}
			}
		}
	}
	return chain, nil
}

// EvidenceOf lists where memories come from.
func (db *DB) EvidenceOf(ctx context.Context, subject uuid.UUID, memories []uuid.UUID) ([]MemoryEvidence, error) {
	return list[MemoryEvidence](ctx, db, func(g *gorm.DB) *gorm.DB {
		return g.Where("subject_id = ? AND memory_id IN ?", subject, memories).Order("id")
	})
}

// TurnsOnlyFor returns those of the turns that no memory but the given ones rests
// on.
func (db *DB) TurnsOnlyFor(ctx context.Context, subject uuid.UUID, turns, memories []uuid.UUID) ([]Turn, error) {
	if len(turns) == 0 {
		return nil, nil
	}
	return list[Turn](ctx, db, func(g *gorm.DB) *gorm.DB {
		others := db.ORM(ctx).Model(&MemoryEvidence{}).Select("turn_id").
			Where("subject_id = ? AND turn_id IS NOT NULL AND memory_id NOT IN ?", subject, memories)
		return g.Where("subject_id = ? AND id IN ?", subject, turns).Where("id NOT IN (?)", others).Order("id")
	})
}

// DeleteMemories removes memories with their evidence.
func (tx *Tx) DeleteMemories(ctx context.Context, subject uuid.UUID, ids []uuid.UUID) (memories, evidence int64, err error) {
	if evidence, err = remove[MemoryEvidence](ctx, tx, "subject_id = ? AND memory_id IN ?", subject, ids); err != nil {
		return 0, 0, err
	}
	memories, err = remove[Memory](ctx, tx, "subject_id = ? AND id IN ?", subject, ids)
	return memories, evidence, err
}

// DeleteTurns removes turns; memories that rest on one lose the link and the
// quote that came from it.
func (tx *Tx) DeleteTurns(ctx context.Context, subject uuid.UUID, ids []uuid.UUID) (turns, evidence int64, err error) {
	if len(ids) == 0 {
		return 0, 0, nil
	}
	if evidence, err = remove[MemoryEvidence](ctx, tx, "subject_id = ? AND turn_id IN ?", subject, ids); err != nil {
		return 0, 0, err
	}
	turns, err = remove[Turn](ctx, tx, "subject_id = ? AND id IN ?", subject, ids)
	return turns, evidence, err
}

// DeleteAttributeVersions removes all versions of one attribute key.
func (tx *Tx) DeleteAttributeVersions(ctx context.Context, subject uuid.UUID, key keys.Token) (int64, error) {
	return remove[Attribute](ctx, tx, "subject_id = ? AND key_token = ?", subject, key)
}

// AttributeVersions lists all versions of one attribute key, newest first.
func (db *DB) AttributeVersions(ctx context.Context, subject uuid.UUID, key keys.Token) ([]Attribute, error) {
	return list[Attribute](ctx, db, func(g *gorm.DB) *gorm.DB {
		return g.Where("subject_id = ? AND key_token = ?", subject, key).Order("value_version DESC, id DESC")
	})
}

// DeleteRowsByID removes the rows of these ids from every table that holds items
// of a person; the ledger's replay uses it after a restore.
func (tx *Tx) DeleteRowsByID(ctx context.Context, subject uuid.UUID, ids []uuid.UUID) (int64, error) {
	memories, evidence, err := tx.DeleteMemories(ctx, subject, ids)
	if err != nil {
		return 0, err
	}
	turns, quotes, err := tx.DeleteTurns(ctx, subject, ids)
	if err != nil {
		return 0, err
	}
	attributes, err := remove[Attribute](ctx, tx, "subject_id = ? AND id IN ?", subject, ids)
	if err != nil {
		return 0, err
	}
	return memories + evidence + turns + quotes + attributes, nil
}

// CountRowsByID counts what is left of items by their ids.
func (db *DB) CountRowsByID(ctx context.Context, subject uuid.UUID, ids []uuid.UUID) (map[string]int64, error) {
	left := map[string]int64{}
	for name, n := range map[string]func() (int64, error){
		"memories": func() (int64, error) { return count[Memory](ctx, db, "subject_id = ? AND id IN ?", subject, ids) },
		"memory_evidence": func() (int64, error) {
			return count[MemoryEvidence](ctx, db, "subject_id = ? AND memory_id IN ?", subject, ids)
		},
		"turns":      func() (int64, error) { return count[Turn](ctx, db, "subject_id = ? AND id IN ?", subject, ids) },
		"attributes": func() (int64, error) { return count[Attribute](ctx, db, "subject_id = ? AND id IN ?", subject, ids) },
		"segment_deltas": func() (int64, error) {
			return count[SegmentDelta](ctx, db, "subject_id = ? AND entry_id IN ?", subject, ids)
		},
	} {
		c, err := n()
		if err != nil {
			return nil, err
		}
		if c > 0 {
			left[name] = c
		}
	}
	return left, nil
}

// Checkpoint empties the write-ahead log into the database, so that rows which
// were deleted don't stay readable in it. It waits for no reader; false says that
// one kept it from ending.
func (db *DB) Checkpoint(ctx context.Context) (bool, error) {
	var busy, inLog, moved int
	if err := db.writer.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &inLog, &moved); err != nil {
		return false, fmt.Errorf("models: checkpoint: %w", mapError(err))
	}
	return busy == 0, nil
}

// BlockToken keeps the token of something erased; a later erasure of the same
// moves its time.
func (tx *Tx) BlockToken(ctx context.Context, t ErasedToken) error {
	if _, err := remove[ErasedToken](ctx, tx, "subject_id = ? AND kind = ? AND token = ?", t.SubjectID, t.Kind, t.Token); err != nil {
		return err
	}
	return Insert(ctx, tx, t)
}

// TurnByID reads one turn of a person.
func (db *DB) TurnByID(ctx context.Context, subject, id uuid.UUID) (Turn, error) {
	return first[Turn](ctx, db, "subject_id = ? AND id = ?", subject, id)
}
