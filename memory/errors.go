package memory

import (
	"context"
	"errors"
	"fmt"

	"fornix/keys"
	"fornix/models"
)

// Code says what kind of failure an error is; the HTTP status follows from it.
type Code string

const (
	CodeInvalid         Code = "invalid"         // 422: a field is wrong, nothing was written
	CodeUnauthenticated Code = "unauthenticated" // 401
	CodeForbidden       Code = "forbidden"       // 403
	CodeNotFound        Code = "not_found"       // 404: unknown, or not yours
	CodeConflict        Code = "conflict"        // 409: changed meanwhile
	CodeGone            Code = "gone"            // 410: the person is being erased, or the link was used
	CodeUnavailable     Code = "unavailable"     // 503: a dependency is down; nothing was lost
	CodeTooLarge        Code = "too_large"       // 413
)

// Field is a fault of one input field. Key names a text of the views; it never
// holds the value.
type Field struct {
	Name string
	Code string // required, too_long, unknown, invalid, forbidden, out_of_range
	Text string // for API callers, English
}

// Error is a failure that a caller can act on. Key names a translated text;
// Text is its English for API callers. Neither holds a personal value.
type Error struct {
	Code   Code
	Key    string
	Text   string
	Fields []Field
	// Current is the present version on a conflict.
	Current int64
	err     error
}

func (e *Error) Error() string {
	text := string(e.Code) + ": " + e.Text
	for _, f := range e.Fields {
		text += fmt.Sprintf("; %s %s", f.Name, f.Code)
	}
	if e.err != nil {
		text += ": " + e.err.Error()
	}
	return text
}

func (e *Error) Unwrap() error { return e.err }

// Fail makes an error; key names its translated text.
func Fail(code Code, key, text string) *Error { return &Error{Code: code, Key: key, Text: text} }

// Invalid makes an error about fields.
func Invalid(fields ...Field) *Error {
	return &Error{Code: CodeInvalid, Key: "error.invalid", Text: "some fields are not valid", Fields: fields}
}

// NotFound is the answer for what isn't there and for what isn't the caller's.
func NotFound() *Error { return Fail(CodeNotFound, "error.not_found", "there is nothing here") }

// Forbidden is the answer when the policy grants it not.
func Forbidden() *Error {
	return Fail(CodeForbidden, "error.forbidden", "the policy doesn't allow this")
}

// CodeOf returns the code of an error; empty for an internal one.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// Wrap turns errors of the layers below into an *Error where a caller can act on
// them, and names the operation otherwise. Calling it twice changes nothing.
func Wrap(op string, err error) error {
	var known *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known), errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, models.ErrNotFound):
		e := NotFound()
		e.err = fmt.Errorf("%s: %w", op, err)
		return e
	case errors.Is(err, models.ErrStale), errors.Is(err, models.ErrDuplicate):
		return &Error{Code: CodeConflict, Key: "error.conflict", Text: "it was changed meanwhile; read it again", err: fmt.Errorf("%s: %w", op, err)}
	case errors.Is(err, keys.ErrErased):
		return &Error{Code: CodeGone, Key: "error.erased", Text: "everything of this person was erased", err: fmt.Errorf("%s: %w", op, err)}
	case errors.Is(err, models.ErrUnavailable), errors.Is(err, keys.ErrUnavailable), errors.Is(err, keys.ErrMissing),
		errors.Is(err, keys.ErrWrongKey), errors.Is(err, context.DeadlineExceeded):
		return &Error{Code: CodeUnavailable, Key: "error.unavailable", Text: "a part of the service is not available; nothing was lost", err: fmt.Errorf("%s: %w", op, err)}
	}
	return fmt.Errorf("%s: %w", op, err)
}
