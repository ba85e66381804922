package views

import (
	"context"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"fornix/views/i18n"
	"fornix/views/ui"
)

func personPath(id string) string  { return partPeople + "/" + url.PathEscape(id) }
func memoryPath(id string) string  { return "/admin/memories/" + url.PathEscape(id) }
func eventPath(id string) string   { return partAudit + "/" + url.PathEscape(id) }
func entryPath(key string) string  { return partDictionary + "/" + url.PathEscape(key) }
func erasurePath(id string) string { return "/admin/erasures/" + url.PathEscape(id) }

// tail tells rows apart without their whole id; the end of a UUIDv7 is random, its
// beginning a time that neighbours share.
func tail(id string) string {
	runes := []rune(id)
	if len(runes) <= 6 {
		return id
	}
	return string(runes[len(runes)-6:])
}

func percent(share float64) string {
	return strconv.Itoa(int(math.Round(share*100))) + "%"
}

// categoryName is the name of a category or area; of "attr:plan" the key itself.
func categoryName(ctx context.Context, category string) string {
	if key, found := strings.CutPrefix(category, "attr:"); found {
		return key
	}
	return i18n.Word(ctx, "console.category.", category)
}

// statusTone shows an unknown status as neutral, never as good.
func statusTone(status string) ui.Tone {
	switch status {
	case "active", "complete":
		return ui.Good
	case "pending", "restricted", "partial", "requested", "key_destroyed", "rows_deleted":
		return ui.Warn
	case "erasing", "rejected", "disabled":
		return ui.Bad
	}
	return ui.Neutral
}

// itemName names what a reveal is about without its value.
func itemName(ctx context.Context, item ConsoleItem) string {
	if item.Label != "" {
		return item.Label
	}
	return i18n.Word(ctx, "console.item.", item.Kind) + " " + tail(item.ID)
}

// attributeName falls back to the key where the dictionary has no label.
func attributeName(r ConsoleAttributeRow) string {
	if r.Label != "" {
		return r.Label
	}
	if r.Key != "" {
		return r.Key
	}
	return tail(r.ID)
}

// entryLabel is the label in the page's language, and entryOther the one in the
// other.
func entryLabel(ctx context.Context, r ConsoleEntryRow) string {
	if i18n.From(ctx) == i18n.ZhHans {
		return r.LabelZH
	}
	return r.LabelEN
}

func entryOther(ctx context.Context, r ConsoleEntryRow) (string, i18n.Locale) {
	if i18n.From(ctx) == i18n.ZhHans {
		return r.LabelEN, i18n.En
	}
	return r.LabelZH, i18n.ZhHans
}

func entryPurpose(ctx context.Context, r ConsoleEntryRow) string {
	if i18n.From(ctx) == i18n.ZhHans {
		return r.PurposeZH
	}
	return r.PurposeEN
}

func keepFor(ctx context.Context, days int) string {
	if days <= 0 {
		return i18n.T(ctx, "console.keep.ever")
	}
	return i18n.N(ctx, "console.keep.days", days)
}

func ruleTone(rule string) ui.Tone {
	switch rule {
	case "allowed":
		return ui.Good
	case "banded":
		return ui.Warn
	case "forbidden":
		return ui.Bad
	}
	return ui.Neutral
}

// mark is one right of a matrix cell, folded from the policy's actions.
type rightMark struct {
	code   string // read, write, delete, reveal
	denied bool
}

// marksOf folds actions into the four rights that a matrix has room for. A denial
// stands beside what is allowed, since both may hold for different actions.
func marksOf(g ConsoleGrant) []rightMark {
	var marks []rightMark
	for _, code := range []string{"read", "write", "delete", "reveal"} {
		if slices.ContainsFunc(g.Allowed, func(a string) bool { return rightOf(a) == code }) {
			marks = append(marks, rightMark{code: code})
		}
		if slices.ContainsFunc(g.Denied, func(a string) bool { return rightOf(a) == code }) {
			marks = append(marks, rightMark{code: code, denied: true})
		}
	}
	return marks
}

// rightOf takes an action that it doesn't know for a writing one: to show too much
// power is the safer mistake here.
func rightOf(action string) string {
	verb := action[strings.LastIndexByte(action, '.')+1:]
	switch verb {
	case "read", "recall":
		return "read"
	case "delete", "wipe":
		return "delete"
	case "reveal", "open":
		return "reveal"
	}
	return "write"
}

func moduleName(ctx context.Context, module string) string {
	if module == "*" {
		return i18n.T(ctx, "console.module.any")
	}
	return i18n.Word(ctx, "console.module.", module)
}

// holderName names a role in the page's language, agents and users as they are.
func holderName(ctx context.Context, kind, name string) string {
	if kind == "role" {
		return i18n.Word(ctx, "portal.role.", name)
	}
	return name
}

// provenanceRow is what provenance says besides source and confidence.
type provenanceRow struct {
	until, updated time.Time
	version        int
}

func eventColumns(ctx context.Context) []ui.Column {
	return []ui.Column{
		{Label: i18n.T(ctx, "console.event.action")},
		{Label: i18n.T(ctx, "console.event.at"), Sort: "descending"},
		{Label: i18n.T(ctx, "console.event.actor")},
		{Label: i18n.T(ctx, "console.event.object")},
		{Label: i18n.T(ctx, "console.event.subject")},
	}
}

// wordOr keeps links from being empty, whatever the log holds.
func wordOr(word string) string {
	if strings.TrimSpace(word) == "" {
		return "–"
	}
	return word
}

func peopleColumns(ctx context.Context) []ui.Column {
	return []ui.Column{
		{Label: i18n.T(ctx, "console.people.pseudonym")},
		{Label: i18n.T(ctx, "console.status")},
		{Label: i18n.T(ctx, "console.attributes"), Number: true},
		{Label: i18n.T(ctx, "console.memories"), Number: true},
		{Label: i18n.T(ctx, "console.turns"), Number: true},
		{Label: i18n.T(ctx, "console.people.since"), Sort: "descending"},
		{Label: i18n.T(ctx, "console.people.seen")},
	}
}

func grantColumns(ctx context.Context) []ui.Column {
	return []ui.Column{
		{Label: i18n.T(ctx, "console.fact.category")},
		{Label: i18n.T(ctx, "console.allowed")},
		{Label: i18n.T(ctx, "console.denied")},
	}
}

func ruleColumns(ctx context.Context) []ui.Column {
	return []ui.Column{
		{Label: i18n.T(ctx, "console.policies.holder")},
		{Label: i18n.T(ctx, "console.policies.module")},
		{Label: i18n.T(ctx, "console.fact.category")},
		{Label: i18n.T(ctx, "console.event.action")},
		{Label: i18n.T(ctx, "console.policies.effect")},
	}
}

func matrixColumns(ctx context.Context, categories []string) []ui.Column {
	columns := []ui.Column{{Label: i18n.T(ctx, "console.policies.holder")}}
	for _, c := range categories {
		columns = append(columns, ui.Column{Label: categoryName(ctx, c)})
	}
	return columns
}
