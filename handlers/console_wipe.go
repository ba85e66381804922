package handlers

import (
	"context"
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"fornix/memory"
	"fornix/privacy"
	"fornix/views"
	"fornix/views/ui"
)

// StaffWiper erases all of a person for staff, and tells how far that is.
type StaffWiper interface {
	WipePerson(ctx context.Context, subject uuid.UUID, reason string) (privacy.Requested, error)
	Erasure(ctx context.Context, id string) (privacy.ErasureView, error)
}

// StaffWipes answers /admin/people/{id}/wipe and /admin/erasures/{id}.
type StaffWipes struct {
	*Pages
	Memory  PeopleReader
	Privacy StaffWiper
	StepUps StepUps
}

// Form answers GET /admin/people/{id}/wipe.
func (h *StaffWipes) Form(c *gin.Context) error {
	page, err := h.page(c)
	if err != nil {
		return err
	}
	return render(c, http.StatusOK, views.ConsoleWipe(page))
}

func (h *StaffWipes) page(c *gin.Context) (views.ConsoleWipePage, error) {
	id, err := pathText(c, "id")
	if err != nil {
		return views.ConsoleWipePage{}, err
	}
	detail, err := h.Memory.PersonDetail(c.Request.Context(), id)
	if err != nil {
		return views.ConsoleWipePage{}, err
	}
	row := detail.PersonRow
	page := views.ConsoleWipePage{
		Person: row.ID, Pseudonym: row.Pseudonym, Restricted: row.Status == "restricted",
		Counts: toCounts(map[string]int64{"attributes": row.Attributes, "memories": row.Memories}),
	}
	page.Chrome, err = h.console(c, wipePersonPath(row.ID))
	return page, err
}

func wipePersonPath(id string) string { return personPath(id) + "/wipe" }

// Wipe answers POST /admin/people/{id}/wipe.
func (h *StaffWipes) Wipe(c *gin.Context) error {
	form, err := bindForm(c, "reason", "confirm")
	if err != nil {
		return err
	}
	page, err := h.page(c)
	if err != nil {
		return err
	}
	if !h.StepUps.SteppedUp(c.Request.Context()) {
		return seeOther(c, stepUpPath(wipePersonPath(page.Person)))
	}
	page.Reason, page.Confirm = form["reason"], form["confirm"]
	page.Faults, _ = formFaults(privacy.CheckReason(form["reason"]), "reason")
	if !views.ConfirmsWipe(form["confirm"]) {
		page.Faults = append(page.Faults, ui.Fault{Name: "confirm", Code: confirmFault(form["confirm"])})
	}
	if len(page.Faults) > 0 {
		return render(c, http.StatusUnprocessableEntity, views.ConsoleWipe(page))
	}
	subject, err := uuid.Parse(page.Person)
	if err != nil {
		return memory.NotFound()
	}
	requested, err := h.Privacy.WipePerson(c.Request.Context(), subject, form["reason"])
	if err != nil {
		return err
	}
	return seeOther(c, staffErasurePath(requested.ErasureID))
}

func staffErasurePath(id string) string { return "/admin/erasures/" + url.PathEscape(id) }

// Erasure answers GET /admin/erasures/{id}.
func (h *StaffWipes) Erasure(c *gin.Context) error {
	id, err := pathText(c, "id")
	if err != nil {
		return err
	}
	view, err := h.Privacy.Erasure(c.Request.Context(), id)
	if err != nil {
		return err
	}
	page := toConsoleErasure(view)
	if page.Chrome, err = h.console(c, staffErasurePath(id)); err != nil {
		return err
	}
	return render(c, http.StatusOK, views.ConsoleErasure(page))
}

func toConsoleErasure(v privacy.ErasureView) views.ConsoleErasurePage {
	page := views.ConsoleErasurePage{
		ID: v.ErasureID, Pseudonym: v.Subject, State: v.State, Scope: v.Scope, Requested: v.RequestedAt, Completed: timeOf(v.CompletedAt),
		Left: toCounts(v.Remaining),
	}
	for _, s := range v.Stores {
		page.Erased = append(page.Erased, views.PortalCount{Store: s.Name, N: int(s.Deleted)})
	}
	if v.ReceiptID != "" {
		page.Receipt = receiptPath(v.ReceiptID)
	}
	return page
}
