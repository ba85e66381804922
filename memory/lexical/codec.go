package lexical

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/google/uuid"
)

const (
	blockMagic   = "FXL"
	blockVersion = 1
	// minEntryBytes is the least an entry takes; it bounds what a count may claim.
	minEntryBytes = 60
	// widestTime is some 8,900 years around 1970, in milliseconds; it holds the zero
	// time, which comes back as such.
	widestTime = 1 << 48
)

// Flags of an encoded entry.
const (
	flagQuestion = 1 << iota
	flagHasTime
	knownFlags = flagQuestion | flagHasTime
)

// ErrBlock is wrapped by every error of DecodeBlock.
var ErrBlock = errors.New("lexical: broken index block")

// EncodeBlock packs entries in their order. Times are kept to the millisecond and
// come back in UTC; Day keeps the calendar they were taken on. Equal entries give
// equal bytes.
func EncodeBlock(entries []Entry) []byte {
	size := len(blockMagic) + 1 + binary.MaxVarintLen64
	for i := range entries {
		e := &entries[i]
		size += 140 + 9*len(e.Terms) + 8*(len(e.Bigrams)+len(e.Synonyms)+len(e.Tags)) + 12*len(e.Dates)
	}
	out := make([]byte, 0, size)
	out = append(out, blockMagic...)
	out = append(out, blockVersion)
	out = binary.AppendUvarint(out, uint64(len(entries)))
	for i := range entries {
		out = appendEntry(out, &entries[i])
	}
	return out
}

func appendEntry(out []byte, e *Entry) []byte {
	var flags byte
	if e.Question {
		flags |= flagQuestion
	}
	if e.HasTime {
		flags |= flagHasTime
	}
	out = append(out, e.ID[:]...)
	out = append(out, byte(e.Kind), e.Status, flags)
	out = binary.LittleEndian.AppendUint32(out, finiteBits(e.Importance))
	out = binary.LittleEndian.AppendUint32(out, finiteBits(e.Confidence))
	for _, hash := range [3]uint64{e.Category, e.Session, e.Speaker} {
		out = binary.LittleEndian.AppendUint64(out, hash)
	}
	out = binary.AppendVarint(out, int64(e.Order))
	for _, at := range [3]time.Time{e.OccurredAt, e.CreatedAt, e.ExpiresAt} {
		out = binary.AppendVarint(out, min(max(at.UnixMilli(), -widestTime), widestTime))
	}
	out = binary.AppendVarint(out, int64(e.Day))
	out = binary.AppendUvarint(out, uint64(e.Length))
	out = appendHashes(out, e.Terms)
	out = append(out, e.Counts...)
	out = appendHashes(out, e.Bigrams)
	out = appendHashes(out, e.Synonyms)
	out = appendHashes(out, e.Tags)
	out = binary.AppendUvarint(out, uint64(len(e.Dates)))
	for _, date := range e.Dates {
		out = append(out, byte(date.Grain))
		out = binary.AppendVarint(out, int64(date.From))
		out = binary.AppendVarint(out, int64(date.To))
	}
	return out
}

// finiteBits writes 0 for what is no figure, so that every block opens again.
func finiteBits(value float32) uint32 {
	if math.IsNaN(float64(value)) || math.IsInf(float64(value), 0) {
		return 0
	}
	return math.Float32bits(value)
}

func appendHashes(out []byte, hashes []uint64) []byte {
	out = binary.AppendUvarint(out, uint64(len(hashes)))
	for _, hash := range hashes {
		out = binary.LittleEndian.AppendUint64(out, hash)
	}
	return out
}

// DecodeBlock unpacks EncodeBlock's bytes. It takes no claim of the block on trust:
// its memory stays within a small multiple of len(block), and whatever EncodeBlock
// could not have written is an error that wraps ErrBlock.
func DecodeBlock(block []byte) ([]Entry, error) {
	r := blockReader{rest: block}
	if string(r.bytes(len(blockMagic))) != blockMagic {
		return nil, fmt.Errorf("%w: not an index block", ErrBlock)
	}
	if version := r.byte(); version != blockVersion {
		return nil, fmt.Errorf("%w: version %d is not known", ErrBlock, version)
	}
	count := r.uvarint()
	if r.err != nil {
		return nil, fmt.Errorf("%w: count: %v", ErrBlock, r.err)
	}
	if count > uint64(len(r.rest)/minEntryBytes) {
		return nil, fmt.Errorf("%w: more entries than bytes", ErrBlock)
	}
	// One array for all hashes keeps the scan of Search in order in memory. Neither
	// array grows: each hash takes eight bytes of the block, each count comes with one.
	r.hashes = make([]uint64, 0, len(r.rest)/8)
	r.counts = make([]uint8, 0, len(r.rest)/9)
	entries := make([]Entry, count)
	for i := range entries {
		r.entry(&entries[i])
		if r.err != nil {
			return nil, fmt.Errorf("%w: entry %d: %v", ErrBlock, i, r.err)
		}
	}
	if len(r.rest) > 0 {
		return nil, fmt.Errorf("%w: bytes behind the last entry", ErrBlock)
	}
	return entries, nil
}

// blockReader keeps its first error and gives zeros from then on.
type blockReader struct {
	rest   []byte
	hashes []uint64
	counts []uint8
	err    error
}

func (r *blockReader) fail(text string) {
	if r.err == nil {
		r.err = errors.New(text)
	}
	r.rest = nil
}

func (r *blockReader) bytes(n int) []byte {
	if n > len(r.rest) {
		r.fail("ends too early")
		return nil
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *blockReader) byte() byte {
	if taken := r.bytes(1); taken != nil {
		return taken[0]
	}
	return 0
}

func (r *blockReader) uint64() uint64 {
	if taken := r.bytes(8); taken != nil {
		return binary.LittleEndian.Uint64(taken)
	}
	return 0
}

func (r *blockReader) float() float32 {
	taken := r.bytes(4)
	if taken == nil {
		return 0
	}
	value := math.Float32frombits(binary.LittleEndian.Uint32(taken))
	if math.IsNaN(float64(value)) || math.IsInf(float64(value), 0) {
		r.fail("a figure is not a number")
	}
	return value
}

func (r *blockReader) uvarint() uint64 {
	value, n := binary.Uvarint(r.rest)
	if n <= 0 || n > 1 && r.rest[n-1] == 0 { // one number has one form
		r.fail("a number is broken")
		return 0
	}
	r.rest = r.rest[n:]
	return value
}

func (r *blockReader) varint() int64 {
	value := r.uvarint()
	return int64(value>>1) ^ -int64(value&1)
}

func (r *blockReader) int32() int32 {
	value := r.varint()
	if value != int64(int32(value)) {
		r.fail("a number is too large")
	}
	return int32(value)
}

func (r *blockReader) time() time.Time {
	millis := r.varint()
	if millis < -widestTime || millis > widestTime {
		r.fail("a time is out of range")
		return time.Time{}
	}
	return time.UnixMilli(millis).UTC()
}

func (r *blockReader) hashList(ascending bool) []uint64 {
	count := r.uvarint()
	if count > uint64(len(r.rest)/8) {
		r.fail("more hashes than bytes")
		return nil
	}
	if count == 0 {
		return nil
	}
	start := len(r.hashes)
	for range count {
		hash := r.uint64()
		if ascending && len(r.hashes) > start && hash <= r.hashes[len(r.hashes)-1] {
			r.fail("hashes are out of order")
			return nil
		}
		r.hashes = append(r.hashes, hash)
	}
	return slices.Clip(r.hashes[start:])
}

func (r *blockReader) entry(e *Entry) {
	if id := r.bytes(len(e.ID)); id != nil {
		e.ID = uuid.UUID(id)
	}
	e.Kind, e.Status = Kind(r.byte()), r.byte()
	flags := r.byte()
	if e.Kind >= kindCount || flags&^knownFlags != 0 {
		r.fail("unknown kind or flag")
	}
	e.Question, e.HasTime = flags&flagQuestion != 0, flags&flagHasTime != 0
	e.Importance, e.Confidence = r.float(), r.float()
	e.Category, e.Session, e.Speaker = r.uint64(), r.uint64(), r.uint64()
	e.Order = int(r.varint())
	e.OccurredAt, e.CreatedAt, e.ExpiresAt = r.time(), r.time(), r.time()
	e.Day = r.int32()
	length := r.uvarint()
	if length > math.MaxUint32 {
		r.fail("a length is too large")
	}
	e.Length = uint32(length)
	e.Terms = r.hashList(true)
	if len(e.Terms) > 0 {
		start := len(r.counts)
		r.counts = append(r.counts, r.bytes(len(e.Terms))...)
		e.Counts = slices.Clip(r.counts[start:])
	}
	if slices.Contains(e.Counts, 0) {
		r.fail("a term that is not there")
	}
	e.Bigrams, e.Synonyms, e.Tags = r.hashList(true), r.hashList(true), r.hashList(false)
	e.Dates = r.dates()
}

func (r *blockReader) dates() []Interval {
	count := r.uvarint()
	if count > maxDates {
		r.fail("too many dates")
	}
	if count == 0 || r.err != nil {
		return nil
	}
	dates := make([]Interval, count)
	for i := range dates {
		dates[i].Grain = Grain(r.byte())
		dates[i].From, dates[i].To = r.int32(), r.int32()
		if dates[i].Grain >= grainCount || dates[i].From > dates[i].To {
			r.fail("a date is broken")
		}
	}
	return dates
}
