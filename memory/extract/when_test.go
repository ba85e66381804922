package extract

import (
	"testing"
	"time"
)

func TestWhen(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"i went there yesterday":            "2026-03-10/2026-03-10",
		"i saw it the day before yesterday": "2026-03-09/2026-03-09",
		"my exam is next tuesday":           "2026-03-17/2026-03-17",
		"my exam is on friday":              "2026-03-13/2026-03-13",
		"last monday i met her":             "2026-03-09/2026-03-09",
		"last wednesday i met her":          "2026-03-04/2026-03-04",
		"last week we moved":                "2026-03-02/2026-03-08",
		"this weekend":                      "2026-03-14/2026-03-15",
		"next month":                        "2026-04-01/2026-04-30",
		"two weeks ago":                     "2026-02-23/2026-03-01",
		"three days ago":                    "2026-03-08/2026-03-08",
		"in two months":                     "2026-05-01/2026-05-31",
		"on december 30":                    "2025-12-30/2025-12-30",
		"on 4 july 2021":                    "2021-07-04/2021-07-04",
		"on march 3rd, 2024":                "2024-03-03/2024-03-03",
		"since 2016":                        "2016-01-01/2016-12-31",
		"on 2023-05-01":                     "2023-05-01/2023-05-01",
		"in august":                         "2026-08-01/2026-08-31",
		"昨天去了":                              "2026-03-10/2026-03-10",
		"大后天出发":                             "2026-03-14/2026-03-14",
		"上周末":                               "2026-03-07/2026-03-08",
		"上周三":                               "2026-03-04/2026-03-04",
		"下周二下午三点":                           "2026-03-17/2026-03-17",
		"5月2日":                              "2026-05-02/2026-05-02",
		"2024年2月29日":                        "2024-02-29/2024-02-29",
		"三天前":                               "2026-03-08/2026-03-08",
		"去年":                                "2025-01-01/2025-12-31",
		"2012年毕业":                           "2012-01-01/2012-12-31",
		"八月份以后":                             "", "every friday": "", "on fridays": "", "每周三": "", "on 2023-02-31": "", "nothing here": "",
	} {
		if got := whenIn(text, spokenAt); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}

	t.Run("DayIsThatOfThePlaceWhereItWasSaid", func(t *testing.T) {
		t.Parallel()
		late := time.Date(2026, 3, 11, 23, 30, 0, 0, time.UTC).In(time.FixedZone("east", 8*3600))
		if got := whenIn("today", late); got != "2026-03-12/2026-03-12" {
			t.Errorf("today is %s", got)
		}
	})

	t.Run("WithoutATimeOfSpeakingOnlyDatesCount", func(t *testing.T) {
		t.Parallel()
		if got := whenIn("yesterday", time.Time{}); got != "" {
			t.Errorf("yesterday is %s", got)
		}
		if got := whenIn("on 2023-05-01", time.Time{}); got != "2023-05-01/2023-05-01" {
			t.Errorf("a date is %q", got)
		}
	})
}
