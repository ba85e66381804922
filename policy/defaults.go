package policy

import "slices"

// Roles of staff.
const (
	RoleAdmin      = "admin"      // runs dictionary, agents, policy and review
	RoleReviewer   = "reviewer"   // decides about what agents inferred
	RoleCompliance = "compliance" // requests of people, holds, erasure, audit
	RoleAuditor    = "auditor"    // reads, and opens nothing
	RoleOperator   = "operator"   // keeps it running, sees no person
)

// Modules of agents that come with default grants.
const (
	ModuleSupport   = "support"   // customer service
	ModuleSales     = "sales"     //
	ModuleAssistant = "assistant" // a person's own assistant
)

// Roles lists the default roles of staff.
func Roles() []string {
	return []string{RoleAdmin, RoleReviewer, RoleCompliance, RoleAuditor, RoleOperator}
}

// Modules lists the modules that have default grants.
func Modules() []string { return []string{ModuleSupport, ModuleSales, ModuleAssistant} }

// ModuleRole is the role that the agents of a module share: "module-sales".
func ModuleRole(module string) string { return "module-" + module }

// DefaultRules are the rules a new tenant starts with: the roles of staff and
// the grants of the known modules. They name no user and no agent; see
// AssignRole and AgentRules.
func DefaultRules(tenant string) []Rule {
	var rules []Rule
	rules = append(rules, staffRules(tenant)...)
	for _, module := range Modules() {
		rules = append(rules, ModuleGrants(tenant, module)...)
	}
	return rules
}

// AgentRules are the rules for a new agent: it gets its module's role. An agent
// of a module without grants therefore may do nothing until rules are added.
func AgentRules(tenant, agentID, module string) []Rule {
	return []Rule{Link(AgentSubject(agentID), RoleSubject(ModuleRole(module)), tenant)}
}

// Access is each of the actions on each of the categories (data categories,
// areas, attribute keys by AttrCategory), allowed or denied.
type Access struct {
	Categories, Actions []string
	Deny                bool
}

// GrantRules are the rules of an agent that doesn't share its module's grants:
// what it may and may not do in its own module, and nothing else.
func GrantRules(tenant, agentID, module string, access ...Access) []Rule {
	g := &granter{sub: AgentSubject(agentID), tenant: tenant, module: module}
	for _, a := range access {
		if a.Deny {
			g.deny(a.Categories, a.Actions...)
		} else {
			g.allow(a.Categories, a.Actions...)
		}
	}
	return uniqueRules(g.rules)
}

// uniqueRules keeps the first of equal rules: lists of access may overlap, and a
// change with the same rule twice is refused.
func uniqueRules(rules []Rule) []Rule {
	seen := make(map[Rule]bool, len(rules))
	return slices.DeleteFunc(rules, func(r Rule) bool {
		twice := seen[r]
		seen[r] = true
		return twice
	})
}

// granter collects the rules of one subject in one module.
type granter struct {
	sub, tenant, module string
	rules               []Rule
}

func (g *granter) allow(cats []string, acts ...string) {
	for _, cat := range cats {
		for _, act := range acts {
			g.rules = append(g.rules, Allow(g.sub, g.tenant, g.module, cat, act))
		}
	}
}

func (g *granter) deny(cats []string, acts ...string) {
	for _, cat := range cats {
		for _, act := range acts {
			g.rules = append(g.rules, Deny(g.sub, g.tenant, g.module, cat, act))
		}
	}
}

func only(cats ...string) []string { return cats }

var (
	// everyday is what reviewers and customer service work with.
	everyday = []string{CatProfile, CatContact, CatPreference, CatWork, CatSchedule, CatOrder, CatExperience, CatGeneral}
	// delicate is opened by admins and compliance officers alone.
	delicate = []string{CatHealth, CatFamily, CatFinance, CatRestricted}
)

func staffRules(tenant string) []Rule {
	var rules []Rule
	role := func(name string, grant func(g *granter)) {
		g := &granter{sub: RoleSubject(name), tenant: tenant, module: ModuleConsole}
		grant(g)
		rules = append(rules, g.rules...)
	}
	// The sealed row (what kind, when, from which source) may be seen of every
	// category, by key too; hence the stars of readSealed.
	readSealed := func(g *granter) {
		g.allow(only(AreaPeople), ActPeopleRead)
		g.allow(only(Any), ActMemoryRead, ActAttributeRead)
	}

	role(RoleAdmin, func(g *granter) {
		readSealed(g)
		g.allow(only(AreaMemory), ActMemoryWrite, ActMemoryDelete, ActMemoryReveal)
		g.allow(only(AreaAttribute), ActAttributeWrite, ActAttributeDelete, ActAttributeReveal)
		// An admin can open anything, always with a reason and an audit event.
		g.allow(dataCategories, ActMemoryReveal, ActMemoryWrite, ActMemoryDelete)
		g.allow(dataCategories, ActAttributeReveal, ActAttributeWrite, ActAttributeDelete)
		g.allow(only(AreaPeople), ActPortalLink, ActExportRead, ActSubjectWipe)
		g.allow(only(AreaReview), ActReviewRead, ActReviewOpen, ActReviewDecide)
		g.allow(dataCategories, ActReviewOpen, ActReviewDecide)
		g.allow(only(AreaDictionary), ActDictionaryRead, ActDictionaryWrite)
		g.allow(only(AreaAgents), ActAgentRead, ActAgentWrite)
		g.allow(only(AreaPolicy), ActPolicyRead, ActPolicyWrite)
		// Reads the log, but doesn't open its payloads: that is compliance's.
		g.allow(only(AreaAudit), ActAuditRead)
		g.allow(only(AreaErasure), ActErasureRead)
		g.allow(only(AreaReceipts), ActReceiptRead)
		g.allow(only(AreaSettings), ActSettingsRead, ActSettingsWrite, ActSessionManage)
	})
	role(RoleReviewer, func(g *granter) {
		readSealed(g)
		g.allow(only(AreaReview), ActReviewRead, ActReviewOpen, ActReviewDecide)
		// Delicate candidates wait for an admin.
		g.allow(everyday, ActReviewOpen, ActReviewDecide)
		g.allow(only(AreaMemory), ActMemoryReveal)
		g.allow(only(AreaAttribute), ActAttributeReveal)
		g.allow(everyday, ActMemoryReveal, ActAttributeReveal)
		g.allow(only(AreaDictionary), ActDictionaryRead)
	})
	role(RoleCompliance, func(g *granter) {
		readSealed(g)
		// Answers a person's request, so opens everything of theirs; corrects
		// nothing.
		g.allow(only(AreaMemory), ActMemoryReveal, ActMemoryDelete)
		g.allow(only(AreaAttribute), ActAttributeReveal, ActAttributeDelete)
		g.allow(dataCategories, ActMemoryReveal, ActMemoryDelete, ActAttributeReveal, ActAttributeDelete)
		g.allow(only(AreaPeople), ActPortalLink, ActExportRead, ActSubjectWipe)
		g.allow(only(AreaErasure), ActErasureRead, ActHoldPlace, ActHoldRelease)
		g.allow(only(AreaReceipts), ActReceiptRead)
		g.allow(only(AreaAudit), ActAuditRead, ActAuditReveal)
		g.allow(only(AreaDictionary), ActDictionaryRead)
		g.allow(only(AreaAgents), ActAgentRead)
		g.allow(only(AreaPolicy), ActPolicyRead)
		g.allow(only(AreaReview), ActReviewRead)
		g.allow(only(AreaSettings), ActSettingsRead)
	})
	role(RoleAuditor, func(g *granter) {
		readSealed(g)
		g.allow(only(AreaAudit), ActAuditRead)
		g.allow(only(AreaErasure), ActErasureRead)
		g.allow(only(AreaReceipts), ActReceiptRead)
		g.allow(only(AreaDictionary), ActDictionaryRead)
		g.allow(only(AreaAgents), ActAgentRead)
		g.allow(only(AreaPolicy), ActPolicyRead)
		g.allow(only(AreaReview), ActReviewRead)
		g.allow(only(AreaSettings), ActSettingsRead)
	})
	role(RoleOperator, func(g *granter) {
		g.allow(only(AreaSettings), ActSettingsRead, ActSettingsWrite, ActSessionManage)
		g.allow(only(AreaAgents), ActAgentRead)
		g.allow(only(AreaErasure), ActErasureRead)
		g.allow(only(AreaDictionary), ActDictionaryRead)
		// Keeping it running takes no look at a person, whatever role comes on
		// top by mistake.
		g.deny(only(Any), ActMemoryReveal, ActAttributeReveal, ActAuditReveal, ActReviewOpen, ActExportRead)
	})
	return rules
}

// ModuleGrants are the default grants of a module's agents in a tenant; nil,
// which denies everything, for a module that isn't known.
func ModuleGrants(tenant, module string) []Rule {
	g := &granter{sub: RoleSubject(ModuleRole(module)), tenant: tenant, module: module}
	read := []string{ActRecall, ActMemoryRead}
	write := []string{ActMemoryWrite, ActMemoryDelete}
	attributes := []string{ActAttributeRead, ActAttributeWrite, ActAttributeDelete}
	switch module {
	case ModuleSupport:
		g.allow(everyday, read...)
		g.allow(everyday, write...)
		g.allow(everyday, attributes...)
		// A person's request reaches the company through customer service.
		g.allow(only(AreaPeople), ActEventWrite, ActPortalLink, ActExportRead, ActSubjectWipe)
	case ModuleSales:
		own := only(CatPreference, CatWork, CatSchedule, CatOrder, CatGeneral)
		g.allow(own, read...)
		g.allow(own, ActMemoryWrite)
		g.allow(only(CatProfile, CatPreference, CatWork, CatOrder), ActAttributeRead)
		g.allow(only(CatPreference, CatOrder), ActAttributeWrite)
		// One key out of finance, which sales has no grant for.
		g.allow(only(AttrCategory("budget_range")), ActAttributeRead, ActAttributeWrite)
		// Colleagues' notes about a person, never for the one who sells to them,
		// whichever category the dictionary gives the key.
		g.deny(only(AttrCategory("internal_notes")), attributes...)
		g.allow(only(AreaPeople), ActEventWrite, ActPortalLink)
	case ModuleAssistant:
		// Works for the person alone, hence the only agent with health, family
		// and finance.
		own := append([]string{CatHealth, CatFamily, CatFinance}, everyday...)
		g.allow(own, read...)
		g.allow(own, write...)
		g.allow(own, attributes...)
		g.allow(only(AreaPeople), ActEventWrite, ActPortalLink)
	default:
		return nil
	}
	g.allow(only(CatTurns), ActTurnRead, ActTurnWrite, ActRecall)
	// What no category is known for is kept for review, and read by no agent.
	g.allow(only(CatRestricted), ActMemoryWrite)
	return g.rules
}
