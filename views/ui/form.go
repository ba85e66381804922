package ui

import (
	"context"
	"strconv"

	"github.com/a-h/templ"

	"fornix/views/i18n"
)

// FaultText is the sentence for the code of a fault. A code without a text of its
// own reads as "is not valid".
func FaultText(ctx context.Context, code string) string {
	if key := "error.field." + code; i18n.Has(ctx, key) {
		return i18n.T(ctx, key)
	}
	return i18n.T(ctx, "error.field.invalid")
}

func labelOf(labels map[string]string, name string) string {
	if label, ok := labels[name]; ok {
		return label
	}
	return name
}

// attributes are those that input, textarea and select share.
func (p FieldProps) attributes() templ.Attributes {
	a := templ.Attributes{"id": p.id(), "name": p.Name}
	if ids := p.describedBy(); ids != "" {
		a["aria-describedby"] = ids
	}
	if p.Error != "" {
		a["aria-invalid"] = "true"
	}
	if p.MaxLength > 0 {
		a["maxlength"] = strconv.Itoa(p.MaxLength)
	}
	for name, value := range map[string]string{"min": p.Min, "max": p.Max, "autocomplete": p.Autocomplete, "placeholder": p.Placeholder} {
		if value != "" {
			a[name] = value
		}
	}
	a["required"] = p.Required
	a["readonly"] = p.ReadOnly
	if p.Mono {
		a["class"] = "mono"
	}
	if p.NoSpell {
		a["spellcheck"] = "false"
	}
	return a
}
