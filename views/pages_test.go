package views

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"fornix/views/i18n"
	"fornix/views/ui"
)

func TestConfirmsWipe(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]bool{
		"wipe": true, " WIPE ": true, "清除": true, "清除\n": true,
		"": false, "wip": false, "wipe all": false, "删除": false, "⟦portal.wipe.word⟧": false,
	} {
		if got := ConfirmsWipe(typed); got != want {
			t.Errorf("ConfirmsWipe(%q) = %v, want %v", typed, got, want)
		}
	}
	for _, l := range i18n.Locales() {
		if !ConfirmsWipe(WipeWord(l)) {
			t.Errorf("the word of %s doesn't confirm", l)
		}
		page := render(t, l, PortalWipe(PortalWipePage{}))
		if !strings.Contains(page, WipeWord(l)) {
			t.Errorf("the page in %s doesn't say the word", l)
		}
	}
}

func TestWipePageNamesAllThatStays(t *testing.T) {
	t.Parallel()
	for _, l := range i18n.Locales() {
		page := render(t, l, PortalWipe(PortalWipePage{}))
		for _, what := range keptAfterWipe() {
			if !strings.Contains(page, html.EscapeString(i18n.In(l, "public.kept."+what))) {
				t.Errorf("%s: nothing about %s", l, what)
			}
		}
	}
}

func TestHeldPeopleGetNoDeletingForm(t *testing.T) {
	t.Parallel()
	held := PortalDeletePage{Item: Item{Kind: "memory", Key: "a"}, Restricted: true}
	for name, page := range map[string]string{
		"wipe":   render(t, i18n.En, PortalWipe(PortalWipePage{Restricted: true})),
		"delete": render(t, i18n.En, PortalDelete(held)),
	} {
		if strings.Contains(page, `action="/me/`) {
			t.Errorf("the %s page offers to delete", name)
		}
		if !strings.Contains(page, "legal hold") {
			t.Errorf("the %s page doesn't say why not", name)
		}
	}
}

func TestErasureSteps(t *testing.T) {
	t.Parallel()
	tests := []struct {
		state, scope string
		want         []string
	}{
		{"requested", "all", []string{"done", "now", "open", "open"}},
		{"key_destroyed", "all", []string{"done", "done", "now", "open"}},
		{"rows_deleted", "all", []string{"done", "done", "done", "now"}},
		{"partial", "all", []string{"done", "done", "now", "open"}},
		{"complete", "all", []string{"done", "done", "done", "done"}},
		{"requested", "rows", []string{"done", "now", "open"}},
		{"complete", "rows", []string{"done", "done", "done"}},
		{"a newer state", "all", []string{"now", "open", "open", "open"}},
	}
	for _, tt := range tests {
		var got []string
		for _, s := range (PortalErasurePage{State: tt.state, Scope: tt.scope}).steps(t.Context()) {
			got = append(got, s.mark)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s of %s: %s", tt.state, tt.scope, diff)
		}
	}
}

func TestUnfinishedErasuresNeverReadComplete(t *testing.T) {
	t.Parallel()
	done := i18n.In(i18n.En, "portal.erasure.title.complete")
	for _, state := range []string{"requested", "key_destroyed", "rows_deleted", "partial", "", "a newer state"} {
		if page := render(t, i18n.En, PortalErasure(PortalErasurePage{State: state, Scope: "all"})); strings.Contains(page, done) {
			t.Errorf("%q reads as done", state)
		}
	}
	receipt := render(t, i18n.En, Receipt(receiptPartial(benign)))
	if strings.Contains(receipt, "complete") || !strings.Contains(receipt, "partial") {
		t.Error("a partial receipt reads complete")
	}
}

func TestReceiptSaysWhichBackupRuleApplies(t *testing.T) {
	t.Parallel()
	key, rows := i18n.In(i18n.En, "public.receipt.backups.key"), i18n.In(i18n.En, "public.receipt.backups.rows")
	all := render(t, i18n.En, Receipt(receiptAll(benign)))
	some := render(t, i18n.En, Receipt(receiptRows(benign)))
	if !strings.Contains(all, key) || strings.Contains(all, rows) {
		t.Error("the receipt of a wipe doesn't rest on the key")
	}
	if strings.Contains(some, key) || !strings.Contains(some, rows) {
		t.Error("the receipt of a smaller erasure rests on a key that lives on")
	}
}

func TestCorrectingAfterAConflictUsesTheNewVersion(t *testing.T) {
	t.Parallel()
	item := Item{Kind: "memory", Key: "mem/ä", Value: "old"}
	page := PortalCorrectPage{Item: item, Version: 3, Input: "mine"}
	if out := render(t, i18n.En, PortalCorrect(page)); !strings.Contains(out, `name="version" value="3"`) || !strings.Contains(out, `action="/me/memories/mem%2F%C3%A4/correct"`) {
		t.Error(out)
	}
	page.Conflict = &PortalConflict{Value: "theirs", Version: 5}
	out := render(t, i18n.En, PortalCorrect(page))
	for _, want := range []string{`name="version" value="5"`, "theirs", "mine"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s", want)
		}
	}
	attribute := PortalCorrectPage{Item: Item{Kind: "attribute", Key: "plan", Label: "Plan"}, Faults: ui.Faults{{Name: "value", Code: "required"}}}
	if out := render(t, i18n.En, PortalCorrect(attribute)); !strings.Contains(out, `name="value"`) || !strings.Contains(out, `href="#f-value"`) {
		t.Error("the attribute's form doesn't send value")
	}
}

func TestPortalShowsNoIDs(t *testing.T) {
	t.Parallel()
	root, err := html.Parse(strings.NewReader(render(t, i18n.En, PortalHome(portalHome(benign, PortalFrame{})))))
	if err != nil {
		t.Fatal(err)
	}
	if text := textOf(root, nil); strings.Contains(text, "mem_") || strings.Contains(text, "work_city") {
		t.Error("an id is shown to a person")
	}
}

func TestHostileTextIsShownAsText(t *testing.T) {
	t.Parallel()
	words := `<script>alert(1)</script>`
	page := render(t, i18n.En, PortalHome(PortalHomePage{Memories: []PortalMemoryRow{{ID: "a", Content: words, Kind: "hard_fact"}}}))
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(textOf(root, nil), words) {
		t.Error("the words are not shown as they were said")
	}
}

func TestErrorPagesFallBack(t *testing.T) {
	t.Parallel()
	if page := render(t, i18n.En, ErrorView(ErrorPage{Status: 418})); !strings.Contains(page, "our side") {
		t.Error("an unknown status has no words")
	}
	if page := render(t, i18n.En, ErrorView(ErrorPage{Status: 404, Key: "no.such.key"})); strings.Contains(page, "no.such") {
		t.Error("an unknown key is shown")
	}
	if page := render(t, i18n.En, ErrorView(ErrorPage{Status: 409, Key: "error.conflict"})); !strings.Contains(page, i18n.In(i18n.En, "error.conflict")) {
		t.Error("the more telling text isn't shown")
	}
}

func TestSignInNeverSaysWhichWasWrong(t *testing.T) {
	t.Parallel()
	page := render(t, i18n.En, SignIn(SignInPage{Email: "a@example.com", Wrong: true}))
	if strings.Contains(page, "aria-invalid") || strings.Contains(page, `type="password" value="x`) {
		t.Error("one of the two is marked")
	}
}
