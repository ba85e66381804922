package handlers

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"

	"fornix/views"
	"fornix/views/ui"
)

// StepUp answers /admin/step-up.
type StepUp struct {
	*Pages
	StepUps StepUps
}

// stepUpPath leads to proving again who one is, and back from there.
func stepUpPath(back string) string { return "/admin/step-up?back=" + url.QueryEscape(back) }

// Form answers GET /admin/step-up?back=….
func (h *StepUp) Form(c *gin.Context) error {
	query, err := pageQuery(c, "back")
	if err != nil {
		return err
	}
	page, err := h.page(c, query["back"])
	if err != nil {
		return err
	}
	return render(c, http.StatusOK, views.ConsoleStepUp(page))
}

func (h *StepUp) page(c *gin.Context, back string) (views.ConsoleStepUpPage, error) {
	back = consolePath(back)
	has, err := h.StepUps.HasPassword(c.Request.Context())
	if err != nil {
		return views.ConsoleStepUpPage{}, err
	}
	page := views.ConsoleStepUpPage{Back: back, NoPassword: !has}
	page.Chrome, err = h.console(c, stepUpPath(back))
	return page, err
}

// Prove answers POST /admin/step-up.
func (h *StepUp) Prove(c *gin.Context) error {
	form, err := bindForm(c, "password", "back")
	if err != nil {
		return err
	}
	page, err := h.page(c, form["back"])
	if err != nil {
		return err
	}
	if form["password"] == "" {
		page.Faults = ui.Faults{{Name: "password", Code: "required"}}
		return render(c, http.StatusUnprocessableEntity, views.ConsoleStepUp(page))
	}
	err = h.StepUps.StepUp(c, form["password"])
	switch page.Wait = waitOf(err); {
	case page.Wait > 0:
		return render(c, http.StatusTooManyRequests, views.ConsoleStepUp(page))
	case errors.Is(err, ErrWrong):
		page.Wrong = true
		return render(c, http.StatusUnprocessableEntity, views.ConsoleStepUp(page))
	case err != nil:
		return err
	}
	return seeOther(c, page.Back)
}
