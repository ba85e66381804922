package memory

import (
	"context"
	"math"
	"strings"

	"github.com/google/uuid"

	"fornix/memory/lexical"
	"fornix/models"
)

// mostTraced is how many candidates the record of a recall keeps; each takes some
// 200 bytes of every recall.
const mostTraced = 60

// recallDetail is what is sealed of a recall beside its query: enough to explain
// it later, by ids and figures alone.
type recallDetail struct {
	Ranking    string        `json:"ranking"`
	Limit      int           `json:"limit"`
	Categories []string      `json:"categories"`
	Found      int           `json:"found"`
	Why        string        `json:"why,omitempty"` // of the gate, or of a failure
	Trace      []recallTrace `json:"trace"`
}

// recallTrace is one candidate in the order of its rank. Out says why it didn't
// go out; empty, it did.
type recallTrace struct {
	ID        uuid.UUID          `json:"id"`
	Kind      string             `json:"kind"` // turn, memory or shared
	Rank      int                `json:"rank"`
	Score     float64            `json:"score"`
	Relevance float64            `json:"relevance"`
	Legs      map[string]float64 `json:"legs"`
	Out       string             `json:"out,omitempty"`
}

// Kinds in a trace besides KindTurn.
const (
	traceMemory = "memory"
	traceShared = "shared"
)

func (r *recall) detail() recallDetail {
	d := recallDetail{
		Ranking: r.in.Ranking, Limit: r.in.Limit, Categories: r.categories, Found: len(r.ranked),
		Why: r.answer.FallbackReason, Trace: []recallTrace{},
	}
	if d.Ranking == "" {
		d.Ranking = RankingDefault
	}
	for i := range r.ranked {
		c := &r.ranked[i]
		if i >= mostTraced && c.out != "" {
			continue // what went out is kept wherever it stood
		}
		t := recallTrace{ID: c.ID, Kind: traceMemory, Rank: i + 1, Score: rounded(c.score), Relevance: rounded(c.Relevance), Legs: legsOf(c.Hit), Out: c.out}
		switch {
		case c.shared != nil:
			t.Kind = traceShared
		case c.entry.Kind == lexical.Turn:
			t.Kind = KindTurn
		}
		d.Trace = append(d.Trace, t)
	}
	return d
}

// recordRecall writes the record that the person can see, before the answer goes
// out: without it, nothing does.
func (s *Service) recordRecall(ctx context.Context, r *recall, p *Person) error {
	row := models.Recall{
		SubjectID: p.SubjectID, ID: models.NewID(), Namespace: r.in.Namespace, AgentID: agentID(r.who), Decision: r.decision,
		Degraded: strings.Join(r.answer.Degraded, ","), Returned: int64(len(r.answer.Items)), CreatedAt: models.At(r.now),
	}
	var err error
	if row.Query, err = p.Seal(row.TableName(), "query", row.ID, []byte(r.in.Query)); err != nil {
		return Wrap("record recall", err)
	}
	if row.Detail, err = p.SealJSON(row.TableName(), "detail", row.ID, r.detail()); err != nil {
		return Wrap("record recall", err)
	}
	err = s.Write(ctx, p, func(ctx context.Context, tx *models.Tx) error { return models.Insert(ctx, tx, row) })
	if err != nil {
		return Wrap("record recall", err)
	}
	r.answer.RecallID = ID{p.SubjectID, row.ID}.Public(PrefixRecall)
	return nil
}

// recordFailure records that a recall was tried and failed, if that can be
// recorded, and gives the failure back.
func (s *Service) recordFailure(ctx context.Context, r *recall, p *Person, failure error) error {
	r.decision, r.answer.Items, r.ranked = DecisionFailed, nil, nil
	if err := s.recordRecall(ctx, r, p); err != nil && !isGone(err) {
		s.log.WarnContext(ctx, "recall: failure not recorded", "error", err)
	}
	return failure
}

// legsOf names the parts of a hit's score that gave something.
func legsOf(h lexical.Hit) map[string]float64 {
	legs := map[string]float64{}
	for name, value := range map[string]float64{
		"keyword": h.Legs.Keyword, "bigram": h.Legs.Bigram, "synonym": h.Legs.Synonym, "neighbours": h.Legs.Neighbours,
		"session": h.Legs.Session, "date": h.Legs.Date, "cue": h.Legs.Cue,
	} {
		if value = rounded(value); value != 0 {
			legs[name] = value
		}
	}
	return legs
}

func rounded(x float64) float64 { return math.Round(x*1e4) / 1e4 }
