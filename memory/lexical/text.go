package lexical

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxTextBytes bounds the work for one text; what lies behind is not indexed.
const maxTextBytes = 256 << 10

// token is a run of letters and digits of one script family, folded.
type token struct {
	text string // a substring of the folded text
	at   int    // byte offset in the folded text
	cjk  bool   // a run written without spaces
}

// clip cuts a text at maxTextBytes, between characters.
func clip(text string) string {
	if len(text) <= maxTextBytes {
		return text
	}
	cut := maxTextBytes
	for cut > maxTextBytes-utf8.UTFMax && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut]
}

// fold gives the one form that texts are compared in: NFKC (which also folds full
// width), lower case, straight apostrophes, valid UTF-8.
func fold(text string) string {
	if isASCII(text) {
		return strings.ToLower(text)
	}
	text = strings.ToValidUTF8(text, " ")
	text = strings.ToLower(norm.NFKC.String(text))
	// Lowering may leave a decomposed letter behind (İ), hence once more.
	return strings.ReplaceAll(norm.NFKC.String(text), "’", "'")
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func isCJK(r rune) bool {
	if r < 0x1100 {
		return false
	}
	if r >= 0x4e00 && r <= 0x9fff {
		return true
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || r == 'ー'
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// scan splits a folded text into runs. An apostrophe ends a run, so "don't" gives
// "don" and "t"; a possessive 's is not a run.
func scan(folded string) []token {
	tokens := make([]token, 0, len(folded)/5+1)
	for i := 0; i < len(folded); {
		r, size := utf8.DecodeRuneInString(folded[i:])
		if !isWordRune(r) {
			i += size
			continue
		}
		cjk, start := isCJK(r), i
		for i += size; i < len(folded); i += size {
			r, size = utf8.DecodeRuneInString(folded[i:])
			if !isWordRune(r) || isCJK(r) != cjk {
				break
			}
		}
		run := folded[start:i]
		if run == "s" && start > 0 && folded[start-1] == '\'' {
			continue
		}
		tokens = append(tokens, token{text: run, at: start, cjk: cjk})
	}
	return tokens
}

// isQuestion says whether a text asks: its last sentence does.
func isQuestion(folded string) bool {
	end := strings.TrimRightFunc(folded, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(`"'”’」』)）~～。.!！`, r)
	})
	if strings.HasSuffix(end, "?") || strings.HasSuffix(end, "؟") {
		return true
	}
	return strings.HasSuffix(end, "吗") || strings.HasSuffix(end, "呢") && strings.ContainsAny(end, "什怎哪谁几")
}
