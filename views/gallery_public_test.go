package views

import (
	"fmt"
	"time"

	"fornix/views/ui"
)

func init() { wings = append(wings, publicWing) }

func publicWing(say func(string) string) []exhibit {
	frame := func(path string) PublicFrame { return PublicFrame{Path: path} }
	demo := PublicFrame{Path: "/", Banners: []Banner{{Tone: ui.Warn, Key: "common.banner.file_keys"}, {Tone: ui.Neutral, Key: "common.banner.demo"}}}
	all := []exhibit{
		{"landing", Landing(LandingPage{Frame: demo})},
		{"landing signed in", Landing(LandingPage{Frame: frame("/"), SignedIn: "/admin"})},
		{"signin", SignIn(SignInPage{Frame: frame("/signin"), Back: say("/admin/people")})},
		{"signin wrong", SignIn(SignInPage{Frame: frame("/signin"), Email: say("ana@northwind.example"), Wrong: true})},
		{"signin empty", SignIn(SignInPage{Frame: frame("/signin"), Faults: ui.Faults{{Name: "email", Code: "required"}, {Name: "password", Code: "required"}}})},
		{"signin too often", SignIn(SignInPage{Frame: frame("/signin"), Email: say("ana@northwind.example"), Wait: 30})},
		{"link portal", SignInLink(SignInLinkPage{Frame: frame("/"), Token: say("t0ken"), Tenant: say("Northwind Support"), Portal: true})},
		{"link console", SignInLink(SignInLinkPage{Frame: frame("/"), Token: say("t0ken")})},
		{"link gone", SignInLink(SignInLinkPage{Frame: frame("/"), Token: say("t0ken"), Gone: true})},
		{"signed out portal", SignedOut(SignedOutPage{Frame: frame("/"), Portal: true})},
		{"signed out staff", SignedOut(SignedOutPage{Frame: frame("/")})},
		{"receipt of all", Receipt(receiptAll(say))},
		{"receipt of rows", Receipt(receiptRows(say))},
		{"receipt partial", Receipt(receiptPartial(say))},
	}
	for _, status := range []int{400, 401, 403, 404, 405, 409, 410, 413, 429, 500, 503, 418} {
		page := ErrorPage{Frame: frame(say("/x")), Status: status, RequestID: say("01J8ZC3V"), Home: say("/me")}
		if status == 503 {
			page.Retry, page.Key = 30, "error.unavailable"
		}
		all = append(all, exhibit{fmt.Sprintf("error %d", status), ErrorView(page)})
	}
	return all
}

func receiptAll(say func(string) string) ReceiptPage {
	return ReceiptPage{
		Frame: PublicFrame{Path: "/receipts/x"}, ID: say("0198b0f4-7c1e-7a2b-9d3c-5e6f70819203"), Erasure: say("0198b0f4-6a00-7b11-8c22-4d5e6f708192"),
		Pseudonym: say("p-7f3a19c0"), Tenant: say("Northwind Support"), Scope: "all", Ground: "portal",
		Received: noon, Decided: noon, Executed: noon.Add(2 * time.Second), Issued: noon.Add(3 * time.Second),
		Decision: []ReceiptDecision{{Role: "subject", At: noon}},
		Key:      ReceiptKey{ID: say("k-51c2"), Epoch: 1, Destroyed: noon.Add(time.Second), ReadBack: true},
		Stores: []ReceiptStoreRow{
			{Store: "attributes", Before: 6, Method: "deleted"}, {Store: "memories", Before: 14, Method: "deleted"},
			{Store: "turns", Before: 1128, Method: "deleted"}, {Store: "audit_payloads", Before: 41, Method: "key_destroyed"},
			{Store: say("a newer store"), Before: 3, Method: say("a newer method")},
		},
		Kept:         []ReceiptKeptRow{{What: "tombstone"}, {What: "receipt"}, {What: "audit", Until: noon.AddDate(0, 6, 0)}, {What: "ledger"}, {What: "deliveries", Until: noon.AddDate(0, 0, 7)}},
		BackupsUntil: noon.AddDate(0, 1, 0), SnapshotsUntil: noon.AddDate(0, 0, 14), Exports: []string{say("exp-1")},
		Recipients: []ReceiptRecipientRow{{Name: say("CRM"), Told: noon, Acknowledged: noon.Add(time.Minute)}, {Name: say("Sales"), Told: noon}},
		Body:       say(`{"id":"0198b0f4","scope":"all"}`), Signature: say("c2lnbmF0dXJlLXNpZ25hdHVyZS1zaWduYXR1cmUtc2lnbmF0dXJlLXNpZ25hdHVyZS1zaWduYXR1cmUtc2lnbmF0dXJlLXM="),
		PublicKey: say("cHVibGljLWtleS1wdWJsaWMta2V5LXB1YmxpYy1rZXk="), Download: "/receipts/x.json",
	}
}

func receiptRows(say func(string) string) ReceiptPage {
	p := receiptAll(say)
	p.Scope, p.Ground, p.Key, p.Exports, p.Recipients = "rows", "staff", ReceiptKey{}, nil, nil
	return p
}

func receiptPartial(say func(string) string) ReceiptPage {
	p := receiptAll(say)
	p.Partial, p.PartialReason, p.Signature = true, "rows_left", ""
	p.Stores[2].Left = 12
	p.Key.ReadBack = false
	return p
}
