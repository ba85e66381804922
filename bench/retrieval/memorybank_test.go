package retrieval

import (
	"encoding/binary"
	"errors"
	"hash/fnv"
	"io/fs"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"fornix/memory/lexical"
)

// figures of one ranking over all questions that have an answer.
type figures struct{ asked, turnHit5, dayHit1, dayOfBestTurn int }

func (f figures) share(hits int) float64 { return float64(hits) / float64(max(1, f.asked)) }

func TestMemoryBank(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"en", "cn"} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			people, err := loadPeople(language)
			if errors.Is(err, fs.ErrNotExist) && os.Getenv("REQUIRE_DATA") == "" {
				t.Skip("no MemoryBank beside the checkout")
			}
			if err != nil {
				t.Fatal(err)
			}
			var recipe, plain figures
			for _, p := range people {
				measure(t, p, lexical.Recipe, &recipe)
				measure(t, p, lexical.PlainBM25, &plain)
			}
			plain.dayHit1 = max(plain.dayHit1, plain.dayOfBestTurn)
			for _, row := range []struct {
				name string
				figures
			}{{"recipe", recipe}, {"plain BM25", plain}} {
				t.Logf("%s %-10s turn hit@5 %.2f  day hit@1 %.2f  (%d questions, %d people)",
					language, row.name, row.share(row.turnHit5), row.share(row.dayHit1), row.asked, len(people))
			}
			if recipe.asked < 99 {
				t.Errorf("want at least 99 questions with an answer, got %d", recipe.asked)
			}
			if recipe.turnHit5 < plain.turnHit5 || recipe.dayHit1 < plain.dayHit1 {
				t.Error("the recipe must not find less than plain BM25")
			}
		})
	}
}

// measure asks all questions of one person over that person's turns. They are asked
// on the day after the last dialogue. The day found first is that of the best session
// (its three best turns) or, for plain BM25, that of the best turn, whichever does
// better: the comparison is against the stronger baseline.
func measure(t *testing.T, p person, mode lexical.Mode, into *figures) {
	entries := index(p, mode)
	for n, q := range p.questions {
		if len(q.gold) == 0 {
			continue
		}
		into.asked++
		query := lexical.NewQuery(q.text, p.lastDay.AddDate(0, 0, 1), hasher)
		if mode == lexical.PlainBM25 {
			query = lexical.NewPlainQuery(q.text, hasher)
		}
		hits := lexical.Search(entries, query, lexical.Options{Mode: mode})
		rank := slices.IndexFunc(hits, func(hit lexical.Hit) bool {
			found := p.turns[hit.Index]
			return slices.Contains(q.gold, position{found.day, found.number})
		})
		if rank >= 0 && rank < 5 {
			into.turnHit5++
		} else if mode == lexical.Recipe {
			t.Logf("%s question %d: best gold turn at rank %d (0: not found)", p.name, n, rank+1)
		}
		if len(hits) == 0 {
			continue
		}
		holdsAnswer := func(hit int) bool {
			day := p.turns[hits[hit].Index].day
			return slices.ContainsFunc(q.gold, func(g position) bool { return g.Day == day })
		}
		if holdsAnswer(lexical.RankSessions(entries, hits)[0].Best) {
			into.dayHit1++
		}
		if holdsAnswer(0) {
			into.dayOfBestTurn++
		}
	}
}

func index(p person, mode lexical.Mode) []lexical.Entry {
	entries := make([]lexical.Entry, len(p.turns))
	for i, turn := range p.turns {
		at, _ := time.Parse(time.DateOnly, turn.day)
		doc := lexical.Doc{
			ID: uuid.UUID{14: byte(i >> 8), 15: byte(i)}, Kind: lexical.Turn, Content: turn.text,
			Speaker: lexical.SpeakerUser, Session: uint64(at.Unix()), Order: turn.number, OccurredAt: at,
		}
		if turn.assistant {
			doc.Speaker = lexical.SpeakerAssistant
		}
		if mode == lexical.PlainBM25 {
			entries[i] = lexical.BuildPlain(doc, hasher)
		} else {
			entries[i] = lexical.Build(doc, hasher)
		}
	}
	return entries
}

// hasher stands in for the person's keyed hash: nothing here is kept.
func hasher(purpose string, term []byte) uint64 {
	sum := fnv.New128a()
	sum.Write([]byte(purpose + ":"))
	sum.Write(term)
	return binary.BigEndian.Uint64(sum.Sum(nil))
}
