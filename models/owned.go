package models

import (
	"context"

	"github.com/google/uuid"
)

// OwnedTable is a table whose rows belong to a subject, as the eraser uses it.
type OwnedTable struct {
	Name   string
	Delete func(ctx context.Context, tx *Tx, subject uuid.UUID) (int64, error)
	Count  func(ctx context.Context, db *DB, subject uuid.UUID) (int64, error)
}

// OwnedTables lists every table with a subject_id, except subjects itself, which
// is the last to go. A test compares it with the schema.
func OwnedTables() []OwnedTable {
	return []OwnedTable{
		owned[SegmentDelta](), owned[Segment](), owned[Recall](), owned[MemoryEvidence](), owned[Memory](),
		owned[Attribute](), owned[Turn](), owned[Session](), owned[ErasedToken](), owned[PortalLink](), owned[PortalSession](),
	}
}

func owned[T any]() OwnedTable {
	var row T
	return OwnedTable{
		Name: tableOf(row),
		Delete: func(ctx context.Context, tx *Tx, subject uuid.UUID) (int64, error) {
			return remove[T](ctx, tx, "subject_id = ?", subject)
		},
		Count: func(ctx context.Context, db *DB, subject uuid.UUID) (int64, error) {
			return count[T](ctx, db, "subject_id = ?", subject)
		},
	}
}

// DeleteSubject removes the subject's row and its entry in the directory, by both
// of its keys, and says how many rows went.
func (tx *Tx) DeleteSubject(ctx context.Context, s Subject) (subjects, directory int64, err error) {
	if directory, err = remove[DirectoryEntry](ctx, tx, "id = ?", s.SubjectID); err != nil {
		return 0, 0, err
	}
	subjects, err = remove[Subject](ctx, tx, "subject_id = ? AND erasure_id = ?", s.SubjectID, s.ErasureID)
	return subjects, directory, err
}

// CountSubject counts what is left of a subject in the subjects and directory
// tables, by id and by pseudonym.
func (db *DB) CountSubject(ctx context.Context, s Subject) (subjects, directory int64, err error) {
	if subjects, err = count[Subject](ctx, db, "subject_id = ? OR pseudonym = ?", s.SubjectID, s.Pseudonym); err != nil {
		return 0, 0, err
	}
	directory, err = count[DirectoryEntry](ctx, db, "id = ?", s.SubjectID)
	return subjects, directory, err
}
