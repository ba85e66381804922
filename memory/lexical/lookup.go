package lexical

import "slices"

// lookup finds a query term by its hash. Nearly all hashes of the entries are of no
// query term, and one bit turns nearly all of these away.
type lookup struct {
	terms []queryTerm
	bits  [128]uint64 // set: a term's hash may have these low bits
	first [1024]int16 // position + 1 of the first term in this slot
	next  []int16     // position + 1 of the next one
}

func newLookup(terms []queryTerm) *lookup {
	l := &lookup{terms: terms, next: make([]int16, len(terms))}
	for n, term := range terms {
		l.bits[term.hash>>6%128] |= 1 << (term.hash % 64)
		slot := &l.first[slotOf(term.hash)]
		l.next[n], *slot = *slot, int16(n+1)
	}
	return l
}

// slotOf takes other bits than the filter.
func slotOf(hash uint64) uint64 { return hash >> 13 % 1024 }

// collect adds the query terms among the hashes of an entry. Without counts each
// counts once.
func (l *lookup) collect(matches []match, entry int, hashes []uint64, counts []uint8) []match {
	if len(l.terms) == 0 {
		return matches
	}
	for at, hash := range hashes {
		if l.bits[hash>>6%128]>>(hash%64)&1 == 0 {
			continue
		}
		for n := l.first[slotOf(hash)]; n != 0; n = l.next[n-1] {
			if l.terms[n-1].hash != hash {
				continue
			}
			count := uint8(1)
			if at < len(counts) {
				count = counts[at]
			}
			matches = append(matches, match{int32(entry), n - 1, count})
			break
		}
	}
	return matches
}

// nameFinder finds the one speaker of the entries that the question names.
type nameFinder struct {
	query      Query
	found      uint64
	last       uint64 // looked up last; speakers alternate or stay
	beforeLast uint64
	several    bool
}

func newNameFinder(query Query) nameFinder { return nameFinder{query: query} }

func (f *nameFinder) see(speaker uint64) {
	if speaker == f.last || speaker == f.beforeLast {
		return
	}
	f.last, f.beforeLast = speaker, f.last
	if _, named := slices.BinarySearch(f.query.names, speaker); !named || speaker == f.found {
		return
	}
	f.several = f.several || f.found != 0
	f.found = speaker
}

// named is the only speaker named; where none is, the role whose words are asked
// for; 0 where several are.
func (f *nameFinder) named() uint64 {
	switch {
	case f.several:
		return 0
	case f.found != 0:
		return f.found
	}
	return f.query.role
}
