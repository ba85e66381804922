// Package views owns the pages: their structs, which hold only what is shown, and
// the templ components that render them.
package views
