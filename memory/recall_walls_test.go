package memory

import (
	"context"
	"slices"
	"testing"
	"time"

	"fornix/models"
	"fornix/policy"
)

// changeRow changes the only memory's row behind the index's back.
func (r recallRig) changeRow(p *Person, change func(*models.Memory)) {
	r.t.Helper()
	r.write(p, func(ctx context.Context, tx *models.Tx) error {
		rows, err := r.db.IndexedMemories(ctx, p.SubjectID)
		if err != nil {
			return err
		}
		if len(rows) != 1 {
			r.t.Fatalf("%d memories", len(rows))
		}
		change(&rows[0])
		if err := models.Update(ctx, tx, &rows[0]); err != nil {
			return err
		}
		return tx.Record(ctx, row0(p))
	})
}

// The row has the last word where the index says something else.
func TestRecallAsksTheRow(t *testing.T) {
	t.Parallel()
	past := models.At(recallNow.Add(-time.Second))
	for name, change := range map[string]func(*models.Memory){
		"a category that isn't granted": func(m *models.Memory) { m.Category = policy.CatHealth },
		"another namespace":             func(m *models.Memory) { m.Namespace = "other" },
		"a time that is past":           func(m *models.Memory) { m.ExpireAt = &past },
		"another status":                func(m *models.Memory) { m.Status = models.StatusSuperseded },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRecallRig(t)
			r.remember(RememberInput{Subject: "ann", Content: "I order tea in the morning.", Category: policy.CatOrder, Source: SourceUser})
			r.ctx = r.agent(policy.ModuleSales)
			in := RecallInput{Subject: "ann", Query: "Is it tea in the morning?"}
			if got := contents(r.recall(in)); len(got) != 1 {
				t.Fatalf("before the change got %q", got)
			}
			r.changeRow(r.person("ann"), change)
			if got := contents(r.recall(in)); len(got) != 0 {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestRecallHides(t *testing.T) {
	t.Parallel()

	t.Run("what is past its time shifts no ranking", func(t *testing.T) {
		t.Parallel()
		in := RecallInput{Subject: "ann", Query: "Where does she buy green tea in the morning?", Explain: true}
		answer := func(withExpired bool) []RecallItem {
			r := newRecallRig(t)
			r.remember(RememberInput{Subject: "ann", Content: "I buy tea from the corner shop.", Source: SourceUser})
			if withExpired {
				soon := recallNow.Add(time.Hour)
				r.remember(RememberInput{Subject: "ann", Content: "I buy green tea in the morning at the market.", Source: SourceUser, ExpireAt: &soon})
			}
			*r.now = recallNow.Add(2 * time.Hour)
			return r.recall(in).Items
		}
		with, without := answer(true), answer(false)
		if len(with) != 1 || len(without) != 1 || with[0].Score != without[0].Score {
			t.Errorf("with the expired one %+v, without %+v", with, without)
		}
	})

	t.Run("why-not tells nothing of what waits for a decision or may only be read", func(t *testing.T) {
		t.Parallel()
		r := newRecallRig(t)
		pending := r.remember(RememberInput{Subject: "ann", Content: "She may move to Hangzhou.", Source: SourceInferred})
		readable := r.remember(RememberInput{Subject: "ann", Content: "I take insulin.", Category: policy.CatHealth, Source: SourceUser})
		reader := r.agent("reader")
		who, _ := policy.From(reader)
		rules := policy.GrantRules("acme", who.ID, "reader",
			policy.Access{Categories: []string{policy.CatHealth}, Actions: []string{policy.ActMemoryRead}},
			policy.Access{Categories: []string{policy.CatGeneral}, Actions: []string{policy.ActMemoryRead, policy.ActRecall}})
		if err := r.policy.Apply(AsSystem(t.Context(), "acme", "test"), policy.Change{Add: rules}); err != nil {
			t.Fatal(err)
		}
		r.ctx = reader
		got := r.recall(RecallInput{Subject: "ann", Query: "Is it Hangzhou or insulin?"})
		if len(got.Items) != 0 {
			t.Fatalf("got %q", contents(got))
		}
		if !slices.Contains(r.policy.Categories(who, policy.ActRecall), policy.CatGeneral) {
			t.Fatal("the reader's grant isn't in force")
		}
		for name, id := range map[string]string{"pending": pending.MemoryID, "not for recall": readable.MemoryID} {
			why, err := r.RecallRecord(r.ctx, got.RecallID, id)
			if err != nil || why.Memory.Verdict != VerdictNeverStored {
				t.Errorf("%s: %+v, %v", name, why.Memory, err)
			}
		}
	})
}
