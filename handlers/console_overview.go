package handlers

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"fornix/policy"
	"fornix/privacy"
	"fornix/views"
)

// TrailSearcher searches the audit log.
type TrailSearcher interface {
	SearchTrail(ctx context.Context, q privacy.TrailQuery) (privacy.TrailPage, error)
}

// Overview answers GET /admin. State tells how much there is, what waits, and how
// the key store is.
type Overview struct {
	*Pages
	Privacy TrailSearcher
	State   func(ctx context.Context) (OverviewState, error)
}

// OverviewState is what the overview shows beside the log.
type OverviewState struct {
	Counts  []views.ConsoleCount
	Keys    views.ConsoleKeys
	Waiting []views.ConsoleWaiting
}

// recentEvents is how many events the overview shows.
const recentEvents = 8

// Show answers GET /admin.
func (h *Overview) Show(c *gin.Context) error {
	ctx := c.Request.Context()
	chrome, err := h.console(c, consoleHome)
	if err != nil {
		return err
	}
	state, err := h.State(ctx)
	if err != nil {
		return err
	}
	page := views.ConsoleOverviewPage{Chrome: chrome, Counts: state.Counts, Keys: state.Keys}
	for _, w := range state.Waiting {
		if w.N > 0 {
			page.Waiting = append(page.Waiting, w)
		}
	}
	if chrome.May.Audit {
		trail, err := h.Privacy.SearchTrail(ctx, privacy.TrailQuery{})
		if err != nil {
			return err
		}
		for _, e := range trail.Rows[:min(recentEvents, len(trail.Rows))] {
			page.Recent = append(page.Recent, toEventRow(e))
		}
	}
	return render(c, http.StatusOK, views.ConsoleOverview(page))
}

// may asks the policy for whoever is signed in.
func (p *Pages) may(c *gin.Context, category, action string) bool {
	who, _ := policy.From(c.Request.Context())
	return p.Can(who, category, action)
}
