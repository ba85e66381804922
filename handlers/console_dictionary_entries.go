package handlers

import (
	"context"
	"encoding/json"
	"fmt"

	"fornix/memory"
)

// EntriesOf is the dictionary of the memory service. It stands here because the
// service answers with rows of the data layer, which handlers don't import.
func EntriesOf(s *memory.Service) EntryStore { return entries{s} }

type entries struct{ service *memory.Service }

func (e entries) Entries(ctx context.Context) ([]Entry, error) {
	rows, err := e.service.Dictionary(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]Entry, len(rows))
	for i, r := range rows {
		list[i] = Entry{Updated: r.UpdatedAt.Time(), DictionaryInput: memory.DictionaryInput{
			Key: r.Key, LabelZh: r.LabelZh, LabelEn: r.LabelEn, JSONSchema: json.RawMessage(r.JSONSchema), Sensitivity: r.Sensitivity, TTLDays: r.TTLDays,
			PurposeZh: r.PurposeZh, PurposeEn: r.PurposeEn, LawfulBasis: r.LawfulBasis, Rule: r.Rule, Category: r.Category, Version: r.Version,
		}}
		if r.Bands == "" {
			continue
		}
		if err := json.Unmarshal([]byte(r.Bands), &list[i].Bands); err != nil {
			return nil, fmt.Errorf("handlers: bands of %s: %w", r.Key, err)
		}
	}
	return list, nil
}

func (e entries) Entry(ctx context.Context, key string) (Entry, error) {
	list, err := e.Entries(ctx)
	if err != nil {
		return Entry{}, err
	}
	for _, entry := range list {
		if entry.Key == key {
			return entry, nil
		}
	}
	return Entry{}, memory.NotFound()
}

func (e entries) Put(ctx context.Context, in memory.DictionaryInput) error {
	_, err := e.service.PutDictionaryEntry(ctx, in)
	return err
}
