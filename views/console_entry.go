package views

import (
	"context"
	"slices"
	"strconv"

	"fornix/views/i18n"
	"fornix/views/ui"
)

// newEntry stands in the address in place of a key, so no entry can have it.
const newEntry = "new"

// lawfulBases are those of the GDPR's article 6(1), and none for what is forbidden.
func lawfulBases() []string {
	return []string{"consent", "contract", "legal_obligation", "vital_interests", "public_task", "legitimate_interests", "none"}
}

// words makes the choices of a select; a present value that isn't among them stays
// choosable, so that saving never changes it unseen.
func words(ctx context.Context, prefix, present string, values ...string) []ui.Option {
	if present != "" && !slices.Contains(values, present) {
		values = append(slices.Clone(values), present)
	}
	var options []ui.Option
	for _, v := range values {
		options = append(options, ui.Option{Value: v, Label: i18n.Word(ctx, prefix, v)})
	}
	return options
}

func (p ConsoleEntryPage) title(ctx context.Context) string {
	if p.New {
		return i18n.T(ctx, "console.entry.new")
	}
	return i18n.T(ctx, "console.entry.title", "key", p.Form.Key)
}

func (p ConsoleEntryPage) address() string {
	if p.New {
		return entryPath(newEntry)
	}
	return entryPath(p.Form.Key)
}

// version is the one to save over: after a conflict the newer one, which the page
// has shown.
func (p ConsoleEntryPage) version() string {
	if p.Conflict != nil {
		return strconv.Itoa(p.Conflict.Version)
	}
	return strconv.Itoa(p.Version)
}

type entryField struct {
	name, label, shown string
}

// entryFields lists the fields of an entry with their values as people read them.
func entryFields(ctx context.Context, f ConsoleEntryForm) []entryField {
	keep := i18n.T(ctx, "console.keep.ever")
	if days, err := strconv.Atoi(f.TTLDays); err == nil {
		keep = keepFor(ctx, days)
	} else if f.TTLDays != "" {
		keep = f.TTLDays
	}
	values := []struct{ name, shown string }{
		{"key", f.Key},
		{"label_zh", f.LabelZH},
		{"label_en", f.LabelEN},
		{"rule", i18n.Word(ctx, "console.rule.", f.Rule)},
		{"sensitivity", i18n.Word(ctx, "console.sensitivity.", f.Sensitivity)},
		{"category", categoryName(ctx, f.Category)},
		{"lawful_basis", i18n.Word(ctx, "console.basis.", f.LawfulBasis)},
		{"purpose_zh", f.PurposeZH},
		{"purpose_en", f.PurposeEN},
		{"ttl_days", keep},
		{"json_schema", f.JSONSchema},
		{"bands", f.Bands},
	}
	var fields []entryField
	for _, v := range values {
		fields = append(fields, entryField{v.name, i18n.T(ctx, "console.entry."+v.name), v.shown})
	}
	return fields
}

func entryLabels(ctx context.Context) map[string]string {
	labels := map[string]string{}
	for _, f := range entryFields(ctx, ConsoleEntryForm{}) {
		labels[f.name] = f.label
	}
	return labels
}

type entryDifference struct {
	label, theirs, yours string
}

// differences lists the fields in which what was typed and what was saved meanwhile
// part.
func (p ConsoleEntryPage) differences(ctx context.Context) []entryDifference {
	if p.Conflict == nil {
		return nil
	}
	theirs, yours := entryFields(ctx, p.Conflict.Now), entryFields(ctx, p.Form)
	var out []entryDifference
	for i := range yours {
		if theirs[i].shown != yours[i].shown {
			out = append(out, entryDifference{yours[i].label, theirs[i].shown, yours[i].shown})
		}
	}
	return out
}

func entryColumns(ctx context.Context) []ui.Column {
	return []ui.Column{
		{Label: i18n.T(ctx, "console.attribute")},
		{Label: i18n.T(ctx, "console.entry.rule")},
		{Label: i18n.T(ctx, "console.entry.sensitivity")},
		{Label: i18n.T(ctx, "console.entry.category")},
		{Label: i18n.T(ctx, "console.entry.keep")},
		{Label: i18n.T(ctx, "console.entry.lawful_basis")},
		{Label: i18n.T(ctx, "console.entry.purpose")},
	}
}
