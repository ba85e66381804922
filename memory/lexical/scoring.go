package lexical

import (
	"math"
	"slices"
)

// scoring holds the figures of one search, one per entry unless said.
type scoring struct {
	entries []Entry
	query   Query
	mode    Mode
	named   uint64 // speaker named, or 0

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
	n := len(entries)
	space := make([]float64, 6*n)
	part := func(i int) []float64 { return space[i*n : (i+1)*n : (i+1)*n] }
	s := &scoring{
		entries: entries, query: q, mode: mode,
		terms: part(0), bigrams: part(1), synonyms: part(2),
		base: part(3), around: part(4), session: part(5),
	}
	s.measureLengths()
	s.scoreTerms()
	if mode == PlainBM25 {
		return s
	}
	s.scoreSet(s.query.bigrams, s.bigrams, &s.maxBigrams, func(e *Entry) []uint64 { return e.Bigrams })
	s.scoreSet(s.query.synonyms, s.synonyms, &s.maxSynonyms, func(e *Entry) []uint64 { return e.Synonyms })
	s.named = s.namedSpeaker()
	for i := range entries {
		s.base[i] = s.keyword(i) + s.bigram(i) + s.synonym(i)
	}
	s.scoreSessions()
	return s
}

func (s *scoring) measureLengths() {
	var counts [familyCount]float64
	for i := range s.entries {
		f := familyOf(s.entries[i].Kind)
		counts[f]++
		s.averages[f] += float64(s.entries[i].Length)
	}
	for f := range s.averages {
		s.averages[f] = max(1, s.averages[f]/max(1, counts[f]))
	}
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
func (s *scoring) scoreTerms() {
	table := newLookup(s.query.terms)
	holding := make([]int, len(s.query.terms))
	for i := range s.entries {
		e := &s.entries[i]
		for at, hash := range e.Terms {
			term := table.find(hash)
			if term < 0 {
				continue
			}
			count := uint8(1)
			if at < len(e.Counts) {
				count = e.Counts[at]
			}
			holding[term]++
			s.matches = append(s.matches, match{int32(i), int16(term), count})
		}
	}
	s.idfs = s.weigh(s.query.terms, holding, len(s.entries))
	for _, weight := range s.idfs {
		s.idfsTotal += weight
	}
	for _, m := range s.matches {
		f := familyOf(s.entries[m.entry].Kind)
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
func (s *scoring) scoreSet(wanted []queryTerm, out []float64, maxima *[familyCount]float64, of func(*Entry) []uint64) {
	if len(wanted) == 0 {
		return
	}
	table := newLookup(wanted)
	holding := make([]int, len(wanted))
	var matches []match
	for i := range s.entries {
		for _, hash := range of(&s.entries[i]) {
			if term := table.find(hash); term >= 0 {
				holding[term]++
				matches = append(matches, match{int32(i), int16(term), 1})
			}
		}
	}
	weights := s.weigh(wanted, holding, len(s.entries))
	for _, m := range matches {
		out[m.entry] += weights[m.term]
	}
	s.takeMaxima(out, maxima)
}

func (s *scoring) takeMaxima(values []float64, maxima *[familyCount]float64) {
	for i, value := range values {
		f := familyOf(s.entries[i].Kind)
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
	return normed(s.terms[i], s.maxTerms[familyOf(s.entries[i].Kind)])
}

func (s *scoring) bigram(i int) float64 {
	f := familyOf(s.entries[i].Kind)
	if f == factFamily {
		return 0
	}
	return bigramWeight * normed(s.bigrams[i], s.maxBigrams[f])
}

func (s *scoring) synonym(i int) float64 {
	f := familyOf(s.entries[i].Kind)
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
	if e.Question && familyOf(e.Kind) == turnFamily {
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

// namedSpeaker is the one speaker of the entries that the question names; where it
// names none, the role whose words it asks for.
func (s *scoring) namedSpeaker() uint64 {
	var named uint64
	for i := range s.entries {
		speaker := s.entries[i].Speaker
		if speaker == 0 || speaker == named {
			continue
		}
		if _, found := slices.BinarySearch(s.query.names, speaker); found {
			if named != 0 {
				return 0 // two are named
			}
			named = speaker
		}
	}
	if named == 0 {
		return s.query.role
	}
	return named
}

// lookup finds a query term by its hash. Most hashes of the entries are of no
// query term, and one byte tells so.
type lookup struct {
	terms []queryTerm
	first [1024]int16 // position + 1 of the first term with these low bits
	next  []int16     // position + 1 of the next one
}

func newLookup(terms []queryTerm) *lookup {
	l := &lookup{terms: terms, next: make([]int16, len(terms))}
	for n, term := range terms {
		slot := &l.first[term.hash%uint64(len(l.first))]
		l.next[n], *slot = *slot, int16(n+1)
	}
	return l
}

func (l *lookup) find(hash uint64) int {
	for at := l.first[hash%uint64(len(l.first))]; at != 0; at = l.next[at-1] {
		if l.terms[at-1].hash == hash {
			return int(at - 1)
		}
	}
	return -1
}
