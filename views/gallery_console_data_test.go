package views

import (
	"fornix/views/ui"
)

func consoleEvents(say func(string) string) []ConsoleEventRow {
	return []ConsoleEventRow{
		{ID: say("0197a1-e0e0e0"), At: noon, ActorKind: "user", Actor: say("Ann Lee"), ActorRole: say("compliance"), Action: say("memory.reveal"), Object: say("memory:0197a1b2-77aa-7000-8000-c0ffee9f3c21"), Subject: say("sub_7f3a19c0")},
		{ID: say("0197a1-e0e0df"), At: noon, ActorKind: "agent", Actor: say("sales"), Action: say("memory.write"), Object: say("memory:0197a1b2-77aa-7000-8000-c0ffee9f3c20"), Subject: say("sub_19c0a204")},
		{ID: say("0197a1-e0e0de"), At: noon, ActorKind: "system", Actor: say("eraser"), Action: say("dictionary.write"), Object: say("dictionary:plan")},
	}
}

func consoleOverview(say func(string) string, chrome ConsoleChrome) ConsoleOverviewPage {
	return ConsoleOverviewPage{
		Chrome: chrome, Keys: ConsoleKeys{Kind: "file", State: "ready"}, Recent: consoleEvents(say),
		Counts:  []ConsoleCount{{"people", 40, "/admin/people"}, {"memories", 1284, ""}, {"attributes", 231, ""}, {"turns", 5120, ""}, {"agents", 3, "/admin/agents"}, {"erasures", 2, ""}, {say("a newer count"), 0, ""}},
		Waiting: []ConsoleWaiting{{"review", 12, ""}, {"partial", 1, say("/admin/audit")}, {say("a newer kind"), 1, ""}},
	}
}

func consolePeople(say func(string) string) []ConsolePersonRow {
	row := func(name, status string) ConsolePersonRow {
		return ConsolePersonRow{ID: say("0197a1"), Pseudonym: say(name), Status: status, Attributes: 7, Memories: 31, Turns: 128, Since: noon.AddDate(-1, 0, 0), LastSeen: noon}
	}
	rows := []ConsolePersonRow{row("sub_7f3a19c0", "active"), row("sub_19c0a204", "restricted"), row("sub_a2045be1", "erasing"), row("sub_5be10d77", say("a newer status"))}
	rows[3].LastSeen = noon.AddDate(-4000, 0, 0)
	return rows
}

func consolePerson(say func(string) string, chrome ConsoleChrome) ConsolePersonPage {
	past := []ConsolePastRow{{Status: "superseded", Source: "inferred", Version: 1, Since: noon.AddDate(0, -3, 0), Href: "/admin/memories/x"}, {Status: "archived", Source: "user", Version: 1, Since: noon.AddDate(0, -4, 0)}}
	return ConsolePersonPage{
		Chrome: chrome, Person: consolePeople(say)[0], MayWipe: true, First: "/admin/people/x", Next: "/admin/people/x?cursor=a",
		Attributes: []ConsoleAttributeRow{
			{ID: say("a1"), Key: say("plan"), Label: say("Plan"), Category: "work", Source: "user", Status: "active", Confidence: 1, Updated: noon, Until: noon.AddDate(1, 0, 0), Version: 2, MayReveal: true, Past: past[1:]},
			{ID: say("a2"), Key: say("shoe_size"), Category: "restricted", Source: "inferred", Status: "pending", Confidence: .725, Updated: noon, Version: 1},
		},
		Memories: []ConsoleMemoryRow{
			{ID: say("0197a1-9f3c21"), Kind: "soft_preference", Category: "preference", Source: "user", Status: "active", Confidence: .9, Updated: noon, Version: 2, MayReveal: true, Past: past},
			{ID: say("0197a1-77e0aa"), Kind: "event_fragment", Category: "schedule", Source: "external", Status: "active", Confidence: .75, Updated: noon, Until: noon.AddDate(0, 1, 0), Version: 1, MayReveal: true},
			{ID: say("0197a1-0d77ab"), Kind: say("a newer kind"), Category: say("a newer category"), Source: say("a newer source"), Status: say("a newer status"), Version: 1},
		},
	}
}

func consoleMemory(say func(string) string, chrome ConsoleChrome) ConsoleMemoryPage {
	return ConsoleMemoryPage{
		Chrome: chrome, Memory: consolePerson(say, chrome).Memories[0], Person: say("0197a1"), Pseudonym: say("sub_7f3a19c0"),
		Layer: "semantic", Namespace: say("default"), Agent: say("sales"), Importance: .6, Occurred: noon.AddDate(0, 0, -2), Created: noon, Accesses: 4, LastAccess: noon,
		Chain:    []ConsoleVersionRow{{ID: say("0197a1-9f3c21"), Status: "active", Source: "user", Version: 2, Since: noon, Current: true}, {ID: say("0197a1-9f3c20"), Status: "superseded", Source: "inferred", Version: 1, Since: noon.AddDate(0, -3, 0)}},
		Evidence: []ConsoleEvidenceRow{{Source: "user", At: noon, HasQuote: true}, {Source: "external", At: noon}},
	}
}

func consoleErasure(say func(string) string, chrome ConsoleChrome, state string) ConsoleErasurePage {
	p := ConsoleErasurePage{
		Chrome: chrome, ID: say("0197a1-e7a5ed"), Pseudonym: say("sub_7f3a19c0"), State: state, Scope: "all", RequestedBy: say("user:ann"), Requested: noon,
		Erased: []PortalCount{{"attributes", 7}, {"memories", 31}, {"turns", 128}}, Left: []PortalCount{{"segments", 2}},
	}
	if state == "complete" {
		p.Completed, p.Receipt = noon, "/receipts/x"
	}
	return p
}

func consoleEntries(say func(string) string) []ConsoleEntryRow {
	row := func(key, en, rule, sensitivity, basis string, days int) ConsoleEntryRow {
		return ConsoleEntryRow{Key: say(key), LabelZH: say("(" + en + ")"), LabelEN: say(en), PurposeZH: say("So that answers fit the contract"), PurposeEN: say("So that answers fit the contract"), Sensitivity: sensitivity, Category: "work", TTLDays: days, LawfulBasis: basis, Rule: rule}
	}
	return []ConsoleEntryRow{row("plan", "Plan", "allowed", "open", "contract", 0), row("budget_range", "Budget", "banded", "sealed", "consent", 365), row("home_address", "Home address", "forbidden", "sealed", "none", 1), row("x", "X", say("a newer rule"), say("a newer word"), say("a newer basis"), 2)}
}

func consoleEvent(say func(string) string, chrome ConsoleChrome) ConsoleEventPage {
	return ConsoleEventPage{
		Chrome: chrome, Event: consoleEvents(say)[0], RequestID: say("req_01"), IP: say("192.0.2.1"), UserAgent: say("Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0"),
		Leaf: say("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"), Payload: "sealed", MayReveal: true,
	}
}

func consoleEntryForm(say func(string) string) ConsoleEntryForm {
	return ConsoleEntryForm{Key: say("budget_range"), LabelZH: say("Budget (zh)"), LabelEN: say("Budget"), PurposeZH: say("To offer what fits"), PurposeEN: say("To offer what fits"), Sensitivity: "sealed", Category: "finance", TTLDays: "365", LawfulBasis: "consent", Rule: "banded", Bands: say(`[{"name": "low", "to": 5000}]`), JSONSchema: say(`{"type": "number"}`)}
}

// consoleRules are the exhibits of an entry, the agents and the policies.
func consoleRules(say func(string) string) []exhibit {
	chrome := func(path string) ConsoleChrome { return consoleChrome(say, path) }
	categories := []string{"finance", "work", "restricted"}
	entry := ConsoleEntryPage{Chrome: chrome("/admin/dictionary/x"), Form: consoleEntryForm(say), Version: 3, Categories: categories, MayWrite: true}
	read, conflict := entry, entry
	read.MayWrite = false
	now := consoleEntryForm(say)
	now.LabelEN, now.TTLDays, now.Rule = say("Budget of the year"), "", "allowed"
	conflict.Conflict = &ConsoleEntryConflict{Now: now, Version: 5, Changed: noon}
	wrong := ConsoleEntryPage{Chrome: chrome("/admin/dictionary/new"), New: true, MayWrite: true, Form: ConsoleEntryForm{TTLDays: say("x"), Category: say("a newer category")}, Faults: ui.Faults{{Name: "key", Code: "required"}, {Name: "label_en", Code: "required"}, {Name: "json_schema", Code: "invalid"}}}

	grants := []ConsoleGrant{
		{Category: "work", Allowed: []string{"recall", "memory.read", "memory.write", say("a.newer")}},
		{Category: "attr:internal_notes", Allowed: []string{"attribute.write"}, Denied: []string{"attribute.read"}},
		{Category: say("a newer category"), Denied: []string{"memory.delete"}},
	}
	agents := []ConsoleAgentRow{
		{Name: say("sales"), Module: "sales", KeyPrefix: say("fx_9a2b"), Status: "active", LastUsed: noon, Created: noon.AddDate(-1, 0, 0), Grants: grants},
		{Name: say("old bot"), Module: say("archive"), KeyPrefix: say("fx_0000"), Status: "disabled", Created: noon},
	}
	cells := map[string]ConsoleGrant{
		"work":       {Allowed: []string{"recall", "memory.write", "memory.delete", "memory.reveal"}},
		"finance":    {Allowed: []string{"memory.read"}, Denied: []string{"memory.write"}},
		"restricted": {Denied: []string{"memory.read"}},
	}
	data := ConsoleMatrix{
		Columns: []string{"profile", "contact", "preference", "health", "work", "family", "finance", "schedule", "order", "experience", "general", "restricted", "turns"},
		Lines:   []ConsolePolicyLine{{"role", "admin", "console", cells}, {"role", say("night shift"), "*", nil}, {"user", say("ann"), "console", cells}, {"agent", say("sales"), say("sales"), cells}},
	}
	areas := ConsoleMatrix{Columns: []string{"people", "audit", "attr:plan", say("a newer area")}, Lines: []ConsolePolicyLine{{"role", "compliance", "console", map[string]ConsoleGrant{"people": {Allowed: []string{"people.read", "subject.wipe"}}, "attr:plan": {Allowed: []string{"attribute.read"}}}}}}

	return []exhibit{
		{"console entry", ConsoleEntry(entry)},
		{"console entry to read", ConsoleEntry(read)},
		{"console entry conflict", ConsoleEntry(conflict)},
		{"console entry new and wrong", ConsoleEntry(wrong)},
		{"console agents", ConsoleAgents(ConsoleAgentsPage{Chrome: chrome("/admin/agents"), Rows: agents})},
		{"console agents none", ConsoleAgents(ConsoleAgentsPage{Chrome: chrome("/admin/agents")})},
		{"console policies", ConsolePolicies(ConsolePoliciesPage{Chrome: chrome("/admin/policies"), Version: 12, Data: data, Areas: areas, Links: []ConsoleLink{{say("user:ann"), "admin"}}, Rules: []ConsoleRule{{say("role:admin"), "console", "work", "memory.read", "allow"}, {say("agent:sales"), "sales", "attr:internal_notes", "attribute.read", "deny"}}})},
		{"console policies none", ConsolePolicies(ConsolePoliciesPage{Chrome: chrome("/admin/policies")})},
	}
}
