package memory

import (
	"math"
	"slices"
)

// Bounds and words of a recall.
const (
	defaultRecall = 8
	maxRecall     = 50
	maxQuery      = 2000 // characters

	RankingDefault   = "default"   // relevance, importance and recency
	RankingRelevance = "relevance" // relevance alone

	GateAuto = "auto" // spare the look-up where the question needs no memory
	GateOff  = "off"

	KindTurn = "turn" // the kind of an item that is a turn of a conversation
)

// checkRecall judges all fields and fills in those that are plain defaults. The
// subject may be empty: then only what the namespace shares is searched.
func checkRecall(in *RecallInput) error {
	if in.Subject != "" {
		if err := CheckExternalID(in.Subject); err != nil {
			return err
		}
	}
	var f faults
	f.text("query", in.Query, maxQuery)
	in.Namespace = f.namespace(in.Namespace)
	if in.Limit == 0 {
		in.Limit = defaultRecall
	}
	if in.Limit < 1 || in.Limit > maxRecall {
		f.add("limit", "out_of_range", "between 1 and 50")
	}
	f.oneOf("ranking", in.Ranking, []string{RankingDefault, RankingRelevance})
	f.oneOf("gate", in.Gate, []string{GateAuto, GateOff})
	f.oneOf("locale", in.Locale, []string{"en", "zh-Hans"})
	unit := func(name string, value float64) {
		if math.IsNaN(value) || value < 0 || value > 1 {
			f.add(name, "out_of_range", "between 0 and 1")
		}
	}
	unit("min_importance", in.MinImportance)
	unit("min_confidence", in.MinConfidence)
	for _, kind := range in.Kinds {
		if kind != KindTurn && !slices.Contains(kinds, kind) {
			f.add("kinds", "unknown", "a memory's kind, or turn")
			break
		}
	}
	in.Tags = f.tags(in.Tags)
	f.date("since", in.Since)
	f.date("until", in.Until)
	if in.Since != nil && in.Until != nil && in.Until.Before(*in.Since) {
		f.add("until", "invalid", "must not be before since")
	}
	if len(in.Vector) > 0 && string(in.Vector) != "null" {
		f.add("vector", "invalid", "no encoder is set for this namespace")
	}
	return f.err()
}
