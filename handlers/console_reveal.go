package handlers

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/gin-gonic/gin"

	"fornix/memory"
	"fornix/views"
)

// Revealer opens one sealed value for a reason that is recorded first.
type Revealer interface {
	PersonDetail(ctx context.Context, subject string) (memory.PersonDetail, error)
	Reveal(ctx context.Context, in memory.RevealInput) (memory.Revealed, error)
}

// Reveals answers /admin/people/{id}/reveal. Clock tells when a value was opened.
type Reveals struct {
	*Pages
	Memory     Revealer
	Dictionary EntryReader
	StepUps    StepUps
	Clock      func() time.Time
}

// Form answers GET /admin/people/{id}/reveal?memory=…|attribute=…; it opens nothing.
func (h *Reveals) Form(c *gin.Context) error {
	query, err := pageQuery(c, memory.RevealMemory, memory.RevealAttribute)
	if err != nil {
		return err
	}
	page, err := h.page(c, query)
	if err != nil {
		return err
	}
	return render(c, http.StatusOK, views.ConsoleReveal(page))
}

// page is the form about the item that the fields name.
func (h *Reveals) page(c *gin.Context, fields map[string]string) (views.ConsoleRevealPage, error) {
	ctx := c.Request.Context()
	var page views.ConsoleRevealPage
	id, err := pathText(c, "id")
	if err != nil {
		return page, err
	}
	detail, err := h.Memory.PersonDetail(ctx, id)
	if err != nil {
		return page, err
	}
	labels, err := labelsFor(ctx, h.Dictionary)
	if err != nil {
		return page, err
	}
	page.Person, page.Pseudonym, page.Reason = id, detail.Pseudonym, fields["reason"]
	// Only what is listed on the person's own page can be opened from there.
	for _, m := range detail.Memories {
		if m.ID == fields[memory.RevealMemory] {
			page.Item = views.ConsoleItem{Kind: memory.RevealMemory, ID: m.ID, Category: m.Category}
		}
	}
	for _, a := range detail.Attributes {
		if a.ID == fields[memory.RevealAttribute] {
			page.Item = views.ConsoleItem{Kind: memory.RevealAttribute, ID: a.ID, Label: or(labels[a.Name], a.Name), Category: a.Category}
		}
	}
	if page.Item.ID == "" {
		return page, memory.NotFound()
	}
	page.Chrome, err = h.console(c, revealPath(id, page.Item))
	return page, err
}

func revealPath(person string, item views.ConsoleItem) string {
	return personPath(person) + "/reveal?" + url.Values{item.Kind: {item.ID}}.Encode()
}

// Reveal answers POST /admin/people/{id}/reveal with the value, once.
func (h *Reveals) Reveal(c *gin.Context) error {
	form, err := bindForm(c, memory.RevealMemory, memory.RevealAttribute, "reason")
	if err != nil {
		return err
	}
	page, err := h.page(c, form)
	if err != nil {
		return err
	}
	ctx := c.Request.Context()
	if !h.StepUps.SteppedUp(ctx) {
		return seeOther(c, stepUpPath(revealPath(page.Person, page.Item)))
	}
	opened, err := h.Memory.Reveal(ctx, memory.RevealInput{Kind: page.Item.Kind, ID: page.Item.ID, Reason: form["reason"]})
	if faults, ok := formFaults(err, "reason"); ok {
		page.Faults = faults
		return render(c, http.StatusUnprocessableEntity, views.ConsoleReveal(page))
	}
	if err != nil {
		return err
	}
	shown := views.ConsoleRevealedPage{
		Chrome: page.Chrome, Person: page.Person, Pseudonym: page.Pseudonym, Item: page.Item, Value: opened.Value, Reason: form["reason"], At: h.Clock(),
	}
	if page.Item.Kind == memory.RevealAttribute {
		shown.Value = valueText([]byte(opened.Value))
	}
	for _, e := range opened.Evidence {
		if e.Quote != "" {
			shown.Quotes = append(shown.Quotes, e.Quote)
		}
	}
	return render(c, http.StatusOK, views.ConsoleRevealed(shown))
}
