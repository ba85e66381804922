package views

import (
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fornix/views/i18n"
)

func TestMarksOfACell(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		grant ConsoleGrant
		want  []rightMark
	}{
		{"nothing gives no mark", ConsoleGrant{}, nil},
		{"recall reads", ConsoleGrant{Allowed: []string{"recall"}}, []rightMark{{code: "read"}}},
		{"a wipe erases", ConsoleGrant{Allowed: []string{"subject.wipe"}}, []rightMark{{code: "delete"}}},
		{"opening a candidate opens what is sealed", ConsoleGrant{Allowed: []string{"review.open"}}, []rightMark{{code: "reveal"}}},
		{"an unknown action counts as writing", ConsoleGrant{Allowed: []string{"a.newer"}}, []rightMark{{code: "write"}}},
		{"a refusal stands beside what is allowed", ConsoleGrant{Allowed: []string{"memory.read", "memory.write"}, Denied: []string{"attribute.read"}},
			[]rightMark{{code: "read"}, {code: "read", denied: true}, {code: "write"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, marksOf(tt.grant), cmp.AllowUnexported(rightMark{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestChipsTakeOneTermAway(t *testing.T) {
	t.Parallel()
	f := ConsoleAuditFilter{Actor: "ann & co", Action: "memory.reveal", From: "2026-05-01"}
	got, err := url.Parse(f.without("action"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(url.Values{"actor": {"ann & co"}, "from": {"2026-05-01"}}, got.Query()); diff != "" {
		t.Error(diff)
	}
	if got := (ConsoleAuditFilter{Action: "x"}).without("action"); got != "/admin/audit" {
		t.Errorf("the last term leads to %q", got)
	}
}

func TestNoRowsMeansNoTable(t *testing.T) {
	t.Parallel()
	page := render(t, i18n.En, ConsoleAudit(ConsoleAuditPage{Filter: ConsoleAuditFilter{Action: "subject.wipe"}}))
	if strings.Contains(page, "<tbody") || !strings.Contains(page, "empty-matches") {
		t.Error("a search without a match shows a table, or doesn't say that nothing matches")
	}
	if page := render(t, i18n.En, ConsoleAudit(ConsoleAuditPage{})); !strings.Contains(page, "empty-yet") {
		t.Error("an empty log doesn't read as one")
	}
}

func TestOnlyWhoMayRevealGetsTheForm(t *testing.T) {
	t.Parallel()
	page := ConsolePersonPage{Person: ConsolePersonRow{ID: "p/1", Status: "active"}, Memories: []ConsoleMemoryRow{{ID: "m1"}, {ID: "m2", MayReveal: true}}, Attributes: []ConsoleAttributeRow{{ID: "a1", MayReveal: true}, {ID: "a2"}}}
	out := render(t, i18n.En, ConsolePerson(page))
	if got := strings.Count(out, `action="/admin/people/p%2F1/reveal"`); got != 2 {
		t.Errorf("%d forms to reveal, want 2", got)
	}
	for _, want := range []string{`name="memory" value="m2"`, `name="attribute" value="a1"`} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(out, "/wipe") {
		t.Error("the page leads to a wipe that the role may not do")
	}
	event := render(t, i18n.En, ConsoleEvent(ConsoleEventPage{Event: ConsoleEventRow{ID: "e"}, Payload: "sealed"}))
	if strings.Contains(event, "/reveal") {
		t.Error("an event offers to open what the role may not open")
	}
}

func TestNobodyCanEraseWhoIsHeldOrGoing(t *testing.T) {
	t.Parallel()
	for _, status := range []string{"restricted", "erasing", "a newer status"} {
		page := ConsolePersonPage{Person: ConsolePersonRow{ID: "p", Status: status}, MayWipe: true}
		if strings.Contains(render(t, i18n.En, ConsolePerson(page)), "/wipe") {
			t.Errorf("a person who is %s can be wiped", status)
		}
	}
	held := render(t, i18n.En, ConsoleWipe(ConsoleWipePage{Person: "p", Restricted: true}))
	if strings.Contains(held, `action="/admin/people/p/wipe"`) {
		t.Error("a held person's page has the form")
	}
	for _, l := range i18n.Locales() {
		if !strings.Contains(render(t, l, ConsoleWipe(ConsoleWipePage{Person: "p"})), WipeWord(l)) {
			t.Errorf("%s: the page doesn't say the word", l)
		}
	}
}

func TestSavingAfterAConflictUsesTheNewVersion(t *testing.T) {
	t.Parallel()
	page := ConsoleEntryPage{Form: ConsoleEntryForm{Key: "plan", LabelEN: "mine", Rule: "allowed"}, Version: 3, MayWrite: true}
	if out := render(t, i18n.En, ConsoleEntry(page)); !strings.Contains(out, `name="version" value="3"`) {
		t.Error("the form doesn't carry its version")
	}
	page.Conflict = &ConsoleEntryConflict{Now: ConsoleEntryForm{Key: "plan", LabelEN: "theirs", Rule: "allowed"}, Version: 5}
	out := render(t, i18n.En, ConsoleEntry(page))
	for _, want := range []string{`name="version" value="5"`, "theirs", `value="mine"`} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s", want)
		}
	}
	want := []entryDifference{{i18n.In(i18n.En, "console.entry.label_en"), "theirs", "mine"}}
	if diff := cmp.Diff(want, page.differences(i18n.With(t.Context(), i18n.En)), cmp.AllowUnexported(entryDifference{})); diff != "" {
		t.Error(diff)
	}
	page.MayWrite = false
	if out := render(t, i18n.En, ConsoleEntry(page)); strings.Contains(out, `action="/admin/dictionary/`) {
		t.Error("an entry that may not be changed has a form")
	}
}

func TestSavingNeverChangesASelectUnseen(t *testing.T) {
	t.Parallel()
	page := ConsoleEntryPage{Form: ConsoleEntryForm{Key: "k", Category: "a-newer-one"}, Categories: []string{"work"}, MayWrite: true}
	if out := render(t, i18n.En, ConsoleEntry(page)); !strings.Contains(out, `<option value="a-newer-one" selected>`) {
		t.Error("the present category isn't chosen")
	}
}

func TestNavigationOffersWhatTheRoleMayOpen(t *testing.T) {
	t.Parallel()
	out := render(t, i18n.En, ConsoleAgents(ConsoleAgentsPage{Chrome: ConsoleChrome{May: ConsoleNav{Agents: true}}}))
	if strings.Contains(out, `href="/admin/people"`) || strings.Contains(out, `href="/admin/audit"`) {
		t.Error("the navigation leads to what is closed to the role")
	}
	if !strings.Contains(out, `href="/admin/agents" aria-current="page"`) {
		t.Error("the present page isn't marked")
	}
}

func TestStepUpLeadsToOurOwnPages(t *testing.T) {
	t.Parallel()
	if out := render(t, i18n.En, ConsoleStepUp(ConsoleStepUpPage{Back: "//evil.example"})); strings.Contains(out, "evil") {
		t.Error("the step-up sends people away")
	}
}

func TestErasuresOfTheConsoleNeverReadCompleteTooSoon(t *testing.T) {
	t.Parallel()
	for _, state := range []string{"requested", "key_destroyed", "rows_deleted", "partial", "a newer state"} {
		if out := render(t, i18n.En, ConsoleErasure(ConsoleErasurePage{ID: "e", State: state, Scope: "all"})); strings.Contains(out, "badge-good") {
			t.Errorf("%q reads as done", state)
		}
	}
	var names []string
	for _, s := range (ConsoleErasurePage{State: "complete", Scope: "rows"}).steps(t.Context()) {
		names = append(names, s.name+" "+s.mark)
	}
	if diff := cmp.Diff([]string{"requested done", "rows_deleted done", "complete done"}, names); diff != "" {
		t.Error(diff)
	}
}
