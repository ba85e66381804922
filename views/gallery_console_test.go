package views

import (
	"fornix/views/ui"
)

func init() { wings = append(wings, consoleWing) }

func consoleChrome(say func(string) string, path string) ConsoleChrome {
	return ConsoleChrome{
		Tenant: say("Northwind Support"), User: say("Ann Lee"), Path: path,
		May: ConsoleNav{People: true, Dictionary: true, Agents: true, Policies: true, Audit: true},
	}
}

func consoleWing(say func(string) string) []exhibit {
	chrome := func(path string) ConsoleChrome { return consoleChrome(say, path) }
	short := ui.Faults{{Name: "reason", Code: "too_short"}}
	memory := ConsoleItem{Kind: "memory", ID: say("0197a1-9f3c21"), Category: say("preference")}
	attribute := ConsoleItem{Kind: "attribute", ID: say("0197a1-77e0aa"), Label: say("Plan"), Category: "work"}

	person := consolePerson(say, chrome("/admin/people/x"))
	held, erasing := person, person
	held.Person.Status, held.HoldUntil = "restricted", noon.AddDate(0, 6, 0)
	erasing.Person.Status = "erasing"
	flashed := ConsoleDictionaryPage{Chrome: chrome("/admin/dictionary"), Rows: consoleEntries(say), MayWrite: true}
	flashed.Chrome.Flash = Flash{Tone: ui.Good, Key: "flash.saved"}
	flashed.Chrome.Banners = []Banner{{Tone: ui.Warn, Key: "common.banner.file_keys"}}
	filtered := ConsoleAuditFilter{Actor: say("ann"), Action: say("memory.reveal"), Object: say("memory:0197"), Subject: say("sub_7f3a"), From: "2026-05-01", To: say("2026-05-31")}
	opened := consoleEvent(say, chrome("/admin/audit/x"))
	opened.Opened = &ConsolePayload{Reason: say("Call 4711: asks what we hold"), Before: say(`{"value": "Team"}`), After: say(`{"value": "Business"}`), IP: say("192.0.2.1"), UserAgent: say("Firefox")}
	gone, none, refused, locked := consoleEvent(say, chrome("/")), consoleEvent(say, chrome("/")), consoleEvent(say, chrome("/")), consoleEvent(say, chrome("/"))
	gone.Payload, none.Payload, locked.MayReveal = "gone", "none", false
	refused.Reason, refused.Faults = say("short"), short
	empty := opened
	empty.Opened = &ConsolePayload{}
	wipe := ConsoleWipePage{Chrome: chrome("/admin/people/x/wipe"), Person: say("0197a1"), Pseudonym: say("sub_7f3a"), Counts: []PortalCount{{"attributes", 7}, {"memories", 31}, {say("a newer store"), 2}}}
	wrong, heldWipe := wipe, wipe
	wrong.Reason, wrong.Confirm, wrong.Faults = say("no"), say("no"), ui.Faults{{Name: "reason", Code: "too_short"}, {Name: "confirm", Code: "mismatch"}}
	wrong.BackupsUntil = noon
	heldWipe.Restricted, heldWipe.HoldUntil = true, noon

	return append(consoleRules(say),
		exhibit{"console overview", ConsoleOverview(consoleOverview(say, chrome("/admin")))},
		exhibit{"console overview bare", ConsoleOverview(ConsoleOverviewPage{Chrome: chrome("/admin"), Keys: ConsoleKeys{Kind: say("file"), State: say("a newer state")}})},
		exhibit{"console overview of a role that sees little", ConsoleOverview(ConsoleOverviewPage{Chrome: ConsoleChrome{User: say("Ann")}, Keys: ConsoleKeys{Kind: "vault", State: "ready"}})},
		exhibit{"console step up", ConsoleStepUp(ConsoleStepUpPage{Chrome: chrome("/admin/step-up"), Back: say("/admin/people")})},
		exhibit{"console step up wrong", ConsoleStepUp(ConsoleStepUpPage{Chrome: chrome("/admin/step-up"), Wrong: true, Wait: 30})},
		exhibit{"console step up without password", ConsoleStepUp(ConsoleStepUpPage{Chrome: chrome("/admin/step-up"), NoPassword: true, Back: say("/admin/people")})},
		exhibit{"console people", ConsolePeople(ConsolePeoplePage{Chrome: chrome("/admin/people"), Rows: consolePeople(say), First: "/admin/people", Next: "/admin/people?cursor=a"})},
		exhibit{"console people no match", ConsolePeople(ConsolePeoplePage{Chrome: chrome("/admin/people"), Query: say("cust-0042")})},
		exhibit{"console people wrong", ConsolePeople(ConsolePeoplePage{Chrome: chrome("/admin/people"), Query: say("cust"), Faults: ui.Faults{{Name: "q", Code: "too_long"}}})},
		exhibit{"console people none", ConsolePeople(ConsolePeoplePage{Chrome: chrome("/admin/people")})},
		exhibit{"console person", ConsolePerson(person)},
		exhibit{"console person held", ConsolePerson(held)},
		exhibit{"console person erasing", ConsolePerson(erasing)},
		exhibit{"console person empty", ConsolePerson(ConsolePersonPage{Chrome: chrome("/admin/people/x"), Person: consolePeople(say)[0]})},
		exhibit{"console memory", ConsoleMemory(consoleMemory(say, chrome("/admin/memories/x")))},
		exhibit{"console memory bare", ConsoleMemory(ConsoleMemoryPage{Chrome: chrome("/"), Memory: ConsoleMemoryRow{Kind: say("hard_fact")}})},
		exhibit{"console reveal refused", ConsoleReveal(ConsoleRevealPage{Chrome: chrome("/admin/people/x"), Person: say("0197a1"), Pseudonym: say("sub_7f3a"), Item: memory, Reason: say("short"), Faults: short})},
		exhibit{"console reveal attribute", ConsoleReveal(ConsoleRevealPage{Chrome: chrome("/admin/people/x"), Person: say("0197a1"), Pseudonym: say("sub_7f3a"), Item: attribute})},
		exhibit{"console revealed", ConsoleRevealed(ConsoleRevealedPage{Chrome: chrome("/admin/people/x"), Person: say("0197a1"), Pseudonym: say("sub_7f3a"), Item: memory, Value: say("Sends reports by WeCom, never by mail"), Reason: say("Call 4711: asks what we hold"), Quotes: []string{say("By WeCom from now on, please.")}, Event: say("0197a1-e0e0e0"), At: noon})},
		exhibit{"console wipe", ConsoleWipe(wipe)},
		exhibit{"console wipe wrong", ConsoleWipe(wrong)},
		exhibit{"console wipe held", ConsoleWipe(heldWipe)},
		exhibit{"console erasure requested", ConsoleErasure(consoleErasure(say, chrome("/admin/erasures/x"), "requested"))},
		exhibit{"console erasure partial", ConsoleErasure(consoleErasure(say, chrome("/admin/erasures/x"), "partial"))},
		exhibit{"console erasure complete", ConsoleErasure(consoleErasure(say, chrome("/admin/erasures/x"), "complete"))},
		exhibit{"console dictionary", ConsoleDictionary(flashed)},
		exhibit{"console dictionary none", ConsoleDictionary(ConsoleDictionaryPage{Chrome: chrome("/admin/dictionary")})},
		exhibit{"console audit", ConsoleAudit(ConsoleAuditPage{Chrome: chrome("/admin/audit"), Actions: []string{"memory.reveal", say("subject.wipe")}, Rows: consoleEvents(say), First: "/admin/audit", Next: "/admin/audit?cursor=a"})},
		exhibit{"console audit filtered", ConsoleAudit(ConsoleAuditPage{Chrome: chrome("/admin/audit"), Filter: filtered, Rows: consoleEvents(say)})},
		exhibit{"console audit no match", ConsoleAudit(ConsoleAuditPage{Chrome: chrome("/admin/audit"), Filter: filtered, Faults: ui.Faults{{Name: "to", Code: "invalid"}}})},
		exhibit{"console audit none", ConsoleAudit(ConsoleAuditPage{Chrome: chrome("/admin/audit")})},
		exhibit{"console event", ConsoleEvent(consoleEvent(say, chrome("/admin/audit/x")))},
		exhibit{"console event refused", ConsoleEvent(refused)},
		exhibit{"console event opened", ConsoleEvent(opened)},
		exhibit{"console event opened and empty", ConsoleEvent(empty)},
		exhibit{"console event gone", ConsoleEvent(gone)},
		exhibit{"console event without contents", ConsoleEvent(none)},
		exhibit{"console event locked", ConsoleEvent(locked)},
	)
}
