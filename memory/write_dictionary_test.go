package memory_test

import (
	"encoding/json"
	"strings"
	"testing"

	"fornix/memory"
	"fornix/models"
)

func TestBandedFigureIsNowhereInAMemory(t *testing.T) {
	t.Parallel()
	for _, said := range []string{"My budget is 4321 euros.", "我的预算是4321元。", "I like hiking, my budget is 4321 euros."} {
		w := profileWorld(t)
		w.say(t, w.agent(t, "assistant"), "s1", user(said))
		w.extract(t)
		all := w.texts(t, "c-1", models.StatusActive)
		raw, err := json.Marshal(all)
		must(t, err)
		if len(all) == 0 || !strings.Contains(string(raw), "middle") || strings.Contains(string(raw), "4321") {
			t.Errorf("%s", raw)
		}
	}
}

func TestForbiddenFieldAmongOtherStatements(t *testing.T) {
	t.Parallel()
	w := newWriteWorld(t, year)
	_, err := w.PutDictionaryEntry(w.system(t), entry("phone", "contact", memory.RuleForbidden, `{}`))
	must(t, err)
	ctx := w.agent(t, "assistant")
	const said = "I like hiking, and my phone number is 555-0143."
	w.say(t, ctx, "s1", user(said))
	w.extract(t)
	raw, err := json.Marshal(w.texts(t, "c-1", models.StatusActive))
	must(t, err)
	if strings.Contains(string(raw), "555-0143") || !strings.Contains(string(raw), "hiking") {
		t.Errorf("%s", raw)
	}
	_, err = w.Remember(ctx, memory.RememberInput{Subject: "c-1", Content: said, Category: "preference"})
	wantCode(t, err, memory.CodeInvalid)
	got := w.remember(t, ctx, memory.RememberInput{Content: "I like reading.", Category: "preference"})
	_, err = w.Correct(ctx, got.MemoryID, memory.CorrectInput{Content: said, Version: got.Version})
	wantCode(t, err, memory.CodeInvalid)
}

func TestSchemaOfAField(t *testing.T) {
	t.Parallel()
	w := newWriteWorld(t, year)
	for name, c := range map[string]struct {
		schema    string
		good, bad []string
	}{
		"string":  {`{"type":"string","minLength":2,"maxLength":3,"pattern":"^[a-z]+$"}`, []string{`"ab"`, `"abc"`}, []string{`"a"`, `"abcd"`, `"A1"`, `1`}},
		"number":  {`{"type":"number","minimum":1,"maximum":2}`, []string{`1`, `1.5`, `2`}, []string{`0.9`, `2.1`, `"1"`}},
		"integer": {`{"type":"integer"}`, []string{`7`, `-1`}, []string{`7.5`, `true`}},
		"enum":    {`{"enum":["a",1]}`, []string{`"a"`, `1`}, []string{`"b"`, `2`}},
		"array":   {`{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":2,"uniqueItems":true}`, []string{`["a"]`, `["a","b"]`}, []string{`[]`, `["a","b","c"]`, `["a","a"]`, `[1]`}},
		"boolean": {`{"type":"boolean"}`, []string{`true`}, []string{`"true"`}},
		"object":  {`{"type":"object"}`, []string{`{"a":1}`}, []string{`[]`}},
		"any":     {`{}`, []string{`1`, `"x"`}, []string{`null`, `{`, ``}},
	} {
		_, err := w.PutDictionaryEntry(w.system(t), entry("f_"+name, "profile", memory.RuleAllowed, c.schema))
		must(t, err)
		for _, v := range c.good {
			if _, err := w.PutAttribute(w.system(t), "c-1", "f_"+name, put(v, "user")); err != nil {
				t.Errorf("%s: %s: %v", name, v, err)
			}
		}
		for _, v := range c.bad {
			_, err := w.PutAttribute(w.system(t), "c-1", "f_"+name, put(v, "user"))
			if memory.CodeOf(err) != memory.CodeInvalid || len(v) > 3 && strings.Contains(err.Error(), v) {
				t.Errorf("%s: %s: %v", name, v, err)
			}
		}
	}
}

func TestSlotsOfWhatIsSaid(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ said, active []string }{
		"another value replaces":                    {[]string{"I work at Acme.", "I work at Globex."}, []string{"I work at Globex."}},
		"a denial replaces what it denies":          {[]string{"I work at Acme.", "I no longer work at Acme."}, []string{"I no longer work at Acme."}},
		"a denial leaves another value alone":       {[]string{"I work at Globex.", "I no longer work at Acme."}, []string{"I work at Globex.", "I no longer work at Acme."}},
		"other words for the same value are merged": {[]string{"I live in Cork.", "I am based in Cork."}, nil},
		"what tells more stands beside":             {[]string{"I live in Cork.", "I now live in Cork with my cat Whiskers."}, []string{"I live in Cork.", "I now live in Cork with my cat Whiskers."}},
		"and both go with another value":            {[]string{"I live in Cork.", "I now live in Cork with my cat Whiskers.", "I live in Porto."}, []string{"I live in Porto."}},
	} {
		w := newWriteWorld(t, year)
		ctx := w.agent(t, "assistant")
		for i, said := range c.said {
			w.say(t, ctx, "s"+string(rune('a'+i)), user(said))
			w.pass(1e9)
		}
		w.extract(t)
		all := w.texts(t, "c-1", models.StatusActive)
		if c.active == nil && len(all) == 1 {
			continue
		}
		for _, text := range c.active {
			if _, ok := all[text]; !ok || len(all) != len(c.active) {
				t.Errorf("%s: active are %d: %q missing or others there", name, len(all), text)
			}
		}
		if c.active == nil {
			t.Errorf("%s: %d memories", name, len(all))
		}
	}
}

func TestCorrectShared(t *testing.T) {
	t.Parallel()
	w := newWriteWorld(t, year)
	ctx := w.agent(t, "support")
	got, err := w.Remember(ctx, memory.RememberInput{Content: "Refunds take three working days", Category: "order"})
	must(t, err)
	done, err := w.Correct(ctx, got.MemoryID, memory.CorrectInput{Content: "Refunds take five working days", Version: 1})
	must(t, err)
	view, err := w.Memory(ctx, done.MemoryID)
	must(t, err)
	if view.Content != "Refunds take five working days" || view.Version != 2 {
		t.Fatalf("got %+v", view)
	}
	_, err = w.Correct(ctx, got.MemoryID, memory.CorrectInput{Content: "x", Version: 1})
	wantCode(t, err, memory.CodeConflict)
}

func TestCorrectIntoWhatIsKnown(t *testing.T) {
	t.Parallel()
	w := newWriteWorld(t, year)
	ctx := w.agent(t, "support")
	known := w.remember(t, ctx, memory.RememberInput{Content: "Ordered a tent", Category: "order"})
	wrong := w.remember(t, ctx, memory.RememberInput{Content: "Bought a canoe", Category: "order"})
	got, err := w.Correct(ctx, wrong.MemoryID, memory.CorrectInput{Content: "ordered a tent", Version: wrong.Version})
	must(t, err)
	if got.MemoryID != known.MemoryID || got.SupersededID != wrong.MemoryID || len(w.texts(t, "c-1", models.StatusActive)) != 1 {
		t.Fatalf("got %+v", got)
	}
}
