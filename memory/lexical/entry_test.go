package lexical

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
)

var testDay = time.Date(2023, 5, 10, 9, 0, 0, 0, time.UTC)

// keyed is a hasher as callers make them.
func keyed(key string) Hasher {
	return func(purpose string, term []byte) uint64 {
		mac := hmac.New(sha256.New, []byte(key))
		mac.Write([]byte(purpose))
		mac.Write([]byte{0})
		mac.Write(term)
		return binary.BigEndian.Uint64(mac.Sum(nil))
	}
}

var testHasher = keyed("test")

// turnsOf makes a session of turns, the user and the assistant by turns.
func turnsOf(session uint64, day time.Time, texts ...string) []Entry {
	entries := make([]Entry, len(texts))
	for i, text := range texts {
		doc := Doc{
			ID: uuid.UUID{0: byte(session), 15: byte(i)}, Content: text, Speaker: SpeakerUser,
			Session: session, Order: i + 1, OccurredAt: day,
		}
		if i%2 == 1 {
			doc.Speaker = SpeakerAssistant
		}
		entries[i] = Build(doc, testHasher)
	}
	return entries
}

func TestBuild(t *testing.T) {
	t.Parallel()
	doc := Doc{
		ID: uuid.UUID{1}, Kind: Turn, Content: "Yesterday Anna and Anna drank tea. Did you?", Speaker: "Ben Stone",
		Session: 3, Order: 4, OccurredAt: testDay, Tags: []uint64{9, 7},
	}
	entry := Build(doc, testHasher)
	t.Run("counts repeated terms and the speaker's name", func(t *testing.T) {
		t.Parallel()
		at, found := slices.BinarySearch(entry.Terms, testHasher(PurposeTerm, []byte("anna")))
		if !found || entry.Counts[at] != 2 {
			t.Errorf("anna is not counted twice: %v", entry.Counts)
		}
		if !slices.Contains(entry.Terms, testHasher(PurposeTerm, []byte("ben"))) {
			t.Error("the speaker's name can't be searched for")
		}
		if entry.Length != 7 { // yesterday anna anna drank tea ben stone
			t.Errorf("length %d", entry.Length)
		}
	})
	t.Run("keeps what the text says about time and asks", func(t *testing.T) {
		t.Parallel()
		want := Interval{entry.Day - 1, entry.Day - 1, GrainDay}
		if !entry.Question || !entry.HasTime || !slices.Equal(entry.Dates, []Interval{want}) {
			t.Errorf("question %v, time %v, dates %v", entry.Question, entry.HasTime, entry.Dates)
		}
	})
	t.Run("takes the day on the calendar of the time's zone", func(t *testing.T) {
		t.Parallel()
		late := Doc{OccurredAt: time.Date(2023, 5, 10, 1, 0, 0, 0, time.FixedZone("", 8*3600))}
		if got := Build(late, testHasher).Day; got != int32(wednesday) {
			t.Errorf("got day %d, want %d", got, wednesday)
		}
	})
	t.Run("shares no hash between people", func(t *testing.T) {
		t.Parallel()
		other := Build(doc, keyed("other"))
		for _, hash := range slices.Concat(entry.Terms, entry.Bigrams, entry.Synonyms, []uint64{entry.Speaker}) {
			if slices.Contains(slices.Concat(other.Terms, other.Bigrams, other.Synonyms, []uint64{other.Speaker}), hash) {
				t.Error("a hash of one person is one of another")
			}
		}
	})
	t.Run("does not search for a role by its word", func(t *testing.T) {
		t.Parallel()
		doc := Doc{Content: "tea", Speaker: SpeakerAssistant}
		if got := Build(doc, testHasher); len(got.Terms) != 1 {
			t.Errorf("got %d terms", len(got.Terms))
		}
		doc.Speaker = "Assistant"
		if Build(doc, testHasher).Speaker == hashSpeaker(SpeakerAssistant, testHasher) {
			t.Error("a person called Assistant is taken for the role")
		}
	})
	t.Run("saturates a count", func(t *testing.T) {
		t.Parallel()
		long := make([]byte, 0, 2000)
		for range 400 {
			long = append(long, "tea "...)
		}
		if got := Build(Doc{Content: string(long)}, testHasher); got.Counts[0] != 255 || got.Length != 400 {
			t.Errorf("count %d, length %d", got.Counts[0], got.Length)
		}
	})
	t.Run("takes an empty document", func(t *testing.T) {
		t.Parallel()
		if got := Build(Doc{}, testHasher); len(got.Terms) != 0 || got.Speaker != 0 {
			t.Errorf("got %+v", got)
		}
	})
}
