package web

import (
	"context"
	"net/http"
	"slices"
	"time"

	"fornix/handlers"
	"fornix/memory"
	"fornix/models"
	"fornix/policy"
	"fornix/views"
	"fornix/views/ui"
)

// routes is every way into the program: the only place that registers one. Each
// says what it asks of its caller; the services ask again, row by row, where the
// answer depends on a category.
func (s *server) routes() []route {
	return slices.Concat(s.machineRoutes(), s.apiRoutes(), s.publicRoutes(), s.portalRoutes(), s.consoleRoutes())
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

// pages is what stands around every page.
func (s *server) pages() *handlers.Pages {
	return &handlers.Pages{
		Banners: []views.Banner{{Tone: ui.Warn, Key: "common.banner.file_keys"}}, Secure: s.cfg.secure(), Can: s.policy.Can,
		Tenant: func(ctx context.Context) (string, error) {
			t, err := s.db.Tenant(ctx, models.TenantFrom(ctx))
			return t.Name, memory.Wrap("read tenant", err)
		},
	}
}

func (s *server) bridge() accounts {
	return accounts{cfg: s.cfg, staff: s.accounts, persons: s.memory}
}

// publicRoutes are the pages for everybody.
func (s *server) publicRoutes() []route {
	front := &handlers.Front{Pages: s.pages(), Accounts: s.bridge()}
	receipts := &handlers.ReceiptPages{Pages: s.pages(), Privacy: s.privacy}
	signIn := policy.Public("signing in begins signed out")
	return []route{
		get("/", policy.Public("the first page, which tells nothing"), front.Landing),
		get("/signin", signIn, front.SignInForm),
		post("/signin", signIn, front.SignIn),
		get("/signin/link", policy.Public("shows a button; whoever has the link may see it, and uses nothing up"), front.LinkForm),
		post("/signin/link", signIn, front.UseLink),
		post("/signout", policy.Public("ends the sessions of the browser that asks, and no other"), front.SignOut),
		post("/locale", policy.Public("sets the language of the browser that asks"), front.Locale),
		get("/receipts/:id", policy.Public("whoever holds a receipt's id may check it; it names nobody"), receipts.Show),
	}
}

// portalRoutes are what people see and do about themselves.
func (s *server) portalRoutes() []route {
	home := &handlers.PortalHome{Pages: s.pages(), Memory: s.memory, KeptDays: int(s.cfg.Retention / (24 * time.Hour))}
	correct := &handlers.PortalCorrections{Pages: s.pages(), Memory: s.memory}
	erase := &handlers.PortalDeletions{Pages: s.pages(), Memory: s.memory, Privacy: s.privacy}
	wipe := &handlers.PortalWipe{Pages: s.pages(), Memory: s.memory, Privacy: s.privacy, Accounts: s.bridge()}
	return []route{
		get("/me", policy.Self(policy.ActPortalRead), home.Show),
		get("/me/turns", policy.Self(policy.ActTurnRead), home.Turns),
		get("/me/access", policy.Self(policy.ActPortalRead), home.Access),
		get("/me/memories/:id/correct", policy.Self(policy.ActMemoryCorrect), correct.MemoryForm),
		post("/me/memories/:id/correct", policy.Self(policy.ActMemoryCorrect), correct.CorrectMemory),
		get("/me/attributes/:key/correct", policy.Self(policy.ActAttributeCorrect), correct.AttributeForm),
		post("/me/attributes/:key/correct", policy.Self(policy.ActAttributeCorrect), correct.CorrectAttribute),
		get("/me/memories/:id/delete", policy.Self(policy.ActMemoryDelete), erase.MemoryForm),
		post("/me/memories/:id/delete", policy.Self(policy.ActMemoryDelete), erase.DeleteMemory),
		get("/me/attributes/:key/delete", policy.Self(policy.ActAttributeDelete), erase.AttributeForm),
		post("/me/attributes/:key/delete", policy.Self(policy.ActAttributeDelete), erase.DeleteAttribute),
		get("/me/turns/:id/delete", policy.Self(policy.ActMemoryDelete), erase.TurnForm),
		post("/me/turns/:id/delete", policy.Self(policy.ActMemoryDelete), erase.DeleteTurn),
		get("/me/wipe", policy.Self(policy.ActSubjectWipe), wipe.Form),
		post("/me/wipe", policy.Self(policy.ActSubjectWipe), wipe.Wipe),
		get("/me/erasure/:id", policy.Public("the secret in the address is the key: there is nobody to sign in any more"), wipe.Erasure),
	}
}

// consoleRoutes are what staff see and do.
func (s *server) consoleRoutes() []route {
	pages, step, dictionary := s.pages(), s.bridge(), handlers.EntriesOf(s.memory)
	overview := &handlers.Overview{Pages: pages, Privacy: s.privacy, State: s.overview}
	people := &handlers.People{Pages: pages, Memory: s.memory, Dictionary: dictionary}
	reveals := &handlers.Reveals{Pages: pages, Memory: s.memory, Dictionary: dictionary, StepUps: step, Clock: s.cfg.now}
	wipes := &handlers.StaffWipes{Pages: pages, Memory: s.memory, Privacy: s.privacy, StepUps: step}
	entries := &handlers.Dictionary{Pages: pages, Memory: dictionary}
	access := &handlers.Access{Pages: pages, Memory: s.memory, Policy: s.policy}
	trail := &handlers.Trail{Pages: pages, Privacy: s.privacy, StepUps: step}
	proof := &handlers.StepUp{Pages: pages, StepUps: step}
	see := policy.Console(policy.AreaPeople, policy.ActPeopleRead)
	wipe := policy.Console(policy.AreaPeople, policy.ActSubjectWipe)
	return []route{
		get("/admin", policy.Staff(policy.ActConsoleOpen), overview.Show),
		get("/admin/people", see, people.List),
		get("/admin/people/:id", see, people.Show),
		get("/admin/memories/:id", see, people.ShowMemory),
		get("/admin/people/:id/reveal", see, reveals.Form),
		post("/admin/people/:id/reveal", see, reveals.Reveal),
		get("/admin/people/:id/wipe", wipe, wipes.Form),
		post("/admin/people/:id/wipe", wipe, wipes.Wipe),
		get("/admin/erasures/:id", policy.Console(policy.AreaErasure, policy.ActErasureRead), wipes.Erasure),
		get("/admin/dictionary", policy.Console(policy.AreaDictionary, policy.ActDictionaryRead), entries.List),
		get("/admin/dictionary/:key", policy.Console(policy.AreaDictionary, policy.ActDictionaryRead), entries.Form),
		post("/admin/dictionary/:key", policy.Console(policy.AreaDictionary, policy.ActDictionaryWrite), entries.Save),
		get("/admin/agents", policy.Console(policy.AreaAgents, policy.ActAgentRead), access.Agents),
		get("/admin/policies", policy.Console(policy.AreaPolicy, policy.ActPolicyRead), access.Policies),
		get("/admin/audit", policy.Console(policy.AreaAudit, policy.ActAuditRead), trail.List),
		get("/admin/audit/:id", policy.Console(policy.AreaAudit, policy.ActAuditRead), trail.Show),
		post("/admin/audit/:id/reveal", policy.Console(policy.AreaAudit, policy.ActAuditReveal), trail.Reveal),
		get("/admin/step-up", policy.Staff(policy.ActSessionStepUp), proof.Form),
		post("/admin/step-up", policy.Staff(policy.ActSessionStepUp), proof.Prove),
	}
}
