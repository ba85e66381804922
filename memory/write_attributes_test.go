package memory_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fornix/memory"
	"fornix/models"
	"fornix/policy"
)

func entry(key, category, rule, schema string) memory.DictionaryInput {
	in := memory.DictionaryInput{
		Key: key, LabelZh: "字段", LabelEn: key, PurposeZh: "服务", PurposeEn: "service", JSONSchema: json.RawMessage(schema),
		Sensitivity: "sealed", LawfulBasis: "contract", Rule: rule, Category: category,
	}
	if rule == memory.RuleBanded {
		low, high := 1000.0, 5000.0
		in.Bands = []memory.Band{{Name: "low", To: &low}, {Name: "middle", From: &low, To: &high}, {Name: "high", From: &high}}
	}
	return in
}

// profileWorld is a world with a small dictionary.
func profileWorld(t *testing.T) *writeWorld {
	t.Helper()
	w := newWriteWorld(t, year)
	for _, in := range []memory.DictionaryInput{
		entry("city", "profile", memory.RuleAllowed, `{"type":"string","maxLength":40}`),
		entry("plan", "order", memory.RuleAllowed, `{"enum":["basic","plus"]}`),
		entry("budget_range", "finance", memory.RuleBanded, `{"type":"number","minimum":0}`),
		entry("internal_notes", "general", memory.RuleAllowed, `{"type":"string"}`),
		entry("home_address", "contact", memory.RuleForbidden, `{}`),
	} {
		_, err := w.PutDictionaryEntry(w.system(t), in)
		must(t, err)
	}
	return w
}

func put(text, source string) memory.AttributeInput {
	return memory.AttributeInput{Value: json.RawMessage(text), Source: source}
}

func TestAttributes(t *testing.T) {
	t.Parallel()
	t.Run("only what is named and granted is opened, and the read is recorded", func(t *testing.T) {
		t.Parallel()
		w := profileWorld(t)
		sales := w.agent(t, "sales")
		sys := w.system(t)
		for key, value := range map[string]string{"city": `"Lyon"`, "plan": `"plus"`, "internal_notes": `"rude"`} {
			_, err := w.PutAttribute(sys, "c-1", key, put(value, "user"))
			must(t, err)
		}
		got, err := w.Attributes(sales, "c-1", []string{"city", "internal_notes", "budget_range", "shoe_size"})
		must(t, err)
		if string(got.Attributes["city"].Value) != `"Lyon"` || len(got.Attributes) != 1 {
			t.Errorf("attributes %+v", got.Attributes)
		}
		if diff := cmp.Diff([]string{"internal_notes", "shoe_size"}, got.Denied); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"budget_range"}, got.Missing); diff != "" {
			t.Error(diff)
		}
		var reads []models.Recall
		must(t, w.db.ORM(sys).Find(&reads).Error)
		if len(reads) != 1 || reads[0].Decision != memory.DecisionProfile || reads[0].Returned != 1 || reads[0].AgentID == nil {
			t.Fatalf("access records %+v", reads)
		}
	})
	t.Run("asking about a stranger makes nobody", func(t *testing.T) {
		t.Parallel()
		w := profileWorld(t)
		got, err := w.Attributes(w.agent(t, "support"), "nobody", []string{"city"})
		must(t, err)
		if len(got.Missing) != 1 {
			t.Fatalf("got %+v", got)
		}
		_, err = w.FindPerson(w.system(t), "nobody")
		wantCode(t, err, memory.CodeNotFound)
	})
	t.Run("a value past its time is missing", func(t *testing.T) {
		t.Parallel()
		w := profileWorld(t)
		ctx := w.agent(t, "support")
		in, days := put(`"Lyon"`, "user"), int64(1)
		in.TTLDays = &days
		_, err := w.PutAttribute(ctx, "c-1", "city", in)
		must(t, err)
		w.pass(25 * time.Hour)
		got, err := w.Attributes(ctx, "c-1", []string{"city"})
		must(t, err)
		if len(got.Missing) != 1 {
			t.Fatalf("got %+v", got)
		}
		if written, err := w.PutAttribute(ctx, "c-1", "city", put(`"Porto"`, "external")); err != nil || written.Outcome != memory.OutcomeSuperseded {
			t.Fatalf("an expired value still stands: %+v, %v", written, err)
		}
	})
}

func TestPutAttribute(t *testing.T) {
	t.Parallel()
	type step struct {
		value, source string
		outcome       string
		version       int64
	}
	for name, steps := range map[string][]step{
		"a new value replaces and counts up": {{`"Lyon"`, "user", "created", 1}, {`"Porto"`, "user", "superseded", 2}},
		"the same value is merged":           {{`"Lyon"`, "user", "created", 1}, {` "Lyon" `, "external", "merged", 1}},
		"a lower source waits":               {{`"Lyon"`, "user", "created", 1}, {`"Porto"`, "external", "conflict", 2}, {`"Faro"`, "user", "superseded", 3}},
		"what is inferred waits":             {{`"Lyon"`, "inferred", "pending", 1}, {`"Porto"`, "external", "created", 2}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := profileWorld(t)
			for i, s := range steps {
				got, err := w.PutAttribute(w.system(t), "c-1", "city", put(s.value, s.source))
				must(t, err)
				if got.Outcome != s.outcome || got.Version != s.version {
					t.Fatalf("step %d: %+v, want %s %d", i, got, s.outcome, s.version)
				}
			}
		})
	}
	t.Run("a figure is kept as its band alone", func(t *testing.T) {
		t.Parallel()
		w := profileWorld(t)
		for value, band := range map[string]string{`4200`: "middle", `"5,000 EUR"`: "high", `"low"`: "low", `"0.9k"`: "low", `"2万"`: "high"} {
			_, err := w.PutAttribute(w.system(t), "c-"+band+value[1:2], "budget_range", put(value, "user"))
			must(t, err)
			got, err := w.Attributes(w.system(t), "c-"+band+value[1:2], []string{"budget_range"})
			must(t, err)
			if string(got.Attributes["budget_range"].Value) != `"`+band+`"` {
				t.Errorf("%s became %s, want %s", value, got.Attributes["budget_range"].Value, band)
			}
		}
		_, err := w.PutAttribute(w.system(t), "c-1", "budget_range", put(`"100 to 200"`, "user"))
		wantCode(t, err, memory.CodeInvalid)
	})
	t.Run("what is forbidden, malformed, unfit or not granted is refused", func(t *testing.T) {
		t.Parallel()
		w := profileWorld(t)
		support, sales := w.agent(t, "support"), w.agent(t, "sales")
		_, err := w.PutAttribute(support, "c-1", "home_address", put(`"x"`, "user"))
		wantCode(t, err, memory.CodeInvalid)
		_, err = w.PutAttribute(w.system(t), "c-1", "Shoe size", put(`"x"`, "user"))
		wantCode(t, err, memory.CodeInvalid)
		_, err = w.PutAttribute(support, "c-1", "shoe_size", put(`"x"`, "user"))
		wantCode(t, err, memory.CodeForbidden)
		_, err = w.PutAttribute(support, "c-1", "plan", put(`"gold"`, "user"))
		wantCode(t, err, memory.CodeInvalid)
		_, err = w.PutAttribute(support, "c-1", "city", put(`5`, "user"))
		wantCode(t, err, memory.CodeInvalid)
		_, err = w.PutAttribute(sales, "c-1", "city", put(`"x"`, "user"))
		wantCode(t, err, memory.CodeForbidden)
		_, err = w.FindPerson(w.system(t), "c-1")
		wantCode(t, err, memory.CodeNotFound)
	})
	t.Run("a key that the dictionary doesn't know is kept, restricted", func(t *testing.T) {
		t.Parallel()
		w := profileWorld(t)
		_, err := w.PutAttribute(w.system(t), "c-1", "shoe_size", put(`"42"`, "user"))
		must(t, err)
		got, err := w.Attributes(w.agent(t, "support"), "c-1", []string{"shoe_size"})
		must(t, err)
		if len(got.Denied) != 1 {
			t.Fatalf("support reads %+v", got)
		}
		var row models.Attribute
		must(t, w.db.ORM(w.system(t)).First(&row).Error)
		if row.Category != policy.CatRestricted {
			t.Fatalf("category %s", row.Category)
		}
	})
	t.Run("a stale version is a conflict that names the present one", func(t *testing.T) {
		t.Parallel()
		w := profileWorld(t)
		ctx := w.agent(t, "support")
		_, err := w.PutAttribute(ctx, "c-1", "city", put(`"Lyon"`, "user"))
		must(t, err)
		in := put(`"Porto"`, "user")
		in.Version = 9
		_, err = w.PutAttribute(ctx, "c-1", "city", in)
		wantCode(t, err, memory.CodeConflict)
		if e := err.(*memory.Error); e.Current != 1 {
			t.Errorf("current %d", e.Current)
		}
	})
	t.Run("the person's own correction stands over all", func(t *testing.T) {
		t.Parallel()
		w := profileWorld(t)
		ctx := w.agent(t, "support")
		_, err := w.PutAttribute(ctx, "c-1", "city", put(`"Lyon"`, "manual"))
		must(t, err)
		got, err := w.CorrectOwnAttribute(w.self(t, "c-1"), "city", json.RawMessage(`"Porto"`), 1)
		must(t, err)
		if got.Outcome != memory.OutcomeSuperseded || got.Version != 2 {
			t.Fatalf("got %+v", got)
		}
		_, err = w.CorrectOwnAttribute(ctx, "city", json.RawMessage(`"x"`), 2)
		wantCode(t, err, memory.CodeForbidden)
	})
}

func TestDictionaryHoldsWhatIsSaid(t *testing.T) {
	t.Parallel()
	w := newWriteWorld(t, year)
	for _, in := range []memory.DictionaryInput{
		entry("phone", "contact", memory.RuleForbidden, `{}`), entry("email", "contact", memory.RuleForbidden, `{}`),
	} {
		_, err := w.PutDictionaryEntry(w.system(t), in)
		must(t, err)
	}
	ctx := w.agent(t, "assistant")
	w.say(t, ctx, "s1", user("My phone number is 555-0143."), user("I like hiking."))
	w.extract(t)
	if all := w.texts(t, "c-1", models.StatusActive); len(all) != 1 {
		t.Fatalf("memories: %v", all)
	}
	_, err := w.Remember(ctx, memory.RememberInput{Subject: "c-1", Content: "My phone number is 555-0143.", Category: "contact"})
	wantCode(t, err, memory.CodeInvalid)
}

func TestPutDictionaryEntry(t *testing.T) {
	t.Parallel()
	w := newWriteWorld(t, year)
	sys := w.system(t)
	first, err := w.PutDictionaryEntry(sys, entry("city", "profile", memory.RuleAllowed, `{}`))
	must(t, err)
	changed := entry("city", "contact", memory.RuleAllowed, `{}`)
	_, err = w.PutDictionaryEntry(sys, changed)
	wantCode(t, err, memory.CodeConflict)
	changed.Version = first.Version
	second, err := w.PutDictionaryEntry(sys, changed)
	must(t, err)
	read, err := w.DictionaryEntry(sys, "city")
	must(t, err)
	if second.Version != 2 || read.Category != "contact" {
		t.Fatalf("got %+v", read)
	}
	for name, spoil := range map[string]func(*memory.DictionaryInput){
		"key":      func(in *memory.DictionaryInput) { in.Key = "City" },
		"category": func(in *memory.DictionaryInput) { in.Category = policy.CatTurns },
		"schema":   func(in *memory.DictionaryInput) { in.JSONSchema = json.RawMessage(`{"typ":"string"}`) },
		"pattern":  func(in *memory.DictionaryInput) { in.JSONSchema = json.RawMessage(`{"pattern":"("}`) },
		"rule":     func(in *memory.DictionaryInput) { in.Rule = "" },
		"bands":    func(in *memory.DictionaryInput) { in.Rule = memory.RuleBanded },
		"basis":    func(in *memory.DictionaryInput) { in.LawfulBasis = "none" },
	} {
		in := entry("other", "profile", memory.RuleAllowed, `{}`)
		spoil(&in)
		if _, err := w.PutDictionaryEntry(sys, in); memory.CodeOf(err) != memory.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := w.PutDictionaryEntry(w.agent(t, "support"), entry("x", "profile", memory.RuleAllowed, `{}`)); memory.CodeOf(err) != memory.CodeForbidden {
		t.Errorf("agent: %v", err)
	}
}

// The console's form for a new entry stands at the address "new".
func TestDictionaryReservesNew(t *testing.T) {
	t.Parallel()
	w := newWriteWorld(t, year)
	_, err := w.PutDictionaryEntry(w.system(t), entry("new", "contact", memory.RuleAllowed, `{}`))
	if memory.CodeOf(err) != memory.CodeInvalid {
		t.Errorf("err = %v", err)
	}
}
