package memory

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"unicode/utf8"
)

// maxValue bounds an attribute's value as JSON, in bytes.
const maxValue = 16 << 10

// schema is the part of JSON Schema that the dictionary knows. A keyword it
// doesn't know is refused when the entry is written: one that is ignored would
// give false comfort.
type schema struct {
	Type      string            `json:"type"`
	Enum      []json.RawMessage `json:"enum"`
	Minimum   *float64          `json:"minimum"`
	Maximum   *float64          `json:"maximum"`
	MinLength *int              `json:"minLength"`
	MaxLength *int              `json:"maxLength"`
	Pattern   string            `json:"pattern"`
	Items     *schema           `json:"items"`
	MinItems  *int              `json:"minItems"`
	MaxItems  *int              `json:"maxItems"`
	Unique    bool              `json:"uniqueItems"`
	Format    string            `json:"format"` // for the reader

	pattern *regexp.Regexp
}

var schemaTypes = []string{"", "string", "number", "integer", "boolean", "array", "object", "null"}

func parseSchema(raw json.RawMessage) (*schema, error) {
	var s schema
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&s); err != nil {
		return nil, errors.New("not a schema of the known keywords: type, enum, minimum, maximum, minLength, maxLength, pattern, items, minItems, maxItems, uniqueItems, format")
	}
	if dec.More() {
		return nil, errors.New("more than one JSON value")
	}
	return &s, s.compile()
}

func (s *schema) compile() error {
	if !slices.Contains(schemaTypes, s.Type) {
		return errors.New("unknown type")
	}
	if s.Pattern != "" {
		re, err := regexp.Compile(s.Pattern)
		if err != nil {
			return errors.New("pattern isn't a regular expression")
		}
		s.pattern = re
	}
	if s.Items != nil {
		return s.Items.compile()
	}
	return nil
}

// check tells what is wrong with a value; the message never holds it.
func (s *schema) check(raw json.RawMessage) error {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return errors.New("is not JSON")
	}
	return s.judge(v)
}

func (s *schema) judge(v any) error {
	if err := s.judgeType(v); err != nil {
		return err
	}
	if len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, func(e json.RawMessage) bool { return sameJSON(e, v) }) {
		return errors.New("is none of the values allowed")
	}
	switch v := v.(type) {
	case float64:
		if s.Minimum != nil && v < *s.Minimum || s.Maximum != nil && v > *s.Maximum {
			return errors.New("is out of range")
		}
	case string:
		n := utf8.RuneCountInString(v)
		if s.MinLength != nil && n < *s.MinLength || s.MaxLength != nil && n > *s.MaxLength {
			return errors.New("has the wrong length")
		}
		if s.pattern != nil && !s.pattern.MatchString(v) {
			return errors.New("has the wrong form")
		}
	case []any:
		return s.judgeItems(v)
	}
	return nil
}

func (s *schema) judgeItems(items []any) error {
	if s.MinItems != nil && len(items) < *s.MinItems || s.MaxItems != nil && len(items) > *s.MaxItems {
		return errors.New("has the wrong number of items")
	}
	seen := map[string]bool{}
	for i, item := range items {
		if s.Items != nil {
			if err := s.Items.judge(item); err != nil {
				return fmt.Errorf("item %d %w", i, err)
			}
		}
		key, _ := json.Marshal(item) //nolint:errcheck // it was decoded from JSON
		if s.Unique && seen[string(key)] {
			return fmt.Errorf("item %d is there twice", i)
		}
		seen[string(key)] = true
	}
	return nil
}

func (s *schema) judgeType(v any) error {
	var is string
	switch v := v.(type) {
	case nil:
		is = "null"
	case string:
		is = "string"
	case bool:
		is = "boolean"
	case []any:
		is = "array"
	case map[string]any:
		is = "object"
	case float64:
		is = "number"
		if s.Type == "integer" && v == float64(int64(v)) {
			return nil
		}
	}
	if s.Type != "" && s.Type != is {
		return fmt.Errorf("must be of type %s", s.Type)
	}
	return nil
}

func sameJSON(raw json.RawMessage, v any) bool {
	var want any
	if json.Unmarshal(raw, &want) != nil {
		return false
	}
	a, errA := json.Marshal(want)
	b, errB := json.Marshal(v)
	return errA == nil && errB == nil && bytes.Equal(a, b)
}
