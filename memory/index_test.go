package memory

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"fornix/memory/lexical"
	"fornix/models"
	"fornix/policy"
)

// turnEntry is an entry of a turn, in the way that EncodeBlock gives it back.
func turnEntry(r recallRig, p *Person, session uint64, order int, text string) lexical.Entry {
	e := lexical.Build(lexical.Doc{
		ID: models.NewID(), Kind: lexical.Turn, Content: text, Speaker: lexical.SpeakerUser, Session: session, Order: order,
		OccurredAt: recallNow.Add(time.Duration(order) * time.Minute), CreatedAt: recallNow,
	}, r.hasher(p))
	again, err := lexical.DecodeBlock(lexical.EncodeBlock([]lexical.Entry{e}))
	if err != nil {
		r.t.Fatal(err)
	}
	return again[0]
}

func TestIndex(t *testing.T) {
	t.Parallel()
	t.Run("whatever was folded when, the index is what was put last", func(t *testing.T) {
		t.Parallel()
		r := newRecallRig(t)
		p := r.person("ann")
		rnd := rand.New(rand.NewPCG(7, 11))
		want := map[uuid.UUID]lexical.Entry{}
		var ids []uuid.UUID
		orders := map[uint64]int{}
		for step := range 150 {
			switch n := rnd.IntN(10); {
			case n < 6 || len(ids) == 0:
				session := 1 + rnd.Uint64N(3)
				orders[session]++
				e := turnEntry(r, p, session, orders[session], fmt.Sprintf("we spoke of topic%d and place%d", step, rnd.IntN(9)))
				r.put(p, policy.CatTurns, e)
				want[e.ID], ids = e, append(ids, e.ID)
			case n < 7:
				id := ids[rnd.IntN(len(ids))]
				old, kept := want[id]
				if !kept {
					continue
				}
				e := turnEntry(r, p, old.Session, old.Order, fmt.Sprintf("changed to subject%d", step))
				e.ID = id
				r.put(p, policy.CatTurns, e)
				want[id] = e
			case n < 8:
				id := ids[rnd.IntN(len(ids))]
				r.write(p, func(ctx context.Context, tx *models.Tx) error {
					return r.indexDrop(ctx, tx, p, DefaultNamespace, policy.CatTurns, id)
				})
				delete(want, id)
			case n < 9:
				r.fold(p)
			default:
				gone := []uuid.UUID{ids[rnd.IntN(len(ids))], models.NewID()}
				r.write(p, func(ctx context.Context, tx *models.Tx) error { return r.IndexDrop(ctx, tx, p, gone) })
				delete(want, gone[0])
			}
		}
		got := r.load(p, policy.CatTurns)
		expected := make([]lexical.Entry, 0, len(want))
		for _, e := range want {
			expected = append(expected, e)
		}
		byPlace := func(a, b lexical.Entry) int {
			if a.Session != b.Session {
				return int(a.Session) - int(b.Session)
			}
			return a.Order - b.Order
		}
		for i := 1; i < len(got); i++ {
			if got[i].Session == got[i-1].Session && got[i].Order <= got[i-1].Order {
				t.Fatalf("turn %d of a session stands after turn %d", got[i-1].Order, got[i].Order)
			}
		}
		query := lexical.NewQuery("what did we say of place3 and topic9?", recallNow, r.hasher(p))
		sorted := slices.SortedFunc(slices.Values(got), byPlace)
		slices.SortFunc(expected, byPlace)
		if diff := cmp.Diff(expected, sorted); diff != "" {
			t.Fatal(diff)
		}
		type found struct {
			ID    uuid.UUID
			Score float64
		}
		search := func(entries []lexical.Entry) (all []found) {
			for _, h := range lexical.Search(entries, query, lexical.Options{}) {
				all = append(all, found{h.ID, rounded(h.Score)})
			}
			return all
		}
		direct := search(expected)
		if diff := cmp.Diff(direct, search(got)); diff != "" || len(direct) == 0 {
			t.Errorf("%d hits; %s", len(direct), diff)
		}
		r.fold(p)
		r.fold(p)
		if diff := cmp.Diff(got, r.load(p, policy.CatTurns)); diff != "" {
			t.Errorf("folding changed the index: %s", diff)
		}
	})

	t.Run("only the categories named are opened", func(t *testing.T) {
		t.Parallel()
		r := newRecallRig(t)
		p := r.person("ann")
		a, b := turnEntry(r, p, 1, 1, "about work"), turnEntry(r, p, 2, 1, "about health")
		r.put(p, policy.CatWork, a)
		r.put(p, policy.CatHealth, b)
		for range 2 {
			if got := r.load(p, policy.CatWork); len(got) != 1 || got[0].ID != a.ID {
				t.Errorf("got %d entries", len(got))
			}
			if got := r.load(p); got != nil {
				t.Errorf("got %d entries for no category", len(got))
			}
			r.fold(p)
		}
	})

	t.Run("what is erased leaves the sealed block in the same transaction", func(t *testing.T) {
		t.Parallel()
		r := newRecallRig(t)
		p := r.person("ann")
		a, b, c := turnEntry(r, p, 1, 1, "one"), turnEntry(r, p, 1, 2, "two"), turnEntry(r, p, 1, 3, "three")
		r.put(p, policy.CatTurns, a)
		r.put(p, policy.CatTurns, b)
		r.fold(p)
		r.put(p, policy.CatTurns, c)
		r.write(p, func(ctx context.Context, tx *models.Tx) error {
			return r.IndexDrop(ctx, tx, p, []uuid.UUID{a.ID, c.ID})
		})
		segments, err := r.db.AllSegments(r.ctx, p.SubjectID)
		if err != nil || len(segments) != 1 {
			t.Fatal(len(segments), err)
		}
		left, err := openBlock(p, "segments", segments[0].ID, segments[0].Block)
		if err != nil || len(left) != 1 || left[0].ID != b.ID || segments[0].Entries != 1 {
			t.Errorf("block holds %d entries, row says %d, %v", len(left), segments[0].Entries, err)
		}
		if n, err := r.db.CountDeltas(r.ctx, p.SubjectID, DefaultNamespace, policy.CatTurns); n != 0 || err != nil {
			t.Errorf("%d deltas of erased entries, %v", n, err)
		}
	})

	t.Run("a fold is queued past the threshold and not for each row", func(t *testing.T) {
		t.Parallel()
		r := newRecallRig(t)
		p := r.person("ann")
		r.write(p, func(ctx context.Context, tx *models.Tx) error {
			for range foldAfter {
				if err := r.indexDrop(ctx, tx, p, DefaultNamespace, policy.CatWork, models.NewID()); err != nil {
					return err
				}
			}
			return nil
		})
		if len(*r.jobs) != 0 {
			t.Fatalf("%d jobs at the threshold", len(*r.jobs))
		}
		for range 10 {
			r.put(p, policy.CatWork, turnEntry(r, p, 0, 0, "x"))
		}
		want := []Job{{Kind: JobFold, Tenant: "acme", Subject: p.SubjectID, Epoch: p.Epoch}}
		if diff := cmp.Diff(want, *r.jobs); diff != "" {
			t.Error(diff)
		}
	})

	t.Run("a fold of another epoch or of nobody changes nothing", func(t *testing.T) {
		t.Parallel()
		r := newRecallRig(t)
		p := r.person("ann")
		r.put(p, policy.CatWork, turnEntry(r, p, 0, 0, "x"))
		for _, job := range []Job{
			{Kind: JobFold, Tenant: "acme", Subject: p.SubjectID, Epoch: p.Epoch + 1},
			{Kind: JobFold, Tenant: "acme", Subject: models.NewID(), Epoch: 1},
		} {
			if err := r.RunFold(t.Context(), job); err != nil {
				t.Error(err)
			}
		}
		if segments, err := r.db.AllSegments(r.ctx, p.SubjectID); len(segments) != 0 || err != nil {
			t.Errorf("%d segments, %v", len(segments), err)
		}
	})
}
