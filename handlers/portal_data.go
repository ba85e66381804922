package handlers

import (
	"context"
	"encoding/json"

	"fornix/memory"
	"fornix/views"
)

// PortalReader tells people what is remembered of them. Every method is about the
// person who is signed in and fails with not found for what isn't theirs.
type PortalReader interface {
	// Mine is all that is remembered, a page of memories at a time.
	Mine(ctx context.Context, cursor string) (memory.Mine, error)
	MyAttribute(ctx context.Context, key string) (memory.MyAttribute, error)
	MyMemory(ctx context.Context, id string) (memory.MemoryView, error)
	MyTurns(ctx context.Context, cursor string) (turns []memory.MyTurn, next string, err error)
	MyAccesses(ctx context.Context, cursor string) (rows []memory.MyAccess, next string, err error)
}

// PortalWriter puts right what is remembered. The person's word wins.
type PortalWriter interface {
	Correct(ctx context.Context, id string, in memory.CorrectInput) (memory.Remembered, error)
	CorrectOwnAttribute(ctx context.Context, key string, value json.RawMessage, version int64) (memory.AttributeWritten, error)
}

// maxPages bounds how far a list is followed for one answer.
const maxPages = 1000

// present reads a memory as it holds now, following those that replaced it.
func present(ctx context.Context, from PortalReader, id string) (memory.MemoryView, error) {
	m, err := from.MyMemory(ctx, id)
	for i := 0; err == nil && m.ReplacedBy != "" && i < maxPages; i++ {
		m, err = from.MyMemory(ctx, m.ReplacedBy)
	}
	return m, err
}

// turn finds one of the turns kept.
func turn(ctx context.Context, from PortalReader, id string) (memory.MyTurn, error) {
	cursor := ""
	for range maxPages {
		turns, next, err := from.MyTurns(ctx, cursor)
		if err != nil {
			return memory.MyTurn{}, err
		}
		for _, t := range turns {
			if t.ID == id {
				return t, nil
			}
		}
		if cursor = next; cursor == "" {
			break
		}
	}
	return memory.MyTurn{}, memory.NotFound()
}

// holdings counts what a wipe takes away, and tells whether a hold stops it.
func holdings(ctx context.Context, from PortalReader) (counts []views.PortalCount, restricted bool, err error) {
	attributes, memories, turns, cursor := 0, 0, 0, ""
	for range maxPages {
		mine, err := from.Mine(ctx, cursor)
		if err != nil {
			return nil, false, err
		}
		attributes += len(mine.Attributes)
		memories += len(mine.Memories)
		turns, restricted = int(mine.Turns), mine.Restricted
		if cursor = mine.Next; cursor == "" {
			break
		}
	}
	return []views.PortalCount{{Store: "attributes", N: attributes}, {Store: "memories", N: memories}, {Store: "turns", N: turns}}, restricted, nil
}
