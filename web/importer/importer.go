// Package importer reads conversations out of files, in the shape that
// POST /messages takes them. It stores nothing: web hands what it yields to memory
// by the same way as a request.
//
// Formats:
//
//	memorybank  {"Name": {"history": {"2023-04-27": [{"query": …, "response": …}]}}}
//	jsonl       one body of POST /messages a line
package importer

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"fornix/memory"
)

// Formats that Read knows.
const (
	MemoryBank = "memorybank"
	JSONL      = "jsonl"
)

// maxMessages is how many messages one call of POST /messages takes.
const maxMessages = 200

// maxLine bounds a line of jsonl, in bytes.
const maxLine = 8 << 20

// Read yields the conversations of a file in order, in calls of at most 200
// messages. It ends after the first error, which names the place and never what
// stands there.
func Read(format string, r io.Reader) iter.Seq2[memory.MessagesInput, error] {
	switch format {
	case MemoryBank:
		return readMemoryBank(r)
	case JSONL:
		return readLines(r)
	}
	return failing(fmt.Errorf("importer: unknown format %q: use %s or %s", format, MemoryBank, JSONL))
}

func failing(err error) iter.Seq2[memory.MessagesInput, error] {
	return func(yield func(memory.MessagesInput, error) bool) { yield(memory.MessagesInput{}, err) }
}

// cut yields a conversation in calls of the size that one takes.
func cut(in memory.MessagesInput, yield func(memory.MessagesInput, error) bool) bool {
	for part := range slices.Chunk(in.Messages, maxMessages) {
		in.Messages = part
		if !yield(in, nil) {
			return false
		}
	}
	return true
}

func readLines(r io.Reader) iter.Seq2[memory.MessagesInput, error] {
	return func(yield func(memory.MessagesInput, error) bool) {
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, maxLine)
		number := 0
		for lines.Scan() {
			number++
			line := bytes.TrimSpace(lines.Bytes())
			if len(line) == 0 {
				continue
			}
			var in memory.MessagesInput
			if err := decode(line, &in); err != nil {
				yield(in, fmt.Errorf("importer: line %d: %w", number, err))
				return
			}
			if len(in.Messages) == 0 {
				yield(in, fmt.Errorf("importer: line %d: no messages", number))
				return
			}
			if !cut(in, yield) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(memory.MessagesInput{}, fmt.Errorf("importer: line %d: %w", number+1, err))
		}
	}
}

// decode reads one strict JSON value. The decoder's own errors quote what they
// choke on, so only the kind of fault is passed on.
func decode(raw []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	var wrongType *json.UnmarshalTypeError
	switch err := d.Decode(into); {
	case errors.As(err, &wrongType):
		return fmt.Errorf("field %s: wrong type", wrongType.Field)
	case err != nil && bytes.HasPrefix([]byte(err.Error()), []byte("json: unknown field")):
		return errors.New("unknown field")
	case err != nil:
		return errors.New("not valid JSON")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the JSON value")
	}
	return nil
}

type bankPerson struct {
	History map[string][]bankTurn `json:"history"`
}

type bankTurn struct {
	Query    string `json:"query"`
	Response string `json:"response"`
}

func readMemoryBank(r io.Reader) iter.Seq2[memory.MessagesInput, error] {
	return func(yield func(memory.MessagesInput, error) bool) {
		var people map[string]bankPerson
		if err := json.NewDecoder(r).Decode(&people); err != nil {
			yield(memory.MessagesInput{}, errors.New("importer: the file isn't MemoryBank's JSON"))
			return
		}
		for n, name := range slices.Sorted(maps.Keys(people)) {
			history := people[name].History
			for _, day := range slices.Sorted(maps.Keys(history)) {
				in, err := conversation(strings.TrimSpace(name), day, history[day])
				if err != nil {
					yield(in, fmt.Errorf("importer: person %d: %w", n+1, err))
					return
				}
				if !cut(in, yield) {
					return
				}
			}
		}
	}
}

// conversation is one day of a person: a session, a minute between two turns. A
// message's id says its day and place, so that a second import adds nothing.
func conversation(name, day string, turns []bankTurn) (memory.MessagesInput, error) {
	in := memory.MessagesInput{Subject: name, SessionID: day}
	date, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return in, errors.New("a day of the history isn't YYYY-MM-DD")
	}
	at := date.Add(9 * time.Hour)
	add := func(role, content, id string) {
		if content == "" {
			return
		}
		when := at
		in.Messages = append(in.Messages, memory.Message{Role: role, Content: content, OccurredAt: &when, MessageID: id})
		at = at.Add(30 * time.Second)
	}
	for i, turn := range turns {
		id := day + "/" + strconv.Itoa(i+1)
		add("user", turn.Query, id+"/q")
		add("assistant", turn.Response, id+"/a")
	}
	return in, nil
}
