package memory

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"fornix/models"
	"fornix/policy"
)

func share(x float64) *float64 { return &x }

func TestRecall(t *testing.T) {
	t.Parallel()
	ask := RecallInput{Subject: "ann", Query: "Which city does she live in?"}

	t.Run("a memory and the turn it was said in are found, by segments and by deltas alike", func(t *testing.T) {
		t.Parallel()
		r := newRecallRig(t)
		r.remember(RememberInput{Subject: "ann", Content: "I live in the city of Hangzhou.", Source: SourceUser, Tags: []string{"home"}})
		r.remember(RememberInput{Subject: "ann", Content: "I play the cello on Sundays.", Source: SourceUser})
		at := recallNow.Add(-time.Hour)
		if _, err := r.Messages(r.ctx, MessagesInput{Subject: "ann", SessionID: "s1", Messages: []Message{
			{Role: "user", Content: "My city is rainy today.", OccurredAt: &at},
			{Role: "assistant", Content: "Take an umbrella with you.", OccurredAt: &at},
		}}); err != nil {
			t.Fatal(err)
		}
		first := r.recall(ask)
		if len(first.Items) < 2 || first.Items[0].Content != "I live in the city of Hangzhou." || first.Mode != ModeMemory {
			t.Fatalf("got %q in mode %s", contents(first), first.Mode)
		}
		memory := first.Items[0]
		if !strings.HasPrefix(memory.MemoryID, PrefixMemory) || !slices.Equal(memory.Tags, []string{"home"}) || memory.Source != SourceUser || memory.Unsure {
			t.Errorf("got %+v", memory)
		}
		turn := first.Items[slices.IndexFunc(first.Items, func(i RecallItem) bool { return i.Kind == KindTurn })]
		if !strings.HasPrefix(turn.MemoryID, PrefixTurn) || turn.Content != "My city is rainy today." || turn.Source != "user" {
			t.Errorf("got %+v", turn)
		}
		p := r.person("ann")
		r.fold(p)
		if second := r.recall(ask); !slices.Equal(contents(first), contents(second)) {
			t.Errorf("after folding %q, before %q", contents(second), contents(first))
		}
		if err := r.RebuildIndex(AsSystem(t.Context(), "acme", "test"), p.SubjectID); err != nil {
			t.Fatal(err)
		}
		if third := r.recall(ask); !slices.Equal(contents(first), contents(third)) {
			t.Errorf("after rebuilding %q, before %q", contents(third), contents(first))
		}
	})

	t.Run("what an agent isn't granted isn't found, and shifts no ranking", func(t *testing.T) {
		t.Parallel()
		r := newRecallRig(t)
		r.remember(RememberInput{Subject: "ann", Content: "I take insulin in the morning.", Category: policy.CatHealth, Source: SourceUser})
		r.remember(RememberInput{Subject: "ann", Content: "I order tea in the morning.", Category: policy.CatOrder, Source: SourceUser})
		in := RecallInput{Subject: "ann", Query: "What about insulin in the morning?"}
		if got := contents(r.recall(in)); !slices.Contains(got, "I take insulin in the morning.") {
			t.Fatalf("the assistant got %q", got)
		}
		r.ctx = r.agent(policy.ModuleSales)
		with := r.recall(in)
		if slices.Contains(contents(with), "I take insulin in the morning.") {
			t.Fatal("sales got a health memory")
		}
		other := newRecallRig(t)
		other.remember(RememberInput{Subject: "ann", Content: "I order tea in the morning.", Category: policy.CatOrder, Source: SourceUser})
		other.ctx = other.agent(policy.ModuleSales)
		without := other.recall(in)
		if !slices.Equal(contents(with), contents(without)) || len(with.Items) == 1 && with.Items[0].Score != without.Items[0].Score {
			t.Errorf("with the hidden memory %+v, without %+v", with.Items, without.Items)
		}
	})

	t.Run("an agent without any grant gets nothing and leaves a record", func(t *testing.T) {
		t.Parallel()
		r := newRecallRig(t)
		r.remember(RememberInput{Subject: "ann", Content: "I live in the city of Hangzhou.", Source: SourceUser})
		r.ctx = r.agent("unheard-of")
		got := r.recall(ask)
		if len(got.Items) != 0 || got.RecallID == "" {
			t.Fatalf("got %+v", got)
		}
		if why, err := r.RecallRecord(r.ctx, got.RecallID, ""); err != nil || why.Decision != DecisionDenied || why.Query != ask.Query {
			t.Errorf("got %+v, %v", why, err)
		}
	})

	t.Run("someone unknown is not made by asking", func(t *testing.T) {
		t.Parallel()
		r := newRecallRig(t)
		got := r.recall(ask)
		if len(got.Items) != 0 || got.RecallID != "" || got.Mode != ModeMemory || got.Items == nil {
			t.Errorf("got %+v", got)
		}
		if _, err := r.FindPerson(r.ctx, "ann"); CodeOf(err) != CodeNotFound {
			t.Errorf("got %v", err)
		}
	})

	t.Run("what the namespace shares is found, with a person and without", func(t *testing.T) {
		t.Parallel()
		r := newRecallRig(t)
		r.ctx = AsSystem(t.Context(), "acme", "test")
		r.remember(RememberInput{Content: "Refunds take five working days.", Kind: "procedure"})
		for _, subject := range []string{"", "ann"} {
			got := r.recall(RecallInput{Subject: subject, Query: "How long do refunds take?"})
			if len(got.Items) != 1 || !strings.HasPrefix(got.Items[0].MemoryID, PrefixShared) || got.Items[0].Content != "Refunds take five working days." {
				t.Errorf("for %q got %+v", subject, got.Items)
			}
		}
	})

	t.Run("what was replaced, expired or filtered is passed over and the limit still filled", func(t *testing.T) {
		t.Parallel()
		r := newRecallRig(t)
		soon := recallNow.Add(time.Hour)
		r.remember(RememberInput{Subject: "ann", Content: "The garden has roses.", Source: SourceUser, ExpireAt: &soon})
		for _, word := range []string{"tulips", "lilies", "a pond", "bees", "moss", "a bench"} {
			r.remember(RememberInput{Subject: "ann", Content: "The garden has " + word + ".", Source: SourceUser, Importance: share(.7)})
		}
		p := r.person("ann")
		// Behind the index's back, as a delta that was lost would leave it.
		r.write(p, func(ctx context.Context, tx *models.Tx) error {
			rows, err := r.db.IndexedMemories(ctx, p.SubjectID)
			if err != nil {
				return err
			}
			for _, row := range rows[1:4] {
				row.Status = models.StatusArchived
				if err := models.Update(ctx, tx, &row); err != nil {
					return err
				}
			}
			return tx.Record(ctx, row0(p))
		})
		in := RecallInput{Subject: "ann", Query: "What has the garden?", Limit: 2}
		if got := contents(r.recall(in)); len(got) != 2 {
			t.Errorf("got %q", got)
		}
		in.Limit = 50
		if got := contents(r.recall(in)); len(got) != 4 || !slices.Contains(got, "The garden has roses.") {
			t.Errorf("got %q", got)
		}
		in.MinImportance = .7
		if got := contents(r.recall(in)); len(got) != 3 || slices.Contains(got, "The garden has roses.") {
			t.Errorf("filtered by importance got %q", got)
		}
		*r.now, in.MinImportance = soon, 0
		if got := contents(r.recall(in)); len(got) != 3 || slices.Contains(got, "The garden has roses.") {
			t.Errorf("after an hour got %q", got)
		}
	})

	t.Run("filters keep what they say", func(t *testing.T) {
		t.Parallel()
		r := newRecallRig(t)
		early, late := recallNow.AddDate(0, -2, 0), recallNow.AddDate(0, 0, -1)
		r.remember(RememberInput{Subject: "ann", Content: "We sailed to the island.", Kind: "event_fragment", OccurredAt: &early, Tags: []string{"sea", "trip"}, Confidence: share(.5)})
		r.remember(RememberInput{Subject: "ann", Content: "The island ferry costs nine euro.", Kind: "hard_fact", OccurredAt: &late, Tags: []string{"sea"}})
		mid := recallNow.AddDate(0, -1, 0)
		for name, c := range map[string]struct {
			in   RecallInput
			want []string
		}{
			"kind":       {RecallInput{Kinds: []string{"hard_fact"}}, []string{"The island ferry costs nine euro."}},
			"turns only": {RecallInput{Kinds: []string{KindTurn}}, nil},
			"all tags":   {RecallInput{Tags: []string{"trip", "sea"}}, []string{"We sailed to the island."}},
			"other tag":  {RecallInput{Tags: []string{"hill"}}, nil},
			"since":      {RecallInput{Since: &mid}, []string{"The island ferry costs nine euro."}},
			"until":      {RecallInput{Until: &mid}, []string{"We sailed to the island."}},
			"confidence": {RecallInput{MinConfidence: .6}, []string{"The island ferry costs nine euro."}},
		} {
			c.in.Subject, c.in.Query = "ann", "What about the island?"
			if got := contents(r.recall(c.in)); !slices.Equal(got, c.want) {
				t.Errorf("%s: got %q, want %q", name, got, c.want)
			}
		}
		for _, item := range r.recall(RecallInput{Subject: "ann", Query: "What about the island?"}).Items {
			if item.Unsure != (item.Confidence < unsureBelow) {
				t.Errorf("%q is marked unsure: %v", item.Content, item.Unsure)
			}
		}
	})
}
