package lexical

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"
)

// benchText makes a turn of 25 words, some frequent and most rare as in talk.
func benchText(n int) string {
	random := rand.New(rand.NewPCG(uint64(n), 1))
	zipf := rand.NewZipf(random, 1.1, 8, 4000)
	text := "I think "
	for range 23 {
		text += "word" + letters(zipf.Uint64()) + " "
	}
	return text + fmt.Sprintf("topic%d yesterday.", n%50)
}

// letters writes a number in letters, so that words are stemmed as words.
func letters(n uint64) string {
	text := string(rune('a' + n%26))
	for n /= 26; n > 0; n /= 26 {
		text += string(rune('a' + n%26))
	}
	return text
}

func benchEntries(count int) []Entry {
	entries := make([]Entry, count)
	for n := range entries {
		entries[n] = Build(Doc{
			ID: uuid.UUID{14: byte(n >> 8), 15: byte(n)}, Content: benchText(n), Speaker: SpeakerUser,
			Session: uint64(n/20 + 1), Order: n % 20, OccurredAt: testDay.Add(time.Duration(n) * time.Hour),
		}, testHasher)
	}
	decoded, err := DecodeBlock(EncodeBlock(entries)) // as recall has them
	if err != nil {
		panic(err)
	}
	return decoded
}

const benchQuestion = "Which topic7 did I mention about the wordab and my wordd in wordxa wordgc last month?"

// Allocations are what can be asserted of speed without a clock. They may not grow
// with the entries, except where a list of them grows.
func TestAllocations(t *testing.T) {
	query := NewQuery(benchQuestion, testDay, testHasher)
	perSearch := func(count int) float64 {
		entries := benchEntries(count)
		return testing.AllocsPerRun(5, func() { Search(entries, query, Options{Limit: 30}) })
	}
	few, many := perSearch(675), perSearch(6000)
	t.Logf("allocations: %v at 675 turns, %v at 6,000", few, many)
	if few > 120 || many > few+100 {
		t.Errorf("searching allocates %v times at 675 turns and %v at 6,000", few, many)
	}
	block := EncodeBlock(benchEntries(1000))
	decoding := testing.AllocsPerRun(5, func() { _, _ = DecodeBlock(block) })
	if decoding > 1100 { // the dates of each entry and a few arrays
		t.Errorf("decoding 1,000 entries allocates %v times", decoding)
	}
}

func BenchmarkBuild(b *testing.B) {
	b.ReportAllocs()
	doc := Doc{Content: benchText(3), Speaker: SpeakerUser, Session: 1, OccurredAt: testDay}
	for b.Loop() {
		Build(doc, testHasher)
	}
}

func BenchmarkNewQuery(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		NewQuery(benchQuestion, testDay, testHasher)
	}
}

func BenchmarkSearch(b *testing.B) {
	for _, count := range []int{675, 6000} {
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			b.ReportAllocs()
			entries := benchEntries(count)
			query := NewQuery(benchQuestion, testDay, testHasher)
			for b.Loop() {
				Search(entries, query, Options{Limit: 30})
			}
		})
	}
}

func BenchmarkDecodeBlock(b *testing.B) {
	b.ReportAllocs()
	block := EncodeBlock(benchEntries(1000))
	b.SetBytes(int64(len(block)))
	for b.Loop() {
		if _, err := DecodeBlock(block); err != nil {
			b.Fatal(err)
		}
	}
}
