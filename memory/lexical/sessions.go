package lexical

import "slices"

// Neighbours gives the positions of the turns up to distance before and after the one
// at index, in their session's order and without it: what a found turn is shown with.
func Neighbours(entries []Entry, index, distance int) []int {
	if index < 0 || index >= len(entries) || entries[index].Session == 0 || distance <= 0 {
		return nil
	}
	session := entries[index].Session
	var order []int
	for i := range entries {
		if entries[i].Session == session && familyOf(entries[i].Kind) == turnFamily {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return compareUint(uint64(entries[a].Order)+1<<63, uint64(entries[b].Order)+1<<63)
	})
	at := slices.Index(order, index)
	if at < 0 {
		return nil
	}
	var around []int
	for n := max(0, at-distance); n <= min(len(order)-1, at+distance); n++ {
		if n != at {
			around = append(around, order[n])
		}
	}
	return around
}

// SessionHit is a session found through its turns.
type SessionHit struct {
	Session uint64
	Score   float64
	Best    int // position of its best entry in the hits given
}

// RankSessions ranks sessions by their three best hits, weighed 1, 1/2 and 1/3. Give
// it the hits of a search without a limit.
func RankSessions(entries []Entry, hits []Hit) []SessionHit {
	var ranked []SessionHit
	place, counts := map[uint64]int{}, map[uint64]int{}
	for n, hit := range hits { // best first
		session := entries[hit.Index].Session
		if session == 0 {
			continue
		}
		at, known := place[session]
		if !known {
			at = len(ranked)
			place[session] = at
			ranked = append(ranked, SessionHit{Session: session, Best: n})
		}
		if counts[session]++; counts[session] <= 3 {
			ranked[at].Score += hit.Score / float64(counts[session])
		}
	}
	slices.SortStableFunc(ranked, func(a, b SessionHit) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return a.Best - b.Best
	})
	return ranked
}
