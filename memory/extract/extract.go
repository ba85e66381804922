package extract

import (
	"strings"
	"time"
)

const (
	// maxStatements bounds what one turn can make: a pasted document isn't a
	// person talking about themselves.
	maxStatements = 16
	// factsInARow is how many statements make a turn a run of facts.
	factsInARow = 3

	hostileImportance = 0.1
	hostileConfidence = 0.3
	explicitFloor     = 0.75
	hedgedFactor      = 0.65
)

// Statement is one thing a person said that is worth remembering.
type Statement struct {
	// Content is a piece of the turn in the person's own words.
	Content string
	// Quote is the whole sentence that Content comes from.
	Quote    string
	Kind     string
	Layer    string
	Category string
	Topic    string
	// Slot names what can have one value at a time ("city", "allergy.peanut",
	// "favourite.color"); empty when many may stand side by side.
	Slot string
	// Value is what the slot holds. Slots that carry their object in the name
	// (allergy, preference) hold "yes" or "no".
	Value string
	// Polarity is false where the statement denies: "I no longer work at …".
	Polarity bool
	// Importance and Confidence lie in [0, 1].
	Importance float64
	Confidence float64
	Tags       []string
	Correction bool
	// AttributeKey is the profile attribute that the value would go to once the
	// person has confirmed it; empty for most.
	AttributeKey string
	// When is the time spoken of, as an ISO 8601 interval of days, both
	// included ("2023-04-26/2023-04-26"); empty when none is named.
	When string
}

// SlotValue is the value in a form to compare: two statements with the same
// slot contradict each other exactly when it differs. Empty without a slot.
func (s Statement) SlotValue() string {
	if s.Slot == "" {
		return ""
	}
	v := canonical(s.Value)
	if !s.Polarity && v != "no" {
		return "not:" + v
	}
	return v
}

// ForgetRequest is a wish to have something forgotten. It is only a wish: the
// caller shows what it would meet and applies it by id.
type ForgetRequest struct {
	// What the person named, in their words; empty with All, and when they
	// pointed at what was just said ("don't remember that").
	What string
	// All asks for everything about the person.
	All   bool
	Quote string
}

// Verdict is what one turn comes to. A turn that makes no memory has no
// statements and an empty trigger.
type Verdict struct {
	Statements []Statement
	Trigger    string
	Language   string
	// Explicit says that the person asked to have something remembered.
	Explicit bool
	Forget   *ForgetRequest
	// Correction says that the person set something right.
	Correction bool
}

// FromTurn reads one turn of the person. The time is when it was said; relative
// dates are resolved against it in its own location, and stay unresolved when
// it is zero.
func FromTurn(text string, at time.Time) Verdict {
	t := newTurn(text)
	v := Verdict{Language: t.language}
	if t.isPlay() {
		return v
	}
	r := reader{turn: t, at: at, verdict: &v}
	r.hostile = t.isHostile()
	v.Correction = t.isCorrection()
	for i := range t.sentences {
		r.read(i)
	}
	r.settle()
	return v
}

// reader walks over the sentences of a turn and gathers the verdict.
type reader struct {
	turn    *turn
	at      time.Time
	verdict *Verdict
	hostile bool
	// announced is set by "remember this:" and holds for what follows.
	announced bool
	fromNowOn bool
}

func (r *reader) read(i int) {
	s := r.turn.sentences[i]
	m := r.turn.match[s.lo:s.hi]
	if f, ok := r.turn.forget(s); ok {
		r.verdict.Forget = f
		return
	}
	inner, order := explicitPart(m)
	if order == notExplicit {
		n := len(r.verdict.Statements)
		r.facts(s, r.announced)
		if r.announced && len(r.verdict.Statements) == n {
			r.generic(s)
		}
		return
	}
	r.verdict.Explicit = true
	switch {
	case order == pointsAhead:
		r.announced = true
	case order == pointsBack:
		r.emphasise(i)
	default:
		rest := sentence{lo: s.lo + inner, hi: s.hi, quoteLo: s.lo}
		if order == asksTo {
			rest.lo = s.lo
		}
		n := len(r.verdict.Statements)
		if order != asksTo {
			r.facts(rest, true)
		}
		if len(r.verdict.Statements) > n {
			return
		}
		if isShortAsk(r.turn.match[rest.lo:rest.hi]) {
			r.announced = true
			return
		}
		r.generic(rest)
	}
}

// facts adds what the rules find in a sentence. Clauses that no rule knows stay
// with the statement before them, so that no words are torn apart.
func (r *reader) facts(s sentence, explicit bool) {
	if len(r.verdict.Statements) >= maxStatements {
		return
	}
	type hit struct {
		clause int
		st     Statement
	}
	var hits []hit
	clauses, first, end := r.turn.clauses(s, explicit)
	for i, c := range clauses {
		if c.closed {
			continue
		}
		if st, ok := r.turn.apply(c); ok {
			hits = append(hits, hit{i, st})
		}
	}
	if len(hits) == 0 {
		for i, c := range clauses {
			if st, ok := r.turn.weigh(c); ok && !c.closed {
				hits = append(hits, hit{i, st})
				break
			}
		}
	}
	for i, h := range hits {
		lo, hi := clauses[h.clause].lo, end
		if i == 0 {
			lo = first
		}
		if i+1 < len(hits) {
			hi = clauses[hits[i+1].clause].lo
		}
		st := h.st
		st.Content = r.turn.words(lo, hi)
		st.Quote = r.turn.words(s.quoteLo, s.hi)
		r.add(st, s, sentence{lo: lo, hi: hi}, explicit)
	}
}

// generic keeps a sentence that the person wanted remembered although no rule
// knows what it is about.
func (r *reader) generic(s sentence) {
	content := r.turn.words(s.lo, s.hi)
	if content == "" || len(r.verdict.Statements) >= maxStatements {
		return
	}
	st := Statement{
		Content: content, Quote: r.turn.words(s.quoteLo, s.hi),
		Kind: KindHardFact, Layer: LayerSemantic, Category: catRestricted,
		Polarity: true, Importance: explicitFloor, Confidence: 0.8,
	}
	m := r.turn.match[s.lo:s.hi]
	switch {
	case isInstruction(m):
		st.Kind, st.Layer, st.Category = KindProcedure, LayerProcedural, catPreference
	case isErrand(m):
		st.Kind, st.Layer, st.Category = KindEventFragment, LayerEpisodic, catSchedule
	}
	r.add(st, s, s, true)
}

// add takes a statement of a sentence; part is what its content covers.
func (r *reader) add(st Statement, s, part sentence, explicit bool) {
	if st.Content == "" {
		return
	}
	m := r.turn.match[s.lo:s.hi]
	classify(&st, r.turn.match[part.lo:part.hi])
	if st.When == "" {
		st.When = whenIn(m, r.at)
	}
	if isHedged(m) {
		st.Confidence *= hedgedFactor
	}
	if explicit && st.Importance < explicitFloor {
		st.Importance = explicitFloor
	}
	if mightCorrect(m) && st.Slot != "" && (st.Kind == KindHardFact || !st.Polarity) {
		r.verdict.Correction = true
	}
	if st.Kind == KindProcedure || st.Topic == topicResolution {
		r.fromNowOn = true
	}
	for _, have := range r.verdict.Statements {
		if have.Content == st.Content {
			return
		}
	}
	r.verdict.Statements = append(r.verdict.Statements, st)
}

// emphasise answers "remember that" said after the fact.
func (r *reader) emphasise(i int) {
	if n := len(r.verdict.Statements); n > 0 {
		for k := range r.verdict.Statements {
			st := &r.verdict.Statements[k]
			st.Importance = max(st.Importance, explicitFloor)
		}
		return
	}
	if i > 0 && !r.turn.isQuestion(r.turn.sentences[i-1]) {
		r.generic(r.turn.sentences[i-1])
	}
}

// settle applies what holds for the whole turn: corrections, distrust, the name
// of the trigger.
func (r *reader) settle() {
	v := r.verdict
	if v.Correction && len(v.Statements) == 0 && v.Forget == nil && !r.hostile {
		r.bareCorrection()
	}
	for i := range v.Statements {
		st := &v.Statements[i]
		st.Correction = v.Correction
		st.Content = strings.TrimSpace(st.Content)
		if r.hostile {
			distrust(st)
		}
	}
	if r.hostile && !v.Explicit {
		v.Statements = nil
	}
	switch {
	case v.Forget != nil:
		v.Trigger = TriggerForget
	case len(v.Statements) == 0:
		v.Correction = false
	case v.Explicit:
		v.Trigger = TriggerExplicit
	case v.Correction:
		v.Trigger = TriggerCorrection
	case r.fromNowOn:
		v.Trigger = TriggerFromNowOn
	case len(v.Statements) >= factsInARow:
		v.Trigger = TriggerFacts
	default:
		v.Trigger = TriggerSelf
	}
}

// bareCorrection keeps "no, I meant Tuesday": what it corrects is known only to
// the conversation, so it gets no slot and little weight.
func (r *reader) bareCorrection() {
	for _, s := range r.turn.sentences {
		if !isBareCorrection(r.turn.match[s.lo:s.hi]) || r.turn.isQuestion(s) {
			continue
		}
		r.add(Statement{
			Content: r.turn.words(s.lo, s.hi), Quote: r.turn.words(s.lo, s.hi),
			Kind: KindEventFragment, Layer: LayerEpisodic, Category: catRestricted,
			Polarity: true, Importance: 0.4, Confidence: 0.7,
		}, s, s, false)
	}
}

// distrust takes all power from a statement of a turn that tries to steer the
// system: no slot to supersede, no attribute, no procedure.
func distrust(st *Statement) {
	st.Kind, st.Layer, st.Category = KindEventFragment, LayerEpisodic, catRestricted
	st.Slot, st.Value, st.AttributeKey, st.Topic = "", "", "", ""
	st.Polarity = true
	st.Importance = min(st.Importance, hostileImportance)
	st.Confidence = min(st.Confidence, hostileConfidence)
	st.Tags = []string{"untrusted"}
}
