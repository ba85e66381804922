package lexical

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Lists of the duplicate detector. Soft words change nothing in a statement; a
// weighty word that only one of two texts has makes it another statement; whole
// words are Chinese words whose characters must not be read one by one.
var (
	//go:embed words/restatements.en.txt
	restatementsEnglishFile string
	//go:embed words/restatements.zh.txt
	restatementsChineseFile string
	//go:embed words/soft.en.txt
	softEnglishFile string
	//go:embed words/soft.zh.txt
	softChineseFile string
	//go:embed words/weighty.en.txt
	weightyEnglishFile string
	//go:embed words/weighty.zh.txt
	weightyChineseFile string
	//go:embed words/whole.zh.txt
	wholeChineseFile string

	softEnglish      = wordSet(softEnglishFile)
	softChinese      = wordSet(softChineseFile)
	weighty          = weightySet()
	canonicalEnglish = canonicalOf(restatementsEnglishFile, stem)
	chineseWords     = chineseVocabulary()
	longestWord      = longestOf(chineseWords)
)

// Marks in place of words: for every word that negates, for the one who speaks, and
// for "is", whose two sides may change places.
const (
	negation = "¬"
	self     = "@"
	copula   = "="
)

var (
	englishNegations = wordSet("not no never cannot without neither nor none nobody nothing hardly dont doesnt didnt cant wont isnt wasnt arent havent hasnt")
	englishSelf      = wordSet("i me my mine myself user")
	englishBe        = wordSet("am is are")
	chineseNegations = []string{"没有", "不是", "不", "没", "别", "无", "未", "非"}
	contractions     = strings.NewReplacer("can't", "can not", "won't", "will not", "cannot", "can not", "n't", " not",
		"++", " plusplus", "#", " hash ", "%", " percent ", "$", " dollar ", "€", " euro ", "£", " pound ", "¥", " yuan ",
		"i'm", "i am", "'re", " are", "'ve", " have", "'ll", " will", "'d", " would")
	numberWords = map[string]string{
		"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
		"ten": "10", "eleven": "11", "twelve": "12", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "hundred": "100",
	}
)

// unit is a word of a statement in its one form.
type unit struct {
	text  string
	heavy bool // a number, a name, or a weighty word
	cjk   bool
}

// Statement is what a text says, without how it says it: prepare one to compare it
// with many. It holds words of the text, so keep it no longer than the text itself.
type Statement struct {
	key      string // Normalize's
	units    []unit
	order    []string // the units' texts, with self and copula between them
	names    []string // in their order
	question bool
}

// StatementOf prepares a text for comparing.
func StatementOf(text string) Statement {
	folded := fold(text)
	s := Statement{key: Normalize(text), question: isQuestion(folded)}
	names := nameWords(text)
	for _, t := range scan(contractions.Replace(spellMinus(folded))) {
		if t.cjk {
			s.addChinese(t.text)
			continue
		}
		for _, part := range splitDigits(t.text) {
			s.addEnglish(part, names)
		}
	}
	return s
}

func (s *Statement) add(u unit) {
	s.units = append(s.units, u)
	s.order = append(s.order, u.text)
}

// spellMinus writes the sign of a number as a word; a hyphen is none.
func spellMinus(folded string) string {
	if !strings.ContainsAny(folded, "-−") {
		return folded
	}
	runes := []rune(folded)
	var out strings.Builder
	for i, r := range runes {
		if (r == '-' || r == '−') && unicode.IsDigit(at(runes, i+1)) && (i == 0 || unicode.IsSpace(runes[i-1])) {
			out.WriteString(" minus ")
			continue
		}
		out.WriteRune(r)
	}
	return out.String()
}

func (s *Statement) addEnglish(word string, names map[string]bool) {
	switch {
	case englishNegations[word]:
		s.add(unit{text: negation, heavy: true})
		return
	case numberWords[word] != "":
		word = numberWords[word]
	case englishSelf[word]:
		s.order = append(s.order, self)
		return
	case englishBe[word]:
		s.order = append(s.order, copula)
		return
	case softEnglish[word]:
		return
	}
	form, number := englishForm(word), word[0] >= '0' && word[0] <= '9'
	if names[word] {
		s.names = append(s.names, form)
		s.add(unit{text: form, heavy: true})
		return
	}
	s.add(unit{text: form, heavy: number || weighty[word] || weighty[form]})
}

// englishForm is the stem, with the past tense kept apart: "I lived" is not "I live".
func englishForm(word string) string {
	stemmed := stem(word)
	if same, ok := canonicalEnglish[stemmed]; ok {
		stemmed = same
	}
	if len(word) > 4 && strings.HasSuffix(word, "ed") && word != stemmed {
		return stemmed + "+ed"
	}
	return stemmed
}

func (s *Statement) addChinese(run string) {
	for run != "" {
		if c := (cursor{run}); startsNumeral(run) {
			if number, ok := c.number(); ok && hasAnyPrefix(c.rest, chineseMeasures) {
				s.add(unit{text: strconv.Itoa(number), heavy: true, cjk: true})
				run = c.rest
				continue
			}
		}
		word, form := longestPrefix(run)
		run = run[len(word):]
		switch {
		case word == "我" || word == "用户" || word == "本人":
			s.order = append(s.order, self)
		case word == "是":
			s.order = append(s.order, copula)
		case !softChinese[word]:
			s.add(unit{text: form, heavy: form == negation || weighty[form], cjk: true})
		}
	}
}

var chineseMeasures = []string{
	"点", "岁", "年", "月", "日", "号", "天", "周", "个", "只", "块", "元", "公里", "公斤", "小时", "分钟", "次", "杯", "本", "口", "万", "千", "百", "米", "斤", "瓶", "条", "位", "名", "辆",
}

func startsNumeral(run string) bool {
	r, _ := utf8.DecodeRuneInString(run)
	_, known := chineseDigits[r]
	return known || r == '十'
}

// longestPrefix gives the longest listed word that run starts with, and its form; a
// character that begins none is its own form.
func longestPrefix(run string) (word, form string) {
	_, size := utf8.DecodeRuneInString(run)
	word, form = run[:size], run[:size]
	if known, ok := chineseWords[word]; ok {
		form = known
	}
	end := size
	for n := 1; n < longestWord && end < len(run); n++ {
		_, width := utf8.DecodeRuneInString(run[end:])
		end += width
		if known, ok := chineseWords[run[:end]]; ok {
			word, form = run[:end], known
		}
	}
	return word, form
}

// nameWords finds words that are written like names: capitalised within a sentence,
// or holding more than one capital. A text in capitals has none.
func nameWords(text string) map[string]bool {
	names := map[string]bool{}
	if strings.ToUpper(text) == text {
		return names
	}
	starts := true
	for _, word := range strings.Fields(norm.NFKC.String(strings.ToValidUTF8(text, " "))) {
		bare := strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		bare = strings.TrimSuffix(strings.TrimSuffix(bare, "'s"), "’s")
		first, _ := utf8.DecodeRuneInString(bare)
		// At the start of a sentence a capital tells nothing, unless the word is no
		// common one; then it is taken for a name, the careful way.
		folded := strings.ToLower(bare)
		if unicode.IsUpper(first) && !strings.ContainsAny(bare, "'’") && (!starts || !knownWord(folded)) {
			for _, t := range scan(folded) {
				if !t.cjk && !softEnglish[t.text] {
					names[t.text] = true
				}
			}
		}
		starts = strings.ContainsAny(word[len(word)-1:], ".!?:")
	}
	return names
}

func knownWord(word string) bool {
	_, canonical := canonicalEnglish[stem(word)]
	return canonical || stopWords[word] || softEnglish[word] || weighty[word] || len(englishClasses[stem(word)]) > 0
}

// splitDigits parts "7pm" as "7", "pm" and leaves other words whole.
func splitDigits(word string) []string {
	_, rest := leadingNumber(word)
	if rest == "" || len(rest) == len(word) {
		return []string{word}
	}
	return []string{word[:len(word)-len(rest)], rest}
}

func weightySet() map[string]bool {
	set := wordSet(weightyChineseFile)
	for word := range wordSet(weightyEnglishFile) {
		set[word], set[stem(word)] = true, true
	}
	return set
}

func canonicalOf(file string, form func(string) string) map[string]string {
	canonical := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(file), "\n") {
		words := strings.Fields(line)
		for _, word := range words {
			canonical[form(word)] = form(words[0])
		}
	}
	return canonical
}

func chineseVocabulary() map[string]string {
	words := map[string]string{}
	for _, list := range []string{softChineseFile, weightyChineseFile, wholeChineseFile} {
		for word := range wordSet(list) {
			words[word] = word
		}
	}
	for word, form := range canonicalOf(restatementsChineseFile, strings.TrimSpace) {
		words[word] = form
	}
	for _, word := range chineseNegations {
		words[word] = negation
	}
	return words
}

func longestOf(words map[string]string) int {
	longest := 0
	for word := range words {
		longest = max(longest, utf8.RuneCountInString(word))
	}
	return longest
}

func hasAnyPrefix(text string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(text, prefix) })
}
