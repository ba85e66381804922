package lexical

import "slices"

// DuplicateThreshold is the Similarity from which two texts that are not Distinct
// state the same thing again. Chosen on the pairs of this package's tests in both
// languages; a missed restatement costs a second row, a false one a fact.
const DuplicateThreshold = 0.92

// maxUnits is the longest statement, in words, that is compared beyond its key: what
// is longer is a document, and comparing it word by word tells little and takes long.
const maxUnits = 1000

// Restates says that b says nothing that a doesn't: similar enough, and no value,
// polarity, person or order differs. It is symmetric.
func Restates(a, b string) bool { return StatementOf(a).Restates(StatementOf(b)) }

// Similarity is in 0..1: the Dice share of the words two texts have in common, and in
// scripts without spaces of their neighbouring pairs too. It is symmetric, and 1 for
// texts of one Normalize key. It does not weigh what a differing word means, so merge
// only what is not Distinct.
func Similarity(a, b string) float64 { return StatementOf(a).Similarity(StatementOf(b)) }

// Distinct says that two texts must not be merged however alike they look: they
// differ in a number, date or time, a negation or other weighty word, a name, the
// person spoken of, in asking against stating, each has a word the other lacks, or
// the same words stand in an order that matters. It is symmetric, false for texts of
// one Normalize key, and errs towards true.
func Distinct(a, b string) bool { return StatementOf(a).Distinct(StatementOf(b)) }

// Restates is the function of that name for prepared texts.
func (s Statement) Restates(other Statement) bool {
	return s.Similarity(other) >= DuplicateThreshold && !s.Distinct(other)
}

// Similarity is the function of that name for prepared texts.
func (s Statement) Similarity(other Statement) float64 {
	if s.key == other.key {
		return 1
	}
	if len(s.units) == 0 || len(other.units) == 0 || max(len(s.units), len(other.units)) > maxUnits {
		return 0
	}
	words := dice(s.words(), other.words())
	if words == 1 || !s.mostlyCJK() && !other.mostlyCJK() {
		return words // what order tells is for Distinct
	}
	return (words + dice(s.pairs(), other.pairs())) / 2
}

func (s Statement) words() []string {
	words := make([]string, len(s.units))
	for i, u := range s.units {
		words[i] = u.text
	}
	return words
}

func (s Statement) pairs() []string {
	pairs := []string{"^" + s.units[0].text}
	for i := 1; i < len(s.units); i++ {
		pairs = append(pairs, s.units[i-1].text+" "+s.units[i].text)
	}
	return pairs
}

func (s Statement) mostlyCJK() bool {
	count := 0
	for _, u := range s.units {
		if u.cjk {
			count++
		}
	}
	return 2*count > len(s.units)
}

// dice compares as sets.
func dice(a, b []string) float64 {
	slices.Sort(a)
	slices.Sort(b)
	a, b = slices.Compact(a), slices.Compact(b)
	common := 0
	for _, word := range a {
		if _, found := slices.BinarySearch(b, word); found {
			common++
		}
	}
	return 2 * float64(common) / float64(len(a)+len(b))
}

// Distinct is the function of that name for prepared texts.
func (s Statement) Distinct(other Statement) bool {
	if s.key == other.key {
		return false
	}
	if s.question != other.question || max(len(s.units), len(other.units)) > maxUnits {
		return true
	}
	mine, theirs := s.lackedBy(other), other.lackedBy(s)
	if len(mine) > 0 && len(theirs) > 0 {
		return true // one word stands for another
	}
	if slices.ContainsFunc(append(mine, theirs...), func(u unit) bool { return u.heavy }) {
		return true
	}
	if !slices.Equal(both(s.names, other.names), both(other.names, s.names)) {
		return true
	}
	return !s.sameOrder(other)
}

// lackedBy gives the units that other does not hold; how often is a matter of order.
func (s Statement) lackedBy(other Statement) []unit {
	theirs := make(map[string]bool, len(other.units))
	for _, u := range other.units {
		theirs[u.text] = true
	}
	var lacked []unit
	for _, u := range s.units {
		if !theirs[u.text] {
			lacked = append(lacked, u)
		}
	}
	return lacked
}

// both gives the words of a that b holds too. A name may be written small in one of
// two texts, so that it is no name there.
func both(a, b []string) []string {
	var shared []string
	for _, word := range a {
		if slices.Contains(b, word) {
			shared = append(shared, word)
		}
	}
	return shared
}

// sameOrder says that the words both hold stand in one order, since order tells who
// did what to whom. "Blue is my colour" and "my colour is blue" are the same, and so
// are two statements about oneself of which one uses "am": "I work as an engineer",
// "I am an engineer".
func (s Statement) sameOrder(other Statement) bool {
	mine, theirs := both(s.order, other.words()), both(other.order, s.words())
	if slices.Equal(mine, theirs) && (s.is() != 1 || other.is() != 1) {
		return true
	}
	switch {
	case s.is() == 1 && other.is() == 1:
		left, right := s.sides(other)
		otherLeft, otherRight := other.sides(s)
		return slices.Equal(left, otherLeft) && slices.Equal(right, otherRight) ||
			slices.Equal(left, otherRight) && slices.Equal(right, otherLeft)
	case s.is()+other.is() == 1 && s.ofSelf() && other.ofSelf():
		return !slices.ContainsFunc(slices.Concat(s.order, other.order), func(word string) bool { return directed[word] })
	}
	return false
}

// directed words give their neighbours a direction or a limit that order decides.
var directed = wordSet("from over than before after but instead because with until since " + negation)

func (s Statement) is() int {
	count := 0
	for _, word := range s.order {
		if word == copula {
			count++
		}
	}
	return count
}

func (s Statement) ofSelf() bool { return len(s.order) > 0 && s.order[0] == self }

// sides gives what stands before and behind the copula of the words both hold, self
// included where both speak of it.
func (s Statement) sides(other Statement) (left, right []string) {
	kept := other.words()
	if slices.Contains(other.order, self) {
		kept = append(kept, self)
	}
	at := slices.Index(s.order, copula)
	return both(s.order[:at], kept), both(s.order[at+1:], kept)
}
