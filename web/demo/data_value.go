package demo

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"unicode/utf8"
)

// schema is the part of JSON Schema that the demo's dictionary uses. A keyword
// outside of it is refused, so that none is silently without effect.
type schema struct {
	Type        string   `json:"type"`
	Enum        []string `json:"enum"`
	Pattern     string   `json:"pattern"`
	MinLength   *int     `json:"minLength"`
	MaxLength   *int     `json:"maxLength"`
	Minimum     *float64 `json:"minimum"`
	Maximum     *float64 `json:"maximum"`
	Items       *schema  `json:"items"`
	MinItems    *int     `json:"minItems"`
	MaxItems    *int     `json:"maxItems"`
	UniqueItems bool     `json:"uniqueItems"`

	pattern *regexp.Regexp
}

func parseSchema(raw json.RawMessage) (*schema, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	var s *schema
	if err := d.Decode(&s); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	if s == nil {
		return nil, errors.New("schema: missing")
	}
	return s, s.compile()
}

func (s *schema) compile() error {
	switch s.Type {
	case "string", "number", "integer":
	case "array":
		if s.Items == nil {
			return errors.New("schema: an array needs items")
		}
		return s.Items.compile()
	default:
		return fmt.Errorf("schema: unknown type %q", s.Type)
	}
	if s.Pattern == "" {
		return nil
	}
	var err error
	if s.pattern, err = regexp.Compile(s.Pattern); err != nil {
		return fmt.Errorf("schema: %w", err)
	}
	return nil
}

// checkValue judges a value; the error doesn't repeat it.
func (s *schema) checkValue(raw json.RawMessage) error {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return errors.New("the value isn't JSON")
	}
	return s.check(v)
}

func (s *schema) check(v any) error {
	switch v := v.(type) {
	case string:
		if s.Type == "string" {
			return s.checkString(v)
		}
	case float64:
		if s.Type == "number" || s.Type == "integer" && v == math.Trunc(v) {
			return s.checkNumber(v)
		}
	case []any:
		if s.Type == "array" {
			return s.checkArray(v)
		}
	}
	return fmt.Errorf("the value isn't of type %s", s.Type)
}

func (s *schema) checkString(v string) error {
	length := utf8.RuneCountInString(v)
	switch {
	case s.MinLength != nil && length < *s.MinLength:
		return fmt.Errorf("the value is shorter than %d characters", *s.MinLength)
	case s.MaxLength != nil && length > *s.MaxLength:
		return fmt.Errorf("the value is longer than %d characters", *s.MaxLength)
	case s.pattern != nil && !s.pattern.MatchString(v):
		return errors.New("the value doesn't match the pattern")
	case s.Enum != nil && !slices.Contains(s.Enum, v):
		return errors.New("the value isn't one of the choices")
	}
	return nil
}

func (s *schema) checkNumber(v float64) error {
	if s.Minimum != nil && v < *s.Minimum || s.Maximum != nil && v > *s.Maximum {
		return errors.New("the value is out of range")
	}
	return nil
}

func (s *schema) checkArray(v []any) error {
	if s.MinItems != nil && len(v) < *s.MinItems || s.MaxItems != nil && len(v) > *s.MaxItems {
		return errors.New("the value has too few or too many items")
	}
	var faults []error
	for i, item := range v {
		if err := s.Items.check(item); err != nil {
			faults = append(faults, fmt.Errorf("item %d: %w", i, err))
		}
		for _, other := range v[:i] {
			// Items that can't be compared are none that a schema here allows.
			if text, ok := item.(string); ok && s.UniqueItems && other == text {
				faults = append(faults, fmt.Errorf("item %d: said before", i))
			}
		}
	}
	return errors.Join(faults...)
}
