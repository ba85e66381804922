// Package retrieval measures the built-in search on real dialogues: turn-level hit@5
// and day-level hit@1 on MemoryBank, beside plain BM25 over the same turns. It owns
// the measuring and no search of its own; the gold turns are bench/memorybank's.
package retrieval
