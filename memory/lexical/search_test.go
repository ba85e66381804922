package lexical

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

func ask(text string) Query { return NewQuery(text, testDay.AddDate(0, 0, 3), testHasher) }

func first(t *testing.T, entries []Entry, question string) Hit {
	t.Helper()
	hits := Search(entries, ask(question), Options{})
	if len(hits) == 0 {
		t.Fatalf("%q finds nothing", question)
	}
	return hits[0]
}

func TestSearchFindsTheRightTurn(t *testing.T) {
	t.Parallel()
	entries := slices.Concat(
		turnsOf(1, testDay.AddDate(0, 0, -2), "I adopted a puppy called Rex", "How sweet! What breed is it?", "It is a beagle", "Beagles need long walks"),
		turnsOf(2, testDay, "I bought a piano", "Which music will you play?", "Mostly Chopin", "I recommend the nocturnes of Chopin"),
		turnsOf(3, testDay.AddDate(0, 0, 1), "我昨天去了上海看展览", "展览怎么样？", "我最喜欢那幅山水画", "我推荐你去看印象派画展"),
	)
	cases := []struct {
		name, question string
		want           int
	}{
		{"by a word's stem", "Which dog did I adopt?", 0},
		{"in Chinese", "我在上海看了什么？", 8},
		{"by who was asked for", "What did you recommend of Chopin?", 7},
		{"by who was asked for in Chinese", "你推荐过我看什么画展？", 11},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := first(t, entries, c.question); got.Index != c.want {
				t.Errorf("%q finds turn %d first, want %d (%+v)", c.question, got.Index, c.want, got.Legs)
			}
		})
	}
}

// The answer "It is a beagle" shares no word with the question.
func TestSearchFindsAnAnswerByItsNeighbours(t *testing.T) {
	t.Parallel()
	entries := slices.Concat(
		turnsOf(1, testDay, "I adopted a puppy", "What breed is it?", "It is a beagle", "I see"), turnsOf(2, testDay, "no breed", "a stone"),
	)
	hits := Search(entries, ask("Which breed is my puppy?"), Options{Limit: 2})
	if !slices.ContainsFunc(hits, func(hit Hit) bool { return hit.Index == 2 }) {
		t.Errorf("got %+v", hits)
	}
}

func TestLegs(t *testing.T) {
	t.Parallel()
	t.Run("the neighbour two before counts most", func(t *testing.T) {
		t.Parallel()
		entries := turnsOf(1, testDay, "zebra", "one thing", "two thing", "three thing")
		hits := Search(entries, ask("zebra"), Options{})
		got := map[int]float64{}
		for _, hit := range hits {
			got[hit.Index] = hit.Legs.Neighbours
		}
		if diff := cmp.Diff(map[int]float64{0: 0, 1: .4, 2: .5, 3: 0}, got); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("neighbours end with the session", func(t *testing.T) {
		t.Parallel()
		entries := slices.Concat(turnsOf(1, testDay, "one thing", "zebra"), turnsOf(2, testDay, "two thing", "three thing"))
		for _, hit := range Search(entries, ask("zebra"), Options{}) {
			if entries[hit.Index].Session == 2 {
				t.Error("a turn of another session was found as a neighbour")
			}
		}
	})
	t.Run("the order of entries does not change the ranking", func(t *testing.T) {
		t.Parallel()
		entries := slices.Concat(turnsOf(1, testDay, "a zebra", "two thing", "zebra food"), turnsOf(2, testDay, "three zebra", "grass"))
		shuffled := slices.Clone(entries)
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		want, got := Search(entries, ask("zebra food"), Options{}), Search(shuffled, ask("zebra food"), Options{})
		for i := range want {
			want[i].Index, got[i].Index = 0, 0
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("words in the question's order count more", func(t *testing.T) {
		t.Parallel()
		entries := slices.Concat(turnsOf(1, testDay, "blue whale song"), turnsOf(2, testDay, "whale blue song"))
		if got := first(t, entries, "blue whale"); got.Index != 0 || got.Legs.Bigram != bigramWeight {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("a topical class finds another word", func(t *testing.T) {
		t.Parallel()
		entries := turnsOf(1, testDay, "my hamster, a kitten", "grass")
		if got := first(t, entries, "puppy"); got.Index != 0 || got.Legs.Synonym != synonymWeight {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("a day asked for finds its session", func(t *testing.T) {
		t.Parallel()
		entries := slices.Concat(turnsOf(1, testDay, "zebra"), turnsOf(2, testDay.AddDate(0, 0, -1), "zebra"))
		if got := first(t, entries, "zebra on May 9th"); got.Index != 1 || got.Legs.Date != dateWeight {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("a date alone is a question", func(t *testing.T) {
		t.Parallel()
		entries := slices.Concat(turnsOf(1, testDay, "zebra"), turnsOf(2, testDay.AddDate(0, 0, -1), "grass"))
		if got := first(t, entries, "三天前我说了什么？"); got.Legs.Date == 0 {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("a when-question meets a time", func(t *testing.T) {
		t.Parallel()
		entries := slices.Concat(turnsOf(1, testDay, "zebra zebra"), turnsOf(2, testDay, "zebra at 7 pm"))
		if got := first(t, entries, "When did I see the zebra?"); got.Index != 1 || got.Legs.Cue < whenCue {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("a turn that asks stands behind", func(t *testing.T) {
		t.Parallel()
		entries := slices.Concat(turnsOf(1, testDay, "zebra grass?"), turnsOf(2, testDay, "zebra grass."))
		if got := first(t, entries, "zebra grass"); got.Index != 1 {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("the only speaker named stands before, two named do not", func(t *testing.T) {
		t.Parallel()
		entries := []Entry{
			Build(Doc{Content: "zebra", Speaker: "Ann"}, testHasher), Build(Doc{Content: "zebra", Speaker: "张伟"}, testHasher),
		}
		if got := first(t, entries, "what zebra did 张伟 see"); got.Index != 1 || got.Legs.Cue != speakerCue {
			t.Errorf("got %+v", got)
		}
		if got := first(t, entries, "what zebra did Ann and 张伟 see"); got.Legs.Cue != 0 {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("a fact has no neighbours, bigrams or session", func(t *testing.T) {
		t.Parallel()
		doc := Doc{Kind: Fact, Content: "blue whale puppy", Session: 1, OccurredAt: testDay}
		entries := append(turnsOf(1, testDay, "blue whale puppy"), Build(doc, testHasher))
		for _, hit := range Search(entries, ask("blue whale kitten"), Options{}) {
			if hit.Kind != Fact {
				continue
			}
			if want := (Legs{Keyword: 1, Synonym: factSynonymWeight}); hit.Legs != want {
				t.Errorf("got %+v, want %+v", hit.Legs, want)
			}
		}
	})
}

func TestHits(t *testing.T) {
	t.Parallel()
	entries := slices.Concat(
		turnsOf(1, testDay, "zebra grass water", "zebra", "grass?", "lion"), turnsOf(2, testDay, "zebra lion", "water", "stone", "hill"),
		turnsOf(3, testDay, "moon", "sun"),
	)
	all := Search(entries, ask("zebra grass at the water"), Options{})
	t.Run("scores are the sum of their legs, best first", func(t *testing.T) {
		t.Parallel()
		if len(all) < 5 || all[0].Relevance != 1 || all[0].Index != 0 {
			t.Fatalf("got %+v", all)
		}
		for i, hit := range all {
			if math.Abs(hit.Score-hit.Legs.Sum()) > 1e-12 || hit.Relevance < 0 || hit.Relevance > 1 || hit.Coverage < 0 || hit.Coverage > 1 {
				t.Errorf("hit %d: %+v", i, hit)
			}
			if i > 0 && hit.Score > all[i-1].Score {
				t.Errorf("hit %d stands too low", i)
			}
		}
	})
	t.Run("a limit gives the head of the full list", func(t *testing.T) {
		t.Parallel()
		for limit := 1; limit <= len(all)+1; limit++ {
			got := Search(entries, ask("zebra grass at the water"), Options{Limit: limit})
			if diff := cmp.Diff(all[:min(limit, len(all))], got); diff != "" {
				t.Errorf("limit %d: %s", limit, diff)
			}
		}
	})
	t.Run("a session without a match holds no hit", func(t *testing.T) {
		t.Parallel()
		for _, hit := range all {
			if entries[hit.Index].Session == 3 {
				t.Errorf("got %+v", hit)
			}
		}
	})
	t.Run("coverage is full only where all words stand", func(t *testing.T) {
		t.Parallel()
		if math.Abs(all[0].Coverage-1) > 1e-12 || all[1].Coverage >= 1 {
			t.Errorf("got %v and %v", all[0].Coverage, all[1].Coverage)
		}
	})
	t.Run("a lone poor fact does not stand beside a good turn", func(t *testing.T) {
		t.Parallel()
		with := append(slices.Clone(entries), Build(Doc{Kind: Fact, Content: "the lion sleeps near the water every night of the year"}, testHasher))
		for _, hit := range Search(with, ask("zebra grass at the water"), Options{}) {
			if hit.Kind == Fact && (hit.Relevance >= .8 || hit.Relevance <= 0) {
				t.Errorf("got %+v", hit)
			}
		}
	})
	t.Run("nothing asked or nothing kept gives nothing", func(t *testing.T) {
		t.Parallel()
		if len(Search(entries, ask("  the of  "), Options{})) != 0 || len(Search(nil, ask("zebra"), Options{})) != 0 || len(Search(entries, ask("unicorn"), Options{})) != 0 {
			t.Error("want no hits")
		}
	})
	t.Run("another person's key finds nothing", func(t *testing.T) {
		t.Parallel()
		if hits := Search(entries, NewQuery("zebra grass", testDay, keyed("other")), Options{}); len(hits) != 0 {
			t.Errorf("got %+v", hits)
		}
	})
	t.Run("what is not given has no say in the ranking", func(t *testing.T) {
		t.Parallel()
		mine := turnsOf(1, testDay, "zebra stone", "zebra lion", "zebra hill")
		if diff := cmp.Diff(Search(mine, ask("zebra lion"), Options{}), Search(slices.Clone(mine), ask("zebra lion"), Options{})); diff != "" {
			t.Error(diff)
		}
		more := append(slices.Clone(mine), turnsOf(4, testDay, "lion", "lion lion")...)
		if cmp.Equal(Search(mine, ask("zebra lion"), Options{})[0].Score, Search(more, ask("zebra lion"), Options{})[0].Score) {
			t.Error("the statistics do not come from the entries given")
		}
	})
	t.Run("equal scores stand newest first", func(t *testing.T) {
		t.Parallel()
		old := Build(Doc{ID: uuid.UUID{1}, Content: "zebra", OccurredAt: testDay}, testHasher)
		young := Build(Doc{ID: uuid.UUID{2}, Content: "zebra", OccurredAt: testDay.Add(time.Hour)}, testHasher)
		if hits := Search([]Entry{old, young}, ask("zebra"), Options{}); hits[0].ID != young.ID {
			t.Error("the older stands first")
		}
	})
}

func TestSearchesAtOnceDoNotMix(t *testing.T) {
	t.Parallel()
	few := turnsOf(1, testDay, "zebra lion", "grass", "lion")
	many := slices.Concat(few, turnsOf(2, testDay, "zebra grass", "zebra", "water", "lion water"))
	wantFew, wantMany := Search(few, ask("zebra lion"), Options{}), Search(many, ask("grass and water"), Options{})
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 200 {
				if diff := cmp.Diff(wantFew, Search(few, ask("zebra lion"), Options{})); diff != "" {
					t.Error(diff)
				}
				if diff := cmp.Diff(wantMany, Search(many, ask("grass and water"), Options{})); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
	group.Wait()
}

func TestNeighbours(t *testing.T) {
	t.Parallel()
	entries := slices.Concat(turnsOf(1, testDay, "a", "b", "c", "d"), turnsOf(2, testDay, "e"))
	slices.Reverse(entries) // e d c b a
	cases := []struct {
		name            string
		index, distance int
		want            []int
	}{
		{"around a turn, in the session's order", 2, 1, []int{3, 1}},
		{"up to the session's ends", 4, 2, []int{3, 2}},
		{"none for a session of one", 0, 2, nil},
		{"none at no distance", 2, 0, nil},
		{"none beyond the entries", 7, 2, nil},
	}
	for _, c := range cases {
		if diff := cmp.Diff(c.want, Neighbours(entries, c.index, c.distance)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestRankSessions(t *testing.T) {
	t.Parallel()
	entries := []Entry{{Session: 1}, {Session: 2}, {Session: 2}, {Session: 2}, {Session: 2}, {}}
	hits := []Hit{{Index: 5, Score: 9}, {Index: 0, Score: 4}, {Index: 1, Score: 3}, {Index: 2, Score: 2}, {Index: 3, Score: 1.5}, {Index: 4, Score: 1}}
	want := []SessionHit{{Session: 2, Score: 3 + 1 + .5, Best: 2}, {Session: 1, Score: 4, Best: 1}}
	if diff := cmp.Diff(want, RankSessions(entries, hits)); diff != "" {
		t.Error(diff)
	}
}

func TestConversationQuery(t *testing.T) {
	t.Parallel()
	q := NewConversationQuery([]QueryTurn{{Content: "zebra zebra lion"}, {Content: "zebra grass", Assistant: true}}, testHasher)
	for word, count := range map[string]float64{"zebra": 2.3, "lion": 1, "grass": .3} {
		found := slices.ContainsFunc(q.terms, func(term queryTerm) bool {
			return term.hash == testHasher(PurposeTerm, []byte(word)) && math.Abs(term.weight-math.Log1p(count)) < 1e-12
		})
		if !found {
			t.Errorf("%s does not weigh ln(1 + %v)", word, count)
		}
	}
}
