package extract

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// rule says what one way of speaking about oneself states. Patterns are matched
// on one clause of the turn's match form, with {S} standing for the speaker as
// subject. Group "v" is the value and "o" the object that names the slot; where a pattern
// has several branches, "o" and "x" hold the value of the later ones.
type rule struct {
	name string
	// cues: one of them must occur, which spares most clauses the pattern.
	cues       string
	pattern    string
	kind       string
	category   string
	topic      string
	slot       string
	attribute  string
	importance float64
	confidence float64
	denies     bool
	// yes rules have the object in the slot's name and "yes" or "no" as value.
	yes bool
	// refuse drops the match when the value looks like this.
	refuse string
	// check looks at the value in the person's own spelling.
	check func(value string) bool

	re       *regexp.Regexp
	refuseRe *regexp.Regexp
	cueList  []string
	v, o, x  int
}

func compile(rules []rule, macros ...string) []rule {
	expand := strings.NewReplacer(macros...)
	for i := range rules {
		r := &rules[i]
		r.re = regexp.MustCompile(expand.Replace(r.pattern))
		if r.refuse != "" {
			r.refuseRe = regexp.MustCompile(expand.Replace(r.refuse))
		}
		if r.cues != "" {
			r.cueList = strings.Split(r.cues, "|")
		}
		r.v, r.o, r.x = r.re.SubexpIndex("v"), r.re.SubexpIndex("o"), r.re.SubexpIndex("x")
		if r.confidence == 0 {
			r.confidence = 0.9
		}
	}
	return rules
}

// apply gives the statement of the first rule that knows the clause.
func (t *turn) apply(c clause) (Statement, bool) {
	st, _, ok := t.firstRule(c)
	return st, ok
}

// firstRule is apply with the rule's name.
func (t *turn) firstRule(c clause) (st Statement, name string, ok bool) {
	raw := t.match[c.lo:c.hi]
	lead := len(raw) - len(strings.TrimLeft(raw, " ,.、—-"))
	base := c.lo + lead - len(c.prefix)
	m := c.prefix + strings.TrimRight(raw[lead:], " ,.!?。;~…:")
	rules := englishRules
	if c.chinese {
		rules = chineseRules
	} else if open := enOpening.FindString(m); open != "" && c.prefix == "" {
		m = m[len(open):]
		base += len(open)
	} else if c.prefix != "" {
		rest := strings.TrimPrefix(strings.TrimPrefix(m[len(c.prefix):], "and "), "also ")
		cut := len(m) - len(c.prefix) - len(rest)
		m = c.prefix + rest
		base += cut
	}
	for i := range rules {
		r := &rules[i]
		if !r.cued(m) || c.others && !strings.Contains(m, "我") {
			continue
		}
		loc := r.re.FindStringSubmatchIndex(m)
		if loc == nil {
			continue
		}
		value := t.cutValue(loc, r.v, base, c)
		object := t.cutValue(loc, r.o, base, c)
		if value == "" {
			value = object
		}
		if value == "" {
			value = t.cutValue(loc, r.x, base, c)
		}
		if r.refuseRe != nil && r.refuseRe.MatchString(strings.ToLower(simplify(value))) || r.check != nil && !r.check(value) {
			continue
		}
		st := r.statement(value, object)
		if r.yes && (c.listed || t.namesSeveral(loc, r, base, c)) {
			st.Slot, st.Value = "", ""
		}
		return st, r.name, true
	}
	return Statement{}, "", false
}

// namesSeveral tells whether a pattern's object is a list: such a statement
// fills no slot, for taking back one thing must not take back the others.
func (t *turn) namesSeveral(loc []int, r *rule, base int, c clause) bool {
	for _, g := range []int{r.v, r.o, r.x} {
		if g < 0 || loc[2*g] < 0 {
			continue
		}
		lo, hi := base+loc[2*g], base+loc[2*g+1]
		if lo >= c.lo && hi <= c.hi && lo <= hi && severalThings.MatchString(t.match[lo:hi]) {
			return true
		}
	}
	return false
}

var severalThings = regexp.MustCompile(` and | or |、|[^温]和|以及|还有`)

func (r *rule) cued(m string) bool {
	if len(r.cueList) == 0 {
		return true
	}
	for _, c := range r.cueList {
		if strings.Contains(m, c) {
			return true
		}
	}
	return false
}

// cutValue takes a group from the folded text, so that it keeps the person's
// capitals and what stands in quotation marks.
func (t *turn) cutValue(loc []int, group, base int, c clause) string {
	if group < 0 || loc[2*group] < 0 {
		return ""
	}
	lo, hi := base+loc[2*group], base+loc[2*group+1]
	if lo < c.lo || hi > c.hi || lo > hi {
		return ""
	}
	v := t.folded[lo:hi]
	if c.chinese {
		v = zhValueEnd.ReplaceAllString(v, "")
	} else if cut := enValueEnd.FindStringIndex(t.match[lo:hi]); cut != nil && cut[0] > 0 {
		v = v[:cut[0]]
	}
	return strings.TrimFunc(v, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(`.,!?。;:、"“”「」《》『』~_`, r)
	})
}

var (
	enValueEnd = regexp.MustCompile(` (?:and|but|because|since|so|now|currently|right now|at the moment|for (?:a|the|about|over|almost|nearly|\d+|two|three|four|five|six|seven|eight|nine|ten|many|some|several)|in (?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|(?:19|20)\d\d|early|late)|with my|with the|these days|too|as well|although|though|when|while|which|who|where|if|as (?:a|an|the|my)|very much|a lot|the most|more than|in my|on (?:weekends|my)|every|especially|until|actually|instead|not |ever since|this|last|next|though)(?: |$)`)
	zhValueEnd = regexp.MustCompile(`(?:了|呢|啊|呀|哦|吧|啦|的|嘛|来着|哈|而是.*|已经.*|工作.*|上班.*)+$`)
)

func (r *rule) statement(value, object string) Statement {
	st := Statement{
		Kind: r.kind, Layer: layerOf(r.kind), Category: r.category, Topic: r.topic,
		Polarity: !r.denies, Importance: r.importance, Confidence: r.confidence,
		Value: value, AttributeKey: r.attribute,
	}
	if r.slot != "" {
		name := object
		if name == "" {
			name = value
		}
		st.Slot = r.slot
		if strings.Contains(r.slot, "{o}") {
			key := slotKey(name)
			st.Slot = strings.Replace(r.slot, "{o}", key, 1)
			if key == "" {
				st.Slot = ""
			}
		}
	}
	if r.yes {
		if object == "" {
			object = value
		}
		st.Value = "yes"
		if r.denies {
			st.Value = "no"
		}
		st.tag(object)
	} else {
		st.tag(value)
	}
	if st.Slot == "" || st.Value == "" {
		st.Slot = ""
		st.Value, st.AttributeKey = "", ""
	}
	return st
}

func layerOf(kind string) string {
	switch kind {
	case KindEventFragment:
		return LayerEpisodic
	case KindProcedure:
		return LayerProcedural
	}
	return LayerSemantic
}

// maxTag is the longest tag, in characters: longer ones are sentences.
const maxTag = 24

// tag adds what a statement names. Events name too much to be tags.
func (s *Statement) tag(name string) {
	name = slotArticle.ReplaceAllString(canonical(name), "")
	if name == "" || s.Kind == KindEventFragment || s.Kind == KindProcedure || utf8.RuneCountInString(name) > maxTag || s.Category == catRestricted || s.Category == catContact {
		return
	}
	s.Tags = append(s.Tags, name)
}
