package handlers

import (
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"fornix/memory"
	"fornix/views/ui"
)

// bindForm reads a form of our pages, which has these fields, each once; what is
// left out is empty. Line breaks are those of texts, not of forms.
func bindForm(c *gin.Context, names ...string) (map[string]string, error) {
	body, err := readBody(c)
	if err != nil {
		return nil, err
	}
	values, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, fault("form", "invalid", "the form is not encoded as a browser does it")
	}
	form := map[string]string{}
	for name, given := range values {
		switch {
		case !slices.Contains(names, name):
			return nil, fault(shown(name), "unknown", "isn't a field of this form")
		case len(given) > 1 || !clean(given[0]):
			return nil, fault(name, "invalid", "must be given once, in valid UTF-8 without NUL")
		}
		form[name] = strings.ReplaceAll(given[0], "\r\n", "\n")
	}
	return form, nil
}

// formFaults are the faults that a service found in fields of the form; ok is
// false where the error is of another kind, or about something the form doesn't
// show.
func formFaults(err error, names ...string) (faults ui.Faults, ok bool) {
	var e *memory.Error
	if !errors.As(err, &e) || e.Code != memory.CodeInvalid || len(e.Fields) == 0 {
		return nil, false
	}
	for _, f := range e.Fields {
		// A fault inside of a field that holds JSON is the field's.
		name := f.Name
		if i := strings.IndexAny(name, ".["); i > 0 {
			name = name[:i]
		}
		if !slices.Contains(names, name) {
			return nil, false
		}
		faults = append(faults, ui.Fault{Name: name, Code: f.Code})
	}
	return faults, true
}

// waitOf is how long to wait after too many tries, in seconds; 0 where the error
// is another.
func waitOf(err error) int {
	var wait interface {
		error
		Seconds() int
	}
	if errors.As(err, &wait) {
		return wait.Seconds()
	}
	return 0
}
