package handlers

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/gin-gonic/gin"
)

// apiRoot is where the API stands.
const apiRoot = "/api/v1"

// answerJSON writes an answer as a whole: one that can't be written is an error
// and no half of an answer.
func answerJSON(c *gin.Context, status int, v any) error {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false) // the type is JSON and nosniff holds: texts arrive as they were said
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("handlers: write answer: %w", err)
	}
	c.Data(status, "application/json; charset=utf-8", body.Bytes())
	return nil
}
