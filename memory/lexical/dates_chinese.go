package lexical

import (
	"strings"
	"unicode/utf8"
)

// chineseDays are words that name a day by its distance; longer ones stand first.
var chineseDays = []struct {
	word   string
	offset int
}{
	{"大前天", -3}, {"大后天", 3}, {"前天", -2}, {"昨天", -1}, {"昨晚", -1}, {"昨日", -1}, {"昨夜", -1},
	{"今天", 0}, {"今早", 0}, {"今晚", 0}, {"今日", 0}, {"明天", 1}, {"明早", 1}, {"明晚", 1}, {"后天", 2},
}

// chineseTimes name a time without naming a day.
var chineseTimes = []string{"早上", "上午", "中午", "下午", "晚上", "凌晨", "傍晚", "半夜", "周末", "小时", "分钟", "点钟"}

var chineseDigits = map[rune]int{
	'零': 0, '〇': 0, '一': 1, '二': 2, '两': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9,
}

// cursor reads forward through a folded text.
type cursor struct{ rest string }

func (c *cursor) take(words ...string) bool {
	for _, word := range words {
		if after, ok := strings.CutPrefix(c.rest, word); ok {
			c.rest = after
			return true
		}
	}
	return false
}

// number reads digits or a Chinese numeral up to 99; ok is false without one.
func (c *cursor) number() (number int, ok bool) {
	if number, rest := leadingNumber(c.rest); len(rest) < len(c.rest) {
		c.rest = rest
		return number, true
	}
	tens, units, seen := 0, 0, false
	for {
		r, size := utf8.DecodeRuneInString(c.rest)
		if r == '十' && tens == 0 {
			tens, units = max(units, 1), 0
		} else if digit, known := chineseDigits[r]; known && units == 0 {
			units = digit
		} else {
			return tens*10 + units, seen
		}
		seen = true
		c.rest = c.rest[size:]
	}
}

// year reads four digits of either script before 年.
func (c *cursor) year() (year int, ok bool) {
	digits, at := 0, *c
	for digits < 4 {
		r, size := utf8.DecodeRuneInString(at.rest)
		value, known := chineseDigits[r]
		if r >= '0' && r <= '9' {
			value, known = int(r-'0'), true
		}
		if !known {
			return 0, false
		}
		year = year*10 + value
		digits++
		at.rest = at.rest[size:]
	}
	if !at.take("年") || year < 1900 || year > 2200 {
		return 0, false
	}
	*c = at
	return year, true
}

func (f *dateFinder) findChinese() {
	for i := 0; i < len(f.folded); {
		if used := f.chineseAt(f.folded[i:]); used > 0 {
			i += used
			continue
		}
		_, size := utf8.DecodeRuneInString(f.folded[i:])
		i += size
	}
}

// chineseAt reads one expression at the start of text and gives its bytes, or 0.
func (f *dateFinder) chineseAt(text string) int {
	for _, day := range chineseDays {
		if strings.HasPrefix(text, day.word) {
			f.addDay(f.day + day.offset)
			return len(day.word)
		}
	}
	for _, word := range chineseTimes {
		if strings.HasPrefix(text, word) {
			f.hasTime = true
			return len(word)
		}
	}
	for _, read := range []func(*cursor) bool{f.chineseDate, f.chineseWeek, f.chineseMonthOrYear, f.chineseAgo} {
		c := cursor{text}
		if read(&c) {
			return len(text) - len(c.rest)
		}
	}
	return 0
}

// chineseDate reads 2023年5月2日, 5月2号, 五月, 2023年.
func (f *dateFinder) chineseDate(c *cursor) bool {
	year, hasYear := c.year()
	afterYear := *c
	month, ok := c.number()
	if !ok || month < 1 || month > 12 || !c.take("月份", "月") {
		*c = afterYear
		if hasYear {
			f.addYear(year)
		}
		return hasYear
	}
	afterMonth := *c
	day, ok := c.number()
	if ok && c.take("日", "号") && f.addDate(year, month, day) {
		return true
	}
	*c = afterMonth
	if !hasYear {
		year = f.yearFor(month, 15)
	}
	f.addMonth(year, month)
	return true
}

// chineseWeek reads 上周三, 这个星期, 下礼拜天, 周末, 星期五.
func (f *dateFinder) chineseWeek(c *cursor) bool {
	offset, relative := 0, true
	switch {
	case c.take("上上"):
		offset = -2
	case c.take("上"):
		offset = -1
	case c.take("这", "本"):
	case c.take("下"):
		offset = 1
	default:
		relative = false
	}
	if relative {
		c.take("一个", "个", "一")
	}
	if !c.take("周", "星期", "礼拜") {
		return false
	}
	before := *c
	if c.take("末") {
		f.addWeekend(offset)
		return true
	}
	for weekday, names := range [][]string{{"一"}, {"二"}, {"三"}, {"四"}, {"五"}, {"六"}, {"日", "天"}} {
		if !c.take(names...) {
			continue
		}
		if relative {
			f.addDay(mondayOf(f.day) + offset*daysInWeek + weekday)
		} else {
			f.addPlainWeekday(weekday)
		}
		return true
	}
	*c = before
	if relative {
		f.addWeek(offset)
	}
	return relative
}

// chineseMonthOrYear reads 上个月, 本月, 去年, 今年, 明年, 前年.
func (f *dateFinder) chineseMonthOrYear(c *cursor) bool {
	switch {
	case c.take("上个月", "上月"):
		f.addMonthOffset(-1)
	case c.take("这个月", "本月", "这月"):
		f.addMonthOffset(0)
	case c.take("下个月", "下月"):
		f.addMonthOffset(1)
	case c.take("去年"):
		f.addYearOffset(-1)
	case c.take("前年"):
		f.addYearOffset(-2)
	case c.take("今年"):
		f.addYearOffset(0)
	case c.take("明年"):
		f.addYearOffset(1)
	case c.take("前几天", "前些天", "前阵子"):
		f.addSomeDays()
	default:
		return false
	}
	return true
}

// chineseAgo reads 三天前, 两个月前, 几天前, 一年后; a count of time without a
// direction only names a time.
func (f *dateFinder) chineseAgo(c *cursor) bool {
	vague := c.take("几", "好几")
	one := strings.HasPrefix(c.rest, "一点") // "a little" more often than "one o'clock"
	count, ok := c.number()
	if !ok && !vague {
		return false
	}
	var unit Grain
	switch {
	case c.take("天"):
		unit = GrainDay
	case c.take("周", "个星期", "星期", "个礼拜"):
		unit = GrainWeek
	case c.take("个月", "个多月"):
		unit = GrainMonth
	case c.take("年"):
		unit = GrainYear
	case c.take("点", "个小时", "小时", "分钟", "个半小时"):
		f.hasTime = f.hasTime || !one
		return true
	default:
		return false
	}
	f.hasTime = true
	if vague {
		count = 3
	}
	switch {
	case !c.take("之前", "以前", "前"):
		if c.take("之后", "以后", "后") && f.choice == nearestYear && !vague {
			f.addAgo(-count, unit)
		}
	case vague && unit == GrainDay:
		f.addSomeDays()
	default:
		f.addAgo(count, unit)
	}
	return true
}
