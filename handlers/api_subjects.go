package handlers

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"fornix/privacy"
)

// Wiper erases all of a person.
type Wiper interface {
	Wipe(ctx context.Context, subject, reason string) (privacy.Requested, error)
}

// Subjects answers /api/v1/subjects/{subject}.
type Subjects struct{ Privacy Wiper }

// wipeInput may come with a wipe; its body may be left out.
type wipeInput struct {
	Reason string `json:"reason"`
}

// Wipe answers DELETE /subjects/{subject}: from the answer on nothing of the person
// is served, and GET /erasures/{id} tells how far erasing is.
func (h *Subjects) Wipe(c *gin.Context) error {
	subject, err := pathText(c, "subject")
	if err != nil {
		return err
	}
	var in wipeInput
	if c.Request.ContentLength != 0 {
		if err := bindJSON(c, &in); err != nil {
			return err
		}
	}
	requested, err := h.Privacy.Wipe(c.Request.Context(), subject, in.Reason)
	if err != nil {
		return err
	}
	c.Header("Location", apiRoot+"/erasures/"+requested.ErasureID)
	return answerJSON(c, http.StatusAccepted, requested)
}
