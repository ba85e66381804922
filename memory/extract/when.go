package extract

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// span is a stretch of calendar days; hours play no part in what people mean by
// "yesterday".
type span struct{ from, to time.Time }

const isoDay = "2006-01-02"

func (s span) String() string { return s.from.Format(isoDay) + "/" + s.to.Format(isoDay) }

var (
	whenISO     = regexp.MustCompile(`\b((?:19|20)\d\d)[-/.](\d{1,2})[-/.](\d{1,2})\b`)
	whenEnMonth = `(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)`
	whenEnDate  = regexp.MustCompile(`\b` + whenEnMonth + `\.? (\d{1,2})(?:st|nd|rd|th)?\b(?:,? ((?:19|20)\d\d)\b)?`)
	whenEnDate2 = regexp.MustCompile(`\b(\d{1,2})(?:st|nd|rd|th)?(?: of)? ` + whenEnMonth + `\b(?:,? ((?:19|20)\d\d)\b)?`)
	whenEnIn    = regexp.MustCompile(`\bin ` + whenEnMonth + `\b(?: ((?:19|20)\d\d)\b)?`)
	whenYear    = regexp.MustCompile(`\b(?:in|since|from) ((?:19|20)\d\d)\b|((?:19|20)\d\d)年`)
	whenZhDate  = regexp.MustCompile(`(?:((?:19|20)\d\d)年)?(\d{1,2})月(\d{1,2})[日号]`)
	whenZhMonth = regexp.MustCompile(`(?:((?:19|20)\d\d)年)?(\d{1,2})月(?:份|初|底|中)?`)
	whenEnAgo   = regexp.MustCompile(`\b(\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten) (day|week|month|year)s? ago\b`)
	whenEnAhead = regexp.MustCompile(`\bin (\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten) (day|week|month|year)s?\b`)
	whenZhAgo   = regexp.MustCompile(`(\d{1,3}|[一二两三四五六七八九十半])个?(天|周|星期|礼拜|月|年)(前|之前|以前|后|之后|以后)`)
	whenEnRel   = regexp.MustCompile(`\b(day before yesterday|day after tomorrow|yesterday|tomorrow|today|tonight|this morning|this afternoon|this evening|last night)\b`)
	whenZhRel   = regexp.MustCompile(`大前天|大后天|前天|昨天|昨晚|今天|今早|今晚|明天|明早|明晚|后天`)
	whenEnUnit  = regexp.MustCompile(`\b(last|this|next|past|coming) (weekend|week|month|year)\b`)
	whenZhUnit  = regexp.MustCompile(`(上上|下下|上|这|本|下)个?(周末|周|星期|礼拜|月)([一二三四五六日天])?`)
	whenZhYear  = regexp.MustCompile(`前年|去年|今年|明年|后年`)
	whenEnDay   = regexp.MustCompile(`\b(?:(last|next|this|on|coming|every|each) )?(monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?\b`)
	whenZhDay   = regexp.MustCompile(`(每个?)?(?:周|星期|礼拜)([一二三四五六日天])`)
)

var (
	monthOf = map[string]time.Month{"jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12}
	dayOf   = map[string]time.Weekday{"sunday": 0, "monday": 1, "tuesday": 2, "wednesday": 3, "thursday": 4, "friday": 5, "saturday": 6, "日": 0, "天": 0, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6}
	countOf = map[string]int{"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10}
	shiftOf = map[string]int{
		"day before yesterday": -2, "day after tomorrow": 2, "yesterday": -1, "last night": -1, "tomorrow": 1, "today": 0, "tonight": 0, "this morning": 0, "this afternoon": 0, "this evening": 0,
		"大前天": -3, "前天": -2, "昨天": -1, "昨晚": -1, "今天": 0, "今早": 0, "今晚": 0, "明天": 1, "明早": 1, "明晚": 1, "后天": 2, "大后天": 3,
	}
	unitShift = map[string]int{"last": -1, "past": -1, "this": 0, "next": 1, "coming": 1, "上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}
	yearShift = map[string]int{"前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2}
)

// whenIn finds the first time that a sentence names, most exact forms first.
// Without a time of speaking only full dates and years have a meaning.
func whenIn(m string, at time.Time) string {
	if s, ok := fullDate(m); ok {
		return s.String()
	}
	if !at.IsZero() {
		today := dayFrom(at)
		for _, find := range []func(string, time.Time) (span, bool){partialDate, relativeDay, distance, relativeUnit, weekday} {
			if s, ok := find(m, today); ok {
				return s.String()
			}
		}
	}
	if g := whenYear.FindStringSubmatch(m); g != nil {
		y, _ := strconv.Atoi(g[1] + g[2])
		return yearSpan(y).String()
	}
	return ""
}

func dayFrom(t time.Time) time.Time {
	y, mo, d := t.Date()
	return time.Date(y, mo, d, 0, 0, 0, 0, time.UTC)
}

// dayAt refuses the 31st of February instead of moving it into March.
func dayAt(y, mo, d int) (span, bool) {
	t := time.Date(y, time.Month(mo), d, 0, 0, 0, 0, time.UTC)
	if mo < 1 || mo > 12 || t.Day() != d {
		return span{}, false
	}
	return span{t, t}, true
}

func yearSpan(y int) span {
	return span{time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(y, 12, 31, 0, 0, 0, 0, time.UTC)}
}

func monthSpan(y int, mo time.Month) span {
	from := time.Date(y, mo, 1, 0, 0, 0, 0, time.UTC)
	return span{from, from.AddDate(0, 1, -1)}
}

func fullDate(m string) (span, bool) {
	if g := whenISO.FindStringSubmatch(m); g != nil {
		return dayAt(number(g[1]), number(g[2]), number(g[3]))
	}
	if g := whenZhDate.FindStringSubmatch(m); g != nil && g[1] != "" {
		return dayAt(number(g[1]), number(g[2]), number(g[3]))
	}
	if g := whenEnDate.FindStringSubmatch(m); g != nil && g[3] != "" {
		return dayAt(number(g[3]), month(g[1]), number(g[2]))
	}
	if g := whenEnDate2.FindStringSubmatch(m); g != nil && g[3] != "" {
		return dayAt(number(g[3]), month(g[2]), number(g[1]))
	}
	if g := whenZhMonth.FindStringSubmatch(m); g != nil && g[1] != "" && number(g[2]) <= 12 && number(g[2]) > 0 {
		return monthSpan(number(g[1]), time.Month(number(g[2]))), true
	}
	if g := whenEnIn.FindStringSubmatch(m); g != nil && g[2] != "" {
		return monthSpan(number(g[2]), time.Month(month(g[1]))), true
	}
	return span{}, false
}

// partialDate reads a date without a year as the one nearest to today.
func partialDate(m string, today time.Time) (span, bool) {
	mo, d := 0, 0
	if g := whenZhDate.FindStringSubmatch(m); g != nil {
		mo, d = number(g[2]), number(g[3])
	} else if g := whenEnDate.FindStringSubmatch(m); g != nil {
		mo, d = month(g[1]), number(g[2])
	} else if g := whenEnDate2.FindStringSubmatch(m); g != nil {
		mo, d = month(g[2]), number(g[1])
	}
	if mo != 0 {
		best, ok := span{}, false
		for y := today.Year() - 1; y <= today.Year()+1; y++ {
			if s, valid := dayAt(y, mo, d); valid && (!ok || apart(s.from, today) < apart(best.from, today)) {
				best, ok = s, true
			}
		}
		return best, ok
	}
	if g := whenEnIn.FindStringSubmatch(m); g != nil {
		return nearestMonth(time.Month(month(g[1])), today), true
	}
	if g := whenZhMonth.FindStringSubmatch(m); g != nil && number(g[2]) >= 1 && number(g[2]) <= 12 {
		return nearestMonth(time.Month(number(g[2])), today), true
	}
	return span{}, false
}

func nearestMonth(mo time.Month, today time.Time) span {
	best := monthSpan(today.Year(), mo)
	for _, y := range []int{today.Year() - 1, today.Year() + 1} {
		if s := monthSpan(y, mo); apart(s.from, today) < apart(best.from, today) {
			best = s
		}
	}
	return best
}

func apart(a, b time.Time) time.Duration { return a.Sub(b).Abs() }

func relativeDay(m string, today time.Time) (span, bool) {
	word := whenEnRel.FindString(m)
	if word == "" {
		word = whenZhRel.FindString(m)
	}
	if word == "" {
		return span{}, false
	}
	d := today.AddDate(0, 0, shiftOf[word])
	return span{d, d}, true
}

// distance reads "two weeks ago": one day for days, else the whole unit.
func distance(m string, today time.Time) (span, bool) {
	n, unit, sign := 0, "", -1
	if g := whenEnAgo.FindStringSubmatch(m); g != nil {
		n, unit = number(g[1]), g[2]
	} else if g := whenEnAhead.FindStringSubmatch(m); g != nil {
		n, unit, sign = number(g[1]), g[2], 1
	} else if g := whenZhAgo.FindStringSubmatch(m); g != nil && g[1] != "半" {
		n, unit = number(g[1]), g[2]
		if strings.HasSuffix(g[3], "后") {
			sign = 1
		}
	}
	if n == 0 {
		return span{}, false
	}
	switch unit {
	case "day", "天":
		d := today.AddDate(0, 0, sign*n)
		return span{d, d}, true
	case "week", "周", "星期", "礼拜":
		return weekSpan(today.AddDate(0, 0, sign*n*7)), true
	case "month", "月":
		first := monthSpan(today.Year(), today.Month()).from.AddDate(0, sign*n, 0)
		return monthSpan(first.Year(), first.Month()), true
	}
	return yearSpan(today.Year() + sign*n), true
}

// weekSpan is the week of a day, Monday first.
func weekSpan(d time.Time) span {
	from := d.AddDate(0, 0, -((int(d.Weekday()) + 6) % 7))
	return span{from, from.AddDate(0, 0, 6)}
}

func relativeUnit(m string, today time.Time) (span, bool) {
	if g := whenEnUnit.FindStringSubmatch(m); g != nil {
		return unitSpan(unitShift[g[1]], g[2], "", today)
	}
	if g := whenZhUnit.FindStringSubmatch(m); g != nil {
		return unitSpan(unitShift[g[1]], g[2], g[3], today)
	}
	if g := whenZhYear.FindString(m); g != "" {
		return yearSpan(today.Year() + yearShift[g]), true
	}
	return span{}, false
}

func unitSpan(n int, unit, day string, today time.Time) (span, bool) {
	switch unit {
	case "month", "月":
		first := monthSpan(today.Year(), today.Month()).from.AddDate(0, n, 0)
		return monthSpan(first.Year(), first.Month()), true
	case "year":
		return yearSpan(today.Year() + n), true
	}
	week := weekSpan(today.AddDate(0, 0, 7*n))
	if day != "" {
		d := week.from.AddDate(0, 0, (int(dayOf[day])+6)%7)
		return span{d, d}, true
	}
	if unit == "weekend" || unit == "周末" {
		return span{week.from.AddDate(0, 0, 5), week.to}, true
	}
	return week, true
}

// weekday reads a bare day of the week as the coming one, and "last Friday" as
// the one before. What happens every Friday has no time.
func weekday(m string, today time.Time) (span, bool) {
	which, name := "", ""
	if g := whenEnDay.FindStringSubmatch(m); g != nil {
		which, name = g[1], g[2]
		if strings.Contains(m, name+"s") {
			return span{}, false
		}
	} else if g := whenZhDay.FindStringSubmatch(m); g != nil {
		which, name = g[1], g[2]
	}
	if name == "" || which == "every" || which == "each" || strings.HasPrefix(which, "每") {
		return span{}, false
	}
	ahead := (int(dayOf[name]) - int(today.Weekday()) + 7) % 7
	switch which {
	case "last":
		ahead -= 7
		if ahead == 0 {
			ahead = -7
		}
	case "next":
		d := weekSpan(today.AddDate(0, 0, 7)).from.AddDate(0, 0, (int(dayOf[name])+6)%7)
		return span{d, d}, true
	default:
		if pastTense.MatchString(m) {
			ahead -= 7
		}
	}
	d := today.AddDate(0, 0, ahead)
	return span{d, d}, true
}

var pastTense = regexp.MustCompile(`\b(?:was|were|went|had|did|met|saw|bought|made|got|took|came|visited|watched|[a-z]+ed) |了|过`)

func number(s string) int {
	if n, ok := countOf[s]; ok {
		return n
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

func month(name string) int {
	if len(name) < 3 {
		return 0
	}
	return int(monthOf[name[:3]])
}
