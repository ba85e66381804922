package privacy

import (
	"context"

	"fornix/models"
)

// Store is a place where something of a person may be kept. Each is registered
// with the eraser; a test fails on a table with people's rows that isn't.
type Store struct {
	Name string
	// Delete removes what is of the subject and says how many rows went.
	Delete func(ctx context.Context, tx *models.Tx, s models.Subject) (int64, error)
	// Count reads back how many rows are left, by every key they are found by.
	Count func(ctx context.Context, s models.Subject) (int64, error)
}

// Stores lists the registered stores.
func (s *Service) Stores() []Store { return s.stores }

func databaseStores(db *models.DB) []Store {
	var stores []Store
	for _, t := range models.OwnedTables() {
		stores = append(stores, Store{
			Name: t.Name,
			Delete: func(ctx context.Context, tx *models.Tx, s models.Subject) (int64, error) {
				return t.Delete(ctx, tx, s.SubjectID)
			},
			Count: func(ctx context.Context, s models.Subject) (int64, error) { return t.Count(ctx, db, s.SubjectID) },
		})
	}
	return append(stores, Store{
		Name: "queue",
		Delete: func(ctx context.Context, tx *models.Tx, s models.Subject) (int64, error) {
			return tx.DeleteJobs(ctx, s.SubjectID)
		},
		Count: func(ctx context.Context, s models.Subject) (int64, error) { return db.CountJobs(ctx, s.SubjectID) },
	})
}
