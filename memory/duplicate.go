package memory

import (
	"context"
	"slices"
	"strings"

	"fornix/memory/lexical"
	"fornix/models"
)

// nearest is how many of the best matching memories are compared word by word.
const nearest = 6

// restated finds the active memory that says the same in nearly the same words.
// Events of different days are different events however alike they sound.
func (s *Service) restated(ctx context.Context, p *Person, d draft) (models.Memory, bool, error) {
	entries, err := s.loadIndex(ctx, p, d.namespace, []string{d.category})
	if err != nil || len(entries) == 0 {
		return models.Memory{}, false, err
	}
	query := lexical.NewQuery(d.content, d.occurred, s.hasher(p))
	hits := lexical.Search(entries, query, lexical.Options{Limit: nearest})
	ids := idsOf(hits)
	rows, err := s.db.ActiveMemories(ctx, p.SubjectID, ids)
	if err != nil {
		return models.Memory{}, false, err
	}
	slices.SortFunc(rows, func(a, b models.Memory) int { return slices.Index(ids, a.ID) - slices.Index(ids, b.ID) })
	statement := lexical.StatementOf(d.content)
	for _, row := range rows {
		content, labels, err := s.openMemory(p, row)
		if err != nil {
			return models.Memory{}, false, err
		}
		if !statement.Restates(lexical.StatementOf(content)) {
			continue
		}
		if row.Kind == "event_fragment" || d.kind == "event_fragment" {
			if row.OccurredAt.Time().Format("20060102") != d.occurred.UTC().Format("20060102") || labels.When != d.labels.When {
				continue
			}
		}
		return row, true, nil
	}
	return models.Memory{}, false, nil
}

// verdict on the memories that fill the slot already.
type verdict int

const (
	noRival     verdict = iota // nothing fills it, or they don't exclude each other
	sameValue                  // one says the same in other words
	replaces                   // the newcomer replaces them
	lessTrusted                // the newcomer's source is believed less
	toldLate                   // the newcomer is older
)

// contradicted judges a newcomer against what fills its slot, and returns the
// memories that the verdict is about. Memories of one value may stand side by
// side where the newer one tells more than the other.
func (s *Service) contradicted(ctx context.Context, p *Person, row models.Memory, d draft) ([]models.Memory, verdict, error) {
	if row.SlotToken == nil {
		return nil, noRival, nil
	}
	rivals, err := s.db.MemoriesBySlot(ctx, p.SubjectID, d.namespace, d.category, *row.SlotToken)
	if err != nil {
		return nil, noRival, err
	}
	denied, denies := strings.CutPrefix(d.labels.Value, "not:")
	var beaten []models.Memory
	for _, old := range rivals {
		content, labels, err := s.openMemory(p, old)
		if err != nil {
			return nil, noRival, err
		}
		switch {
		case labels.Value == d.labels.Value:
			if !tellsMore(d.content, content) {
				return []models.Memory{old}, sameValue, nil
			}
		case denies && labels.Value != denied:
			// "no longer at Acme" says nothing about Globex
		case s.expired(old):
			beaten = append(beaten, old)
		case trust[d.source] < trust[old.Source]:
			return []models.Memory{old}, lessTrusted, nil
		case models.At(d.occurred) < old.OccurredAt:
			return []models.Memory{old}, toldLate, nil
		default:
			beaten = append(beaten, old)
		}
	}
	if len(beaten) == 0 {
		return nil, noRival, nil
	}
	return beaten, replaces, nil
}

// tellsMore tells whether a text has words to find it by that another lacks; one
// is allowed, since "I live in" and "I am based in" differ in it.
func tellsMore(text, than string) bool {
	have := lexical.Analyze(than)
	more := 0
	for _, term := range lexical.Analyze(text) {
		if !slices.Contains(have, term) {
			more++
		}
	}
	return more > 1
}

// expired tells whether a memory is past its time. Its row stays active until a
// job archives it.
func (s *Service) expired(row models.Memory) bool {
	return row.ExpireAt != nil && *row.ExpireAt <= models.At(s.now())
}

// merge adds a restatement to a memory. The memory gains importance when another
// message says it; repeating the same message, or a text without one, gains it
// nothing, or an agent could raise it by echoing.
func (s *Service) merge(ctx context.Context, tx *models.Tx, p *Person, old models.Memory, d draft, done stored) (stored, error) {
	done.memory, done.version, done.outcome = old.ID, old.Version, OutcomeMerged
	evidence, added, err := s.addEvidence(ctx, tx, p, old.ID, d)
	done.own = evidence
	if err != nil {
		return done, err
	}
	content, labels, err := s.openMemory(p, old)
	if err != nil {
		return done, err
	}
	tags := joinTags(labels.Tags, d.labels.Tags)
	now := models.At(s.now())
	expired := s.expired(old) && d.source != SourceInferred
	if !added && !expired && len(tags) == len(labels.Tags) {
		return done, nil
	}
	labels.Tags = tags
	own := old.Importance >= importantFrom || trust[d.source] < trust[old.Source] || old.OccurredAt > models.At(d.occurred)
	old.AccessCount++
	old.LastAccessAt, old.UpdatedAt = &now, now
	if added && d.message != nil && d.source != SourceInferred {
		old.Importance = max(old.Importance, d.importance, min(old.Importance+(1-old.Importance)*.1, .9))
		old.Confidence = max(old.Confidence, d.confidence)
	}
	if trust[d.source] > trust[old.Source] {
		old.Source = d.source
	}
	if expired || old.ExpireAt != nil && d.message != nil && d.source == old.Source {
		old.ExpireAt = models.MaybeAt(d.expire) // said again, it lasts as long as it is said to last now
	}
	if old.Labels, err = p.SealJSON(old.TableName(), "labels", old.ID, labels); err != nil {
		return done, err
	}
	if !own && content != d.content {
		content = d.content
		old.ContentToken = contentToken(p, content)
		if old.Content, err = p.Seal(old.TableName(), "content", old.ID, []byte(content)); err != nil {
			return done, err
		}
	}
	if err := models.Update(ctx, tx, &old); err != nil {
		return done, err
	}
	done.version = old.Version
	return done, s.indexPut(ctx, tx, p, old.Namespace, old.Category, s.entryOf(p, old, content, labels))
}

// mergePending adds evidence to a memory that waits for a decision.
func (s *Service) mergePending(ctx context.Context, tx *models.Tx, p *Person, old models.Memory, d draft, done stored) (stored, error) {
	done.memory, done.version, done.outcome = old.ID, old.Version, OutcomePending
	if old.ConflictWith != nil {
		done.outcome, done.conflict = OutcomeConflict, old.ConflictWith
	}
	evidence, _, err := s.addEvidence(ctx, tx, p, old.ID, d)
	done.own = evidence
	return done, err
}

// maxJoinedTags bounds what restatements add up to. It is far above what one
// writer may give, since a tag may be the only link to where a text came from.
const maxJoinedTags = 500

func joinTags(have, more []string) []string {
	have = slices.Clip(have)
	for _, tag := range more {
		if len(have) < maxJoinedTags && !slices.Contains(have, tag) {
			have = append(have, tag)
		}
	}
	return have
}
