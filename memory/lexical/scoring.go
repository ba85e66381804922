package lexical

import (
	"math"
	"slices"
)

// scoring holds the figures of one search, one per entry unless said.
type scoring struct {
	entries  []Entry
	query    Query
	mode     Mode
	room     *scratch
	families []family
	named    uint64 // speaker named, or 0

	terms, bigrams, synonyms []float64 // BM25
	base                     []float64 // S of the recipe
	around                   []float64 // neighbours' part
	session                  []float64 // parent session's part

	maxTerms, maxBigrams, maxSynonyms [familyCount]float64

	matches   []match   // of terms, by entry
	idfs      []float64 // of the query's terms, Chinese power and query weight included
	idfsTotal float64
	averages  [familyCount]float64 // length
}

// match is a query term found in an entry.
type match struct {
	entry int32
	term  int16
	count uint8
}

func newScoring(entries []Entry, q Query, mode Mode) *scoring {
	n, room := len(entries), scratchPool.Get().(*scratch)
	space := room.figures(6 * n)
	part := func(i int) []float64 { return space[i*n : (i+1)*n : (i+1)*n] }
	s := &scoring{
		entries: entries, query: q, mode: mode, room: room, families: room.familiesOf(n),
		terms: part(0), bigrams: part(1), synonyms: part(2),
		base: part(3), around: part(4), session: part(5),
	}
	found := s.scan()
	s.scoreTerms(found.terms)
	if mode == PlainBM25 {
		return s
	}
	s.scoreSet(q.bigrams, found.bigrams, s.bigrams, &s.maxBigrams)
	s.scoreSet(q.synonyms, found.synonyms, s.synonyms, &s.maxSynonyms)
	for i := range entries {
		s.base[i] = s.keyword(i) + s.bigram(i) + s.synonym(i)
	}
	s.scoreSessions()
	return s
}

// found is what one walk over the entries collects: an entry is wide, and each walk
// over all of them costs more than the sums.
type found struct{ terms, bigrams, synonyms []match }

func (s *scoring) scan() *found {
	out := &s.room.found
	terms, bigrams, synonyms := newLookup(s.query.terms), newLookup(s.query.bigrams), newLookup(s.query.synonyms)
	names := newNameFinder(s.query)
	var counts [familyCount]float64
	for i := range s.entries {
		e := &s.entries[i]
		f := familyOf(e.Kind)
		s.families[i] = f
		counts[f]++
		s.averages[f] += float64(e.Length)
		before := len(out.terms)
		out.terms = terms.collect(out.terms, i, e.Terms, e.Counts)
		if s.mode == PlainBM25 {
			continue
		}
		if len(out.terms) > before { // a bigram's words are terms as well
			out.bigrams = bigrams.collect(out.bigrams, i, e.Bigrams, nil)
		}
		out.synonyms = synonyms.collect(out.synonyms, i, e.Synonyms, nil)
		names.see(e.Speaker)
	}
	for f := range s.averages {
		s.averages[f] = max(1, s.averages[f]/max(1, counts[f]))
	}
	s.named = names.named()
	return out
}

func (s *scoring) constants(f family) bm25 {
	switch {
	case s.mode == PlainBM25:
		return plainBM25
	case f == factFamily:
		return factBM25
	case f == sessionFamily:
		return sessionBM25
	}
	return turnBM25
}

// scoreTerms is BM25 over the terms. Document frequencies are counted over all
// entries, whatever their kind.
func (s *scoring) scoreTerms(matches []match) {
	s.matches = matches
	s.idfs = s.weigh(s.query.terms, holding(matches, len(s.query.terms)), len(s.entries))
	for _, weight := range s.idfs {
		s.idfsTotal += weight
	}
	for _, m := range s.matches {
		f := s.families[m.entry]
		length := float64(s.entries[m.entry].Length) / s.averages[f]
		s.terms[m.entry] += s.idfs[m.term] * s.constants(f).weight(float64(m.count), length)
	}
	s.takeMaxima(s.terms, &s.maxTerms)
}

func (s *scoring) weigh(terms []queryTerm, holding []int, documents int) []float64 {
	weights := make([]float64, len(terms))
	for n, term := range terms {
		weights[n] = idf(documents, holding[n])
		if term.cjk && s.mode == Recipe {
			weights[n] = math.Pow(weights[n], chineseIDFPower)
		}
		weights[n] *= term.weight
	}
	return weights
}

// scoreSet is BM25 over a set of hashes, where each counts once.
func (s *scoring) scoreSet(wanted []queryTerm, matches []match, out []float64, maxima *[familyCount]float64) {
	weights := s.weigh(wanted, holding(matches, len(wanted)), len(s.entries))
	for _, m := range matches {
		out[m.entry] += weights[m.term]
	}
	s.takeMaxima(out, maxima)
}

// holding counts the entries that hold each term.
func holding(matches []match, terms int) []int {
	counts := make([]int, terms)
	for _, m := range matches {
		counts[m.term]++
	}
	return counts
}

func (s *scoring) takeMaxima(values []float64, maxima *[familyCount]float64) {
	for i, value := range values {
		f := s.families[i]
		maxima[f] = max(maxima[f], value)
	}
}

func normed(value, most float64) float64 {
	if most <= 0 {
		return 0
	}
	return value / most
}

func (s *scoring) keyword(i int) float64 {
	return normed(s.terms[i], s.maxTerms[s.families[i]])
}

func (s *scoring) bigram(i int) float64 {
	f := s.families[i]
	if f == factFamily {
		return 0
	}
	return bigramWeight * normed(s.bigrams[i], s.maxBigrams[f])
}

func (s *scoring) synonym(i int) float64 {
	f := s.families[i]
	weight := synonymWeight
	if f == factFamily {
		weight = factSynonymWeight
	}
	return weight * normed(s.synonyms[i], s.maxSynonyms[f])
}

// legs gives the parts of an entry's score.
func (s *scoring) legs(i int) Legs {
	legs := Legs{Keyword: s.keyword(i)}
	if s.mode == PlainBM25 {
		return legs
	}
	e := &s.entries[i]
	legs.Bigram, legs.Synonym = s.bigram(i), s.synonym(i)
	legs.Neighbours, legs.Session = s.around[i], s.session[i]
	legs.Date = dateWeight * dateMatch(s.query.asked, e)
	if e.Question && s.families[i] == turnFamily {
		legs.Cue += questionCue
	}
	if s.query.when && e.HasTime {
		legs.Cue += whenCue
	}
	if s.named != 0 && e.Speaker == s.named {
		legs.Cue += speakerCue
	}
	return legs
}

// coverage is the share of the query's weight that the entry's own terms carry.
func (s *scoring) coverage(i int) float64 {
	if s.idfsTotal <= 0 {
		return 0
	}
	from, _ := slices.BinarySearchFunc(s.matches, int32(i), func(m match, entry int32) int {
		return int(m.entry) - int(entry)
	})
	sum := 0.0
	for _, m := range s.matches[from:] {
		if m.entry != int32(i) {
			break
		}
		sum += s.idfs[m.term]
	}
	return sum / s.idfsTotal
}
