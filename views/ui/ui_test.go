package ui

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"

	"fornix/views/i18n"
)

func render(t *testing.T, c templ.Component) string {
	t.Helper()
	var out bytes.Buffer
	if err := c.Render(i18n.With(context.Background(), i18n.En), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestLocalKeepsPeopleHere(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"/me":                      "/me",
		"/me?cursor=a%2Fb#x":       "/me?cursor=a%2Fb#x",
		"/":                        "/",
		"":                         "/",
		"me":                       "/",
		"//evil.example":           "/",
		`/\evil.example`:           "/",
		`\\evil.example`:           "/",
		`/a\b`:                     "/",
		"/\t/evil.example":         "/",
		"/\n/evil.example":         "/",
		"https://evil.example":     "/",
		"javascript:alert(1)":      "/",
		" /me":                     "/",
		"/me/关于":                   "/me/关于",
		"/x\x00":                   "/",
		"/redirect?to=//evil.test": "/redirect?to=//evil.test",
	} {
		if got := Local(address); got != want {
			t.Errorf("Local(%q) = %q, want %q", address, got, want)
		}
	}
}

func TestFieldTiesHintAndErrorToTheInput(t *testing.T) {
	t.Parallel()
	out := render(t, Field(FieldProps{Name: "budget.range", Label: "Budget", Hint: "A band", Error: "too_long", Value: `"><b>`, Required: true, MaxLength: 9}))
	for _, want := range []string{
		`<label for="f-budget-range">`, `id="f-budget-range"`, `name="budget.range"`,
		`aria-describedby="f-budget-range-hint f-budget-range-error"`, `aria-invalid="true"`, `id="f-budget-range-hint"`,
		`id="f-budget-range-error"`, "is too long", ` required`, `maxlength="9"`, `value="&#34;&gt;&lt;b&gt;"`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in %s", want, out)
		}
	}
	if strings.Contains(out, "readonly") {
		t.Error("a field that may be written says readonly")
	}
}

func TestFieldWithoutFaultNamesNone(t *testing.T) {
	t.Parallel()
	out := render(t, Field(FieldProps{Name: "a", Label: "A"}))
	for _, no := range []string{"aria-describedby", "aria-invalid", "required", "error"} {
		if strings.Contains(out, no) {
			t.Errorf("%s in %s", no, out)
		}
	}
	if !strings.Contains(out, "(optional)") {
		t.Error("an optional field doesn't say so")
	}
}

// Browsers drop a line break at the start of a textarea, so one is put before the
// value.
func TestTextareaKeepsALeadingLineBreak(t *testing.T) {
	t.Parallel()
	if out := render(t, Field(FieldProps{Name: "a", Label: "A", Type: "textarea", Value: "\nb"})); !strings.Contains(out, ">\n\nb</textarea>") {
		t.Errorf("no second line break in %q", out)
	}
}

func TestSelectMarksItsValue(t *testing.T) {
	t.Parallel()
	out := render(t, Field(FieldProps{Name: "a", Label: "A", Type: "select", Value: "y", Options: []Option{{"x", "X"}, {"y", "Y"}}}))
	if !strings.Contains(out, `<option value="y" selected>`) || strings.Count(out, "selected") != 1 {
		t.Error(out)
	}
}

func TestErrorSummaryLinksToTheFields(t *testing.T) {
	t.Parallel()
	out := render(t, ErrorSummary(Faults{{"content", "required"}, {"version", "no such code"}}, map[string]string{"content": "Words"}))
	for _, want := range []string{`href="#f-content"`, "Words: must not be empty", "version: is not valid", "2 fields", `role="alert"`, "data-focus"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in %s", want, out)
		}
	}
	if out := render(t, ErrorSummary(nil, nil)); out != "" {
		t.Errorf("a summary of nothing: %q", out)
	}
}

func TestFaultsOfAField(t *testing.T) {
	t.Parallel()
	f := Faults{{"a", "required"}, {"b", "unknown"}, {"b", "too_long"}}
	for name, want := range map[string]string{"a": "required", "b": "unknown", "c": ""} {
		if got := f.Of(name); got != want {
			t.Errorf("Of(%s) = %q, want %q", name, got, want)
		}
	}
}

func TestBadgeTellsItsToneWithoutColour(t *testing.T) {
	t.Parallel()
	seen := map[string]Tone{}
	for _, tone := range []Tone{Neutral, Good, Warn, Bad} {
		if other, twice := seen[tone.sign()]; twice {
			t.Errorf("%s and %s have the same sign", tone, other)
		}
		seen[tone.sign()] = tone
		if out := render(t, Badge(tone, "x")); !strings.Contains(out, tone.sign()) {
			t.Errorf("%s shows no sign: %s", tone, out)
		}
	}
}

func TestTimeCarriesTheAbsoluteTime(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 5, 12, 20, 3, 0, 0, time.FixedZone("CST", 8*3600))
	for _, c := range []templ.Component{Time(noon), Day(noon)} {
		if out := render(t, c); !strings.Contains(out, `datetime="2026-05-12T12:03:00Z"`) {
			t.Error(out)
		}
	}
	if out := render(t, Time(time.Time{})); strings.Contains(out, "0001") || !strings.Contains(out, "–") {
		t.Errorf("the zero time reads %s", out)
	}
}

func TestButtonNameStandsApartFromWhatItIsAbout(t *testing.T) {
	t.Parallel()
	if out := render(t, LinkButton("Delete", "/x", Danger, "the plan")); !regexp.MustCompile(`Delete\s+<span class="visually-hidden">the plan</span>`).MatchString(out) {
		t.Errorf("a screen reader hears the words as one: %s", out)
	}
	if out := render(t, LinkButton("x", "//evil.example", Plain, "")); !strings.Contains(out, `href="/"`) {
		t.Errorf("the link leads away: %s", out)
	}
}

func TestPagerOfOnePageIsNothing(t *testing.T) {
	t.Parallel()
	if out := render(t, Pager(PagerProps{Label: "x"})); out != "" {
		t.Error(out)
	}
}
