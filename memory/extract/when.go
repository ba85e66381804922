package extract

import "time"

func whenIn(m string, at time.Time) string { return "" }
