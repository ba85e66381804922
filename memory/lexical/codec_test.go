package lexical

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

func sampleEntries() []Entry {
	entries := turnsOf(7, testDay, "I adopted a puppy called Rex yesterday", "How sweet! What breed is it?", "我昨天去了上海")
	entries[0].Tags = []uint64{9, 7}
	entries[0].Importance, entries[0].Confidence, entries[0].Status, entries[0].Category = .8, .6, 3, math.MaxUint64
	entries[1].ExpiresAt, entries[1].CreatedAt = testDay.Add(time.Hour), testDay.Add(-time.Millisecond)
	entries[2].Kind, entries[2].Order = SessionDoc, -5
	return append(entries, Build(Doc{ID: uuid.UUID{9}}, testHasher))
}

func TestBlock(t *testing.T) {
	t.Parallel()
	entries := sampleEntries()
	block := EncodeBlock(entries)
	t.Run("gives back what was put in", func(t *testing.T) {
		t.Parallel()
		got, err := DecodeBlock(block)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(normalEntries(entries), normalEntries(got)); diff != "" {
			t.Error(diff)
		}
		if !bytes.Equal(EncodeBlock(got), block) {
			t.Error("equal entries gave other bytes")
		}
	})
	t.Run("holds no entries", func(t *testing.T) {
		t.Parallel()
		if got, err := DecodeBlock(EncodeBlock(nil)); err != nil || len(got) != 0 {
			t.Errorf("got %v, %v", got, err)
		}
	})
	t.Run("is independent of the bytes it came from", func(t *testing.T) {
		t.Parallel()
		wiped := slices.Clone(block)
		got, err := DecodeBlock(wiped)
		if err != nil {
			t.Fatal(err)
		}
		clear(wiped)
		if diff := cmp.Diff(normalEntries(entries), normalEntries(got)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("lets one entry grow without touching the next", func(t *testing.T) {
		t.Parallel()
		got, err := DecodeBlock(block)
		if err != nil {
			t.Fatal(err)
		}
		next := slices.Clone(got[1].Terms)
		got[0].Terms, got[0].Tags = append(got[0].Terms, 1), append(got[0].Tags, 1)
		if !slices.Equal(next, got[1].Terms) {
			t.Error("entries share room")
		}
	})
	t.Run("writes zero for what is no figure", func(t *testing.T) {
		t.Parallel()
		got, err := DecodeBlock(EncodeBlock([]Entry{{Importance: float32(math.NaN()), Confidence: float32(math.Inf(1))}}))
		if err != nil || got[0].Importance != 0 || got[0].Confidence != 0 {
			t.Errorf("got %v, %v", got, err)
		}
	})
	t.Run("refuses every shorter block", func(t *testing.T) {
		t.Parallel()
		for n := range block {
			if _, err := DecodeBlock(block[:n]); !errors.Is(err, ErrBlock) {
				t.Fatalf("%d bytes: got %v", n, err)
			}
		}
	})
}

// normalEntries makes nil and empty one.
func normalEntries(entries []Entry) []Entry {
	entries = slices.Clone(entries)
	for i := range entries {
		e := &entries[i]
		for _, list := range []*[]uint64{&e.Terms, &e.Bigrams, &e.Synonyms, &e.Tags} {
			*list = append([]uint64(nil), *list...)
		}
		e.Counts = append([]uint8(nil), e.Counts...)
		e.Dates = append([]Interval(nil), e.Dates...)
	}
	return entries
}

func TestBrokenBlock(t *testing.T) {
	t.Parallel()
	one := EncodeBlock([]Entry{{Kind: Turn}})
	change := func(at int, to byte) []byte {
		block := slices.Clone(one)
		block[at] = to
		return block
	}
	const kindAt = len(blockMagic) + 1 + 1 + 16 // magic, version, count, id
	cases := []struct {
		name  string
		block []byte
	}{
		{"another magic", change(0, 'X')},
		{"a later version", change(len(blockMagic), 2)},
		{"a count beyond the bytes", append([]byte(blockMagic+"\x01"), 0xff, 0xff, 0xff, 0xff, 0x0f)},
		{"a number in a longer form than needed", append([]byte(blockMagic+"\x01"), 0x80, 0x00)},
		{"an unknown kind", change(kindAt, byte(kindCount))},
		{"an unknown flag", change(kindAt+2, 0x80)},
		{"a byte behind the end", append(slices.Clone(one), 0)},
		{"hashes out of order", EncodeBlock([]Entry{{Terms: []uint64{2, 1}, Counts: []uint8{1, 1}}})},
		{"a hash twice", EncodeBlock([]Entry{{Bigrams: []uint64{2, 2}}})},
		{"a term that is not there", EncodeBlock([]Entry{{Terms: []uint64{2}, Counts: []uint8{0}}})},
		{"a date that ends before it starts", EncodeBlock([]Entry{{Dates: []Interval{{2, 1, GrainDay}}}})},
		{"an unknown grain", EncodeBlock([]Entry{{Dates: []Interval{{1, 1, grainCount}}}})},
		{"too many dates", EncodeBlock([]Entry{{Dates: make([]Interval, maxDates+1)}})},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if _, err := DecodeBlock(c.block); !errors.Is(err, ErrBlock) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func FuzzDecodeBlock(f *testing.F) {
	f.Add(EncodeBlock(nil))
	f.Add(EncodeBlock(sampleEntries()))
	query := ask("puppy called Rex on May 9th")
	f.Fuzz(func(t *testing.T, block []byte) {
		entries, err := DecodeBlock(block)
		if err != nil {
			if !errors.Is(err, ErrBlock) {
				t.Errorf("another error: %v", err)
			}
			return
		}
		if again := EncodeBlock(entries); !bytes.Equal(again, block) {
			t.Error("a block that opens is not the one its entries make")
		}
		for _, hit := range Search(entries, query, Options{}) {
			if math.IsNaN(hit.Score) || hit.Relevance < 0 || hit.Relevance > 1 {
				t.Errorf("got %+v", hit)
			}
		}
	})
}

func FuzzText(f *testing.F) {
	f.Add("I'm not allergic to peanuts since May 2nd, 2023", "我从5月2日起对花生过敏")
	f.Add("²nd of May ١٢ İ’s \xff", "十十年前 一点 上个")
	f.Fuzz(func(t *testing.T, a, b string) {
		if _, err := DecodeBlock(EncodeBlock([]Entry{Build(Doc{Content: a, Speaker: b}, testHasher)})); err != nil {
			t.Error(err)
		}
		NewQuery(a, testDay, testHasher)
		if Restates(a, b) != Restates(b, a) || Distinct(a, b) != Distinct(b, a) || Similarity(a, b) != Similarity(b, a) {
			t.Error("comparing is not symmetric")
		}
		if s := Similarity(a, b); s < 0 || s > 1 {
			t.Errorf("similarity %v", s)
		}
		if !Restates(a, a) {
			t.Error("a text does not restate itself")
		}
		if key := Normalize(a); Normalize(key) != key {
			t.Errorf("the key of a key is another: %q, %q", key, Normalize(key))
		}
	})
}
