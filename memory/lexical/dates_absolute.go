package lexical

// englishMonthAt reads "May 2nd, 2023", "2 May", "May 2023", "in May" with the
// month at token i, and gives the tokens used from i on.
func (f *dateFinder) englishMonthAt(i int) int {
	word := f.word(i)
	month, full := englishMonths[word]
	if !full {
		short, ok := englishShortMonths[word]
		if !ok {
			return 0
		}
		month = short
	}
	if day := dayNumber(f.word(i + 1)); day > 0 {
		if year := yearNumber(f.word(i + 2)); year > 0 && f.addDate(year, month, day) {
			return 3
		}
		if f.addDate(0, month, day) {
			return 2
		}
	}
	before := i - 1
	if f.word(before) == "of" {
		before--
	}
	if day := dayNumber(f.word(before)); day > 0 {
		if year := yearNumber(f.word(i + 1)); year > 0 && f.addDate(year, month, day) {
			return 2
		}
		if f.addDate(0, month, day) {
			return 1
		}
	}
	if !full {
		return 0
	}
	if year := yearNumber(f.word(i + 1)); year > 0 {
		f.addMonth(year, month)
		return 2
	}
	if (word == "may" || word == "march") && !beforeMonth[f.word(i-1)] {
		return 0
	}
	f.addMonth(f.yearFor(month, 15), month)
	return 1
}

// englishNumberAt reads "2023-05-02", "2023/5/2", "in 2023", clock times and counts.
func (f *dateFinder) englishNumberAt(i int) int {
	word := f.word(i)
	if year := yearNumber(word); year > 0 {
		if f.joined(i) && f.joined(i+1) {
			month, day := plainNumber(f.word(i+1)), plainNumber(f.word(i+2))
			if f.addDate(year, month, day) {
				return 3
			}
		}
		if beforeYear[f.word(i-1)] {
			f.addYear(year)
			return 1
		}
	}
	number, rest := leadingNumber(word)
	if number <= 24 && (rest == "pm" || rest == "am" || f.isClock(i)) {
		f.hasTime = true
		return 1
	}
	if rest == "" {
		return f.englishAgoAt(i)
	}
	return 1
}

var beforeYear = wordSet("in of since until by year early late during from before after around")

// joined says whether the runs i and i+1 are joined by one of "-/.".
func (f *dateFinder) joined(i int) bool {
	if f.word(i+1) == "" {
		return false
	}
	end := f.tokens[i].at + len(f.tokens[i].text)
	return f.tokens[i+1].at == end+1 && (f.folded[end] == '-' || f.folded[end] == '/' || f.folded[end] == '.')
}

// isClock says whether "7" stands in "7 pm", "7:30" or "7 o'clock".
func (f *dateFinder) isClock(i int) bool {
	next := f.word(i + 1)
	if next == "pm" || next == "am" || next == "o" {
		return true
	}
	end := f.tokens[i].at + len(f.tokens[i].text)
	return end < len(f.folded) && f.folded[end] == ':' && len(next) >= 2 && next[0] >= '0' && next[0] <= '5'
}

// dayNumber reads "2" and "2nd"; 0 is none.
func dayNumber(word string) int {
	number, rest := leadingNumber(word)
	if number < 1 || number > 31 {
		return 0
	}
	switch rest {
	case "", "st", "nd", "rd", "th":
		return number
	}
	return 0
}

func yearNumber(word string) int {
	if len(word) != 4 {
		return 0
	}
	number, rest := leadingNumber(word)
	if rest != "" || number < 1900 || number > 2200 {
		return 0
	}
	return number
}

func plainNumber(word string) int {
	number, rest := leadingNumber(word)
	if rest != "" {
		return 0
	}
	return number
}
