// Package i18n owns the texts of pages in every language Fornix speaks, and how
// dates and numbers are written in them.
//
// A text is asked for by key: i18n.T(ctx, "portal.home.title"). Placeholders
// stand in braces and are given as pairs: i18n.T(ctx, "common.summary.line", "label", l)
// fills "{label}". A text that depends on a number has the keys "….one" and
// "….other" and is asked for by N.
//
// Catalogues are flat JSON files, one folder per language, embedded. All files of
// a folder make one catalogue; a key stands in exactly one file. Tests hold the
// languages to the same keys and placeholders, and every key to a use.
//
// The package imports the standard library alone. It escapes nothing: templ does.
package i18n
