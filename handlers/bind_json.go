package handlers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"fornix/memory"
)

const (
	// maxDepth bounds how deep a value of free form may be nested.
	maxDepth = 32
	// maxFaults bounds how many faults an answer lists.
	maxFaults = 50
)

// bindJSON reads the body into the struct that into points at. It refuses, naming
// the field: what the struct doesn't have, a name in other case or given twice, a
// value of the wrong type, NUL, text that isn't UTF-8, half a surrogate pair. Data
// after the object is refused too. A null counts as left out.
func bindJSON(c *gin.Context, into any) error {
	body, err := readBody(c)
	if err != nil {
		return err
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return fault("body", "required", "send a JSON object")
	}
	s := strictReader{raw: body, dec: json.NewDecoder(bytes.NewReader(body))}
	s.dec.UseNumber()
	if err := s.document(reflect.TypeOf(into).Elem()); err != nil {
		return err
	}
	if len(s.faults) > 0 {
		return memory.Invalid(s.faults...)
	}
	if err := json.Unmarshal(body, into); err != nil {
		// The reader knows every type of our inputs, so this is a type it doesn't know.
		return fault("body", "invalid", "doesn't fit what this call takes")
	}
	return nil
}

// readBody reads the whole body; one that is too large is an error of its own,
// which web answers with 413.
func readBody(c *gin.Context) ([]byte, error) {
	if c.Request.Body == nil {
		return nil, nil
	}
	body, err := io.ReadAll(c.Request.Body)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, err
	case err != nil:
		return nil, fault("body", "invalid", "ended before it was complete")
	}
	return body, nil
}

func fault(name, code, text string) error {
	return memory.Invalid(memory.Field{Name: name, Code: code, Text: text})
}

// strictReader walks a document beside the type it is meant for.
type strictReader struct {
	raw    []byte
	dec    *json.Decoder
	faults []memory.Field
}

func (s *strictReader) fault(path, code, text string) {
	if len(s.faults) < maxFaults {
		s.faults = append(s.faults, memory.Field{Name: path, Code: code, Text: text})
	}
}

func (s *strictReader) document(t reflect.Type) error {
	tok, err := s.token("body")
	if err != nil {
		return err
	}
	if tok != json.Delim('{') {
		return fault("body", "invalid", "must be a JSON object")
	}
	if err := s.object("", t, 1); err != nil {
		return err
	}
	if _, err := s.dec.Token(); !errors.Is(err, io.EOF) {
		return fault("body", "invalid", "has data after the object")
	}
	return nil
}

// token reads the next token; a text that JSON's decoder would quietly mend is a
// fault of the path.
func (s *strictReader) token(path string) (json.Token, error) {
	from := s.dec.InputOffset()
	tok, err := s.dec.Token()
	if err != nil {
		return nil, fault("body", "invalid", fmt.Sprintf("is not valid JSON (at byte %d)", s.dec.InputOffset()))
	}
	if _, ok := tok.(string); ok {
		if text := textFault(s.raw[from:s.dec.InputOffset()]); text != "" {
			s.fault(path, "invalid", text)
		}
	}
	return tok, nil
}

// object reads an object's rest. A nil type takes any names.
func (s *strictReader) object(path string, t reflect.Type, depth int) error {
	known := fieldsOf(t)
	seen := map[string]bool{}
	for s.dec.More() {
		tok, err := s.token(or(path, "body"))
		if err != nil {
			return err
		}
		name, ok := tok.(string)
		if !ok {
			return fault("body", "invalid", "is not valid JSON")
		}
		at := join(path, shown(name))
		if seen[name] {
			s.fault(at, "invalid", "is given twice")
		}
		seen[name] = true
		var field reflect.Type
		if t != nil {
			if field, ok = known[name]; !ok {
				s.fault(at, "unknown", "isn't a field of this call")
			}
		}
		if err := s.value(at, field, depth); err != nil {
			return err
		}
	}
	_, err := s.token(path)
	return err
}

var (
	rawType  = reflect.TypeFor[json.RawMessage]()
	timeType = reflect.TypeFor[time.Time]()
)

// value reads one value and holds it against its type; a nil type takes anything.
func (s *strictReader) value(path string, t reflect.Type, depth int) error {
	if depth > maxDepth {
		return fault(path, "invalid", "is nested too deep")
	}
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == rawType {
		t = nil
	}
	tok, err := s.token(path)
	if err != nil {
		return err
	}
	switch v := tok.(type) {
	case json.Delim:
		return s.nested(path, t, v, depth)
	case string:
		s.text(path, t, v)
	case json.Number:
		s.number(path, t, v)
	case bool:
		if t != nil && t.Kind() != reflect.Bool {
			s.fault(path, "invalid", "must be "+nameOf(t))
		}
	}
	return nil
}

func (s *strictReader) nested(path string, t reflect.Type, open json.Delim, depth int) error {
	if open == '{' {
		if t != nil && (t.Kind() != reflect.Struct || t == timeType) {
			s.fault(path, "invalid", "must be "+nameOf(t))
			t = nil
		}
		return s.object(path, t, depth+1)
	}
	var element reflect.Type
	if t != nil {
		if t.Kind() == reflect.Slice {
			element = t.Elem()
		} else {
			s.fault(path, "invalid", "must be "+nameOf(t))
		}
	}
	for i := 0; s.dec.More(); i++ {
		if err := s.value(path+"["+strconv.Itoa(i)+"]", element, depth+1); err != nil {
			return err
		}
	}
	_, err := s.token(path)
	return err
}

func (s *strictReader) text(path string, t reflect.Type, v string) {
	switch {
	case t == nil || t.Kind() == reflect.String:
	case t == timeType:
		if _, err := time.Parse(time.RFC3339, v); err != nil {
			s.fault(path, "invalid", "must be a time as in 2026-01-31T09:30:00Z (RFC 3339)")
		}
	default:
		s.fault(path, "invalid", "must be "+nameOf(t))
	}
}

func (s *strictReader) number(path string, t reflect.Type, v json.Number) {
	if t == nil {
		return
	}
	var err error
	switch t.Kind() {
	case reflect.Float64:
		_, err = v.Float64()
	case reflect.Int, reflect.Int64:
		_, err = v.Int64()
	default:
		err = strconv.ErrSyntax
	}
	if err != nil {
		s.fault(path, "invalid", "must be "+nameOf(t))
	}
}

func nameOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Float64:
		return "a number"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Slice:
		return "a list"
	}
	if t == timeType {
		return "a time as in 2026-01-31T09:30:00Z (RFC 3339)"
	}
	return "an object"
}

// fieldsOf lists a struct's fields by their names in JSON.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	if t == nil {
		return nil
	}
	fields := map[string]reflect.Type{}
	for i := range t.NumField() {
		f := t.Field(i)
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			fields[name] = f.Type
		}
	}
	return fields
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// shown is a field's name as an error may hold it: a sender's mistake can put
// somebody's words where a name belongs, and these stay out of errors and logs.
func shown(name string) string {
	if name == "" || len(name) > 64 {
		return "(a name)"
	}
	for _, r := range name {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-' {
			return "(a name)"
		}
	}
	return name
}

// textFault says what is wrong with a text in JSON's own writing: NUL, bytes that
// aren't UTF-8, or half a surrogate pair; empty when nothing is.
func textFault(raw []byte) string {
	if !utf8.Valid(raw) {
		return "must be valid UTF-8"
	}
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 >= len(raw) {
			continue
		}
		i++
		if raw[i] != 'u' {
			continue
		}
		unit := hex4(raw, i+1)
		i += 4
		switch {
		case unit == 0:
			return "must not hold NUL"
		case unit >= 0xDC00 && unit <= 0xDFFF:
			return "holds half a surrogate pair"
		case unit >= 0xD800 && unit <= 0xDBFF:
			low := rune(-1)
			if i+2 < len(raw) && raw[i+1] == '\\' && raw[i+2] == 'u' {
				low = hex4(raw, i+3)
			}
			if low < 0xDC00 || low > 0xDFFF {
				return "holds half a surrogate pair"
			}
			i += 6
		}
	}
	return ""
}

// hex4 reads four hexadecimal digits; -1 where they aren't.
func hex4(raw []byte, at int) rune {
	if at+4 > len(raw) {
		return -1
	}
	n, err := strconv.ParseUint(string(raw[at:at+4]), 16, 32)
	if err != nil {
		return -1
	}
	return rune(n)
}
