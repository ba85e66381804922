package memory

import (
	"context"
	"time"

	"github.com/google/uuid"

	"fornix/audit"
	"fornix/memory/extract"
	"fornix/models"
	"fornix/policy"
)

// A batch of extraction holds the one writer for about this long at most, and
// reads this many turns ahead.
const (
	extractBudget = 50 * time.Millisecond
	extractAhead  = 32
)

// RunExtract makes memories of the turns of a session that it hasn't read yet.
// Only what the person said makes any. Each batch marks its turns in the
// transaction that writes their memories, so running it again, or being killed in
// between, makes nothing twice. For a person who was wiped it does nothing.
func (s *Service) RunExtract(ctx context.Context, job Job) error {
	ctx, _, err := s.actor(ctx)
	if err != nil {
		return err
	}
	person, err := s.OpenPerson(ctx, job.Subject)
	if code := CodeOf(err); code == CodeNotFound || code == CodeGone {
		return nil
	}
	if err != nil {
		return err
	}
	defer person.Close()
	if person.Epoch != job.Epoch {
		return nil
	}
	for {
		turns, err := s.db.UnreadTurns(ctx, person.SubjectID, job.Session, extractAhead)
		if err != nil || len(turns) == 0 {
			return Wrap("extract", err)
		}
		drafts := make([][]draft, len(turns))
		for i, turn := range turns {
			if drafts[i], err = s.readTurn(ctx, person, turn); err != nil {
				return Wrap("extract", err)
			}
		}
		if err := s.extractBatch(ctx, person, job.Session, turns, drafts); err != nil {
			if CodeOf(err) == CodeNotFound { // wiped, or read by another worker, meanwhile
				return nil
			}
			return Wrap("extract", err)
		}
	}
}

// readTurn opens a turn and reads its statements. What the dictionary forbids is
// left out here.
func (s *Service) readTurn(ctx context.Context, p *Person, turn models.Turn) ([]draft, error) {
	if turn.Role != "user" {
		return nil, nil
	}
	text, err := p.Open(turn.TableName(), "content", turn.ID, turn.Content)
	if err != nil {
		return nil, err
	}
	v := extract.FromTurn(string(text), turn.SaidAt())
	var drafts []draft
	private := map[string]bool{} // sentences that may not be quoted
	for _, st := range v.Statements {
		if !policy.IsDataCategory(st.Category) || st.Category == policy.CatTurns {
			st.Category = policy.CatRestricted
		}
		d, err := s.applyDictionary(ctx, draftFrom(st, v.Trigger, turn))
		if CodeOf(err) == CodeInvalid || err == nil && d.quote == "" {
			private[st.Quote] = true
		}
		if CodeOf(err) == CodeInvalid {
			continue
		}
		if err != nil {
			return nil, err
		}
		if s.retention <= 0 {
			d.turn = nil // the turn goes with this batch
		}
		drafts = append(drafts, d)
	}
	for i := range drafts {
		if private[drafts[i].quote] {
			drafts[i].quote = ""
		}
	}
	return drafts, nil
}

// extractBatch writes what turns came to, until its time is used up.
func (s *Service) extractBatch(ctx context.Context, p *Person, session uuid.UUID, turns []models.Turn, drafts [][]draft) error {
	return s.Write(ctx, p, func(ctx context.Context, tx *models.Tx) error {
		began := time.Now() // how long the writer is held, not what the rows say
		outcomes := map[string]int{}
		var read []uuid.UUID
		for i, turn := range turns {
			if i > 0 && time.Since(began) > extractBudget {
				break
			}
			if err := tx.MarkRead(ctx, p.SubjectID, turn.ID, models.At(s.now())); err != nil {
				return Wrap("mark turn", err)
			}
			read = append(read, turn.ID)
			for _, d := range drafts[i] {
				done, err := s.store(ctx, tx, p, d)
				if err != nil {
					return err
				}
				outcomes[done.outcome]++
			}
		}
		if s.retention <= 0 {
			if _, _, err := tx.DeleteTurns(ctx, p.SubjectID, read); err != nil {
				return err
			}
		}
		return tx.Record(ctx, audit.Event{
			Action: "memory.extract", Object: "session:" + session.String(), Subject: p.SubjectID, Epoch: p.Epoch,
			After: map[string]any{"turns": len(read), "outcomes": outcomes},
		})
	})
}
