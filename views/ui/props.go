package ui

import (
	"strings"
	"unicode"
)

// Kind is the weight of a button or link that looks like one.
type Kind string

const (
	Plain   Kind = ""        // the usual
	Primary Kind = "primary" // the one thing to do here
	Danger  Kind = "danger"  // takes something away
	Quiet   Kind = "quiet"   // no frame
)

// Tone is the meaning of a badge, banner or flash. Each has a sign of its own
// beside its colour.
type Tone string

const (
	Neutral Tone = "neutral"
	Good    Tone = "good"
	Warn    Tone = "warn"
	Bad     Tone = "bad"
)

// sign is the mark that tells tones apart without colour.
func (t Tone) sign() string {
	switch t {
	case Good:
		return "✓"
	case Warn:
		return "!"
	case Bad:
		return "✕"
	}
	return "•"
}

// ButtonProps describe a button of a form. Type is "submit" where empty.
type ButtonProps struct {
	Label string
	Kind  Kind
	Type  string
	Name  string // with Value: which of several buttons was pressed
	Value string
	// About completes the label for screen readers where several buttons read
	// alike ("Delete", about "Works in Hangzhou").
	About string
}

// Option is one choice of a select field.
type Option struct {
	Value string
	Label string
}

// FieldProps describe a labelled input with hint and error.
type FieldProps struct {
	Name  string
	ID    string // "f-"+Name where empty; set it where two forms share a name
	Label string
	Hint  string
	Type  string // text (default), email, password, search, date, number, textarea, select
	Value string
	// Error is the code of the fault, such as "required" or "too_long"; its text is
	// "error.field.<code>". Empty: none.
	Error        string
	Options      []Option // for select
	Rows         int      // for textarea; 4 where 0
	MaxLength    int      // 0: none
	Min, Max     string   // for date and number
	Autocomplete string
	Placeholder  string
	Required     bool
	ReadOnly     bool
	Mono         bool // for keys and JSON
	NoSpell      bool
}

func (p FieldProps) id() string {
	if p.ID != "" {
		return p.ID
	}
	return FieldID(p.Name)
}

func (p FieldProps) inputType() string {
	if p.Type == "" {
		return "text"
	}
	return p.Type
}

func (p FieldProps) rows() int {
	if p.Rows == 0 {
		return 4
	}
	return p.Rows
}

// describedBy names the hint and the error that exist.
func (p FieldProps) describedBy() string {
	var ids []string
	if p.Hint != "" {
		ids = append(ids, p.id()+"-hint")
	}
	if p.Error != "" {
		ids = append(ids, p.id()+"-error")
	}
	return strings.Join(ids, " ")
}

// FieldID is the id of the input named so, where FieldProps.ID is empty.
func FieldID(name string) string {
	return "f-" + strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return '-'
	}, name)
}

// Fault is what is wrong with one field: Code as memory.Field.Code.
type Fault struct {
	Name string
	Code string
}

// Faults are those of one form, in the order of its fields.
type Faults []Fault

// Of returns the code of the field's first fault, empty where it has none.
func (f Faults) Of(name string) string {
	for _, fault := range f {
		if fault.Name == name {
			return fault.Code
		}
	}
	return ""
}

// Column is a head of a table. Sort is "ascending", "descending", or empty where
// the table isn't sorted by it. Hidden keeps the text for screen readers alone.
type Column struct {
	Label  string
	Sort   string
	Number bool
	Hidden bool
}

// TableProps describe a table; its rows are the component's children.
type TableProps struct {
	Caption       string
	CaptionHidden bool
	Columns       []Column
}

// EmptyKind is one of the three reasons why there is nothing to list.
type EmptyKind string

const (
	NothingYet     EmptyKind = "yet"     // none was ever here
	AllDone        EmptyKind = "done"    // all was dealt with
	NothingMatches EmptyKind = "matches" // the search or filter is too narrow
)

// PagerProps lead through keyset pages. An empty address: no such page.
type PagerProps struct {
	First string
	Next  string
	Label string // what is paged, for the navigation's name
}

// Local returns the address if it leads to a page of ours, else "/". It refuses
// what browsers read as another host ("//host", "/\host", "\\host", a tab or line
// break between), since templ.URL lets those through.
func Local(address string) string {
	if !strings.HasPrefix(address, "/") || strings.HasPrefix(address, "//") || strings.ContainsRune(address, '\\') {
		return "/"
	}
	for _, r := range address {
		if unicode.IsControl(r) {
			return "/"
		}
	}
	return address
}
