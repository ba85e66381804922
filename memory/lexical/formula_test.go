package lexical

import (
	"math"
	"slices"
	"testing"
)

// The formula, worked out by hand for three texts of 1, 2 and 3 words.
func TestPlainBM25(t *testing.T) {
	t.Parallel()
	var entries []Entry
	for _, text := range []string{"zebra", "zebra lion", "grass grass lion"} {
		entries = append(entries, BuildPlain(Doc{Content: text}, testHasher))
	}
	hits := Search(entries, NewPlainQuery("grass", testHasher), Options{Mode: PlainBM25})
	if len(hits) != 1 || hits[0].Index != 2 || hits[0].Legs != (Legs{Keyword: 1}) {
		t.Errorf("got %+v", hits)
	}
	s := newScoring(entries, NewPlainQuery("grass", testHasher), PlainBM25)
	want := math.Log(2.5/1.5+1) * 2 * 2.2 / (2 + 1.2*(.25+.75*3/2))
	if math.Abs(s.terms[2]-want) > 1e-12 {
		t.Errorf("got %v, want %v", s.terms[2], want)
	}
}

// BM25 of each kind, worked out by hand: three texts, one of three words that holds
// the term twice, the mean length being two words.
func TestBM25OfEachKind(t *testing.T) {
	t.Parallel()
	rare := math.Log(2.5/1.5 + 1)
	cases := []struct {
		name  string
		kind  Kind
		texts []string
		ask   string
		want  float64
	}{
		{"a turn, whatever its length", Turn, []string{"zebra", "zebra lion", "grass grass lion"}, "grass", rare * 2 * 1.8 / 2.8},
		{"an episode like a turn", Episode, []string{"zebra", "zebra lion", "grass grass lion"}, "grass", rare * 2 * 1.8 / 2.8},
		{"a fact", Fact, []string{"zebra", "zebra lion", "grass grass lion"}, "grass", rare * 2 * 2.2 / (2 + 1.2*(.25+.75*1.5))},
		{"a document", SessionDoc, []string{"zebra", "zebra lion", "grass grass lion"}, "grass", rare * 2 * 1.8 / (2 + .8*(.5+.5*1.5))},
		{"Chinese, with the power of its rarity", Turn, []string{"茶", "zebra", "lion"}, "茶", math.Pow(rare, 1.5) * 1.8 / 1.8},
		{"a word asked for twice", Turn, []string{"zebra", "zebra lion", "grass grass lion"}, "grass grass", 2 * rare * 2 * 1.8 / 2.8},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var entries []Entry
			for _, text := range c.texts {
				entries = append(entries, Build(Doc{Kind: c.kind, Content: text}, testHasher))
			}
			got := slices.Max(newScoring(entries, ask(c.ask), Recipe).terms)
			if math.Abs(got-c.want) > 1e-12 {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// Two sessions: the one that holds the term twice in three words against a mean of
// two, the other that holds it once in one word.
func TestParentSession(t *testing.T) {
	t.Parallel()
	entries := slices.Concat(turnsOf(1, testDay, "zebra", "zebra lion"), turnsOf(2, testDay, "zebra"))
	long := 2 * 1.8 / (2 + .8*(.5+.5*1.5))
	short := 1 * 1.8 / (1 + .8*(.5+.5*.5))
	for _, hit := range Search(entries, ask("zebra"), Options{}) {
		want := sessionWeight
		if entries[hit.Index].Session == 2 {
			want *= short / long
		}
		if math.Abs(hit.Legs.Session-want) > 1e-12 {
			t.Errorf("turn %d: got %v, want %v", hit.Index, hit.Legs.Session, want)
		}
	}
}
