package lexical

import "sync"

// scratch is the room of one search, used again by the next: it is most of what a
// search allocates. It holds scores and positions, no hash and no text.
type scratch struct {
	space    []float64
	families []family
	found    found
}

// maxScratch is the largest room kept, in entries: beyond it a search is rare.
const maxScratch = 1 << 17

var scratchPool = sync.Pool{New: func() any { return new(scratch) }}

// figures gives n zeros.
func (r *scratch) figures(n int) []float64 {
	if cap(r.space) < n {
		r.space = make([]float64, n)
	}
	r.space = r.space[:n]
	clear(r.space)
	return r.space
}

// familiesOf gives room that the caller fills.
func (r *scratch) familiesOf(n int) []family {
	if cap(r.families) < n {
		r.families = make([]family, n)
	}
	return r.families[:n]
}

// release gives the room back; the scoring is of no use afterwards.
func (s *scoring) release() {
	if len(s.entries) > maxScratch {
		return
	}
	f := &s.room.found
	f.terms, f.bigrams, f.synonyms = f.terms[:0], f.bigrams[:0], f.synonyms[:0]
	scratchPool.Put(s.room)
}
