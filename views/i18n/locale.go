package i18n

import (
	"context"
	"strconv"
	"strings"
	"time"
)

// Locale is a language of the pages, as a BCP 47 tag fit for a lang attribute.
type Locale string

const (
	ZhHans Locale = "zh-Hans"
	En     Locale = "en"
)

// Default is the language of a request that names none we speak.
const Default = En

// Locales lists the languages in the order of the language switch.
func Locales() []Locale { return []Locale{ZhHans, En} }

// OwnName is the name of the language in itself, as the switch shows it.
func (l Locale) OwnName() string {
	if l == ZhHans {
		return "中文"
	}
	return "English"
}

// Parse reads a locale from a form or a cookie. Only exact tags are known.
func Parse(tag string) (Locale, bool) {
	for _, l := range Locales() {
		if string(l) == tag {
			return l, true
		}
	}
	return Default, false
}

// maxAcceptLanguage bounds the work spent on a header that strangers write.
const maxAcceptLanguage = 512

// Match picks the language for an Accept-Language header: the highest weight that
// we speak, the first of equals. All of Chinese reads zh-Hans, since it is the
// only Chinese here. An empty or unreadable header gives Default.
func Match(header string) Locale {
	if len(header) > maxAcceptLanguage {
		header = header[:maxAcceptLanguage]
	}
	best, bestWeight := Default, 0.0
	for part := range strings.SplitSeq(header, ",") {
		tag, params, _ := strings.Cut(part, ";")
		locale, ok := spoken(strings.TrimSpace(tag))
		if !ok {
			continue
		}
		if weight := quality(params); weight > bestWeight {
			best, bestWeight = locale, weight
		}
	}
	return best
}

func spoken(tag string) (Locale, bool) {
	primary, _, _ := strings.Cut(strings.ToLower(tag), "-")
	switch primary {
	case "zh":
		return ZhHans, true
	case "en":
		return En, true
	}
	return Default, false
}

func quality(params string) float64 {
	value, ok := strings.CutPrefix(strings.ReplaceAll(params, " ", ""), "q=")
	if !ok {
		return 1
	}
	weight, err := strconv.ParseFloat(value, 64)
	if err != nil || !(weight >= 0 && weight <= 1) {
		return 0
	}
	return weight
}

type (
	localeKey struct{}
	zoneKey   struct{}
)

// With returns a context whose pages speak the locale.
func With(ctx context.Context, l Locale) context.Context {
	return context.WithValue(ctx, localeKey{}, l)
}

// From returns the locale of the context, Default where none was set.
func From(ctx context.Context) Locale {
	if l, ok := ctx.Value(localeKey{}).(Locale); ok {
		return l
	}
	return Default
}

// WithZone returns a context whose pages show times in the zone.
func WithZone(ctx context.Context, zone *time.Location) context.Context {
	return context.WithValue(ctx, zoneKey{}, zone)
}

// Zone returns the time zone of the context, UTC where none was set.
func Zone(ctx context.Context) *time.Location {
	if z, ok := ctx.Value(zoneKey{}).(*time.Location); ok && z != nil {
		return z
	}
	return time.UTC
}
