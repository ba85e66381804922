package handlers

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"fornix/memory"
	"fornix/policy"
	"fornix/privacy"
	"fornix/views"
	"fornix/views/ui"
)

const personID = "0190a0c4-0000-7000-8000-000000000001"

// fakeStaff is what staff reach, with one person who has one memory.
type fakeStaff struct {
	reveal    func(memory.RevealInput) (memory.Revealed, error)
	wipe      func(reason string) error
	steppedUp bool
	stepUp    error
	put       func(memory.DictionaryInput) error
	search    func(privacy.TrailQuery) (privacy.TrailPage, error)
}

func (f fakeStaff) People(context.Context, string, string) (memory.PeoplePage, error) {
	return memory.PeoplePage{Rows: []memory.PersonRow{{ID: personID, Pseudonym: "sub_x", Status: "active"}}}, nil
}

func (f fakeStaff) PersonDetail(_ context.Context, subject string) (memory.PersonDetail, error) {
	if subject != personID {
		return memory.PersonDetail{}, memory.NotFound()
	}
	return memory.PersonDetail{
		PersonRow:  memory.PersonRow{ID: personID, Pseudonym: "sub_x", Status: "active", Memories: 1, Attributes: 1},
		Memories:   []memory.SealedMemory{{ID: "mem_1", Kind: "hard_fact", Category: "health", Status: "active", Revealable: true}},
		Attributes: []memory.SealedAttribute{{ID: "att_1", Name: "diet", Category: "health", Status: "active", Revealable: true}},
	}, nil
}

func (f fakeStaff) MemoryMeta(context.Context, string) (string, []memory.SealedMemory, error) {
	return personID, []memory.SealedMemory{{ID: "mem_2", Supersedes: "mem_1"}, {ID: "mem_1", ReplacedBy: "mem_2"}}, nil
}

func (f fakeStaff) Reveal(_ context.Context, in memory.RevealInput) (memory.Revealed, error) {
	return f.reveal(in)
}

func (f fakeStaff) WipePerson(_ context.Context, subject uuid.UUID, reason string) (privacy.Requested, error) {
	if subject.String() != personID {
		return privacy.Requested{}, memory.NotFound()
	}
	return privacy.Requested{ErasureID: "e1"}, f.wipe(reason)
}

func (f fakeStaff) Erasure(context.Context, string) (privacy.ErasureView, error) {
	return privacy.ErasureView{}, memory.NotFound()
}

func (f fakeStaff) SearchTrail(_ context.Context, q privacy.TrailQuery) (privacy.TrailPage, error) {
	return f.search(q)
}
func (f fakeStaff) TrailEvent(context.Context, string) (privacy.TrailDetail, error) {
	return privacy.TrailDetail{}, memory.NotFound()
}
func (f fakeStaff) RevealTrail(context.Context, string, string) (privacy.TrailReveal, error) {
	return privacy.TrailReveal{}, memory.NotFound()
}

func (f fakeStaff) SteppedUp(context.Context) bool            { return f.steppedUp }
func (f fakeStaff) HasPassword(context.Context) (bool, error) { return true, nil }
func (f fakeStaff) StepUp(*gin.Context, string) error         { return f.stepUp }

func (f fakeStaff) Entries(context.Context) ([]Entry, error) {
	days := int64(30)
	return []Entry{{DictionaryInput: memory.DictionaryInput{Key: "diet", LabelZh: "饮食", LabelEn: "Diet", TTLDays: &days, Version: 5}}}, nil
}

func (f fakeStaff) Entry(ctx context.Context, key string) (Entry, error) {
	if key != "diet" {
		return Entry{}, memory.NotFound()
	}
	all, err := f.Entries(ctx)
	return all[0], err
}
func (f fakeStaff) Put(_ context.Context, in memory.DictionaryInput) error { return f.put(in) }

func TestReveal(t *testing.T) {
	t.Parallel()
	const pattern, target = "/admin/people/:id/reveal", "/admin/people/" + personID + "/reveal"
	open := func(in memory.RevealInput) (memory.Revealed, error) {
		if in.Reason == "short" {
			return memory.Revealed{}, memory.Invalid(memory.Field{Name: "reason", Code: "too_short", Text: "x"})
		}
		if in.Kind == memory.RevealAttribute {
			return memory.Revealed{Value: `"no nuts"`}, nil
		}
		return memory.Revealed{Value: "is allergic to nuts", Evidence: []memory.Evidence{{Quote: "nuts make me ill"}, {}}}, nil
	}
	for name, c := range map[string]struct {
		body      string
		steppedUp bool
		status    int
		want      []string
		to        string
	}{
		"a memory opens with the words it rests on": {form("memory", "mem_1", "reason", "asked by phone"), true, 200, []string{"is allergic to nuts", "nuts make me ill"}, ""},
		"an attribute opens as people write it":     {form("attribute", "att_1", "reason", "asked by phone"), true, 200, []string{"no nuts", "Diet"}, ""},
		"a poor reason shows the form":              {form("memory", "mem_1", "reason", "short"), true, 422, []string{`value="mem_1"`, "short"}, ""},
		"without a step-up nothing opens":           {form("memory", "mem_1", "reason", "asked by phone"), false, 303, nil, "/admin/step-up?back=%2Fadmin%2Fpeople%2F" + personID + "%2Freveal%3Fmemory%3Dmem_1"},
		"another person's memory isn't there":       {form("memory", "mem_9", "reason", "asked by phone"), true, 404, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fake := fakeStaff{steppedUp: c.steppedUp, reveal: open}
			h := Reveals{Pages: testPages(), Memory: fake, Dictionary: fake, StepUps: fake, Clock: func() time.Time { return time.Unix(0, 0) }}
			w, err := send(h.Reveal, http.MethodPost, pattern, target, c.body)
			if c.status == 404 {
				if memory.CodeOf(err) != memory.CodeNotFound {
					t.Errorf("error = %v", err)
				}
				return
			}
			if err != nil || w.Code != c.status || w.Header().Get("Location") != c.to {
				t.Fatalf("status %d to %q, error %v, want %d to %q", w.Code, w.Header().Get("Location"), err, c.status, c.to)
			}
			for _, want := range c.want {
				if !strings.Contains(w.Body.String(), want) {
					t.Errorf("the page lacks %q", want)
				}
			}
			if c.status != 200 && strings.Contains(w.Body.String(), "allergic") {
				t.Error("the value went out")
			}
		})
	}
}

func TestStaffWipe(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		reason, confirm string
		steppedUp       bool
		status          int
		to              string
	}{
		"reason and word erase":       {"asked in writing", "wipe", true, 303, "/admin/erasures/e1"},
		"no word":                     {"asked in writing", "", true, 422, ""},
		"no reason":                   {"", "wipe", true, 422, ""},
		"without a step-up it waits":  {"asked in writing", "wipe", false, 303, "/admin/step-up?back=%2Fadmin%2Fpeople%2F" + personID + "%2Fwipe"},
		"a reason that says too much": {strings.Repeat("x", 1001), "wipe", true, 422, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wiped := ""
			fake := fakeStaff{steppedUp: c.steppedUp, wipe: func(reason string) error { wiped = reason; return nil }}
			h := StaffWipes{Pages: testPages(), Memory: fake, Privacy: fake, StepUps: fake}
			w, err := send(h.Wipe, http.MethodPost, "/admin/people/:id/wipe", "/admin/people/"+personID+"/wipe", form("reason", c.reason, "confirm", c.confirm))
			if err != nil || w.Code != c.status || w.Header().Get("Location") != c.to {
				t.Fatalf("status %d to %q, error %v, want %d to %q", w.Code, w.Header().Get("Location"), err, c.status, c.to)
			}
			if erased := c.to == "/admin/erasures/e1"; erased != (wiped == "asked in writing") {
				t.Errorf("wiped with %q", wiped)
			}
		})
	}
}

func TestDictionarySave(t *testing.T) {
	t.Parallel()
	valid := []string{"version", "4", "label_zh", "饮食", "label_en", "Diet ", "category", "health", "rule", "allowed", "ttl_days", "", "bands", "", "json_schema", `{"type":"string"}`}
	with := func(pairs ...string) string { return form(append(append([]string{}, valid...), pairs...)...) }
	for name, c := range map[string]struct {
		key, body string
		err       error
		status    int
		faults    []string // names in the page's summary
		calls     int
	}{
		"success goes to the list":           {"diet", with(), nil, 303, nil, 1},
		"a conflict shows the other version": {"diet", with(), &memory.Error{Code: memory.CodeConflict, Current: 5}, 409, nil, 1},
		"a taken key is a conflict":          {"new", with("key", "diet"), &memory.Error{Code: memory.CodeConflict, Current: 5}, 409, nil, 1},
		"faults of the service":              {"diet", with(), memory.Invalid(memory.Field{Name: "bands[0].to", Code: "invalid"}), 422, []string{"#f-bands"}, 1},
		"what isn't a number or JSON":        {"diet", with("ttl_days", "a year", "bands", "[", "json_schema", "{}}"), nil, 422, []string{"#f-ttl-days", "#f-bands", "#f-json-schema"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var calls []memory.DictionaryInput
			fake := fakeStaff{put: func(in memory.DictionaryInput) error { calls = append(calls, in); return c.err }}
			h := Dictionary{Pages: testPages(), Memory: fake}
			w, err := send(h.Save, http.MethodPost, "/admin/dictionary/:key", "/admin/dictionary/"+c.key, c.body)
			if err != nil || w.Code != c.status || len(calls) != c.calls {
				t.Fatalf("status %d, error %v, %d calls, want %d, %d calls", w.Code, err, len(calls), c.status, c.calls)
			}
			for _, f := range c.faults {
				if !strings.Contains(w.Body.String(), f) {
					t.Errorf("the page does not lead to %s: %s", f, w.Body)
				}
			}
			if c.calls == 1 && (calls[0].Key != "diet" || calls[0].LabelEn != "Diet" || calls[0].TTLDays != nil || string(calls[0].JSONSchema) != `{"type":"string"}`) {
				t.Errorf("input = %+v", calls[0])
			}
			if c.status == 409 && !strings.Contains(w.Body.String(), `name="version" value="5"`) {
				t.Error("the form doesn't carry the newer version")
			}
		})
	}
}

func TestToTrailQuery(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("", 8*3600)
	got, faults := toTrailQuery(views.ConsoleAuditFilter{Actor: "user:1", From: "2026-05-01", To: "2026-05-01"}, "c", zone)
	want := privacy.TrailQuery{Actor: "user:1", Cursor: "c", From: time.Date(2026, 5, 1, 0, 0, 0, 0, zone), To: time.Date(2026, 5, 2, 0, 0, 0, 0, zone)}
	if diff := cmp.Diff(want, got); diff != "" || len(faults) > 0 {
		t.Error(diff, faults)
	}
	for name, c := range map[string]struct {
		f    views.ConsoleAuditFilter
		want ui.Faults
	}{
		"no days":          {views.ConsoleAuditFilter{From: "yesterday", To: "2026-02-30"}, ui.Faults{{Name: "from", Code: "invalid"}, {Name: "to", Code: "invalid"}}},
		"the wrong way on": {views.ConsoleAuditFilter{From: "2026-05-02", To: "2026-05-01"}, ui.Faults{{Name: "to", Code: "out_of_range"}}},
	} {
		if _, faults := toTrailQuery(c.f, "", zone); cmp.Diff(c.want, faults) != "" {
			t.Errorf("%s: faults = %v", name, faults)
		}
	}
}

func TestSealedRowsCarryTheirPast(t *testing.T) {
	t.Parallel()
	memories := toSealedMemories([]memory.SealedMemory{
		{ID: "c", Supersedes: "b"}, {ID: "b", Supersedes: "a", ReplacedBy: "c"}, {ID: "a", ReplacedBy: "b"}, {ID: "x", ReplacedBy: "hidden"},
	})
	if len(memories) != 2 || memories[0].ID != "c" || len(memories[0].Past) != 2 || memories[0].Past[1].Href != "/admin/memories/a" || memories[1].ID != "x" {
		t.Errorf("memories = %+v", memories)
	}
	attributes := toSealedAttributes([]memory.SealedAttribute{
		{ID: "1", Name: "diet", Status: "superseded", Version: 1}, {ID: "2", Name: "diet", Status: "active", Version: 2}, {ID: "3", Name: "diet", Status: "pending", Version: 3},
	}, map[string]string{"diet": "饮食"})
	if len(attributes) != 1 || attributes[0].ID != "2" || attributes[0].Label != "饮食" || len(attributes[0].Past) != 2 {
		t.Errorf("attributes = %+v", attributes)
	}
}

func TestToPolicies(t *testing.T) {
	t.Parallel()
	page := toPolicies([]policy.Line{{Holder: policy.Holder{Kind: policy.KindAgent, Name: "id1", Module: "sales"}, Cells: []policy.Cell{
		{Category: "health", Denied: []string{"recall"}}, {Category: "people", Allowed: []string{"people.read"}}, {Category: "attr:diet", Allowed: []string{"attribute.read"}},
	}}}, map[string]string{"id1": "Sales"})
	data, areas := page.Data.Lines[0], page.Areas.Lines[0]
	if data.Name != "Sales" || data.Cells["health"].Denied[0] != "recall" || len(data.Cells) != 1 || len(areas.Cells) != 2 || page.Areas.Columns[len(page.Areas.Columns)-1] != "attr:diet" {
		t.Errorf("page = %+v", page)
	}
}
