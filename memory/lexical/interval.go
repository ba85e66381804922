package lexical

import "time"

// Grain is how exactly a date was said.
type Grain uint8

// Grains, from exact to wide.
const (
	GrainDay Grain = iota
	GrainWeek
	GrainMonth
	GrainYear
	grainCount
)

// Interval is a span of calendar days, both ends included, counted from 1970-01-01.
type Interval struct {
	From, To int32
	Grain    Grain
}

// yearChoice weighs a future date against a past one when no year is said: the
// candidate with the least distance wins, future distance being multiplied.
type yearChoice int

const (
	nearestYear yearChoice = 1 // somebody tells, perhaps of a plan
	pastYear    yearChoice = 3 // somebody asks what was
)

const (
	daysInWeek = 7
	maxAgo     = 1200 // units; "5,000 years ago" is no date of a life
	maxDates   = 16   // intervals kept of one text
)

func dayOf(t time.Time) int {
	year, month, day := t.Date()
	return civil(year, int(month), day)
}

// civil counts days from 1970-01-01; months and days beyond their range carry over.
func civil(year, month, day int) int {
	const secondsInDay = 24 * 60 * 60
	return int(time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Unix() / secondsInDay)
}

func dateOf(day int) (year, month, dayOfMonth int) {
	y, m, d := time.Unix(0, 0).UTC().AddDate(0, 0, day).Date()
	return y, int(m), d
}

// weekdayOf counts from Monday = 0.
func weekdayOf(day int) int { return ((day+3)%daysInWeek + daysInWeek) % daysInWeek }

func mondayOf(day int) int { return day - weekdayOf(day) }

func validDate(year, month, day int) bool {
	if year < 1900 || year > 2200 || month < 1 || month > 12 || day < 1 || day > 31 {
		return false
	}
	_, m, d := dateOf(civil(year, month, day))
	return m == month && d == day
}

// dateFinder collects what a text says about time.
type dateFinder struct {
	tokens  []token
	folded  string
	day     int // of the text itself
	choice  yearChoice
	found   []Interval
	hasTime bool
}

// findDates resolves the dates of a text against its own day, and says whether it
// names any time at all ("7 pm" and "three hours" do, and resolve to no day).
func findDates(a analysis, day int, choice yearChoice) (dates []Interval, hasTime bool) {
	f := dateFinder{tokens: a.tokens, folded: a.folded, day: day, choice: choice}
	f.findEnglish()
	if !isASCII(a.folded) {
		f.findChinese()
	}
	return f.found, f.hasTime || len(f.found) > 0
}

func (f *dateFinder) add(from, to int, grain Grain) {
	interval := Interval{int32(from), int32(to), grain}
	for _, known := range f.found {
		if known == interval {
			return
		}
	}
	if len(f.found) < maxDates {
		f.found = append(f.found, interval)
	}
}

func (f *dateFinder) addDay(day int) { f.add(day, day, GrainDay) }

// addWeek takes 0 for this week, -1 for the last.
func (f *dateFinder) addWeek(offset int) {
	monday := mondayOf(f.day) + offset*daysInWeek
	f.add(monday, monday+6, GrainWeek)
}

func (f *dateFinder) addWeekend(offset int) {
	monday := mondayOf(f.day) + offset*daysInWeek
	f.add(monday+5, monday+6, GrainDay)
}

func (f *dateFinder) addMonth(year, month int) {
	f.add(civil(year, month, 1), civil(year, month+1, 0), GrainMonth)
}

func (f *dateFinder) addMonthOffset(offset int) {
	year, month, _ := dateOf(f.day)
	f.addMonth(year, month+offset)
}

func (f *dateFinder) addYear(year int) {
	f.add(civil(year, 1, 1), civil(year, 12, 31), GrainYear)
}

func (f *dateFinder) addYearOffset(offset int) {
	year, _, _ := dateOf(f.day)
	f.addYear(year + offset)
}

// addDate takes year 0 for "not said"; an impossible date is not a date.
func (f *dateFinder) addDate(year, month, day int) bool {
	if year == 0 {
		year = f.yearFor(month, day)
	}
	if !validDate(year, month, day) {
		return false
	}
	f.addDay(civil(year, month, day))
	return true
}

func (f *dateFinder) yearFor(month, day int) int {
	now, _, _ := dateOf(f.day)
	best, bestCost := now, int(^uint(0)>>1)
	for year := now - 1; year <= now+1; year++ {
		cost := f.day - civil(year, month, day)
		if cost < 0 {
			cost *= -int(f.choice)
		}
		// Equal costs, and the 29th of February outside its years, keep the first.
		if cost < bestCost && (day != 29 || month != 2 || validDate(year, month, day)) {
			best, bestCost = year, cost
		}
	}
	return best
}

// addAgo takes a positive count for the past, a negative one for the future.
func (f *dateFinder) addAgo(count int, unit Grain) {
	if count > maxAgo || count < -maxAgo {
		return
	}
	year, month, _ := dateOf(f.day)
	switch unit {
	case GrainDay:
		f.addDay(f.day - count)
	case GrainWeek:
		f.addWeek(-count)
	case GrainMonth:
		f.addMonth(year, month-count)
	case GrainYear:
		f.addYear(year - count)
	}
}

// addSomeDays is "a few days ago": days two to seven back.
func (f *dateFinder) addSomeDays() { f.add(f.day-daysInWeek, f.day-2, GrainWeek) }
