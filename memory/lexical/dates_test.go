package lexical

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// The text's own day is Wednesday, 10 May 2023.
var wednesday = civil(2023, 5, 10)

func show(dates []Interval) string {
	var parts []string
	for _, d := range dates {
		from, to := time.Unix(int64(d.From)*86400, 0).UTC(), time.Unix(int64(d.To)*86400, 0).UTC()
		part := from.Format(time.DateOnly)
		if d.From != d.To {
			part += ".." + to.Format(time.DateOnly)
		}
		parts = append(parts, fmt.Sprintf("%c %s", "dwmy"[d.Grain], part))
	}
	return strings.Join(parts, ", ")
}

func TestFindDates(t *testing.T) {
	t.Parallel()
	cases := []struct{ text, want string }{
		{"today", "d 2023-05-10"},
		{"I slept badly last night", "d 2023-05-09"},
		{"yesterday", "d 2023-05-09"},
		{"the day before yesterday", "d 2023-05-08"},
		{"the day after tomorrow", "d 2023-05-12"},
		{"three days ago", "d 2023-05-07"},
		{"a couple of days ago", "d 2023-05-08"},
		{"a few days ago", "w 2023-05-03..2023-05-08"},
		{"two weeks ago", "w 2023-04-24..2023-04-30"},
		{"a month ago", "m 2023-04-01..2023-04-30"},
		{"10 years ago", "y 2013-01-01..2013-12-31"},
		{"in two months", "m 2023-07-01..2023-07-31"},
		{"last week", "w 2023-05-01..2023-05-07"},
		{"this weekend", "d 2023-05-13..2023-05-14"},
		{"next month", "m 2023-06-01..2023-06-30"},
		{"last year", "y 2022-01-01..2022-12-31"},
		{"last Friday", "d 2023-05-05"},
		{"last Wednesday", "d 2023-05-03"},
		{"next Monday", "d 2023-05-15"},
		{"on Monday", "d 2023-05-08, d 2023-05-15"},
		{"last December", "m 2022-12-01..2022-12-31"},
		{"past three weeks", "w 2023-04-19..2023-05-10"},
		{"May 2nd", "d 2023-05-02"},
		{"the 2nd of May", "d 2023-05-02"},
		{"2 May 2021", "d 2021-05-02"},
		{"Dec. 24, 2022", "d 2022-12-24"},
		{"on January 3", "d 2023-01-03"},
		{"in May", "m 2023-05-01..2023-05-31"},
		{"March 2020", "m 2020-03-01..2020-03-31"},
		{"2023-04-27", "d 2023-04-27"},
		{"2023/4/27", "d 2023-04-27"},
		{"in 2019", "y 2019-01-01..2019-12-31"},
		{"February 30", "m 2023-02-01..2023-02-28"},
		{"2023-02-30", ""},
		{"we may march on", ""},
		{"on Mondays", ""},
		{"5000 years ago", ""},
		{"今天", "d 2023-05-10"},
		{"昨晚没睡好", "d 2023-05-09"},
		{"大前天", "d 2023-05-07"},
		{"后天", "d 2023-05-12"},
		{"三天前", "d 2023-05-07"},
		{"几天前", "w 2023-05-03..2023-05-08"},
		{"两周前", "w 2023-04-24..2023-04-30"},
		{"两个月前", "m 2023-03-01..2023-03-31"},
		{"十年前", "y 2013-01-01..2013-12-31"},
		{"上周三", "d 2023-05-03"},
		{"上个星期天", "d 2023-05-07"},
		{"下周一", "d 2023-05-15"},
		{"上周", "w 2023-05-01..2023-05-07"},
		{"上上周", "w 2023-04-24..2023-04-30"},
		{"周末", ""},
		{"这个周末", "d 2023-05-13..2023-05-14"},
		{"上个月", "m 2023-04-01..2023-04-30"},
		{"去年", "y 2022-01-01..2022-12-31"},
		{"5月2日", "d 2023-05-02"},
		{"五月二号", "d 2023-05-02"},
		{"十二月二十四日", "d 2022-12-24"},
		{"2021年5月2日", "d 2021-05-02"},
		{"二〇二一年", "y 2021-01-01..2021-12-31"},
		{"四月份", "m 2023-04-01..2023-04-30"},
		{"一点都不想", ""},
		{"学了三年", ""},
	}
	for _, c := range cases {
		t.Run(c.text, func(t *testing.T) {
			t.Parallel()
			dates, _ := findDates(analyze(fold(c.text)), wednesday, nearestYear)
			if got := show(dates); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestHasTime(t *testing.T) {
	t.Parallel()
	cases := []struct {
		text string
		want bool
	}{
		{"dinner at 7 pm", true}, {"at 7:30", true}, {"for three hours", true}, {"on Mondays", true}, {"for two years", true},
		{"晚上七点", true}, {"跑了三个小时", true}, {"每天早上", true},
		{"I like tea", false}, {"three cats", false}, {"我喜欢茶", false}, {"一点都不想", false},
	}
	for _, c := range cases {
		if _, got := findDates(analyze(fold(c.text)), wednesday, nearestYear); got != c.want {
			t.Errorf("%q: got %v", c.text, got)
		}
	}
}

func TestYearOfADate(t *testing.T) {
	t.Parallel()
	t.Run("a teller may mean the coming one", func(t *testing.T) {
		t.Parallel()
		dates, _ := findDates(analyze("the wedding is on august 2"), wednesday, nearestYear)
		if got := show(dates); got != "d 2023-08-02" {
			t.Error(got)
		}
	})
	t.Run("an asker means the past one", func(t *testing.T) {
		t.Parallel()
		dates, _ := findDates(analyze("what did i do on october 2"), wednesday, pastYear)
		if got := show(dates); got != "d 2022-10-02" {
			t.Error(got)
		}
	})
}

func TestDateMatch(t *testing.T) {
	t.Parallel()
	day := func(d int) int32 { return int32(wednesday + d) }
	asked := []Interval{{day(0), day(0), GrainDay}}
	cases := []struct {
		name  string
		asked []Interval
		entry Entry
		want  float64
	}{
		{"nothing asked", nil, Entry{Day: day(0)}, 0},
		{"the day itself", asked, Entry{Day: day(0)}, 1},
		{"a turn that speaks of the day", asked, Entry{Day: day(40), Dates: asked}, 1.15},
		{"a turn that speaks of its week", asked, Entry{Day: day(40), Dates: []Interval{{day(-3), day(3), GrainWeek}}}, 1.15 * .6},
		{"a turn that speaks of its month", asked, Entry{Day: day(40), Dates: []Interval{{day(-9), day(20), GrainMonth}}}, 1.15 * .4},
		{"eleven days later", asked, Entry{Day: day(11)}, .3},
		{"22 days later", asked, Entry{Day: day(22)}, 0},
		{"the day before", asked, Entry{Day: day(-1)}, 0},
		{"inside the month asked for", []Interval{{day(-9), day(20), GrainMonth}}, Entry{Day: day(0)}, .7},
		{"inside the year asked for", []Interval{{day(-90), day(200), GrainYear}}, Entry{Day: day(0)}, .25},
	}
	for _, c := range cases {
		if got := dateMatch(c.asked, &c.entry); got < c.want-1e-9 || got > c.want+1e-9 {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}
