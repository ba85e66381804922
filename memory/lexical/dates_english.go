package lexical

import "strings"

var (
	englishMonths = map[string]int{
		"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7,
		"august": 8, "september": 9, "october": 10, "november": 11, "december": 12,
	}
	// Short forms count only beside a day: "mar", "dec" and the like are words too.
	englishShortMonths = map[string]int{
		"jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9,
		"sept": 9, "oct": 10, "nov": 11, "dec": 12,
	}
	englishWeekdays = map[string]int{
		"monday": 0, "tuesday": 1, "wednesday": 2, "thursday": 3, "friday": 4, "saturday": 5, "sunday": 6,
	}
	englishNumbers = map[string]int{
		"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
		"eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "couple": 2, "few": 3, "several": 4,
	}
	englishUnits = map[string]Grain{
		"day": GrainDay, "days": GrainDay, "week": GrainWeek, "weeks": GrainWeek,
		"month": GrainMonth, "months": GrainMonth, "year": GrainYear, "years": GrainYear,
	}
	// Words before a month that make "may" and "march" months.
	beforeMonth = wordSet("in of last this next since until till by early late mid during from through")
	timeWords   = wordSet("noon midnight oclock pm ago minute minutes hour hours morning afternoon evening night")
)

func (f *dateFinder) findEnglish() {
	for i := 0; i < len(f.tokens); {
		if f.tokens[i].cjk {
			i++
			continue
		}
		i += max(1, f.englishAt(i))
	}
}

// word gives the token at i, or "" beyond the text or in another script.
func (f *dateFinder) word(i int) string {
	if i < 0 || i >= len(f.tokens) || f.tokens[i].cjk {
		return ""
	}
	return f.tokens[i].text
}

// englishAt reads one expression at token i and gives its length in tokens.
func (f *dateFinder) englishAt(i int) int {
	word := f.word(i)
	if timeWords[word] || englishUnits[word] != GrainDay || word == "days" {
		f.hasTime = true
	}
	if n := f.englishMonthAt(i); n > 0 {
		return n
	}
	if first := word[0]; first >= '0' && first <= '9' {
		return f.englishNumberAt(i)
	}
	switch word {
	case "today", "tonight":
		f.addDay(f.day)
	case "yesterday":
		if f.word(i-3) == "the" && f.word(i-2) == "day" && f.word(i-1) == "before" {
			f.addDay(f.day - 2)
		} else {
			f.addDay(f.day - 1)
		}
	case "tomorrow":
		if f.word(i-2) == "day" && f.word(i-1) == "after" {
			f.addDay(f.day + 2)
		} else {
			f.addDay(f.day + 1)
		}
	case "last", "previous", "past":
		return f.englishOffsetAt(i, -1)
	case "this":
		return f.englishOffsetAt(i, 0)
	case "next":
		return f.englishOffsetAt(i, 1)
	case "the":
		if f.word(i+1) == "other" && f.word(i+2) == "day" {
			f.addSomeDays()
			return 3
		}
	default:
		if weekday, ok := englishWeekdays[strings.TrimSuffix(word, "s")]; ok {
			f.hasTime = true
			if !strings.HasSuffix(word, "s") { // "on Mondays" is a habit
				f.addPlainWeekday(weekday)
			}
			return 1
		}
		return f.englishAgoAt(i)
	}
	return 1
}

// addPlainWeekday is "on Friday": the last one up to today, and for a text that may
// speak of a plan the coming one too.
func (f *dateFinder) addPlainWeekday(weekday int) {
	back := ((weekdayOf(f.day)-weekday)%daysInWeek + daysInWeek) % daysInWeek
	f.addDay(f.day - back)
	if f.choice == nearestYear && back > 0 {
		f.addDay(f.day - back + daysInWeek)
	}
}

// englishOffsetAt reads "last week", "this Friday", "next month", "last night".
func (f *dateFinder) englishOffsetAt(i, offset int) int {
	word := f.word(i + 1)
	weekday, isWeekday := englishWeekdays[word]
	month, isMonth := englishMonths[word]
	switch {
	case word == "week":
		f.addWeek(offset)
	case word == "weekend":
		f.addWeekend(offset)
	case word == "month":
		f.addMonthOffset(offset)
	case word == "year":
		f.addYearOffset(offset)
	case word == "night" && offset <= 0:
		f.addDay(f.day + offset)
	case (word == "morning" || word == "afternoon" || word == "evening") && offset == 0:
		f.addDay(f.day)
	case isWeekday && offset == 0:
		f.addDay(mondayOf(f.day) + weekday)
	case isWeekday && offset < 0: // "last Friday" is the latest one before today
		back := ((weekdayOf(f.day)-weekday-1)%daysInWeek+daysInWeek)%daysInWeek + 1
		f.addDay(f.day - back)
	case isWeekday:
		f.addDay(mondayOf(f.day) + daysInWeek + weekday)
	case isMonth:
		year, now, _ := dateOf(f.day)
		if offset < 0 && month >= now {
			year--
		} else if offset > 0 && month <= now {
			year++
		}
		f.addMonth(year, month)
	default:
		return f.englishSpanAt(i, offset)
	}
	return 2
}

// englishSpanAt reads "last few days", "past two weeks", "next three months".
func (f *dateFinder) englishSpanAt(i, offset int) int {
	count := wordNumber(f.word(i + 1))
	unit, known := englishUnits[f.word(i+2)]
	if count < 1 || count > maxAgo || !known || offset == 0 {
		return 1
	}
	days := count * [...]int{1, 7, 30, 365}[unit]
	if offset < 0 {
		f.add(f.day-days, f.day, max(unit, GrainWeek))
	} else {
		f.add(f.day, f.day+days, max(unit, GrainWeek))
	}
	return 3
}

// englishAgoAt reads "three weeks ago", "a couple of days ago", "in two months".
func (f *dateFinder) englishAgoAt(i int) int {
	count := wordNumber(f.word(i))
	if count < 1 {
		return 1
	}
	next, vague := i+1, f.word(i) == "few" || f.word(i) == "several"
	if count == 1 && (f.word(next) == "couple" || f.word(next) == "few") {
		vague, count = f.word(next) == "few", englishNumbers[f.word(next)]
		next++
	}
	if f.word(next) == "of" {
		next++
	}
	unit, known := englishUnits[f.word(next)]
	if !known {
		return 1
	}
	f.hasTime = true
	switch {
	case f.word(next+1) == "ago" || f.word(next+1) == "back" || f.word(next+1) == "earlier":
		if vague && unit == GrainDay {
			f.addSomeDays()
		} else {
			f.addAgo(count, unit)
		}
		return next + 2 - i
	case f.word(i-1) == "in" && f.choice == nearestYear:
		f.addAgo(-count, unit)
	}
	return next + 1 - i
}

// wordNumber gives 0 for what is no number.
func wordNumber(word string) int {
	if number, ok := englishNumbers[word]; ok {
		return number
	}
	number, rest := leadingNumber(word)
	if rest != "" {
		return 0
	}
	return number
}

// leadingNumber reads at most six digits and gives what follows them.
func leadingNumber(text string) (number int, rest string) {
	i := 0
	for i < len(text) && i < 6 && text[i] >= '0' && text[i] <= '9' {
		number = number*10 + int(text[i]-'0')
		i++
	}
	return number, text[i:]
}
