package memory

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"fornix/models"
	"fornix/policy"
)

// RecallExplained says what a recall did.
type RecallExplained struct {
	RecallID string    `json:"recall_id"`
	At       time.Time `json:"at"`
	// Query is empty for staff: they see ids and figures.
	Query      string       `json:"query,omitempty"`
	Namespace  string       `json:"namespace"`
	AgentID    string       `json:"agent_id,omitempty"`
	Decision   string       `json:"decision"`
	Degraded   string       `json:"degraded,omitempty"`
	Reason     string       `json:"reason,omitempty"`
	Ranking    string       `json:"ranking"`
	Candidates int          `json:"candidates"`
	Items      []Ranked     `json:"items"`
	Memory     *WhyRecalled `json:"memory,omitempty"`
}

// Ranked is one that a recall considered. Out is empty for what went out.
type Ranked struct {
	MemoryID  string             `json:"memory_id"`
	Rank      int                `json:"rank"`
	Score     float64            `json:"score"`
	Relevance float64            `json:"relevance"`
	Legs      map[string]float64 `json:"legs"`
	Out       string             `json:"out,omitempty"`
}

// Verdicts on one memory and one recall.
const (
	VerdictRecalled    = "recalled"
	VerdictNotRecalled = "not_recalled" // it fell out; Ranked says where, unless far below
	VerdictNotFound    = "not_found"    // stored, and no leg found it
	VerdictStoredLater = "stored_later"
	VerdictNeverStored = "never_stored"
	VerdictNotSearched = "not_searched" // the recall was gated, denied or failed
)

// WhyRecalled answers why a memory was recalled, or why it wasn't.
type WhyRecalled struct {
	MemoryID string  `json:"memory_id"`
	Verdict  string  `json:"verdict"`
	Ranked   *Ranked `json:"ranked,omitempty"`
}

// RecallRecord explains a recall: to the agent that made it, to the person it
// was about and, without the question, to staff who may see memories' rows. With
// a memory's or turn's id it also says why that one was recalled or wasn't. What
// the reader may not see is answered like what was never stored.
func (s *Service) RecallRecord(ctx context.Context, id, memory string) (RecallExplained, error) {
	ctx, who, err := s.actor(ctx)
	if err != nil {
		return RecallExplained{}, err
	}
	parsed, err := ParseID(PrefixRecall, id)
	if err != nil {
		return RecallExplained{}, err
	}
	row, err := s.db.RecallRow(ctx, parsed.Subject, parsed.Row)
	if err != nil {
		return RecallExplained{}, Wrap("explain recall", err)
	}
	if !s.mayExplain(who, row) {
		return RecallExplained{}, NotFound()
	}
	p, err := s.OpenPerson(ctx, parsed.Subject)
	if err != nil {
		return RecallExplained{}, err
	}
	defer p.Close()
	var detail recallDetail
	if err := p.OpenJSON(row.TableName(), "detail", row.ID, row.Detail, &detail); err != nil {
		return RecallExplained{}, Wrap("explain recall", err)
	}
	out := RecallExplained{
		RecallID: id, At: row.CreatedAt.Time(), Namespace: row.Namespace, Decision: row.Decision, Degraded: row.Degraded,
		Reason: detail.Why, Ranking: detail.Ranking, Candidates: detail.Found, Items: []Ranked{},
	}
	if row.AgentID != nil {
		out.AgentID = row.AgentID.String()
	}
	if who.Kind != policy.KindUser {
		query, err := p.Open(row.TableName(), "query", row.ID, row.Query)
		if err != nil {
			return RecallExplained{}, Wrap("explain recall", err)
		}
		out.Query = string(query)
	}
	for _, t := range detail.Trace {
		out.Items = append(out.Items, t.ranked(p))
	}
	if memory != "" {
		if out.Memory, err = s.why(ctx, who, p, row, detail, memory); err != nil {
			return RecallExplained{}, Wrap("explain recall", err)
		}
	}
	return out, nil
}

func (s *Service) mayExplain(who policy.Principal, row models.Recall) bool {
	switch who.Kind {
	case policy.KindSystem:
		return true
	case policy.KindSubject:
		return who.Subject == row.SubjectID.String()
	case policy.KindUser:
		return s.policy.CanAny(who, policy.ActMemoryRead)
	}
	own := agentID(who)
	return own != nil && row.AgentID != nil && *own == *row.AgentID
}

func (t recallTrace) ranked(p *Person) Ranked {
	id := ID{Subject: p.SubjectID, Row: t.ID}
	prefix := PrefixMemory
	switch t.Kind {
	case KindTurn:
		prefix = PrefixTurn
	case traceShared:
		prefix, id.Subject = PrefixShared, uuid.Nil
	}
	return Ranked{MemoryID: id.Public(prefix), Rank: t.Rank, Score: t.Score, Relevance: t.Relevance, Legs: t.Legs, Out: t.Out}
}

func (s *Service) why(ctx context.Context, who policy.Principal, p *Person, row models.Recall, detail recallDetail, memory string) (*WhyRecalled, error) {
	why := &WhyRecalled{MemoryID: memory, Verdict: VerdictNeverStored}
	for _, t := range detail.Trace {
		if ranked := t.ranked(p); ranked.MemoryID == memory {
			why.Ranked, why.Verdict = &ranked, VerdictNotRecalled
			if t.Out == "" {
				why.Verdict = VerdictRecalled
			}
			return why, nil
		}
	}
	stored, err := s.storedAt(ctx, who, p, row.Namespace, memory)
	switch {
	case isGone(err):
	case err != nil:
		return nil, err
	case stored > row.CreatedAt:
		why.Verdict = VerdictStoredLater
	case slices.Contains([]string{DecisionGated, DecisionDenied, DecisionFailed}, row.Decision):
		why.Verdict = VerdictNotSearched
	case detail.Found > len(detail.Trace):
		// Nobody can say any more whether it was found: the record ends above.
		why.Verdict = VerdictNotRecalled
	default:
		why.Verdict = VerdictNotFound
	}
	return why, nil
}

// storedAt says since when a memory or turn of the person is kept; not found for
// what the reader may not see.
func (s *Service) storedAt(ctx context.Context, who policy.Principal, p *Person, namespace, memory string) (models.Micros, error) {
	if id, err := ParseID(PrefixTurn, memory); err == nil {
		turn, err := s.db.TurnByID(ctx, p.SubjectID, id.Row)
		if err != nil {
			return 0, Wrap("explain recall", err)
		}
		if id.Subject != p.SubjectID || turn.Namespace != namespace || !s.mayKnow(who, policy.CatTurns) {
			return 0, NotFound()
		}
		return turn.CreatedAt, nil
	}
	id, err := ParseID(PrefixMemory, memory)
	if err != nil {
		return 0, err
	}
	m, err := s.db.MemoryRow(ctx, p.SubjectID, id.Row)
	if err != nil {
		return 0, Wrap("explain recall", err)
	}
	if id.Subject != p.SubjectID || m.Namespace != namespace || !s.mayKnow(who, m.Category) || !s.canSee(who, m) {
		return 0, NotFound()
	}
	return m.CreatedAt, nil
}

// mayKnow tells whether a reader may learn that something of a category is kept.
func (s *Service) mayKnow(who policy.Principal, category string) bool {
	return who.Kind != policy.KindAgent || s.policy.Can(who, category, policy.ActRecall)
}
