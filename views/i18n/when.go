package i18n

import (
	"context"
	"strconv"
	"strings"
	"time"
)

// Date writes the day of t in the context's language and zone:
// "12 May 2026", "2026年5月12日".
func Date(ctx context.Context, t time.Time) string {
	t = t.In(Zone(ctx))
	if From(ctx) == ZhHans {
		return t.Format("2006年1月2日")
	}
	return t.Format("2 January 2006")
}

// Moment writes day, minute and zone of t: "12 May 2026, 14:03 UTC".
func Moment(ctx context.Context, t time.Time) string {
	t = t.In(Zone(ctx))
	if From(ctx) == ZhHans {
		return t.Format("2006年1月2日 15:04 MST")
	}
	return t.Format("2 January 2006, 15:04 MST")
}

// Number groups a whole number by thousands, as both languages do.
func Number(_ context.Context, n int) string {
	digits := strconv.Itoa(n)
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	var out strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			out.WriteByte(',')
		}
		out.WriteRune(d)
	}
	return sign + out.String()
}

// List joins words as the language does: "sales, support", "销售、客服".
func List(ctx context.Context, words []string) string {
	if From(ctx) == ZhHans {
		return strings.Join(words, "、")
	}
	return strings.Join(words, ", ")
}
