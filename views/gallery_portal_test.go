package views

import (
	"time"

	"fornix/views/ui"
)

var noon = time.Date(2026, 5, 12, 12, 3, 0, 0, time.UTC)

func init() { wings = append(wings, portalWing) }

func portalWing(say func(string) string) []exhibit {
	frame := func(path string) PortalFrame { return PortalFrame{Tenant: say("Northwind Support"), Path: path} }
	item := Item{Kind: "memory", Key: say("mem_abc"), Value: say("Sends reports by WeCom")}
	plan := Item{Kind: "attribute", Key: say("plan"), Label: say("Plan"), Value: say("Business")}
	message := Item{Kind: "turn", Key: say("t1"), Value: say("Send reports by WeCom from now on, not by mail.")}
	home := portalHome(say, frame("/me"))
	held := home
	held.Restricted, held.HoldUntil = true, noon.AddDate(0, 6, 0)
	flashed := home
	flashed.Frame.Flash = Flash{Tone: ui.Good, Key: "flash.corrected"}
	flashed.Frame.Banners = []Banner{{Tone: ui.Warn, Key: "common.banner.file_keys"}}
	conflict := &PortalConflict{Value: say("Sends reports by e-mail"), Version: 4, Changed: noon, By: say("the sales agent")}

	return []exhibit{
		{"portal home", PortalHome(home)},
		{"portal home held", PortalHome(held)},
		{"portal home after a correction", PortalHome(flashed)},
		{"portal home empty", PortalHome(PortalHomePage{Frame: frame("/me")})},
		{"portal correct", PortalCorrect(PortalCorrectPage{Frame: frame("/me"), Item: item, Version: 3, Input: item.Value})},
		{"portal correct wrong", PortalCorrect(PortalCorrectPage{Frame: frame("/me"), Item: item, Version: 3, Faults: ui.Faults{{Name: "content", Code: "required"}}})},
		{"portal correct conflict", PortalCorrect(PortalCorrectPage{Frame: frame("/me"), Item: item, Version: 3, Input: say("By WeCom, please"), Conflict: conflict})},
		{"portal correct attribute", PortalCorrect(PortalCorrectPage{Frame: frame("/me"), Item: plan, Version: 1, Input: plan.Value})},
		{"portal correct banded", PortalCorrect(PortalCorrectPage{Frame: frame("/me"), Item: plan, Version: 1, Input: plan.Value, Options: []ui.Option{{Value: plan.Value, Label: plan.Value}, {Value: "b", Label: say("Team")}}})},
		{"portal delete memory", PortalDelete(PortalDeletePage{Frame: frame("/me"), Item: item, BackupsUntil: noon.AddDate(0, 1, 0)})},
		{"portal delete attribute", PortalDelete(PortalDeletePage{Frame: frame("/me"), Item: plan})},
		{"portal delete turn", PortalDelete(PortalDeletePage{Frame: frame("/me"), Item: message})},
		{"portal delete held", PortalDelete(PortalDeletePage{Frame: frame("/me"), Item: item, Restricted: true})},
		{"portal turns", PortalTurns(portalTurns(say, frame("/me/turns")))},
		{"portal turns none", PortalTurns(PortalTurnsPage{Frame: frame("/me/turns")})},
		{"portal access", PortalAccess(portalAccess(say, frame("/me/access")))},
		{"portal access none", PortalAccess(PortalAccessPage{Frame: frame("/me/access")})},
		{"portal wipe", PortalWipe(portalWipe(say, frame("/me/wipe")))},
		{"portal wipe wrong word", PortalWipe(wrongWord(portalWipe(say, frame("/me/wipe")), say("delete")))},
		{"portal wipe held", PortalWipe(PortalWipePage{Frame: frame("/me/wipe"), Restricted: true})},
		{"portal erasure requested", PortalErasure(erasure(frame("/"), "requested"))},
		{"portal erasure key gone", PortalErasure(erasure(frame("/"), "key_destroyed"))},
		{"portal erasure partial", PortalErasure(erasure(frame("/"), "partial"))},
		{"portal erasure complete", PortalErasure(erasure(frame("/"), "complete"))},
		{"portal erasure of rows", PortalErasure(PortalErasurePage{Frame: frame("/"), State: "complete", Scope: "rows", Requested: noon, Completed: noon, Receipt: "/receipts/x"})},
	}
}

func portalHome(say func(string) string, frame PortalFrame) PortalHomePage {
	both := []string{say("Sales"), say("Support")}
	return PortalHomePage{
		Frame: frame, Turns: 128, Next: "/me?cursor=" + "abc", First: "/me",
		Attributes: []PortalAttributeRow{
			{Key: say("work_city"), Label: say("City of work"), Value: say("Hangzhou"), Why: Why{Source: "user", Agent: say("Support"), Quote: say("I work in Hangzhou, so the afternoon train suits me."), Since: noon}, VisibleTo: both[1:], Until: noon.AddDate(1, 0, 0), Version: 2},
			{Key: say("plan"), Label: say("Plan"), Value: say("Business"), Why: Why{Source: "external", Agent: say("CRM"), Reason: say("Imported with the contract."), Since: noon}, VisibleTo: both, Version: 1},
		},
		Memories: []PortalMemoryRow{
			{ID: say("mem_a"), Content: say("Sends reports by WeCom"), Kind: "soft_preference", Why: Why{Source: "user", Quote: say("Send reports by WeCom from now on, not by mail."), Agent: say("Support"), Since: noon}, VisibleTo: both, Version: 1},
			{ID: say("mem_b"), Content: say("Allergic to peanuts"), Kind: "hard_fact", Why: Why{Source: "user", Since: noon}, VisibleTo: both[1:], Version: 1},
			{ID: say("mem_c"), Content: say("Prefers calls in the afternoon"), Kind: "soft_preference", Why: Why{Source: "inferred", Reason: say("6 of 7 talks were in the afternoon."), Since: noon, Unsure: true, Pending: true}, Version: 1},
			{ID: say("mem_d"), Content: say("Asked about the spring tariff"), Kind: "event_fragment", Why: Why{Source: "manual", Since: noon}, VisibleTo: both[:1], Until: noon.AddDate(0, 3, 0), Version: 1},
			{ID: say("mem_e"), Content: say("Wants a written summary after each call"), Kind: "a newer kind", Why: Why{Source: say("a newer source"), Since: noon, Unsure: true}, VisibleTo: both, Version: 1},
		},
	}
}

func portalTurns(say func(string) string, frame PortalFrame) PortalTurnsPage {
	return PortalTurnsPage{Frame: frame, KeptDays: 90, Deletable: true, Next: "/me/turns?cursor=x", Sessions: []PortalSessionRow{
		{Agent: say("Support"), Began: noon, Turns: []PortalTurnRow{
			{ID: say("1"), Role: "user", Content: say("Send reports by WeCom from now on, not by mail."), At: noon},
			{ID: say("2"), Role: "assistant", Content: say("Understood: reports go by WeCom. Shall I stop the mail today?"), At: noon.Add(time.Minute)},
			{ID: say("3"), Role: "user", Content: say("Yes."), At: noon.Add(2 * time.Minute)},
		}},
		{Began: noon.AddDate(0, 0, -1), Turns: []PortalTurnRow{{ID: say("4"), Role: "user", Content: say("Is the spring tariff still open?"), At: noon.AddDate(0, 0, -1)}}},
	}}
}

func portalAccess(say func(string) string, frame PortalFrame) PortalAccessPage {
	return PortalAccessPage{Frame: frame, Next: "/me/access?cursor=x", Rows: []PortalAccessRow{
		{At: noon, Who: say("Support"), What: "recall", Count: 3},
		{At: noon, Who: say("Sales"), What: "attributes", Denied: true},
		{At: noon, Who: "compliance", Staff: true, What: "reveal", Count: 1, Reason: say("Complaint 4411: check what was stored")},
		{At: noon, Who: say("a newer role"), Staff: true, What: say("a newer verb"), Count: 2},
	}}
}

func portalWipe(say func(string) string, frame PortalFrame) PortalWipePage {
	return PortalWipePage{Frame: frame, BackupsUntil: noon.AddDate(0, 1, 0), Recipients: []string{say("Sales"), say("CRM")}, Counts: []PortalCount{
		{Store: "attributes", N: 6}, {Store: "memories", N: 14}, {Store: "turns", N: 1128}, {Store: say("a newer store"), N: 2},
	}}
}

func wrongWord(p PortalWipePage, typed string) PortalWipePage {
	p.Confirm, p.Faults = typed, ui.Faults{{Name: "confirm", Code: "mismatch"}}
	return p
}

func erasure(frame PortalFrame, state string) PortalErasurePage {
	p := PortalErasurePage{Frame: frame, State: state, Scope: "all", Requested: noon, Refresh: "/me/erasure/x?token=y"}
	switch state {
	case "partial":
		p.Left = []PortalCount{{Store: "exports", N: 1}}
	case "complete":
		p.Completed, p.Receipt = noon.Add(time.Minute), "/receipts/x"
	}
	return p
}
