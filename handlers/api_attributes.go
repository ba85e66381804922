package handlers

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"fornix/memory"
	"fornix/privacy"
)

// Profiler reads and writes profile fields.
type Profiler interface {
	// Attributes opens the fields that are named and granted, and no other.
	Attributes(ctx context.Context, subject string, keys []string) (memory.Attributes, error)
	PutAttribute(ctx context.Context, subject, key string, in memory.AttributeInput) (memory.AttributeWritten, error)
}

// AttributeEraser erases a profile field with its versions.
type AttributeEraser interface {
	EraseAttribute(ctx context.Context, subject, key string) (privacy.Erased, error)
}

// Attributes answers /api/v1/subjects/{subject}/attributes.
type Attributes struct {
	Memory  Profiler
	Privacy AttributeEraser
}

// maxKeys bounds how many fields one call may name.
const maxKeys = 100

// List answers GET /subjects/{subject}/attributes?keys=a,b.
func (h *Attributes) List(c *gin.Context) error {
	subject, err := pathText(c, "subject")
	if err != nil {
		return err
	}
	query, err := bindQuery(c, "keys")
	if err != nil {
		return err
	}
	keys := splitKeys(query["keys"])
	if len(keys) == 0 {
		return fault("keys", "required", "name the fields to read, as in ?keys=a,b")
	}
	if len(keys) > maxKeys {
		return fault("keys", "too_long", "at most 100 fields")
	}
	found, err := h.Memory.Attributes(c.Request.Context(), subject, keys)
	if err != nil {
		return err
	}
	return answerJSON(c, http.StatusOK, withLists(found))
}

// splitKeys reads a list with commas; a key named twice counts once.
func splitKeys(text string) []string {
	var keys []string
	for key := range strings.SplitSeq(text, ",") {
		if key = strings.TrimSpace(key); key != "" && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// withLists makes empty what is nil, so that clients can count on the shape.
func withLists(a memory.Attributes) memory.Attributes {
	if a.Attributes == nil {
		a.Attributes = map[string]memory.AttributeView{}
	}
	if a.Denied == nil {
		a.Denied = []string{}
	}
	if a.Missing == nil {
		a.Missing = []string{}
	}
	return a
}

// Put answers PUT /subjects/{subject}/attributes/{key}.
func (h *Attributes) Put(c *gin.Context) error {
	subject, key, err := subjectAndKey(c)
	if err != nil {
		return err
	}
	var in memory.AttributeInput
	if err := bindJSON(c, &in); err != nil {
		return err
	}
	written, err := h.Memory.PutAttribute(c.Request.Context(), subject, key, in)
	if err != nil {
		return err
	}
	return answerJSON(c, http.StatusOK, written)
}

// Erase answers DELETE /subjects/{subject}/attributes/{key}.
func (h *Attributes) Erase(c *gin.Context) error {
	subject, key, err := subjectAndKey(c)
	if err != nil {
		return err
	}
	erased, err := h.Privacy.EraseAttribute(c.Request.Context(), subject, key)
	if err != nil {
		return err
	}
	return answerJSON(c, http.StatusOK, erased)
}

func subjectAndKey(c *gin.Context) (subject, key string, err error) {
	if subject, err = pathText(c, "subject"); err != nil {
		return "", "", err
	}
	key, err = pathText(c, "key")
	return subject, key, err
}
