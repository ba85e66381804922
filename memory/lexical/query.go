package lexical

import (
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// maxQueryTerms bounds the terms of a question that are scored; a long conversation
// keeps its heaviest.
const maxQueryTerms = 256

// assistantWeight is how much a term of the assistant's turn counts against the
// user's when a conversation is the query.
const assistantWeight = 0.3

// Query is a question prepared for Search. Like an Entry it holds no text.
type Query struct {
	terms    []queryTerm
	bigrams  []queryTerm
	synonyms []queryTerm
	asked    []Interval
	when     bool     // asks for a time
	names    []uint64 // hashes a named speaker would have
	role     uint64   // the role whose words are asked for, or 0
}

type queryTerm struct {
	hash   uint64
	weight float64
	cjk    bool
}

// QueryTurn is one turn of a conversation that is used as a query.
type QueryTurn struct {
	Content   string
	Assistant bool
}

// NewQuery prepares a question asked at a time; "last week" in it is resolved
// against the calendar of at. The hasher is that of the person's entries.
func NewQuery(text string, at time.Time, hasher Hasher) Query {
	a := analyze(fold(clip(text)))
	q := Query{
		bigrams:  weighTerms(countTerms(a.bigrams), PurposeBigram, hasher),
		synonyms: weighTerms(countTerms(a.synonyms), PurposeSynonym, hasher),
		terms:    weighTerms(countTerms(a.terms), PurposeTerm, hasher),
		when:     asksWhen(a),
		names:    possibleNames(a.tokens, hasher),
	}
	q.asked, _ = findDates(a, dayOf(at), pastYear)
	if role := askedRole(a); role != "" {
		q.role = hashSpeaker(role, hasher)
	}
	return q
}

// NewConversationQuery uses the last turns of a conversation as the query; a term
// weighs ln(1 + count of the user + 0.3 · count of the assistant). It holds no cue
// and no asked date, since nobody asked.
func NewConversationQuery(turns []QueryTurn, hasher Hasher) Query {
	var counts [3]map[string]float64
	for i := range counts {
		counts[i] = map[string]float64{}
	}
	for _, turn := range turns {
		weight := 1.0
		if turn.Assistant {
			weight = assistantWeight
		}
		a := analyze(fold(clip(turn.Content)))
		for i, terms := range [3][]string{a.terms, a.bigrams, a.synonyms} {
			for _, term := range terms {
				counts[i][term] += weight
			}
		}
	}
	for i := range counts {
		for term, count := range counts[i] {
			counts[i][term] = math.Log1p(count)
		}
	}
	return Query{
		terms:    weighTerms(counts[0], PurposeTerm, hasher),
		bigrams:  weighTerms(counts[1], PurposeBigram, hasher),
		synonyms: weighTerms(counts[2], PurposeSynonym, hasher),
	}
}

// NewPlainQuery prepares a question for Mode PlainBM25 over BuildPlain's entries.
func NewPlainQuery(text string, hasher Hasher) Query {
	return Query{terms: weighTerms(countTerms(AnalyzePlain(text)), PurposeTerm, hasher)}
}

// Empty says that the question holds nothing to search for.
func (q Query) Empty() bool { return len(q.terms) == 0 && len(q.asked) == 0 }

func countTerms(terms []string) map[string]float64 {
	counts := make(map[string]float64, len(terms))
	for _, term := range terms {
		counts[term]++
	}
	return counts
}

func weighTerms(weights map[string]float64, purpose string, hasher Hasher) []queryTerm {
	list := make([]queryTerm, 0, len(weights))
	for term, weight := range weights {
		list = append(list, queryTerm{hasher(purpose, []byte(term)), weight, isCJKTerm(term)})
	}
	slices.SortFunc(list, func(a, b queryTerm) int {
		if a.weight != b.weight {
			if a.weight > b.weight {
				return -1
			}
			return 1
		}
		return compareUint(a.hash, b.hash)
	})
	return list[:min(len(list), maxQueryTerms)]
}

// possibleNames hashes what could be a speaker's name: each word, and each two to
// four characters of a run without spaces.
func possibleNames(tokens []token, hasher Hasher) []uint64 {
	seen := map[string]bool{}
	for _, t := range tokens {
		if !t.cjk {
			if !stopWords[t.text] {
				seen[t.text] = true
			}
			continue
		}
		for i, r := range t.text {
			end := i + utf8.RuneLen(r)
			for n := 2; n <= 4 && end < len(t.text); n++ {
				_, size := utf8.DecodeRuneInString(t.text[end:])
				end += size
				seen[t.text[i:end]] = true
			}
			if len(seen) >= maxQueryTerms {
				break
			}
		}
	}
	names := make([]uint64, 0, len(seen))
	for name := range seen {
		names = append(names, hasher(PurposeSpeaker, []byte("name:"+name)))
	}
	slices.Sort(names)
	return names
}

var (
	englishWhen = [][]string{
		{"when"}, {"what", "date"}, {"what", "day"}, {"what", "time"}, {"what", "year"}, {"what", "month"},
		{"which", "date"}, {"which", "day"}, {"which", "year"}, {"which", "month"}, {"which", "week"},
		{"how", "long", "ago"},
	}
	chineseWhen = []string{
		"什么时候", "何时", "哪天", "哪一天", "几号", "几月", "哪年", "哪一年", "哪个月", "几点", "什么时间", "多久之前", "多久以前",
	}
)

// asksWhen knows a when-question: "when" counts only at the start of a clause, since
// "what did I say when ..." asks for something else.
func asksWhen(a analysis) bool {
	for i := range a.tokens {
		for _, words := range englishWhen {
			if hasWords(a.tokens[i:], words) && (words[0] != "when" || startsClause(a, i)) {
				return true
			}
		}
	}
	for _, words := range chineseWhen {
		if strings.Contains(a.folded, words) {
			return true
		}
	}
	return false
}

func hasWords(tokens []token, words []string) bool {
	if len(tokens) < len(words) {
		return false
	}
	for i, word := range words {
		if tokens[i].text != word {
			return false
		}
	}
	return true
}

// startsClause takes "When did ...", "remember when", "know when" and "since when".
func startsClause(a analysis, i int) bool {
	if i == 0 {
		return len(a.tokens) > 1 && questionVerbs[a.tokens[1].text]
	}
	switch a.tokens[i-1].text {
	case "since", "know", "and", "tell", "me", "remember":
		return true
	}
	gap := a.folded[a.tokens[i-1].at+len(a.tokens[i-1].text) : a.tokens[i].at]
	return strings.ContainsAny(gap, ".,;:?!") && i+1 < len(a.tokens) && questionVerbs[a.tokens[i+1].text]
}

var questionVerbs = wordSet("did do does is was are were will would can could should has have had am exactly")
