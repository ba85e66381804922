package web

import (
	"context"

	"fornix/handlers"
	"fornix/memory"
	"fornix/policy"
	"fornix/views"
)

// overview is how much the tenant holds, what waits, and how the key store is.
func (s *server) overview(ctx context.Context) (handlers.OverviewState, error) {
	n, err := s.db.Count(ctx)
	if err != nil {
		return handlers.OverviewState{}, memory.Wrap("overview", err)
	}
	who, _ := policy.From(ctx)
	leads := func(category, action, to string) string {
		if s.policy.Can(who, category, action) {
			return to
		}
		return ""
	}
	people := leads(policy.AreaPeople, policy.ActPeopleRead, "/admin/people")
	state := handlers.OverviewState{
		Keys: views.ConsoleKeys{Kind: "file", State: "ready"},
		Counts: []views.ConsoleCount{
			{Name: "people", N: int(n.People), Href: people},
			{Name: "memories", N: int(n.Memories)},
			{Name: "attributes", N: int(n.Attributes)},
			{Name: "turns", N: int(n.Turns)},
			{Name: "agents", N: int(n.Agents), Href: leads(policy.AreaAgents, policy.ActAgentRead, "/admin/agents")},
		},
	}
	if err := s.store.Check(ctx); err != nil {
		state.Keys.State = "down"
	}
	for _, w := range []views.ConsoleWaiting{
		{Kind: "review", N: int(n.Pending - n.Conflicts)},
		{Kind: "conflict", N: int(n.Conflicts)},
		{Kind: "erasure", N: int(n.Erasures)},
	} {
		if w.N > 0 {
			state.Waiting = append(state.Waiting, w)
		}
	}
	return state, nil
}
