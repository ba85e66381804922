package web

import (
	"context"
	"net/http"

	"fornix/handlers"
	"fornix/policy"
)

// routes is every way into the program: the only place that registers one. Each
// says what it asks of its caller; the services ask again, row by row, where the
// answer depends on a category.
func (s *server) routes() []route {
	all := s.machineRoutes()
	return append(all, s.apiRoutes()...)
}

func get(path string, need policy.Need, handle handler) route {
	return route{http.MethodGet, path, need, handle}
}

func post(path string, need policy.Need, handle handler) route {
	return route{http.MethodPost, path, need, handle}
}

// explained lets the handler answer with an explanation without knowing its type.
func explained[T any](record func(context.Context, string, string) (T, error)) func(context.Context, string, string) (any, error) {
	return func(ctx context.Context, id, memory string) (any, error) { return record(ctx, id, memory) }
}

// machineRoutes are what machines ask for, and files that are the same for everybody.
func (s *server) machineRoutes() []route {
	assets := policy.Public("style sheets and scripts, the same for everybody")
	return []route{
		get("/healthz", policy.Public("says that the program runs, and nothing else"), health),
		get("/readyz", policy.Public("names the dependency that is missing, and nothing else"), s.ready),
		get("/static/*file", assets, serveStatic()),
		{http.MethodHead, "/static/*file", assets, serveStatic()},
	}
}

// apiRoutes are what agents call.
func (s *server) apiRoutes() []route {
	const root = "/api/v1"
	memories := &handlers.Memories{Memory: s.memory, Privacy: s.privacy}
	messages := &handlers.Messages{Memory: s.memory}
	recalls := &handlers.Recalls{Memory: s.memory, Explain: explained(s.memory.RecallRecord)}
	attributes := &handlers.Attributes{Memory: s.memory, Privacy: s.privacy}
	subjects := &handlers.Subjects{Privacy: s.privacy}
	erasures := &handlers.Erasures{Privacy: s.privacy}
	receipts := &handlers.Receipts{Privacy: s.privacy}
	links := &handlers.PortalLinks{Memory: s.memory, Base: s.url}
	wipe := policy.Agent(policy.AreaPeople, policy.ActSubjectWipe)
	return []route{
		post(root+"/memories", policy.AgentByRows(policy.ActMemoryWrite), memories.Create),
		get(root+"/memories/:id", policy.AgentByRows(policy.ActMemoryRead), memories.Show),
		get(root+"/memories/:id/history", policy.AgentByRows(policy.ActMemoryRead), memories.History),
		{http.MethodPatch, root + "/memories/:id", policy.AgentByRows(policy.ActMemoryWrite), memories.Correct},
		{http.MethodDelete, root + "/memories/:id", policy.AgentByRows(policy.ActMemoryDelete), memories.Erase},
		post(root+"/messages", policy.Agent(policy.CatTurns, policy.ActTurnWrite), messages.Create),
		post(root+"/recall", policy.AgentByRows(policy.ActRecall), recalls.Create),
		get(root+"/recalls/:id", policy.AgentByRows(policy.ActRecall), recalls.Show),
		get(root+"/subjects/:subject/attributes", policy.AgentByRows(policy.ActAttributeRead), attributes.List),
		{http.MethodPut, root + "/subjects/:subject/attributes/:key", policy.AgentByRows(policy.ActAttributeWrite), attributes.Put},
		{http.MethodDelete, root + "/subjects/:subject/attributes/:key", policy.AgentByRows(policy.ActAttributeDelete), attributes.Erase},
		{http.MethodDelete, root + "/subjects/:subject", wipe, subjects.Wipe},
		get(root+"/erasures/:id", wipe, erasures.Show),
		get(root+"/receipts/:id", policy.Public("whoever holds a receipt's id may check it; it names nobody"), receipts.Show),
		post(root+"/portal-links", policy.Agent(policy.AreaPeople, policy.ActPortalLink), links.Create),
	}
}
