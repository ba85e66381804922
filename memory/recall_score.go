package memory

import (
	"math"
	"slices"
	"time"

	"fornix/memory/lexical"
	"fornix/models"
)

// Weights of the score (design §11) and the course of recency.
const (
	relevanceWeight  = .6
	importanceWeight = .25
	recencyWeight    = .15

	halfLife         = 30 * 24 * time.Hour
	recencyFloor     = .08
	importantRecency = .6 // the floor of what is important
)

// recency is 1 for what happened just now or is yet to come, and halves every 30
// days down to its floor.
func recency(now, occurred time.Time, importance float64) float64 {
	floor := recencyFloor
	if importance >= importantFrom {
		floor = importantRecency
	}
	age := max(0, now.Sub(occurred))
	return max(floor, math.Exp2(-float64(age)/float64(halfLife)))
}

// candidate is an entry that has to do with the question.
type candidate struct {
	lexical.Hit
	entry  *lexical.Entry
	shared *models.Knowledge // the text itself, where it belongs to no person
	score  float64
	out    string // why it doesn't go out; empty when it does
}

// Reasons why a candidate doesn't go out.
const (
	outFiltered   = "filtered"    // by a filter of the question
	outNotCurrent = "not_current" // replaced, expired or gone since it was indexed
	outUnreadable = "unreadable"  // its sealed value doesn't open
	outLimit      = "limit"       // others ranked higher
)

// score ranks hits as the caller asked; equal scores keep the search's order.
func scoreHits(entries []lexical.Entry, hits []lexical.Hit, ranking string, now time.Time) []candidate {
	ranked := make([]candidate, len(hits))
	for i, hit := range hits {
		e := &entries[hit.Index]
		c := candidate{Hit: hit, entry: e, score: hit.Relevance}
		if ranking != RankingRelevance {
			importance := float64(e.Importance)
			c.score = relevanceWeight*hit.Relevance + importanceWeight*importance + recencyWeight*recency(now, e.OccurredAt, importance)
		}
		ranked[i] = c
	}
	slices.SortStableFunc(ranked, func(a, b candidate) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	return ranked
}

// unexpired keeps what isn't past its time: the rest is searched no more, and
// its words shift no ranking.
func unexpired(entries []lexical.Entry, now time.Time) []lexical.Entry {
	return slices.DeleteFunc(entries, func(e lexical.Entry) bool { return !e.ExpiresAt.IsZero() && !e.ExpiresAt.After(now) })
}

// admits tells whether an entry passes the filters that the index knows of. The
// rows of memories are asked about the others, and again about these.
func (in *RecallInput) admits(e *lexical.Entry, tags []uint64) bool {
	turn := e.Kind == lexical.Turn
	switch {
	case turn && len(in.Kinds) > 0 && !slices.Contains(in.Kinds, KindTurn),
		!turn && len(in.Kinds) == 1 && in.Kinds[0] == KindTurn,
		e.Importance < float32(in.MinImportance),
		!turn && e.Confidence < float32(in.MinConfidence),
		in.Since != nil && e.OccurredAt.Before(in.Since.Truncate(time.Millisecond)),
		in.Until != nil && e.OccurredAt.After(*in.Until):
		return false
	}
	for _, tag := range tags {
		if !slices.Contains(e.Tags, tag) {
			return false
		}
	}
	return true
}
