package lexical

import (
	"slices"
	"time"

	"github.com/google/uuid"
)

// Purposes that a Hasher is called with. Callers hash tags with PurposeTag.
const (
	PurposeTerm    = "term"
	PurposeBigram  = "bigram"
	PurposeSynonym = "synonym"
	PurposeSpeaker = "speaker"
	PurposeTag     = "tag"
)

// Speakers of POST /messages. They are roles and not names: no question finds them
// by their word, but "you recommended" names the assistant and "I told you" the user.
const (
	SpeakerUser      = "user"
	SpeakerAssistant = "assistant"
)

// Hasher gives the keyed hash of a term under a purpose. It must be the same for
// the entries of a person and the questions about that person, and differ between
// people; the package keeps nothing but its results. It is called once for each
// different term of a text.
type Hasher func(purpose string, term []byte) uint64

// Kind says how an entry is scored.
type Kind uint8

// Kinds of entries. Turns and episodes have neighbours in their session; a fact
// stands for itself; a SessionDoc is a whole session or document as one entry.
const (
	Turn Kind = iota
	Episode
	Fact
	SessionDoc
	kindCount
)

// Doc is a text to index with what is known about it.
type Doc struct {
	ID         uuid.UUID
	Kind       Kind
	Status     byte // the caller's meaning; only kept
	Content    string
	Speaker    string // a name, SpeakerUser, SpeakerAssistant or empty
	Session    uint64 // 0: no session, no neighbours
	Order      int    // position in the session
	OccurredAt time.Time
	CreatedAt  time.Time
	ExpiresAt  time.Time // zero: never
	Importance float32
	Confidence float32
	Category   uint64   // a keyed hash, or 0
	Tags       []uint64 // keyed hashes
}

// Entry is what the index keeps of a Doc: hashes and figures, no text. The zone of
// OccurredAt counts: "yesterday" is resolved, and Day taken, on its calendar.
type Entry struct {
	ID         uuid.UUID
	Kind       Kind
	Status     byte
	Question   bool // the text asks
	HasTime    bool // the text names a time, resolved or not
	Importance float32
	Confidence float32
	Category   uint64
	Session    uint64
	Order      int
	Speaker    uint64 // 0: unknown
	OccurredAt time.Time
	CreatedAt  time.Time
	ExpiresAt  time.Time
	Day        int32    // day of OccurredAt on its calendar, from 1970-01-01
	Length     uint32   // terms, repetitions counted
	Terms      []uint64 // ascending
	Counts     []uint8  // of each term, at most 255
	Bigrams    []uint64 // ascending
	Synonyms   []uint64 // ascending
	Tags       []uint64 // as given
	Dates      []Interval
}

// Build makes the entry of a document.
func Build(doc Doc, hasher Hasher) Entry {
	a := analyze(fold(clip(doc.Content)))
	entry := newEntry(doc, hasher)
	entry.Question = isQuestion(a.folded)
	entry.Dates, entry.HasTime = findDates(a, dayOf(doc.OccurredAt), nearestYear)
	entry.Bigrams = hashSet(a.bigrams, PurposeBigram, hasher)
	entry.Synonyms = hashSet(a.synonyms, PurposeSynonym, hasher)
	if !isRole(doc.Speaker) {
		a.terms = append(a.terms, Analyze(doc.Speaker)...)
	}
	entry.setTerms(a.terms, hasher)
	return entry
}

// BuildPlain makes the entry for Mode PlainBM25: AnalyzePlain and nothing else.
func BuildPlain(doc Doc, hasher Hasher) Entry {
	entry := newEntry(doc, hasher)
	entry.setTerms(AnalyzePlain(doc.Content), hasher)
	return entry
}

func newEntry(doc Doc, hasher Hasher) Entry {
	return Entry{
		ID: doc.ID, Kind: doc.Kind, Status: doc.Status,
		Importance: doc.Importance, Confidence: doc.Confidence,
		Category: doc.Category, Session: doc.Session, Order: doc.Order,
		Speaker:    hashSpeaker(doc.Speaker, hasher),
		OccurredAt: doc.OccurredAt, CreatedAt: doc.CreatedAt, ExpiresAt: doc.ExpiresAt,
		Day: int32(dayOf(doc.OccurredAt)), Tags: slices.Clone(doc.Tags),
	}
}

func (e *Entry) setTerms(terms []string, hasher Hasher) {
	e.Length = uint32(len(terms))
	slices.Sort(terms)
	type counted struct {
		hash  uint64
		count int
	}
	list := make([]counted, 0, len(terms))
	for i, term := range terms {
		if i > 0 && term == terms[i-1] {
			list[len(list)-1].count++
			continue
		}
		list = append(list, counted{hasher(PurposeTerm, []byte(term)), 1})
	}
	slices.SortFunc(list, func(a, b counted) int { return compareUint(a.hash, b.hash) })
	e.Terms = make([]uint64, 0, len(list))
	e.Counts = make([]uint8, 0, len(list))
	for _, c := range list {
		if n := len(e.Terms); n > 0 && e.Terms[n-1] == c.hash { // two terms, one hash
			e.Counts[n-1] = uint8(min(int(e.Counts[n-1])+c.count, 255))
			continue
		}
		e.Terms = append(e.Terms, c.hash)
		e.Counts = append(e.Counts, uint8(min(c.count, 255)))
	}
}

// hashSet hashes each different term once; the result is ascending.
func hashSet(terms []string, purpose string, hasher Hasher) []uint64 {
	if len(terms) == 0 {
		return nil
	}
	slices.Sort(terms)
	terms = slices.Compact(terms)
	hashes := make([]uint64, len(terms))
	for i, term := range terms {
		hashes[i] = hasher(purpose, []byte(term))
	}
	slices.Sort(hashes)
	return slices.Compact(hashes)
}

// hashSpeaker keeps roles apart from people who are called so.
func hashSpeaker(speaker string, hasher Hasher) uint64 {
	key := "name:" + speakerKey(speaker)
	if isRole(speaker) {
		key = "role:" + speaker
	} else if key == "name:" {
		return 0
	}
	return hasher(PurposeSpeaker, []byte(key))
}

func isRole(speaker string) bool { return speaker == SpeakerUser || speaker == SpeakerAssistant }

func compareUint(a, b uint64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
