package memory_test

import (
	"strings"
	"testing"
	"time"

	"fornix/memory"
	"fornix/models"
)

const year = 365 * 24 * time.Hour

func TestRemember(t *testing.T) {
	t.Parallel()
	city := func(text, source string) memory.RememberInput {
		return memory.RememberInput{Content: text, Category: "profile", Slot: "city", Source: source}
	}
	t.Run("a new text is created and can be read by its id", func(t *testing.T) {
		t.Parallel()
		w := newWriteWorld(t, year)
		ctx := w.agent(t, "support")
		got := w.remember(t, ctx, memory.RememberInput{Content: "Prefers aisle seats", Category: "preference", Tags: []string{"travel"}})
		if got.Outcome != memory.OutcomeCreated || got.Version != 1 {
			t.Fatalf("got %+v", got)
		}
		view, err := w.Memory(ctx, got.MemoryID)
		must(t, err)
		if view.Content != "Prefers aisle seats" || view.Tags[0] != "travel" || view.Source != "external" || len(view.Evidence) != 1 {
			t.Fatalf("got %+v", view)
		}
	})
	t.Run("the same in other case and spaces is one memory", func(t *testing.T) {
		t.Parallel()
		w := newWriteWorld(t, year)
		ctx := w.agent(t, "support")
		first := w.remember(t, ctx, memory.RememberInput{Content: "Prefers aisle seats.", Category: "preference", Tags: []string{"a"}})
		again := w.remember(t, ctx, memory.RememberInput{Content: "prefers  aisle seats", Category: "preference", Tags: []string{"b"}})
		if again.Outcome != memory.OutcomeMerged || again.MemoryID != first.MemoryID {
			t.Fatalf("got %+v", again)
		}
		all := w.texts(t, "c-1", models.StatusActive)
		if len(all) != 1 {
			t.Fatalf("%d memories", len(all))
		}
		for _, v := range all {
			if len(v.Tags) != 2 || len(v.Evidence) != 2 {
				t.Fatalf("tags and evidence don't add up: %+v", v)
			}
		}
	})
	t.Run("nearly the same words are one memory", func(t *testing.T) {
		t.Parallel()
		w := newWriteWorld(t, year)
		ctx := w.agent(t, "support")
		const first, second = "The parcel is at the front desk of the office", "At the front desk of the office is the parcel"
		w.remember(t, ctx, memory.RememberInput{Content: first, Category: "order"})
		if got := w.remember(t, ctx, memory.RememberInput{Content: strings.Replace(first, "front", "back", 1), Category: "order"}); got.Outcome != memory.OutcomeCreated {
			t.Fatalf("another word: %+v", got)
		}
		if got := w.remember(t, ctx, memory.RememberInput{Content: second, Category: "order"}); got.Outcome != memory.OutcomeMerged {
			t.Fatalf("another order: %+v", got)
		}
	})
	t.Run("echoing a memory fifty times raises nothing", func(t *testing.T) {
		t.Parallel()
		w := newWriteWorld(t, year)
		ctx := w.agent(t, "support")
		in := memory.RememberInput{Content: "Prefers aisle seats", Category: "preference"}
		before, err := w.Memory(ctx, w.remember(t, ctx, in).MemoryID)
		must(t, err)
		for range 50 {
			w.remember(t, ctx, in)
		}
		after, err := w.Memory(ctx, before.MemoryID)
		must(t, err)
		if after.Importance != before.Importance || len(after.Evidence) != 1 || len(w.texts(t, "c-1", models.StatusActive)) != 1 {
			t.Fatalf("importance %v became %v on %d pieces of evidence", before.Importance, after.Importance, len(after.Evidence))
		}
		in.Tags = []string{"turn-7"}
		w.remember(t, ctx, in)
		tagged, err := w.Memory(ctx, before.MemoryID)
		must(t, err)
		if len(tagged.Tags) != 1 {
			t.Fatal("the tag of a restatement is lost")
		}
	})
	t.Run("another value of a slot replaces the old one and keeps the chain", func(t *testing.T) {
		t.Parallel()
		w := newWriteWorld(t, year)
		ctx := w.agent(t, "support")
		old := w.remember(t, ctx, city("Lives in Lyon", "user"))
		before, err := w.Memory(ctx, old.MemoryID)
		must(t, err)
		w.pass(time.Hour)
		fresh := w.remember(t, ctx, city("Lives in Porto", "user"))
		if fresh.Outcome != memory.OutcomeSuperseded || fresh.SupersededID != old.MemoryID {
			t.Fatalf("got %+v", fresh)
		}
		versions, err := w.History(ctx, fresh.MemoryID)
		must(t, err)
		if len(versions) != 2 || versions[0].Status != models.StatusSuperseded || versions[0].ReplacedBy != fresh.MemoryID {
			t.Fatalf("history %+v", versions)
		}
		if versions[0].Importance != before.Importance/2 {
			t.Fatalf("importance %v, want half of %v", versions[0].Importance, before.Importance)
		}
	})
	t.Run("a source believed less waits beside the one that stands", func(t *testing.T) {
		t.Parallel()
		w := newWriteWorld(t, year)
		ctx := w.agent(t, "support")
		old := w.remember(t, ctx, city("Lives in Lyon", "user"))
		got := w.remember(t, ctx, city("Lives in Porto", "external"))
		if got.Outcome != memory.OutcomeConflict || got.ConflictID != old.MemoryID {
			t.Fatalf("got %+v", got)
		}
		if len(w.texts(t, "c-1", models.StatusActive)) != 1 || len(w.texts(t, "c-1", models.StatusPending)) != 1 {
			t.Fatal("the user's statement must stand alone, the other must wait")
		}
	})
	t.Run("what was said earlier and comes later is history", func(t *testing.T) {
		t.Parallel()
		w := newWriteWorld(t, year)
		ctx := w.agent(t, "support")
		w.remember(t, ctx, city("Lives in Lyon", "user"))
		past := w.now().Add(-48 * time.Hour)
		late := city("Lives in Porto", "user")
		late.OccurredAt = &past
		w.remember(t, ctx, late)
		if _, ok := w.texts(t, "c-1", models.StatusActive)["Lives in Lyon"]; !ok {
			t.Fatal("the newer statement was replaced by an older one")
		}
		if _, ok := w.texts(t, "c-1", models.StatusSuperseded)["Lives in Porto"]; !ok {
			t.Fatal("the older statement isn't kept as history")
		}
	})
	t.Run("what is past its time neither stands in the way nor is lost when it is said again", func(t *testing.T) {
		t.Parallel()
		w := newWriteWorld(t, year)
		ctx := w.agent(t, "support")
		end := w.now().Add(time.Hour)
		for _, in := range []memory.RememberInput{city("Lives in Lyon", "user"), {Content: "Prefers aisle seats", Category: "preference"}} {
			in.ExpireAt = &end
			w.remember(t, ctx, in)
		}
		w.pass(2 * time.Hour)
		if got := w.remember(t, ctx, city("Lives in Porto", "external")); got.Outcome != memory.OutcomeSuperseded {
			t.Fatalf("got %+v", got)
		}
		again := w.remember(t, ctx, memory.RememberInput{Content: "Prefers aisle seats", Category: "preference"})
		view, err := w.Memory(ctx, again.MemoryID)
		must(t, err)
		if again.Outcome != memory.OutcomeMerged || view.ExpireAt != nil {
			t.Fatalf("got %+v, expires %v", again, view.ExpireAt)
		}
	})
	t.Run("what is inferred waits and isn't shown to other agents", func(t *testing.T) {
		t.Parallel()
		w := newWriteWorld(t, year)
		support, assistant := w.agent(t, "support"), w.agent(t, "assistant")
		got := w.remember(t, support, memory.RememberInput{Content: "Seems to like jazz", Category: "preference", Source: "inferred"})
		if got.Outcome != memory.OutcomePending {
			t.Fatalf("got %+v", got)
		}
		_, err := w.Memory(assistant, got.MemoryID)
		wantCode(t, err, memory.CodeNotFound)
		again := w.remember(t, support, memory.RememberInput{Content: "seems to like jazz", Category: "preference", Source: "inferred"})
		if again.MemoryID != got.MemoryID {
			t.Fatal("the same guess waits twice")
		}
	})
	t.Run("a text without a person is shared, unless it is about one", func(t *testing.T) {
		t.Parallel()
		w := newWriteWorld(t, year)
		ctx := w.agent(t, "support")
		in := memory.RememberInput{Content: "Refunds take three working days", Category: "order"}
		first, err := w.Remember(ctx, in)
		must(t, err)
		again, err := w.Remember(ctx, in)
		must(t, err)
		view, err := w.Memory(ctx, first.MemoryID)
		must(t, err)
		if again.MemoryID != first.MemoryID || view.Content != in.Content || !strings.HasPrefix(first.MemoryID, memory.PrefixShared) {
			t.Fatalf("got %+v then %+v", first, again)
		}
	})
}

func TestRememberRefuses(t *testing.T) {
	t.Parallel()
	w := newWriteWorld(t, year)
	support, sales := w.agent(t, "support"), w.agent(t, "sales")
	tooMuch, nan := 1.5, 0.0
	nan /= nan
	for name, in := range map[string]memory.RememberInput{
		"content":    {Content: " "},
		"confidence": {Content: "x", Confidence: &tooMuch},
		"importance": {Content: "x", Importance: &nan},
		"kind":       {Content: "x", Kind: "rumour"},
		"namespace":  {Content: "x", Namespace: "A b"},
		"mode":       {Content: "x", Mode: "open"},
		"tags":       {Content: "x", Tags: make([]string, 21)},
		"quote":      {Content: "x", Quote: "a\x00b"},
	} {
		in.Subject = "nobody"
		_, err := w.Remember(support, in)
		wantCode(t, err, memory.CodeInvalid)
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%q doesn't name %s", err, name)
		}
	}
	_, err := w.FindPerson(w.system(t), "nobody")
	wantCode(t, err, memory.CodeNotFound)
	_, err = w.Remember(sales, memory.RememberInput{Subject: "nobody", Content: "x", Category: "health"})
	wantCode(t, err, memory.CodeForbidden)
	_, err = w.Remember(t.Context(), memory.RememberInput{Subject: "nobody", Content: "x"})
	wantCode(t, err, memory.CodeUnauthenticated)
}

func TestWriterWhoMayNotReadLearnsNothing(t *testing.T) {
	t.Parallel()
	w := newWriteWorld(t, year)
	ctx := w.agent(t, "sales")
	in := memory.RememberInput{Content: "Something delicate", Category: "restricted"}
	first, again := w.remember(t, ctx, in), w.remember(t, ctx, in)
	for _, got := range []memory.Remembered{first, again} {
		if got.Outcome != memory.OutcomeAccepted || got.Version != 1 || got.SupersededID != "" || got.ConflictID != "" {
			t.Errorf("got %+v", got)
		}
	}
	if first.MemoryID == again.MemoryID {
		t.Error("equal ids tell that the text was known")
	}
	if _, err := w.Memory(ctx, first.MemoryID); memory.CodeOf(err) != memory.CodeNotFound {
		t.Errorf("read: %v", err)
	}
}

func TestCorrect(t *testing.T) {
	t.Parallel()
	w := newWriteWorld(t, year)
	agent := w.agent(t, "support")
	old := w.remember(t, agent, memory.RememberInput{Content: "Lives in Lyon", Category: "profile", Slot: "city", Source: "external"})
	self := w.self(t, "c-1")
	_, err := w.Correct(self, old.MemoryID, memory.CorrectInput{Content: "Lives in Porto", Version: 7})
	wantCode(t, err, memory.CodeConflict)
	_, err = w.Correct(self, old.MemoryID, memory.CorrectInput{Content: "Lives in Porto"})
	wantCode(t, err, memory.CodeInvalid)
	got, err := w.Correct(self, old.MemoryID, memory.CorrectInput{Content: "Lives in Porto", Version: old.Version})
	must(t, err)
	view, err := w.Memory(self, got.MemoryID)
	must(t, err)
	if view.Source != "user" || view.Content != "Lives in Porto" || view.Supersedes != old.MemoryID || view.Confidence != 1 {
		t.Fatalf("got %+v", view)
	}
	_, err = w.Correct(self, old.MemoryID, memory.CorrectInput{Content: "Lives in Faro", Version: old.Version})
	wantCode(t, err, memory.CodeConflict)
	w.remember(t, agent, memory.RememberInput{Subject: "c-2", Content: "x", Category: "general"})
	_, err = w.Correct(w.self(t, "c-2"), got.MemoryID, memory.CorrectInput{Content: "y", Version: got.Version})
	wantCode(t, err, memory.CodeNotFound)
}
