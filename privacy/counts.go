package privacy

import (
	"encoding/json"
	"maps"
	"slices"

	"fornix/policy"
)

// decodeCounts reads numbers by store; what isn't there counts nothing.
func decodeCounts(text string) map[string]int64 {
	counts := map[string]int64{}
	_ = json.Unmarshal([]byte(text), &counts) // written by encodeCounts alone
	return counts
}

func encodeCounts(counts map[string]int64) string {
	raw, err := json.Marshal(counts)
	if err != nil { // numbers by name always encode
		return "{}"
	}
	return string(raw)
}

func sortedNames(counts map[string]int64) []string { return slices.Sorted(maps.Keys(counts)) }

// canSeeErasures: staff who may, and agents that may wipe.
func (s *Service) canSeeErasures(p policy.Principal) bool {
	return s.policy.Can(p, policy.AreaErasure, policy.ActErasureRead) || s.policy.Can(p, policy.AreaPeople, policy.ActSubjectWipe)
}
