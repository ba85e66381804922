package privacy

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"fornix/audit"
	"fornix/keys"
	"fornix/memory"
	"fornix/models"
)

// ledgerApplied is the cursor of the last ledger entry that this database holds
// the result of.
const ledgerApplied = "ledger_applied"

// Resume queues every unfinished erasure again; call it at start, before the
// first request.
func (s *Service) Resume(ctx context.Context) error {
	tenants, err := s.db.Tenants(ctx)
	if err != nil {
		return fmt.Errorf("privacy: resume: %w", err)
	}
	for _, t := range tenants {
		ctx := memory.AsSystem(ctx, t.ID, "erasure.resume")
		open, err := s.db.OpenErasures(ctx)
		if err != nil {
			return fmt.Errorf("privacy: resume: %w", err)
		}
		for _, e := range open {
			if e.Scope != keys.ScopeAll {
				continue
			}
			err := s.db.InTx(ctx, func(ctx context.Context, tx *models.Tx) error {
				return s.queue.EnqueueErasure(ctx, tx, Job{Tenant: t.ID, Erasure: e.ID})
			})
			if err != nil {
				return fmt.Errorf("privacy: resume: %w", err)
			}
		}
	}
	return nil
}

// ReplayLedger erases what the ledger says was erased and this database still
// holds: it was restored from a backup. Call it before the first page is served;
// it returns when nothing erased is left to be served.
func (s *Service) ReplayLedger(ctx context.Context) error {
	from, err := s.db.Cursor(ctx, ledgerApplied)
	if err != nil {
		return fmt.Errorf("privacy: replay ledger: %w", err)
	}
	head, err := s.sealer.Store().LedgerHead(ctx)
	if err != nil {
		return fmt.Errorf("privacy: replay ledger: %w", err)
	}
	if head < uint64(from) {
		return fmt.Errorf("privacy: replay ledger: %w: this database has applied entry %d, the ledger ends at %d", keys.ErrLedger, from, head)
	}
	for entry, err := range s.sealer.Store().Ledger(ctx, uint64(from)+1) {
		if err != nil {
			return fmt.Errorf("privacy: replay ledger: %w", err)
		}
		if err := s.replay(ctx, entry); err != nil {
			return fmt.Errorf("privacy: replay ledger entry %d: %w", entry.Seq, err)
		}
	}
	return s.advance(ctx)
}

func (s *Service) replay(ctx context.Context, entry keys.Entry) error {
	ctx = memory.AsSystem(ctx, entry.Tenant, "ledger.replay")
	subject, err := s.db.SubjectByPseudonym(ctx, entry.Pseudonym)
	if errors.Is(err, models.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if entry.Scope == keys.ScopeRows {
		return s.replayRows(ctx, entry, subject)
	}
	if subject.Status == models.SubjectErasing && subject.ErasureID != nil {
		// An erasure that was cut short; nothing of it is served meanwhile.
		return nil
	}
	now := models.At(s.now())
	_, hash := newSecret()
	erasure := models.Erasure{
		ID: models.NewID(), Pseudonym: subject.Pseudonym, Epoch: entry.Epoch, Scope: keys.ScopeAll, State: models.ErasureRequested,
		RequestedBy: "ledger", Counts: "{}", Remaining: "{}", ProgressHash: hash, RequestedAt: now, UpdatedAt: now, Version: 1,
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx *models.Tx) error {
		subject.Status, subject.Epoch, subject.ErasureID, subject.UpdatedAt = models.SubjectErasing, entry.Epoch+1, &erasure.ID, now
		if err := models.Update(ctx, tx, &subject); err != nil {
			return err
		}
		if err := models.Insert(ctx, tx, erasure); err != nil {
			return err
		}
		return tx.Record(ctx, audit.Event{Action: "erasure.replay", Object: "erasure:" + erasure.ID.String()})
	})
	if err != nil {
		return err
	}
	return s.RunErasure(ctx, Job{Tenant: entry.Tenant, Erasure: erasure.ID})
}

func (s *Service) replayRows(ctx context.Context, entry keys.Entry, subject models.Subject) error {
	left, err := s.db.CountRowsByID(ctx, subject.SubjectID, entry.Rows)
	if err != nil || len(left) == 0 {
		return err
	}
	return s.db.InTx(ctx, func(ctx context.Context, tx *models.Tx) error {
		if _, err := tx.DeleteRowsByID(ctx, subject.SubjectID, entry.Rows); err != nil {
			return err
		}
		if err := s.dropFromIndex(ctx, tx, subject, entry.Rows); err != nil {
			return err
		}
		return tx.Record(ctx, audit.Event{Action: "erasure.replay", Object: fmt.Sprintf("ledger:%d", entry.Seq)})
	})
}

// dropFromIndex takes rows out of the person's search index, within the caller's
// transaction.
func (s *Service) dropFromIndex(ctx context.Context, tx *models.Tx, subject models.Subject, rows []uuid.UUID) error {
	if subject.Status != models.SubjectActive {
		return nil // the whole index goes with the person
	}
	ring, err := s.sealer.Ring(ctx, subject.Ref())
	if err != nil {
		return err
	}
	person := &memory.Person{Subject: subject, Ring: ring}
	defer person.Close()
	return s.memory.IndexDrop(ctx, tx, person, rows)
}

// advance moves the cursor over the entries whose result this database holds.
func (s *Service) advance(ctx context.Context) error {
	from, err := s.db.Cursor(ctx, ledgerApplied)
	if err != nil {
		return fmt.Errorf("privacy: ledger cursor: %w", err)
	}
	applied := uint64(from)
	for entry, err := range s.sealer.Store().Ledger(ctx, applied+1) {
		if err != nil {
			return fmt.Errorf("privacy: ledger cursor: %w", err)
		}
		done, err := s.applied(memory.AsSystem(ctx, entry.Tenant, "ledger.cursor"), entry)
		if err != nil {
			return fmt.Errorf("privacy: ledger cursor: %w", err)
		}
		if !done {
			break
		}
		applied = entry.Seq
	}
	if applied == uint64(from) {
		return nil
	}
	return s.db.InTx(ctx, func(ctx context.Context, tx *models.Tx) error {
		return tx.SetCursor(ctx, ledgerApplied, int64(applied))
	})
}

func (s *Service) applied(ctx context.Context, entry keys.Entry) (bool, error) {
	subject, err := s.db.SubjectByPseudonym(ctx, entry.Pseudonym)
	if errors.Is(err, models.ErrNotFound) {
		return true, nil
	}
	if err != nil || entry.Scope == keys.ScopeAll {
		return false, err
	}
	left, err := s.db.CountRowsByID(ctx, subject.SubjectID, entry.Rows)
	return len(left) == 0, err
}
