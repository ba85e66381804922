package lexical

import (
	_ "embed"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
)

// The word lists are our own. Stop words and function characters carry no topic;
// a line of a synonym list is one topical class ("dog", "cat"), good for finding
// and far too wide for merging; a line of a restatement list means the same thing.
var (
	//go:embed words/stopwords.en.txt
	stopWordsFile string
	//go:embed words/function.zh.txt
	functionFile string
	//go:embed words/synonyms.en.txt
	synonymsEnglishFile string
	//go:embed words/synonyms.zh.txt
	synonymsChineseFile string

	stopWords          = wordSet(stopWordsFile)
	functionCharacters = runeSet(functionFile)
	englishClasses     = classesOf(synonymsEnglishFile, "en", stem)
	chineseClasses     = classesOf(synonymsChineseFile, "zh", func(word string) string { return word })
	longestChinese     = longestKey(chineseClasses)
)

func wordSet(file string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(file) {
		set[word] = true
	}
	return set
}

func runeSet(file string) map[rune]bool {
	set := map[rune]bool{}
	for _, r := range strings.TrimSpace(file) {
		set[r] = true
	}
	return set
}

// classesOf maps each word to the names of its classes, a class being a line.
func classesOf(file, prefix string, form func(string) string) map[string][]string {
	classes := map[string][]string{}
	for n, line := range strings.Split(strings.TrimSpace(file), "\n") {
		name := prefix + strconv.Itoa(n)
		for _, word := range strings.Fields(line) {
			key := form(word)
			known := classes[key]
			if len(known) == 0 || known[len(known)-1] != name {
				classes[key] = append(known, name)
			}
		}
	}
	return classes
}

// longestKey counts in characters.
func longestKey(classes map[string][]string) int {
	longest := 0
	for word := range classes {
		longest = max(longest, utf8.RuneCountInString(word))
	}
	return longest
}

// stem is Porter2 for a word of ASCII letters; every other word stays as it is.
func stem(word string) string {
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return word
		}
	}
	return english.Stem(word, true)
}
