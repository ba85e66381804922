package privacy

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"fornix/audit"
	"fornix/keys"
	"fornix/memory"
	"fornix/models"
	"fornix/policy"
)

// Requested says that a wipe is committed: from now on nothing of the person is
// served. ProgressToken opens the progress page when the sign-in is gone.
type Requested struct {
	ErasureID     string `json:"erasure_id"`
	ProgressToken string `json:"-"`
}

// Wipe erases all of the person with this external id, for an agent or staff.
func (s *Service) Wipe(ctx context.Context, external, reason string) (Requested, error) {
	ctx, p, err := s.actor(ctx)
	if err != nil {
		return Requested{}, err
	}
	if !s.policy.Can(p, policy.AreaPeople, policy.ActSubjectWipe) {
		return Requested{}, memory.Forbidden()
	}
	person, err := s.memory.FindPerson(ctx, external)
	if err != nil {
		return Requested{}, memory.Wrap("privacy: wipe", err)
	}
	defer person.Close()
	return s.request(ctx, person, p, reason)
}

// WipePerson is Wipe by the subject's own id, for staff in the console.
func (s *Service) WipePerson(ctx context.Context, subject uuid.UUID, reason string) (Requested, error) {
	ctx, p, err := s.actor(ctx)
	if err != nil {
		return Requested{}, err
	}
	if !s.policy.Can(p, policy.AreaPeople, policy.ActSubjectWipe) {
		return Requested{}, memory.Forbidden()
	}
	person, err := s.memory.OpenPerson(ctx, subject)
	if err != nil {
		return Requested{}, memory.Wrap("privacy: wipe", err)
	}
	defer person.Close()
	return s.request(ctx, person, p, reason)
}

// WipeSelf erases all of the person who is signed in to the portal.
func (s *Service) WipeSelf(ctx context.Context) (Requested, error) {
	ctx, p, err := s.actor(ctx)
	if err != nil {
		return Requested{}, err
	}
	person, err := s.self(ctx, p)
	if err != nil {
		return Requested{}, err
	}
	defer person.Close()
	return s.request(ctx, person, p, "")
}

// self opens the person who is signed in.
func (s *Service) self(ctx context.Context, p policy.Principal) (*memory.Person, error) {
	subject, err := uuid.Parse(p.Subject)
	if p.Kind != policy.KindSubject || err != nil {
		return nil, memory.Forbidden()
	}
	return s.memory.OpenPerson(ctx, subject)
}

// request is step 1 of the order: the request is committed, the subject is
// `erasing` with a new epoch, so that all older work is void, and the tombstone
// stands, while the external id can still be read.
func (s *Service) request(ctx context.Context, person *memory.Person, p policy.Principal, reason string) (Requested, error) {
	subject := person.Subject
	external, err := person.Open(subject.TableName(), "external_id", subject.SubjectID, subject.ExternalID)
	if err != nil {
		return Requested{}, memory.Wrap("privacy: wipe", err)
	}
	tombstone, err := s.sealer.ErasureToken(p.Tenant, external)
	if err != nil {
		return Requested{}, memory.Wrap("privacy: wipe", err)
	}
	token, hash := newSecret()
	now := models.At(s.now())
	erasure := models.Erasure{
		ID: models.NewID(), Pseudonym: subject.Pseudonym, Epoch: subject.Epoch, Scope: keys.ScopeAll, State: models.ErasureRequested,
		RequestedBy: string(p.Kind), Counts: "{}", Remaining: "{}", ProgressHash: hash, RequestedAt: now, UpdatedAt: now, Version: 1,
	}
	err = s.memory.Write(ctx, person, func(ctx context.Context, tx *models.Tx) error {
		if err := models.Insert(ctx, tx, erasure); err != nil {
			return err
		}
		if err := models.Insert(ctx, tx, models.Tombstone{ID: models.NewID(), ErasureToken: tombstone, Epoch: subject.Epoch, ErasedAt: now}); err != nil {
			return err
		}
		row := subject
		row.Status, row.Epoch, row.ErasureID, row.UpdatedAt = models.SubjectErasing, subject.Epoch+1, &erasure.ID, now
		if err := models.Update(ctx, tx, &row); err != nil {
			return err
		}
		if err := tx.Record(ctx, audit.Event{
			Action: "subject.wipe", Object: "erasure:" + erasure.ID.String(), Subject: subject.SubjectID, Epoch: subject.Epoch, Reason: reason,
		}); err != nil {
			return err
		}
		return s.queue.EnqueueErasure(ctx, tx, Job{Tenant: p.Tenant, Erasure: erasure.ID})
	})
	if err != nil {
		return Requested{}, memory.Wrap("privacy: wipe", err)
	}
	s.sealer.DropSubject(p.Tenant, subject.SubjectID)
	return Requested{ErasureID: erasure.ID.String(), ProgressToken: token}, nil
}

// newSecret makes a link's secret and the hash that is stored of it.
func newSecret() (token string, hash []byte) {
	raw := make([]byte, 32)
	_, _ = rand.Read(raw)
	sum := sha256.Sum256(raw)
	return base64.RawURLEncoding.EncodeToString(raw), sum[:]
}

// RunErasure carries an erasure out, from whatever step it had come to. Running
// it again, or twice at once, ends in the same state.
func (s *Service) RunErasure(ctx context.Context, job Job) error {
	ctx = memory.AsSystem(ctx, job.Tenant, "erasure")
	e, err := s.db.Erasure(ctx, job.Erasure)
	if errors.Is(err, models.ErrNotFound) || err == nil && (e.State == models.ErasureComplete || e.Scope != keys.ScopeAll) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("privacy: run erasure: %w", err)
	}
	subject, err := s.db.SubjectOfErasure(ctx, e.ID)
	if err != nil {
		return fmt.Errorf("privacy: run erasure: subject: %w", err)
	}
	for _, step := range []func(context.Context, *models.Erasure, models.Subject) error{s.destroyKey, s.deleteRows, s.finish} {
		if err := step(ctx, &e, subject); err != nil {
			if errors.Is(err, models.ErrStale) {
				return nil // another run of the same erasure is ahead of this one
			}
			return fmt.Errorf("privacy: run erasure: %w", err)
		}
	}
	if _, err := s.db.Checkpoint(ctx); err != nil {
		s.log.WarnContext(ctx, "write-ahead log not emptied after an erasure", "err", err)
	}
	return s.advance(ctx)
}

// destroyKey is step 2: the ledger's entry, then the secret, then the proof that
// it is gone.
func (s *Service) destroyKey(ctx context.Context, e *models.Erasure, subject models.Subject) error {
	store, ref := s.sealer.Store(), keys.SubjectRef{Tenant: string(e.TenantID), Subject: subject.SubjectID, Epoch: e.Epoch}
	if _, err := store.AppendLedger(ctx, keys.Entry{Tenant: ref.Tenant, Pseudonym: e.Pseudonym, Epoch: e.Epoch, Scope: keys.ScopeAll}); err != nil {
		return err
	}
	if err := store.DestroySubject(ctx, ref, e.Pseudonym); err != nil {
		return err
	}
	s.sealer.DropSubject(ref.Tenant, ref.Subject)
	if gone, err := store.Destroyed(ctx, ref); err != nil || !gone {
		return errors.Join(errors.New("the secret can still be read"), err)
	}
	if e.State != models.ErasureRequested {
		return nil
	}
	return s.advanceTo(ctx, e, models.ErasureKeyDestroyed, "erasure.destroy_key", nil)
}

// deleteRows is steps 3 and 4: the rows of every registered store go in one
// transaction, then each store is read back.
func (s *Service) deleteRows(ctx context.Context, e *models.Erasure, subject models.Subject) error {
	counts := decodeCounts(e.Counts)
	err := s.advanceTo(ctx, e, models.ErasureRowsDeleted, "erasure.delete_rows", func(ctx context.Context, tx *models.Tx) error {
		for _, store := range s.stores {
			n, err := store.Delete(ctx, tx, subject)
			if err != nil {
				return fmt.Errorf("%s: %w", store.Name, err)
			}
			counts[store.Name] += n
		}
		e.Counts = encodeCounts(counts)
		return nil
	})
	if err != nil {
		return err
	}
	left := map[string]int64{}
	for _, store := range s.stores {
		n, err := store.Count(ctx, subject)
		if err != nil {
			return fmt.Errorf("read back %s: %w", store.Name, err)
		}
		if n > 0 {
			left[store.Name] = n
		}
	}
	if len(left) == 0 {
		return nil
	}
	e.Remaining = encodeCounts(left)
	if err := s.advanceTo(ctx, e, models.ErasurePartial, "erasure.partial", nil); err != nil {
		return err
	}
	return fmt.Errorf("%d stores still hold rows", len(left))
}

// finish is step 5: the person's own row goes, and the receipt is signed, in one
// transaction.
func (s *Service) finish(ctx context.Context, e *models.Erasure, subject models.Subject) error {
	counts := decodeCounts(e.Counts)
	counts["subjects"], counts["subject_directory"] = 1, 1
	e.Counts, e.Remaining = encodeCounts(counts), "{}"
	receipt, err := s.receipt(ctx, *e)
	if err != nil {
		return err
	}
	done := models.At(s.now())
	e.ReceiptID, e.CompletedAt = &receipt.ID, &done
	return s.advanceTo(ctx, e, models.ErasureComplete, "erasure.complete", func(ctx context.Context, tx *models.Tx) error {
		subjects, directory, err := tx.DeleteSubject(ctx, subject)
		if err != nil {
			return err
		}
		if subjects != 1 || directory != 1 {
			return fmt.Errorf("subject's own rows: %d and %d: %w", subjects, directory, models.ErrStale)
		}
		subjects, directory, err = s.db.CountSubject(ctx, subject)
		if err != nil || subjects+directory != 0 {
			return errors.Join(errors.New("subject's own rows are still there"), err)
		}
		return models.Insert(ctx, tx, receipt)
	})
}

// advanceTo moves an erasure to a state, with what belongs to it, and records it
// as the operator's: the person's key is gone by then.
func (s *Service) advanceTo(ctx context.Context, e *models.Erasure, state, action string, also func(context.Context, *models.Tx) error) error {
	next := *e
	err := s.db.InTx(ctx, func(ctx context.Context, tx *models.Tx) error {
		if also != nil {
			if err := also(ctx, tx); err != nil {
				return err
			}
		}
		next = *e
		next.State, next.UpdatedAt = state, models.At(s.now())
		if err := models.Update(ctx, tx, &next); err != nil {
			return err
		}
		return tx.Record(ctx, audit.Event{
			Action: action, Object: "erasure:" + e.ID.String(),
			After: map[string]any{"pseudonym": e.Pseudonym, "counts": next.Counts, "remaining": next.Remaining},
		})
	})
	if err == nil {
		*e = next
	}
	return err
}
