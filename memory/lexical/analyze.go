package lexical

import (
	"strings"
	"unicode/utf8"
)

// analysis is what indexing and asking take from one folded text.
type analysis struct {
	folded   string
	tokens   []token
	terms    []string // words' stems, and grams of the scripts without spaces
	bigrams  []string // two terms in their order
	synonyms []string // names of topical classes
}

// Analyze gives the terms of a text in their order, repeated as in the text:
// stems of English words without stop words, other words as they are, and
// for Chinese, Japanese and Korean runs each character and each pair, dropped only
// where all its characters are function characters.
func Analyze(text string) []string { return analyze(fold(clip(text))).terms }

// AnalyzePlain gives the terms of the plain comparison: words unstemmed and with
// stop words, and every character and pair of the scripts without spaces.
func AnalyzePlain(text string) []string {
	var terms []string
	for _, t := range scan(fold(clip(text))) {
		if !t.cjk {
			terms = append(terms, t.text)
			continue
		}
		terms = appendGrams(terms, t.text, nil)
	}
	return terms
}

func analyze(folded string) analysis {
	a := analysis{folded: folded, tokens: scan(folded)}
	a.terms = make([]string, 0, len(a.tokens))
	previous := ""
	for _, t := range a.tokens {
		if t.cjk {
			a.terms = appendGrams(a.terms, t.text, functionCharacters)
			a.bigrams = appendTrigrams(a.bigrams, t.text)
			a.synonyms = appendChineseClasses(a.synonyms, t.text)
			previous = ""
			continue
		}
		if stopWords[t.text] {
			continue
		}
		word := stem(t.text)
		a.terms = append(a.terms, word)
		a.synonyms = append(a.synonyms, englishClasses[word]...)
		if previous != "" {
			a.bigrams = append(a.bigrams, previous+" "+word)
		}
		previous = word
	}
	return a
}

// appendGrams adds each character and each pair of a run, except those made of
// function characters alone: dropping on any one would lose words like 上海.
func appendGrams(terms []string, run string, function map[rune]bool) []string {
	last, lastAt := rune(-1), 0
	for i, r := range run {
		end := i + utf8.RuneLen(r)
		if !function[r] {
			terms = append(terms, run[i:end])
		}
		if last >= 0 && !(function[last] && function[r]) {
			terms = append(terms, run[lastAt:end])
		}
		last, lastAt = r, i
	}
	return terms
}

// appendTrigrams adds two overlapping pairs in their order, which is what a
// bigram of terms is in a script without spaces. One without any term is left out.
func appendTrigrams(grams []string, run string) []string {
	starts, terms, seen := [2]int{}, [2]bool{}, 0
	for i, r := range run {
		term := !functionCharacters[r]
		if seen >= 2 && (term || terms[0] || terms[1]) {
			grams = append(grams, run[starts[0]:i+utf8.RuneLen(r)])
		}
		starts, terms = [2]int{starts[1], i}, [2]bool{terms[1], term}
		seen++
	}
	return grams
}

// appendChineseClasses looks the longest listed word up at each position.
func appendChineseClasses(classes []string, run string) []string {
	for i := 0; i < len(run); {
		_, size := utf8.DecodeRuneInString(run[i:])
		step, end := size, i
		for n := 0; n < longestChinese && end < len(run); n++ {
			_, width := utf8.DecodeRuneInString(run[end:])
			end += width
			if found := chineseClasses[run[i:end]]; found != nil {
				step = end - i
			}
		}
		classes = append(classes, chineseClasses[run[i:i+step]]...)
		i += step
	}
	return classes
}

// isCJKTerm says whether a term comes from a script without spaces.
func isCJKTerm(term string) bool {
	r, _ := utf8.DecodeRuneInString(term)
	return isCJK(r)
}

// speakerKey is what a speaker is known by: the first word of a name in letters, a
// whole name in Chinese.
func speakerKey(speaker string) string {
	folded := strings.TrimSpace(fold(speaker))
	tokens := scan(folded)
	if len(tokens) == 0 {
		return ""
	}
	return tokens[0].text
}
