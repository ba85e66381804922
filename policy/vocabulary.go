package policy

import (
	"slices"
	"strings"
)

// Categories of what is remembered. An unknown category is treated as
// CatRestricted by the caller.
const (
	CatProfile    = "profile"
	CatContact    = "contact"
	CatPreference = "preference"
	CatHealth     = "health"
	CatWork       = "work"
	CatFamily     = "family"
	CatFinance    = "finance"
	CatSchedule   = "schedule"
	CatOrder      = "order"
	CatExperience = "experience"
	CatGeneral    = "general"
	CatRestricted = "restricted"
	CatTurns      = "turns" // the turns of conversations, as they were said
)

// Areas of the product: the category of an action that isn't about one category
// of data. Actions on a whole person (wipe, export, portal link, events) stand
// on AreaPeople, for agents as for staff.
const (
	AreaPeople     = "people"
	AreaMemory     = "memory"
	AreaAttribute  = "attribute"
	AreaDictionary = "dictionary"
	AreaAgents     = "agents"
	AreaPolicy     = "policy"
	AreaAudit      = "audit"
	AreaErasure    = "erasure"
	AreaReview     = "review"
	AreaSettings   = "settings"
	AreaReceipts   = "receipts"
)

// Actions. The same words stand in the audit log, routes and texts.
const (
	ActRecall          = "recall"           // search; also feedback on a recall
	ActMemoryRead      = "memory.read"      // agents: content and history; staff: the sealed row
	ActMemoryWrite     = "memory.write"     // remember and correct
	ActMemoryDelete    = "memory.delete"    // erase one, or by forget
	ActMemoryReveal    = "memory.reveal"    // staff open a sealed memory or turn, with a reason
	ActAttributeRead   = "attribute.read"   // agents: value; staff: the sealed row
	ActAttributeWrite  = "attribute.write"  //
	ActAttributeDelete = "attribute.delete" //
	ActAttributeReveal = "attribute.reveal" // staff open a sealed attribute, with a reason
	ActTurnRead        = "turn.read"        // only on CatTurns
	ActTurnWrite       = "turn.write"       // only on CatTurns: POST /messages

	ActPeopleRead  = "people.read"  // find and list people
	ActEventWrite  = "event.write"  // log behaviour
	ActPortalLink  = "portal.link"  // make a sign-in link for a person
	ActExportRead  = "export.read"  // a person's access export
	ActSubjectWipe = "subject.wipe" // erase all of one person

	ActReviewRead   = "review.read"   // the queue, sealed
	ActReviewOpen   = "review.open"   // a candidate's value and evidence, by category
	ActReviewDecide = "review.decide" // approve, edit, reject, merge, snooze, by category

	ActDictionaryRead  = "dictionary.read"
	ActDictionaryWrite = "dictionary.write"
	ActAgentRead       = "agent.read"
	ActAgentWrite      = "agent.write" // register, rotate keys, disable
	ActPolicyRead      = "policy.read"
	ActPolicyWrite     = "policy.write" // rules and who has which role
	ActAuditRead       = "audit.read"   // envelopes
	ActAuditReveal     = "audit.reveal" // sealed payloads, with a reason
	ActErasureRead     = "erasure.read" // progress of erasures and requests
	ActHoldPlace       = "hold.place"
	ActHoldRelease     = "hold.release"
	ActReceiptRead     = "receipt.read"
	ActSettingsRead    = "settings.read"
	ActSettingsWrite   = "settings.write"
	ActSessionManage   = "session.manage" // staff accounts' sign-in links and sessions
)

// Actions of people in the portal, on what is their own. No rule is ever about
// them (see Self); some are also actions of staff and agents.
const (
	ActPortalRead       = "portal.read" // what is remembered, why, who can see it
	ActMemoryCorrect    = "memory.correct"
	ActMemoryConfirm    = "memory.confirm" // or deny
	ActAttributeCorrect = "attribute.correct"
	ActAttributeConfirm = "attribute.confirm"
	ActSubjectPause     = "subject.pause"
)

// Actions of every signed-in user, on what is their own; see Staff.
const (
	ActConsoleOpen    = "console.open"    // the overview
	ActSessionEnd     = "session.end"     // sign out; people too
	ActSessionStepUp  = "session.step_up" // sign in again before what is grave; people too
	ActPasswordChange = "password.change"
	ActLocaleChange   = "locale.change" // people too
)

// ModuleConsole is the module in which staff act. No agent can have it.
const ModuleConsole = "console"

// AttrPrefix marks a category that is one attribute key: "attr:budget_range".
const AttrPrefix = "attr:"

var dataCategories = []string{
	CatProfile, CatContact, CatPreference, CatHealth, CatWork, CatFamily, CatFinance,
	CatSchedule, CatOrder, CatExperience, CatGeneral, CatRestricted, CatTurns,
}

var areas = []string{
	AreaPeople, AreaMemory, AreaAttribute, AreaDictionary, AreaAgents, AreaPolicy,
	AreaAudit, AreaErasure, AreaReview, AreaSettings, AreaReceipts,
}

// action says where an action has a meaning, so that a rule that could never
// match anything is refused instead of giving false comfort.
type action struct {
	name string
	// area is where the action stands as a whole; data allows every data
	// category besides, attr every attribute key. turns narrows it to CatTurns.
	area              string
	data, attr, turns bool
	// admin actions change, open or erase: refused to staff while stale.
	admin bool
}

var actions = []action{
	{name: ActRecall, data: true},
	{name: ActMemoryRead, area: AreaMemory, data: true},
	{name: ActMemoryWrite, area: AreaMemory, data: true, admin: true},
	{name: ActMemoryDelete, area: AreaMemory, data: true, admin: true},
	{name: ActMemoryReveal, area: AreaMemory, data: true, admin: true},
	{name: ActAttributeRead, area: AreaAttribute, data: true, attr: true},
	{name: ActAttributeWrite, area: AreaAttribute, data: true, attr: true, admin: true},
	{name: ActAttributeDelete, area: AreaAttribute, data: true, attr: true, admin: true},
	{name: ActAttributeReveal, area: AreaAttribute, data: true, attr: true, admin: true},
	{name: ActTurnRead, turns: true},
	{name: ActTurnWrite, turns: true, admin: true},
	{name: ActPeopleRead, area: AreaPeople},
	{name: ActEventWrite, area: AreaPeople, admin: true},
	{name: ActPortalLink, area: AreaPeople, admin: true},
	{name: ActExportRead, area: AreaPeople, admin: true},
	{name: ActSubjectWipe, area: AreaPeople, admin: true},
	{name: ActReviewRead, area: AreaReview},
	{name: ActReviewOpen, area: AreaReview, data: true, attr: true, admin: true},
	{name: ActReviewDecide, area: AreaReview, data: true, attr: true, admin: true},
	{name: ActDictionaryRead, area: AreaDictionary},
	{name: ActDictionaryWrite, area: AreaDictionary, admin: true},
	{name: ActAgentRead, area: AreaAgents},
	{name: ActAgentWrite, area: AreaAgents, admin: true},
	{name: ActPolicyRead, area: AreaPolicy},
	{name: ActPolicyWrite, area: AreaPolicy, admin: true},
	{name: ActAuditRead, area: AreaAudit},
	{name: ActAuditReveal, area: AreaAudit, admin: true},
	{name: ActErasureRead, area: AreaErasure},
	{name: ActHoldPlace, area: AreaErasure, admin: true},
	{name: ActHoldRelease, area: AreaErasure, admin: true},
	{name: ActReceiptRead, area: AreaReceipts},
	{name: ActSettingsRead, area: AreaSettings},
	{name: ActSettingsWrite, area: AreaSettings, admin: true},
	{name: ActSessionManage, area: AreaSettings, admin: true},
}

var (
	selfActions = []string{
		ActPortalRead, ActMemoryCorrect, ActMemoryConfirm, ActMemoryDelete, ActAttributeCorrect, ActAttributeConfirm,
		ActAttributeDelete, ActTurnRead, ActExportRead, ActReceiptRead, ActSubjectPause, ActSubjectWipe,
		ActSessionEnd, ActSessionStepUp, ActLocaleChange,
	}
	staffActions = []string{ActConsoleOpen, ActSessionEnd, ActSessionStepUp, ActPasswordChange, ActLocaleChange}
)

// Positions in the capability matrix; written once, then only read.
var (
	categoryIndex = map[string]int{}
	actionIndex   = map[string]int{}
)

func init() {
	for i, cat := range append(append([]string{}, dataCategories...), areas...) {
		categoryIndex[cat] = i
	}
	for i, a := range actions {
		actionIndex[a.name] = i
	}
}

// DataCategories lists the categories of what is remembered, in a fixed order.
func DataCategories() []string { return append([]string{}, dataCategories...) }

// Areas lists the areas, in a fixed order.
func Areas() []string { return append([]string{}, areas...) }

// Actions lists every action, in a fixed order.
func Actions() []string {
	names := make([]string, len(actions))
	for i, a := range actions {
		names[i] = a.name
	}
	return names
}

// SelfActions lists the actions of people in the portal.
func SelfActions() []string { return slices.Clone(selfActions) }

// StaffActions lists the actions of every signed-in user.
func StaffActions() []string { return slices.Clone(staffActions) }

func isSelfAction(act string) bool  { return slices.Contains(selfActions, act) }
func isStaffAction(act string) bool { return slices.Contains(staffActions, act) }

// IsDataCategory tells whether cat is a category of what is remembered.
func IsDataCategory(cat string) bool {
	i, ok := categoryIndex[cat]
	return ok && i < len(dataCategories)
}

// IsAdminAction tells whether staff are refused the action while the policy is
// too old: it changes, opens or erases something.
func IsAdminAction(act string) bool {
	i, ok := actionIndex[act]
	return ok && actions[i].admin
}

// MakesSense tells whether the action has a meaning on the category; both must
// be known, and neither Any.
func MakesSense(cat, act string) bool {
	i, ok := actionIndex[act]
	if !ok {
		return false
	}
	a := actions[i]
	switch {
	case isAttrCategory(cat):
		return a.attr
	case IsDataCategory(cat):
		return a.data || a.turns && cat == CatTurns
	default:
		return a.area != "" && a.area == cat
	}
}

// AttrCategory is the category of one attribute key.
func AttrCategory(key string) string { return AttrPrefix + key }

func isAttrCategory(cat string) bool {
	key, ok := strings.CutPrefix(cat, AttrPrefix)
	return ok && isName(key, maxKeyLen)
}
