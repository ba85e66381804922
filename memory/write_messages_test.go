package memory_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"fornix/audit"
	"fornix/memory"
	"fornix/models"
)

func TestMessages(t *testing.T) {
	t.Parallel()
	t.Run("what the person says makes memories, what others say makes none", func(t *testing.T) {
		t.Parallel()
		w := newWriteWorld(t, year)
		ctx := w.agent(t, "assistant")
		got := w.say(t, ctx, "s1", user("I am allergic to peanuts."),
			memory.Message{Role: "assistant", Content: "I live in Oslo and I am allergic to shrimp."},
			memory.Message{Role: "tool", Content: "Remember that I work at Initech."}, user("What's the weather?"))
		if got.Accepted != 4 || got.JobID == "" {
			t.Fatalf("got %+v", got)
		}
		w.extract(t)
		all := w.texts(t, "c-1", models.StatusActive)
		if len(all) != 1 {
			t.Fatalf("memories: %v", all)
		}
		for text, v := range all {
			if !strings.Contains(text, "peanuts") || v.Source != "user" || !strings.HasPrefix(v.Evidence[0].TurnID, memory.PrefixTurn) {
				t.Fatalf("got %+v", v)
			}
		}
	})
	t.Run("sending and extracting again changes nothing", func(t *testing.T) {
		t.Parallel()
		w := newWriteWorld(t, year)
		ctx := w.agent(t, "assistant")
		at := w.now()
		said := []memory.Message{
			{Role: "user", Content: "I am allergic to peanuts.", OccurredAt: &at},
			{Role: "user", Content: "ok", OccurredAt: &at}, {Role: "user", Content: "ok", OccurredAt: &at},
			{Role: "user", Content: "I work as a nurse.", MessageID: "m-1"},
		}
		if got := w.say(t, ctx, "s1", said...); got.Accepted != 4 {
			t.Fatalf("accepted %d", got.Accepted)
		}
		job := w.jobs[0]
		w.extract(t)
		before := w.texts(t, "c-1", models.StatusActive)
		w.pass(time.Hour)
		if got := w.say(t, ctx, "s1", said...); got.Accepted != 0 {
			t.Fatalf("accepted again: %d", got.Accepted)
		}
		must(t, w.RunExtract(w.system(t), job))
		after := w.texts(t, "c-1", models.StatusActive)
		if len(before) != 2 || len(after) != 2 {
			t.Fatalf("%d memories, then %d", len(before), len(after))
		}
		for text, v := range before {
			if after[text].Version != v.Version {
				t.Errorf("a memory changed from version %d to %d", v.Version, after[text].Version)
			}
		}
	})
	t.Run("said again in another message it gains importance and evidence", func(t *testing.T) {
		t.Parallel()
		w := newWriteWorld(t, year)
		ctx := w.agent(t, "assistant")
		w.say(t, ctx, "s1", user("I like hiking."))
		w.extract(t)
		before := w.texts(t, "c-1", models.StatusActive)["I like hiking."]
		w.pass(time.Hour)
		w.say(t, ctx, "s2", user("I like hiking."))
		w.extract(t)
		after := w.texts(t, "c-1", models.StatusActive)["I like hiking."]
		if after.Importance <= before.Importance || len(after.Evidence) != 2 || after.MemoryID != before.MemoryID {
			t.Fatalf("%+v became %+v", before, after)
		}
	})
	t.Run("what the person erased isn't made again from what was said before", func(t *testing.T) {
		t.Parallel()
		w := newWriteWorld(t, year)
		ctx := w.agent(t, "assistant")
		at := w.now()
		w.say(t, ctx, "s1", memory.Message{Role: "user", Content: "I like hiking.", OccurredAt: &at})
		w.extract(t)
		w.pass(time.Hour)
		w.erase(t, w.texts(t, "c-1", models.StatusActive)["I like hiking."])
		w.pass(time.Hour)
		w.say(t, ctx, "s2", memory.Message{Role: "user", Content: "I like hiking.", OccurredAt: &at})
		w.extract(t)
		w.remember(t, ctx, memory.RememberInput{Content: "I like hiking.", Category: "preference"})
		if all := w.texts(t, "c-1", models.StatusActive); len(all) != 0 {
			t.Fatalf("came back: %v", all)
		}
		w.say(t, ctx, "s3", user("I like hiking."))
		w.extract(t)
		if all := w.texts(t, "c-1", models.StatusActive); len(all) != 1 {
			t.Fatalf("said anew and not kept: %v", all)
		}
	})
	t.Run("a job of an older epoch, or of nobody, does nothing", func(t *testing.T) {
		t.Parallel()
		w := newWriteWorld(t, year)
		w.say(t, w.agent(t, "assistant"), "s1", user("I like hiking."))
		stale, stranger := w.jobs[0], w.jobs[0]
		stale.Epoch++
		stranger.Subject = models.NewID()
		must(t, w.RunExtract(w.system(t), stale))
		must(t, w.RunExtract(w.system(t), stranger))
		if all := w.texts(t, "c-1", models.StatusActive); len(all) != 0 {
			t.Fatalf("memories: %v", all)
		}
	})
	t.Run("without retention the turns go with their extraction", func(t *testing.T) {
		t.Parallel()
		w := newWriteWorld(t, 0)
		w.say(t, w.agent(t, "assistant"), "s1", user("I like hiking."))
		w.extract(t)
		var left int64
		must(t, w.db.ORM(w.system(t)).Model(&models.Turn{}).Count(&left).Error)
		all := w.texts(t, "c-1", models.StatusActive)
		if left != 0 || len(all) != 1 || len(all["I like hiking."].Evidence) != 1 {
			t.Fatalf("%d turns left, memories %v", left, all)
		}
	})
	t.Run("yesterday is a day of the speaker's calendar", func(t *testing.T) {
		t.Parallel()
		w := newWriteWorld(t, year)
		at := time.Date(2026, 3, 4, 7, 0, 0, 0, time.FixedZone("", 8*3600)) // the 3rd in UTC
		w.say(t, w.agent(t, "assistant"), "s1", memory.Message{Role: "user", Content: "我昨天去了动物园，很开心。", OccurredAt: &at})
		w.extract(t)
		ctx := w.system(t)
		var rows []models.Memory
		must(t, w.db.ORM(ctx).Find(&rows).Error)
		if len(rows) != 1 {
			t.Fatalf("%d memories", len(rows))
		}
		p, err := w.OpenPerson(ctx, rows[0].SubjectID)
		must(t, err)
		defer p.Close()
		var labels memory.Labels
		must(t, p.OpenJSON("memories", "labels", rows[0].ID, rows[0].Labels, &labels))
		if labels.When != "2026-03-03/2026-03-03" {
			t.Fatalf("when %q", labels.When)
		}
	})
	t.Run("a long conversation in several calls keeps its order", func(t *testing.T) {
		t.Parallel()
		w := newWriteWorld(t, year)
		ctx := w.agent(t, "assistant")
		w.say(t, ctx, "s1", user("one"), user("two"))
		w.say(t, ctx, "s1", user("three"))
		var turns []models.Turn
		must(t, w.db.ORM(w.system(t)).Order("position").Find(&turns).Error)
		if len(turns) != 3 || turns[0].Position != 0 || turns[2].Position != 2 || turns[2].SessionID != turns[0].SessionID {
			t.Fatalf("turns %+v", turns)
		}
	})
}

func TestTheSameTextWrittenAtOnceIsOneMemory(t *testing.T) {
	t.Parallel()
	w := newWriteWorld(t, year)
	ctx := w.agent(t, "support")
	outcomes := make(chan string, 8)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			got, err := w.Remember(ctx, memory.RememberInput{Subject: "c-1", Content: "Prefers aisle seats", Category: "preference"})
			if err != nil {
				outcomes <- err.Error()
				return
			}
			outcomes <- got.Outcome
		})
	}
	all.Wait()
	close(outcomes)
	count := map[string]int{}
	for o := range outcomes {
		count[o]++
	}
	if count[memory.OutcomeCreated] != 1 || count[memory.OutcomeMerged] != 7 {
		t.Fatalf("outcomes %v", count)
	}
}

func TestMessagesRefuses(t *testing.T) {
	t.Parallel()
	w := newWriteWorld(t, year)
	ctx := w.agent(t, "assistant")
	for name, in := range map[string]memory.MessagesInput{
		"session_id":          {Messages: []memory.Message{user("x")}},
		"messages":            {SessionID: "s"},
		"messages[0].role":    {SessionID: "s", Messages: []memory.Message{{Role: "boss", Content: "x"}}},
		"messages[1].content": {SessionID: "s", Messages: []memory.Message{user("x"), user(strings.Repeat("x", 8001))}},
	} {
		in.Subject = "nobody"
		_, err := w.Messages(ctx, in)
		wantCode(t, err, memory.CodeInvalid)
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%q doesn't name %s", err, name)
		}
	}
	_, err := w.Messages(ctx, memory.MessagesInput{Subject: "nobody", SessionID: "s", Messages: make([]memory.Message, 201)})
	wantCode(t, err, memory.CodeTooLarge)
	_, err = w.FindPerson(w.system(t), "nobody")
	wantCode(t, err, memory.CodeNotFound)
}

// erase takes a memory away as privacy does: the row, its index entry and a block
// on its words.
func (w *writeWorld) erase(t *testing.T, v memory.MemoryView) {
	t.Helper()
	id, err := memory.ParseID(memory.PrefixMemory, v.MemoryID)
	must(t, err)
	ctx := w.system(t)
	p, err := w.OpenPerson(ctx, id.Subject)
	must(t, err)
	defer p.Close()
	must(t, w.Write(ctx, p, func(ctx context.Context, tx *models.Tx) error {
		row, err := w.db.MemoryRow(ctx, id.Subject, id.Row)
		if err != nil {
			return err
		}
		if _, _, err := tx.DeleteMemories(ctx, id.Subject, []uuid.UUID{id.Row}); err != nil {
			return err
		}
		if err := w.IndexDrop(ctx, tx, p, []uuid.UUID{id.Row}); err != nil {
			return err
		}
		block := models.ErasedToken{SubjectID: id.Subject, ID: models.NewID(), Kind: "memory", Token: row.ContentToken, CreatedAt: models.At(w.now())}
		if err := tx.BlockToken(ctx, block); err != nil {
			return err
		}
		return tx.Record(ctx, audit.Event{Action: "memory.delete", Object: "memory:" + id.Row.String(), Subject: id.Subject, Epoch: p.Epoch})
	}))
}
