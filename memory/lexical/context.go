package lexical

import "slices"

// scoreSessions adds what the surroundings tell: the turns before and after in the
// session, and the session as a whole as one text.
func (s *scoring) scoreSessions() {
	order := s.sessionOrder()
	if len(order) == 0 {
		return
	}
	runs := s.sessionRuns(order)
	s.scoreNeighbours(order, runs)
	s.scoreParents(order, runs)
}

// run is a session's part of the order.
type run struct{ from, to int }

// sessionOrder gives the turns that belong to a session, each session in one piece
// and in its order.
func (s *scoring) sessionOrder() []int32 {
	order := make([]int32, 0, len(s.entries))
	for i := range s.entries {
		if s.entries[i].Session != 0 && s.families[i] == turnFamily {
			order = append(order, int32(i))
		}
	}
	if s.isOrdered(order) {
		return order // as a segment is usually kept; sorting costs more than searching
	}
	slices.SortFunc(order, func(a, b int32) int {
		one, other := &s.entries[a], &s.entries[b]
		if one.Session != other.Session {
			return compareUint(one.Session, other.Session)
		}
		if one.Order != other.Order {
			return compareUint(uint64(one.Order)+1<<63, uint64(other.Order)+1<<63)
		}
		return int(a - b)
	})
	return order
}

func (s *scoring) isOrdered(order []int32) bool {
	seen := make(map[uint64]struct{})
	for n, i := range order {
		e := &s.entries[i]
		if n > 0 && s.entries[order[n-1]].Session == e.Session {
			if s.entries[order[n-1]].Order > e.Order {
				return false
			}
			continue
		}
		if _, again := seen[e.Session]; again {
			return false
		}
		seen[e.Session] = struct{}{}
	}
	return true
}

func (s *scoring) sessionRuns(order []int32) []run {
	var runs []run
	for n := range order {
		if n > 0 && s.entries[order[n]].Session == s.entries[order[n-1]].Session {
			runs[len(runs)-1].to = n + 1
			continue
		}
		runs = append(runs, run{n, n + 1})
	}
	return runs
}

func (s *scoring) scoreNeighbours(order []int32, runs []run) {
	for _, r := range runs {
		for n := r.from; n < r.to; n++ {
			score := s.base[order[n]]
			if score == 0 {
				continue
			}
			for _, neighbour := range neighbourWeights {
				if at := n - neighbour.distance; at >= r.from && at < r.to {
					s.around[order[at]] += neighbour.weight * score
				}
			}
		}
	}
}

// scoreParents is BM25 with each session as one text, its statistics counted over
// the sessions.
func (s *scoring) scoreParents(order []int32, runs []run) {
	terms := len(s.query.terms)
	if terms == 0 || len(s.matches) == 0 {
		return
	}
	firsts := s.firstMatches()
	counts := make([]float64, len(runs)*terms)
	holding := make([]int, terms)
	lengths, average := make([]float64, len(runs)), 0.0
	for r, part := range runs {
		row := counts[r*terms : (r+1)*terms]
		for _, i := range order[part.from:part.to] {
			lengths[r] += float64(s.entries[i].Length)
			for at := firsts[i]; at < firsts[i+1]; at++ {
				m := s.matches[at]
				if row[m.term] == 0 {
					holding[m.term]++
				}
				row[m.term] += float64(m.count)
			}
		}
		average += lengths[r] / float64(len(runs))
	}
	weights := s.weigh(s.query.terms, holding, len(runs))
	scores, most := make([]float64, len(runs)), 0.0
	for r := range runs {
		length := lengths[r] / max(1, average)
		for n, count := range counts[r*terms : (r+1)*terms] {
			if count > 0 {
				scores[r] += weights[n] * sessionBM25.weight(count, length)
			}
		}
		most = max(most, scores[r])
	}
	for r, part := range runs {
		for _, i := range order[part.from:part.to] {
			s.session[i] = sessionWeight * normed(scores[r], most)
		}
	}
}

// firstMatches gives for each entry the position of its first match; matches of
// entry i are those from [i] to before [i+1].
func (s *scoring) firstMatches() []int32 {
	firsts := make([]int32, len(s.entries)+1)
	for _, m := range s.matches {
		firsts[m.entry+1]++
	}
	for i := range s.entries {
		firsts[i+1] += firsts[i]
	}
	return firsts
}

// Parts of the date score: what was asked, how exactly a turn said it, and what was
// told within three weeks afterwards.
const (
	saidMatch = 1.15
	lateMatch = 0.6
	lateDays  = 22
)

var (
	askedGrain = [grainCount]float64{GrainDay: 1, GrainWeek: .85, GrainMonth: .7, GrainYear: .25}
	saidGrain  = [grainCount]float64{GrainDay: 1, GrainWeek: .6, GrainMonth: .4, GrainYear: .15}
)

// dateMatch is in 0..1.15: how well an entry fits the dates a question asks for.
func dateMatch(asked []Interval, e *Entry) float64 {
	best := 0.0
	for _, want := range asked {
		match := 0.0
		switch after := e.Day - want.To; {
		case e.Day >= want.From && after <= 0:
			match = 1
		case after > 0 && after < lateDays:
			match = lateMatch * (1 - float64(after)/lateDays)
		}
		for _, said := range e.Dates {
			if said.From > want.To || said.To < want.From || said.Grain >= grainCount {
				continue
			}
			fit := saidMatch
			if want.Grain == GrainDay {
				fit *= saidGrain[said.Grain]
			}
			match = max(match, fit)
		}
		best = max(best, match*askedGrain[want.Grain])
	}
	return best
}
