package lexical

import (
	"bytes"
	"container/heap"
	"math"
	"slices"

	"github.com/google/uuid"
)

// Mode chooses the ranking.
type Mode uint8

// Modes. Recipe is the product's. PlainBM25 (k1 1.2, b 0.75, nothing else) is there
// to compare with, over entries of BuildPlain and a query of NewPlainQuery.
const (
	Recipe Mode = iota
	PlainBM25
)

// Options of Search.
type Options struct {
	Limit int // hits wanted; 0: all
	Mode  Mode
}

// Hit is an entry that has to do with the question.
type Hit struct {
	ID    uuid.UUID
	Index int // position in the entries given
	Kind  Kind
	// Score is the recipe's sum, comparable within one search and one kind.
	Score float64
	// Relevance is Score against the best of its kind, in 0..1, and across kinds
	// scaled by how well the best of each kind matched: a lone, poor fact does not
	// stand beside a good turn.
	Relevance float64
	// Coverage is the share of the question's term weight that the entry itself
	// holds, in 0..1: unlike Relevance it stays low where nothing fits.
	Coverage float64
	Legs     Legs
}

// Legs are the parts that add up to Hit.Score.
type Legs struct {
	Keyword, Bigram, Synonym, Neighbours, Session, Date, Cue float64
}

// Sum is the score.
func (l Legs) Sum() float64 {
	return l.Keyword + l.Bigram + l.Synonym + l.Neighbours + l.Session + l.Date + l.Cue
}

// Weights of the recipe, chosen on half of LoCoMo and MADial and reported on the
// other half.
const (
	bigramWeight      = 0.3
	synonymWeight     = 0.1
	factSynonymWeight = 0.2
	sessionWeight     = 0.5
	dateWeight        = 1.8
	questionCue       = -0.4
	whenCue           = 1.0
	speakerCue        = 0.25
	chineseIDFPower   = 1.5
)

// neighbourWeights are for the turns at these distances in the session.
var neighbourWeights = [...]struct {
	distance int
	weight   float64
}{{-2, .5}, {-1, .4}, {1, .3}, {2, .1}}

// bm25 holds the two constants of BM25: saturation and length.
type bm25 struct{ k1, b float64 }

var (
	turnBM25    = bm25{.8, 0}
	factBM25    = bm25{1.2, .75}
	sessionBM25 = bm25{.8, .5}
	plainBM25   = bm25{1.2, .75}
)

// family groups kinds that are scored and normed together.
type family uint8

const (
	turnFamily family = iota
	factFamily
	sessionFamily
	familyCount
)

func familyOf(kind Kind) family {
	switch kind {
	case Fact:
		return factFamily
	case SessionDoc:
		return sessionFamily
	}
	return turnFamily
}

// Search ranks entries for a question, best first. Equal scores stand with the newer
// first, then by id, so that equal input gives equal output. An entry that shares
// nothing with the question, its own session included, is no hit.
func Search(entries []Entry, q Query, opts Options) []Hit {
	if len(entries) == 0 || q.Empty() {
		return nil
	}
	s := newScoring(entries, q, opts.Mode)
	defer s.release()
	best := hitHeap{entries: entries}
	for i := range entries {
		legs := s.legs(i)
		score := legs.Sum()
		if score-legs.Cue <= 0 { // a cue alone is no match
			continue
		}
		best.offer(scored{i, score}, opts.Limit)
	}
	slices.SortFunc(best.list, func(a, b scored) int {
		if best.before(a, b) {
			return -1
		}
		return 1
	})
	scale := s.relevanceScale(best.list)
	hits := make([]Hit, len(best.list))
	for n, hit := range best.list {
		e := &entries[hit.index]
		hits[n] = Hit{
			ID: e.ID, Index: hit.index, Kind: e.Kind, Score: hit.score,
			Relevance: min(1, max(0, hit.score*scale[s.families[hit.index]])),
			Coverage:  s.coverage(hit.index),
			Legs:      s.legs(hit.index),
		}
	}
	return hits
}

// relevanceScale is 1/best score of each family, times the family's best keyword
// match against that of all.
func (s *scoring) relevanceScale(ranked []scored) [familyCount]float64 {
	var scale [familyCount]float64
	overall := slices.Max(s.maxTerms[:])
	for _, hit := range ranked { // best first
		f := s.families[hit.index]
		if scale[f] != 0 || hit.score <= 0 {
			continue
		}
		scale[f] = 1 / hit.score
		if overall > 0 {
			scale[f] *= s.maxTerms[f] / overall
		}
	}
	return scale
}

type scored struct {
	index int
	score float64
}

// hitHeap keeps the best hits, the worst of them on top.
type hitHeap struct {
	entries []Entry
	list    []scored
}

func (h *hitHeap) before(a, b scored) bool {
	if a.score != b.score {
		return a.score > b.score
	}
	one, other := &h.entries[a.index], &h.entries[b.index]
	if order := one.OccurredAt.Compare(other.OccurredAt); order != 0 {
		return order > 0
	}
	if order := bytes.Compare(one.ID[:], other.ID[:]); order != 0 {
		return order < 0
	}
	return a.index < b.index
}

func (h *hitHeap) Len() int           { return len(h.list) }
func (h *hitHeap) Less(i, j int) bool { return h.before(h.list[j], h.list[i]) }
func (h *hitHeap) Swap(i, j int)      { h.list[i], h.list[j] = h.list[j], h.list[i] }
func (h *hitHeap) Push(x any)         { h.list = append(h.list, x.(scored)) }
func (h *hitHeap) Pop() any           { panic("lexical: the heap only replaces") }

func (h *hitHeap) offer(s scored, limit int) {
	switch {
	case limit <= 0 || len(h.list) < limit-1:
		h.list = append(h.list, s)
	case len(h.list) == limit-1:
		h.list = append(h.list, s)
		heap.Init(h)
	case h.before(s, h.list[0]):
		h.list[0] = s
		heap.Fix(h, 0)
	}
}

// idf is the inverse document frequency that is never negative.
func idf(documents, holding int) float64 {
	n, df := float64(documents), float64(holding)
	return math.Log((n-df+.5)/(df+.5) + 1)
}

// weight is BM25's part for one term: tf times in a text that is length times as
// long as the mean.
func (c bm25) weight(tf, length float64) float64 {
	return tf * (c.k1 + 1) / (tf + c.k1*(1-c.b+c.b*length))
}
