package views

import (
	"time"

	"fornix/views/ui"
)

// ConsoleDictionaryPage is GET /admin/dictionary.
type ConsoleDictionaryPage struct {
	Chrome   ConsoleChrome
	Rows     []ConsoleEntryRow
	MayWrite bool
}

// ConsoleEntryRow is one attribute key of the dictionary.
type ConsoleEntryRow struct {
	Key         string
	LabelZH     string
	LabelEN     string
	PurposeZH   string
	PurposeEN   string
	Sensitivity string // open, sealed
	Category    string
	TTLDays     int // 0: for ever
	LawfulBasis string
	Rule        string // allowed, banded, forbidden
}

// ConsoleEntryPage is GET, POST /admin/dictionary/{key}; a new entry has the key
// "new" in its address and brings its own as a field. Fields: key (new only),
// version, label_zh, label_en, purpose_zh, purpose_en, sensitivity, category,
// ttl_days (empty: for ever), lawful_basis, rule, bands, json_schema. 422 shows the
// form again with Faults, 409 with Conflict; success: 303 to the list.
type ConsoleEntryPage struct {
	Chrome     ConsoleChrome
	New        bool
	Form       ConsoleEntryForm
	Version    int // the one that the form was opened with
	Faults     ui.Faults
	Conflict   *ConsoleEntryConflict
	Categories []string // to choose from
	MayWrite   bool     // else the entry is shown and can't be changed
}

// ConsoleEntryForm is an entry as typed. Bands and JSONSchema are JSON texts.
type ConsoleEntryForm struct {
	Key         string `form:"key"`
	LabelZH     string `form:"label_zh"`
	LabelEN     string `form:"label_en"`
	PurposeZH   string `form:"purpose_zh"`
	PurposeEN   string `form:"purpose_en"`
	Sensitivity string `form:"sensitivity"`
	Category    string `form:"category"`
	TTLDays     string `form:"ttl_days"`
	LawfulBasis string `form:"lawful_basis"`
	Rule        string `form:"rule"`
	Bands       string `form:"bands"`
	JSONSchema  string `form:"json_schema"`
}

// ConsoleEntryConflict is the entry as somebody else saved it meanwhile. The form
// shown beside it carries Version, so that saving again is a choice.
type ConsoleEntryConflict struct {
	Now     ConsoleEntryForm
	Version int
	Changed time.Time
}

// ConsoleAgentsPage is GET /admin/agents.
type ConsoleAgentsPage struct {
	Chrome ConsoleChrome
	Rows   []ConsoleAgentRow
}

// ConsoleAgentRow is an agent and what it may do.
type ConsoleAgentRow struct {
	Name      string
	Module    string
	KeyPrefix string // the beginning of its API key, to tell keys apart
	Status    string // active, disabled
	LastUsed  time.Time
	Created   time.Time
	Grants    []ConsoleGrant
}

// ConsoleGrant is what may and may not be done on one category, actions as in the
// policy.
type ConsoleGrant struct {
	Category string
	Allowed  []string
	Denied   []string
}

// ConsolePoliciesPage is GET /admin/policies, to be read only.
type ConsolePoliciesPage struct {
	Chrome  ConsoleChrome
	Version int           // of the policy
	Data    ConsoleMatrix // categories of what is remembered
	Areas   ConsoleMatrix // parts of the product and single attribute keys
	Links   []ConsoleLink // who has which role
	Rules   []ConsoleRule // as written, in the policy's own words
}

// ConsoleMatrix is a table of holders by category; cells a line lacks are empty.
type ConsoleMatrix struct {
	Columns []string
	Lines   []ConsolePolicyLine
}

// ConsolePolicyLine is what one holder may do. Kind: role, user, agent. Module is
// where it holds; "*": everywhere.
type ConsolePolicyLine struct {
	Kind   string
	Name   string
	Module string
	Cells  map[string]ConsoleGrant // by category
}

// ConsoleLink says that a member has a role.
type ConsoleLink struct {
	Member string
	Role   string
}

// ConsoleRule is a rule as written.
type ConsoleRule struct {
	Subject  string
	Module   string
	Category string
	Action   string
	Effect   string // allow, deny
}
