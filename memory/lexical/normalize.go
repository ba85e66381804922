package lexical

import (
	"strings"
	"unicode"
)

// Normalize gives the key of exact duplicates: two texts with the same key differ in
// nothing but case, width, spaces and punctuation. What could carry a value stays:
// decimal points, times, signs, currency and other symbols, a final question mark.
func Normalize(text string) string {
	runes := []rune(fold(text))
	var out strings.Builder
	out.Grow(len(text))
	var last rune // last one written
	gap, broken := false, false
	for i, r := range runes {
		before, after := at(runes, i-1), at(runes, i+1)
		if digitGroup(runes, i) {
			continue
		}
		if !isWordRune(r) && !carriesValue(before, r, after) {
			gap = true
			broken = broken || !unicode.IsSpace(r)
			continue
		}
		// Chinese is written with and without spaces alike; only punctuation parts it.
		if gap && last != 0 && (broken || !isCJK(last) || !isCJK(r)) {
			out.WriteByte(' ')
		}
		out.WriteRune(r)
		last, gap, broken = r, false, false
	}
	if strings.HasSuffix(strings.TrimSpace(string(runes)), "?") {
		out.WriteByte('?')
	}
	return out.String()
}

func at(runes []rune, i int) rune {
	if i < 0 || i >= len(runes) {
		return 0
	}
	return runes[i]
}

// digitGroup knows the comma of 1,000.
func digitGroup(runes []rune, i int) bool {
	if runes[i] != ',' || !unicode.IsDigit(at(runes, i-1)) {
		return false
	}
	for n := 1; n <= 3; n++ {
		if !unicode.IsDigit(at(runes, i+n)) {
			return false
		}
	}
	return !unicode.IsDigit(at(runes, i+4))
}

func carriesValue(before, r, after rune) bool {
	switch r {
	case '.', ':', '/', ',':
		return unicode.IsDigit(before) && unicode.IsDigit(after)
	case '-', '−':
		return unicode.IsDigit(after) && !isWordRune(before)
	case '\'':
		return isWordRune(before) && isWordRune(after)
	case '%', '#', '&', '@', '‰', '°':
		return true
	case '`', '~', '^', '|':
		return false // markup
	}
	return unicode.IsSymbol(r)
}
