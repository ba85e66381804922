package i18n

import (
	"context"
	"fmt"
	"strings"
)

// T returns the text of the key in the context's language, with the pairs
// name, value, … put into its placeholders. A key that no catalogue holds comes
// back as "⟦key⟧", so that a page shows the fault and the gallery test finds it.
func T(ctx context.Context, key string, pairs ...any) string {
	return In(From(ctx), key, pairs...)
}

// In is T for a given language, where a page shows a text in another than its own.
func In(l Locale, key string, pairs ...any) string {
	text, ok := catalogues()[l][key]
	if !ok {
		return "⟦" + key + "⟧"
	}
	return fill(text, pairs)
}

// N is T for a text that depends on a number: it takes "key.one" for 1 and
// "key.other" for all else, and fills {n}. Chinese words don't change with the
// number, so both keys may hold the same text there.
func N(ctx context.Context, key string, n int, pairs ...any) string {
	form := ".other"
	if n == 1 {
		form = ".one"
	}
	return T(ctx, key+form, append([]any{"n", Number(ctx, n)}, pairs...)...)
}

// Has says whether the key has a text. Views ask before they show a word that
// comes from data, such as a source or a status of a newer version.
func Has(ctx context.Context, key string) bool {
	_, ok := catalogues()[From(ctx)][key]
	return ok
}

// Word returns the text of prefix+value, or the value itself where there is none:
// for words that come from data and may be newer than the catalogue.
func Word(ctx context.Context, prefix, value string) string {
	if Has(ctx, prefix+value) {
		return T(ctx, prefix+value)
	}
	return value
}

// fill replaces each placeholder once, from left to right. A value that looks
// like a placeholder is never filled again.
func fill(text string, pairs []any) string {
	if len(pairs) == 0 {
		return text
	}
	swaps := make([]string, 0, len(pairs))
	for i := 0; i+1 < len(pairs); i += 2 {
		swaps = append(swaps, fmt.Sprintf("{%v}", pairs[i]), fmt.Sprint(pairs[i+1]))
	}
	return strings.NewReplacer(swaps...).Replace(text)
}
