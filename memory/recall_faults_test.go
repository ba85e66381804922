package memory

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fornix/audit"
	"fornix/models"
	"fornix/policy"
)

// row0 is the event of a change that a test makes past the service.
func row0(p *Person) audit.Event {
	return audit.Event{Action: "test.write", Object: "test:row", Subject: p.SubjectID, Epoch: p.Epoch}
}

func TestRecallFaults(t *testing.T) {
	t.Parallel()
	ask := RecallInput{Subject: "ann", Query: "Which city does she live in?"}

	t.Run("every bad field is named and nothing is looked up", func(t *testing.T) {
		t.Parallel()
		r := newRecallRig(t)
		since := recallNow
		until := since.Add(-time.Second)
		_, err := r.Recall(r.ctx, RecallInput{
			Subject: "ann", Query: " ", Namespace: "No!", Limit: 51, Ranking: "best", Gate: "maybe", MinImportance: 1.1, MinConfidence: -1,
			Kinds: []string{"nothing"}, Tags: []string{""}, Since: &since, Until: &until, Vector: json.RawMessage("[1]"), Locale: "tlh",
		})
		bad, ok := err.(*Error)
		if !ok {
			t.Fatalf("got %v", err)
		}
		var names []string
		for _, f := range bad.Fields {
			names = append(names, f.Name)
		}
		slices.Sort(names)
		want := []string{"gate", "kinds", "limit", "locale", "min_confidence", "min_importance", "namespace", "query", "ranking", "tags", "until", "vector"}
		if diff := cmp.Diff(want, names); diff != "" {
			t.Error(diff)
		}
	})

	t.Run("only agents recall", func(t *testing.T) {
		t.Parallel()
		r := newRecallRig(t)
		for _, kind := range []policy.Kind{policy.KindUser, policy.KindSubject} {
			ctx := policy.With(r.ctx, policy.Principal{Kind: kind, ID: models.NewID().String(), Tenant: "acme"})
			if _, err := r.Recall(ctx, ask); CodeOf(err) != CodeForbidden {
				t.Errorf("%s: %v", kind, err)
			}
		}
		if _, err := r.Recall(t.Context(), ask); CodeOf(err) != CodeUnauthenticated {
			t.Errorf("nobody: %v", err)
		}
	})

	t.Run("a gated question says so and is recorded", func(t *testing.T) {
		t.Parallel()
		r := newRecallRig(t)
		r.remember(RememberInput{Subject: "ann", Content: "The weather in Hangzhou makes me happy.", Source: SourceUser})
		in := RecallInput{Subject: "ann", Query: "What's the weather like?", Gate: GateAuto}
		got := r.recall(in)
		if got.Mode != ModeGated || len(got.Items) != 0 || got.FallbackReason != "weather" || len(got.Legs) != 0 {
			t.Errorf("got %+v", got)
		}
		if why, err := r.RecallRecord(r.ctx, got.RecallID, ""); err != nil || why.Decision != DecisionGated {
			t.Errorf("got %+v, %v", why, err)
		}
		in.Gate = ""
		if got := r.recall(in); got.Mode != ModeMemory || len(got.Items) != 1 {
			t.Errorf("not asked to gate: %+v", got)
		}
	})

	t.Run("without its database it answers that only the conversation is left", func(t *testing.T) {
		t.Parallel()
		r := newRecallRig(t)
		r.remember(RememberInput{Subject: "ann", Content: "I live in the city of Hangzhou.", Source: SourceUser})
		if err := r.db.Close(); err != nil {
			t.Fatal(err)
		}
		got := r.recall(ask)
		if got.Mode != ModeLLMOnly || !slices.Equal(got.Degraded, []string{"l2"}) || got.FallbackReason != "l2_unavailable" || got.Items == nil || !strings.Contains(got.Cards, "this conversation") {
			t.Errorf("got %+v", got)
		}
	})

	t.Run("a value that was moved doesn't open and takes no other with it", func(t *testing.T) {
		t.Parallel()
		r := newRecallRig(t)
		r.remember(RememberInput{Subject: "ann", Content: "I live in the city of Hangzhou.", Source: SourceUser})
		r.remember(RememberInput{Subject: "ann", Content: "The city library lends me a cello.", Source: SourceUser})
		p := r.person("ann")
		r.write(p, func(ctx context.Context, tx *models.Tx) error {
			rows, err := r.db.IndexedMemories(ctx, p.SubjectID)
			if err != nil {
				return err
			}
			rows[0].Content = rows[1].Content
			if err := models.Update(ctx, tx, &rows[0]); err != nil {
				return err
			}
			return tx.Record(ctx, row0(p))
		})
		got := r.recall(ask)
		if want := []string{"The city library lends me a cello."}; !slices.Equal(contents(got), want) || !slices.Equal(got.Degraded, []string{"integrity"}) {
			t.Errorf("got %q, degraded %q", contents(got), got.Degraded)
		}
	})

	t.Run("an index block that was moved is a fault that is told and recorded", func(t *testing.T) {
		t.Parallel()
		r := newRecallRig(t)
		r.remember(RememberInput{Subject: "ann", Content: "I live in the city of Hangzhou.", Source: SourceUser, Category: policy.CatProfile})
		r.remember(RememberInput{Subject: "ann", Content: "The city library lends me a cello.", Source: SourceUser, Category: policy.CatGeneral})
		p := r.person("ann")
		r.fold(p)
		r.write(p, func(ctx context.Context, tx *models.Tx) error {
			segments, err := r.db.AllSegments(ctx, p.SubjectID)
			if err != nil {
				return err
			}
			segments[0].Block = segments[1].Block
			return models.Update(ctx, tx, &segments[0])
		})
		got := r.recall(ask)
		if got.Mode != ModeLLMOnly || got.FallbackReason != "index_unreadable" || len(got.Items) != 0 {
			t.Errorf("got %+v", got)
		}
		if err := r.RebuildIndex(AsSystem(t.Context(), "acme", "test"), p.SubjectID); err != nil {
			t.Fatal(err)
		}
		if got := r.recall(ask); len(got.Items) != 2 || got.Mode != ModeMemory {
			t.Errorf("after rebuilding got %+v", got)
		}
	})
}
