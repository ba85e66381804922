// Package extract decides, by rules alone, which turns of a person make
// memories, and what those memories say, in Chinese and English. It also says
// which questions need no memory at all ([RecallGate]).
//
// A statement keeps the person's words: its content is a piece of the turn and
// is never reworded, so "I am teaching myself Python" can't turn into "is a
// Python developer". Slots, kinds and figures are labels beside those words.
//
// The package is pure: it stores nothing, asks no clock and no network, and
// must not import anything of the module. Callers give it turns that the person
// said; the assistant's turns are never handed in. It never panics, and its
// work grows linearly with the length of the turn.
package extract

// Kinds of statements.
const (
	KindHardFact       = "hard_fact"
	KindSoftPreference = "soft_preference"
	KindEventFragment  = "event_fragment"
	KindProcedure      = "procedure"
)

// Layers of memory.
const (
	LayerEpisodic   = "episodic"
	LayerSemantic   = "semantic"
	LayerProcedural = "procedural"
)

// Categories, spelled as in the policy's vocabulary; a test of this package
// compares the two.
const (
	catProfile    = "profile"
	catContact    = "contact"
	catPreference = "preference"
	catHealth     = "health"
	catWork       = "work"
	catFamily     = "family"
	catFinance    = "finance"
	catSchedule   = "schedule"
	catOrder      = "order"
	catExperience = "experience"
	catRestricted = "restricted"
)

// Triggers, the strongest first: a verdict names one.
const (
	TriggerForget     = "forget"
	TriggerExplicit   = "explicit"
	TriggerCorrection = "correction"
	TriggerFromNowOn  = "from_now_on"
	TriggerFacts      = "facts_in_a_row"
	TriggerSelf       = "self_statement"
)

// Languages of a turn.
const (
	English = "en"
	Chinese = "zh"
)
