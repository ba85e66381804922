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
	"fornix/policy"
)

// Erased says that one item is gone.
type Erased struct {
	ErasureID string `json:"erasure_id"`
	ReceiptID string `json:"receipt_id"`
}

// item is what one erasure takes away.
type item struct {
	kind   string
	object string
	rows   []uuid.UUID
	// tokens block that the same is derived again from what was said before.
	tokens []models.ErasedToken
	delete func(ctx context.Context, tx *models.Tx) (map[string]int64, error)
}

// EraseMemory erases a memory with all its versions, and the turns that nothing
// else rests on. A turn that supports other memories stays as it was said.
func (s *Service) EraseMemory(ctx context.Context, id string) (Erased, error) {
	ctx, p, err := s.actor(ctx)
	if err != nil {
		return Erased{}, err
	}
	parsed, err := memory.ParseID(memory.PrefixMemory, id)
	if err != nil {
		return Erased{}, err
	}
	person, err := s.open(ctx, p, parsed.Subject)
	if err != nil {
		return Erased{}, err
	}
	defer person.Close()
	chain, err := s.db.MemoryChain(ctx, parsed.Subject, parsed.Row)
	if err == nil && len(chain) == 0 {
		err = models.ErrNotFound
	}
	if err != nil {
		return Erased{}, memory.Wrap("privacy: erase memory", err)
	}
	for _, m := range chain {
		if p.Kind != policy.KindSubject && !s.policy.Can(p, m.Category, policy.ActMemoryDelete) {
			return Erased{}, memory.NotFound()
		}
	}
	it, err := s.memoryItem(ctx, person, chain)
	if err != nil {
		return Erased{}, memory.Wrap("privacy: erase memory", err)
	}
	return s.erase(ctx, p, person, it)
}

func (s *Service) memoryItem(ctx context.Context, person *memory.Person, chain []models.Memory) (item, error) {
	subject := person.SubjectID
	it := item{kind: "memory", object: "memory:" + chain[0].ID.String()}
	var ids, turnIDs []uuid.UUID
	for _, m := range chain {
		ids = append(ids, m.ID)
		it.tokens = append(it.tokens, models.ErasedToken{Kind: "memory", Token: m.ContentToken})
	}
	evidence, err := s.db.EvidenceOf(ctx, subject, ids)
	if err != nil {
		return it, err
	}
	for _, e := range evidence {
		if e.TurnID != nil {
			turnIDs = append(turnIDs, *e.TurnID)
		}
	}
	turns, err := s.db.TurnsOnlyFor(ctx, subject, turnIDs, ids)
	if err != nil {
		return it, err
	}
	turnIDs = nil
	for _, t := range turns {
		turnIDs = append(turnIDs, t.ID)
		it.tokens = append(it.tokens, models.ErasedToken{Kind: "turn", Token: t.MessageToken})
	}
	it.rows = append(ids, turnIDs...)
	it.delete = func(ctx context.Context, tx *models.Tx) (map[string]int64, error) {
		memories, quotes, err := tx.DeleteMemories(ctx, subject, ids)
		if err != nil {
			return nil, err
		}
		gone, _, err := tx.DeleteTurns(ctx, subject, turnIDs)
		return map[string]int64{"memories": memories, "memory_evidence": quotes, "turns": gone}, err
	}
	return it, nil
}

// EraseTurn erases one turn of a conversation, and the quotes taken from it.
func (s *Service) EraseTurn(ctx context.Context, id string) (Erased, error) {
	ctx, p, err := s.actor(ctx)
	if err != nil {
		return Erased{}, err
	}
	parsed, err := memory.ParseID(memory.PrefixTurn, id)
	if err != nil {
		return Erased{}, err
	}
	if p.Kind != policy.KindSubject {
		return Erased{}, memory.NotFound()
	}
	person, err := s.open(ctx, p, parsed.Subject)
	if err != nil {
		return Erased{}, err
	}
	defer person.Close()
	turn, err := s.db.TurnByID(ctx, parsed.Subject, parsed.Row)
	if err != nil {
		return Erased{}, memory.Wrap("privacy: erase turn", err)
	}
	return s.erase(ctx, p, person, item{
		kind: "turn", object: "turn:" + turn.ID.String(), rows: []uuid.UUID{turn.ID},
		tokens: []models.ErasedToken{{Kind: "turn", Token: turn.MessageToken}},
		delete: func(ctx context.Context, tx *models.Tx) (map[string]int64, error) {
			turns, quotes, err := tx.DeleteTurns(ctx, person.SubjectID, []uuid.UUID{turn.ID})
			return map[string]int64{"turns": turns, "memory_evidence": quotes}, err
		},
	})
}

// EraseAttribute erases a profile field with all its versions.
func (s *Service) EraseAttribute(ctx context.Context, external, key string) (Erased, error) {
	ctx, p, err := s.actor(ctx)
	if err != nil {
		return Erased{}, err
	}
	person, err := s.memory.FindPerson(ctx, external)
	if err != nil {
		return Erased{}, err
	}
	defer person.Close()
	return s.eraseAttribute(ctx, p, person, key)
}

// EraseOwnAttribute is EraseAttribute by the person who is signed in.
func (s *Service) EraseOwnAttribute(ctx context.Context, key string) (Erased, error) {
	ctx, p, err := s.actor(ctx)
	if err != nil {
		return Erased{}, err
	}
	person, err := s.self(ctx, p)
	if err != nil {
		return Erased{}, err
	}
	defer person.Close()
	return s.eraseAttribute(ctx, p, person, key)
}

func (s *Service) eraseAttribute(ctx context.Context, p policy.Principal, person *memory.Person, key string) (Erased, error) {
	token := person.Ring.Token("attribute", []byte(key))
	versions, err := s.db.AttributeVersions(ctx, person.SubjectID, token)
	if err == nil && len(versions) == 0 {
		err = models.ErrNotFound
	}
	if err != nil {
		return Erased{}, memory.Wrap("privacy: erase attribute", err)
	}
	it := item{kind: "attribute", object: "attribute:" + versions[0].ID.String(), tokens: []models.ErasedToken{{Kind: "attribute", Token: token}}}
	for _, v := range versions {
		if p.Kind != policy.KindSubject && !s.policy.CanAttr(p, key, v.Category, policy.ActAttributeDelete) {
			return Erased{}, memory.NotFound()
		}
		it.rows = append(it.rows, v.ID)
	}
	it.delete = func(ctx context.Context, tx *models.Tx) (map[string]int64, error) {
		n, err := tx.DeleteAttributeVersions(ctx, person.SubjectID, token)
		return map[string]int64{"attributes": n}, err
	}
	return s.erase(ctx, p, person, it)
}

// open opens a person for the actor: a person reaches no other than themselves,
// and learns nothing of the attempt.
func (s *Service) open(ctx context.Context, p policy.Principal, subject uuid.UUID) (*memory.Person, error) {
	if p.Kind == policy.KindSubject && p.Subject != subject.String() {
		return nil, memory.NotFound()
	}
	return s.memory.OpenPerson(ctx, subject)
}

// erase takes one item away: the ledger's entry first, so that a backup restored
// later erases it again, then the rows, the index, the block against deriving it
// again, the read-back and the receipt in one transaction.
func (s *Service) erase(ctx context.Context, p policy.Principal, person *memory.Person, it item) (Erased, error) {
	entry := keys.Entry{Tenant: p.Tenant, Pseudonym: person.Pseudonym, Epoch: person.Epoch, Scope: keys.ScopeRows, Rows: it.rows}
	if _, err := s.sealer.Store().AppendLedger(ctx, entry); err != nil {
		return Erased{}, memory.Wrap("privacy: erase "+it.kind, err)
	}
	now := models.At(s.now())
	_, hash := newSecret()
	erasure := models.Erasure{
		ID: models.NewID(), Pseudonym: person.Pseudonym, Epoch: person.Epoch, Scope: keys.ScopeRows, State: models.ErasureComplete,
		RequestedBy: string(p.Kind), Remaining: "{}", ProgressHash: hash, RequestedAt: now, UpdatedAt: now, CompletedAt: &now, Version: 1,
	}
	err := s.memory.Write(ctx, person, func(ctx context.Context, tx *models.Tx) error {
		counts, err := it.delete(ctx, tx)
		if err != nil {
			return err
		}
		if err := s.memory.IndexDrop(ctx, tx, person, it.rows); err != nil {
			return err
		}
		left, err := s.db.CountRowsByID(ctx, person.SubjectID, it.rows)
		if err != nil || len(left) > 0 {
			return errors.Join(fmt.Errorf("%d stores still hold rows", len(left)), err)
		}
		if err := s.block(ctx, tx, person, it.tokens, now); err != nil {
			return err
		}
		erasure.Counts = encodeCounts(counts)
		receipt, err := s.receipt(ctx, erasure)
		if err != nil {
			return err
		}
		erasure.ReceiptID = &receipt.ID
		if err := models.Insert(ctx, tx, erasure); err != nil {
			return err
		}
		if err := models.Insert(ctx, tx, receipt); err != nil {
			return err
		}
		return tx.Record(ctx, audit.Event{
			Action: it.kind + ".delete", Object: it.object, Subject: person.SubjectID, Epoch: person.Epoch,
			After: map[string]any{"erasure": erasure.ID.String(), "counts": counts},
		})
	})
	if err != nil {
		return Erased{}, memory.Wrap("privacy: erase "+it.kind, err)
	}
	if err := s.advance(ctx); err != nil {
		s.log.WarnContext(ctx, "ledger cursor not moved; the next start will", "err", err)
	}
	return Erased{ErasureID: erasure.ID.String(), ReceiptID: erasure.ReceiptID.String()}, nil
}

// block keeps the tokens of what was erased, each once.
func (s *Service) block(ctx context.Context, tx *models.Tx, person *memory.Person, tokens []models.ErasedToken, now models.Micros) error {
	for _, t := range tokens {
		t.SubjectID, t.ID, t.CreatedAt = person.SubjectID, models.NewID(), now
		if err := tx.BlockToken(ctx, t); err != nil {
			return err
		}
	}
	return nil
}
