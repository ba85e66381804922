package memory

import (
	"context"
	"errors"
	"hash/fnv"
	"slices"
	"time"

	"fornix/keys"
	"fornix/memory/extract"
	"fornix/memory/lexical"
	"fornix/models"
	"fornix/policy"
)

// Modes of an answer.
const (
	ModeMemory  = "memory"   // the memory was searched
	ModeGated   = "gated"    // the question needs none
	ModeLLMOnly = "llm_only" // the memory couldn't be asked; the conversation is all there is
)

// Decisions in the record of a recall.
const (
	DecisionRecalled = "recalled"
	DecisionEmpty    = "empty"
	DecisionGated    = "gated"
	DecisionDenied   = "denied"
	DecisionFailed   = "failed"
)

// What an answer calls degraded, and the reasons of ModeLLMOnly.
const (
	degradedStore     = "l2"        // database or key store
	degradedIntegrity = "integrity" // a sealed value doesn't open
	reasonStore       = "l2_unavailable"
	reasonIntegrity   = "index_unreadable"
)

// mostKnowledge bounds how many shared texts of a namespace a recall looks at,
// the newest.
const mostKnowledge = 500

// recall is one question on its way.
type recall struct {
	in         RecallInput
	who        policy.Principal
	now        time.Time
	categories []string
	ranked     []candidate
	opened     []opened
	decision   string
	answer     RecallAnswer
}

// Recall finds what is remembered that answers a question: of the person, and of
// what the namespace shares. Only categories that the agent's policy grants are
// opened. Nothing leaves without a record that the person can see; a recall of
// somebody unknown gives what is shared, and makes nobody.
//
// When database or key store are down the answer is empty, with mode llm_only
// and the reason, and not an error: an agent goes on without its memory.
func (s *Service) Recall(ctx context.Context, in RecallInput) (RecallAnswer, error) {
	ctx, who, err := s.actor(ctx)
	if err != nil {
		return RecallAnswer{}, err
	}
	if who.Kind != policy.KindAgent && who.Kind != policy.KindSystem {
		return RecallAnswer{}, Forbidden() // staff open single values, with a reason
	}
	if err := checkRecall(&in); err != nil {
		return RecallAnswer{}, err
	}
	r := &recall{in: in, who: who, now: s.now(), answer: RecallAnswer{Items: []RecallItem{}, Mode: ModeMemory, Degraded: []string{}, Legs: map[string]Leg{}}}
	if r.categories = s.policy.Categories(who, policy.ActRecall); who.Kind == policy.KindSystem {
		r.categories = policy.DataCategories()
	}
	err = s.recallSubject(ctx, r)
	switch {
	case err == nil:
		return r.answer, nil
	case isGone(err) || errors.Is(err, keys.ErrDropped):
		// Wiped while it was asked: as if the person had never been.
		r.forgetPerson()
		return r.answer, nil
	case CodeOf(err) == CodeUnavailable:
		s.log.WarnContext(ctx, "recall: store unavailable", "error", err)
		return r.without(degradedStore, reasonStore), nil
	case errors.Is(err, keys.ErrOpen), errors.Is(err, lexical.ErrBlock):
		s.log.ErrorContext(ctx, "recall: search index doesn't open", "error", err)
		return r.without(degradedIntegrity, reasonIntegrity), nil
	}
	return RecallAnswer{}, err
}

// without is the answer when the memory can't be asked.
func (r *recall) without(part, reason string) RecallAnswer {
	return RecallAnswer{
		Items: []RecallItem{}, Cards: noMemoryCard(r.in.Locale), Mode: ModeLLMOnly,
		Degraded: []string{part}, FallbackReason: reason, Legs: map[string]Leg{},
	}
}

func (r *recall) forgetPerson() {
	r.answer = RecallAnswer{Items: []RecallItem{}, Mode: ModeMemory, Degraded: []string{}, Legs: map[string]Leg{}}
}

func (s *Service) recallSubject(ctx context.Context, r *recall) error {
	if r.in.Subject == "" {
		return s.recallShared(ctx, r)
	}
	p, err := s.FindPerson(ctx, r.in.Subject)
	if isGone(err) {
		return s.recallShared(ctx, r)
	}
	if err != nil {
		return err
	}
	defer p.Close()
	if r.in.Locale == "" {
		r.in.Locale = p.Locale
	}
	if !r.gate() {
		entries, err := s.loadIndex(ctx, p, r.in.Namespace, r.categories)
		if err == nil {
			err = s.search(ctx, r, p, entries, s.hasher(p))
		}
		if err != nil {
			return s.recordFailure(ctx, r, p, err)
		}
	}
	r.finish()
	return s.recordRecall(ctx, r, p)
}

// recallShared searches what the namespace shares. It concerns nobody, so there
// is nobody's record to write.
func (s *Service) recallShared(ctx context.Context, r *recall) error {
	if !r.gate() {
		if err := s.search(ctx, r, nil, nil, plainHash); err != nil {
			return err
		}
	}
	r.finish()
	return nil
}

// plainHash hashes the terms of shared text, which stands in clear and is hashed
// for one question only.
func plainHash(purpose string, term []byte) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(purpose))
	_, _ = h.Write([]byte{0})
	_, _ = h.Write(term)
	return h.Sum64()
}

// gate tells whether the answer is settled before any look-up.
func (r *recall) gate() bool {
	if len(r.categories) == 0 {
		r.decision = DecisionDenied
		return true
	}
	if r.in.Gate != GateAuto {
		return false
	}
	need, why := extract.RecallGate(r.in.Query)
	if !need {
		r.decision, r.answer.Mode, r.answer.FallbackReason = DecisionGated, ModeGated, why
	}
	return !need
}

// search ranks the person's entries and the shared texts and opens the winners.
func (s *Service) search(ctx context.Context, r *recall, p *Person, entries []lexical.Entry, hasher lexical.Hasher) error {
	knowledge, err := s.db.RecallableKnowledge(ctx, r.in.Namespace, r.categories, models.At(r.now), mostKnowledge)
	if err != nil {
		return Wrap("recall", err)
	}
	begun := time.Now()
	entries = unexpired(entries, r.now)
	own := len(entries)
	for i := range knowledge {
		entries = append(entries, knowledgeEntry(knowledge[i], hasher))
	}
	hits := lexical.Search(entries, lexical.NewQuery(r.in.Query, r.now, hasher), lexical.Options{})
	r.ranked = scoreHits(entries, hits, r.in.Ranking, r.now)
	tags := make([]uint64, len(r.in.Tags))
	for i, tag := range r.in.Tags {
		tags[i] = hasher(lexical.PurposeTag, []byte(tag))
	}
	for i := range r.ranked {
		c := &r.ranked[i]
		if c.Index >= own {
			c.shared = &knowledge[c.Index-own]
		}
		if !r.in.admits(c.entry, tags) || c.shared != nil && !r.in.admitsKind(c.shared.Kind) {
			c.out = outFiltered
		}
	}
	r.answer.Legs["keyword"] = Leg{Candidates: len(hits), MS: float64(time.Since(begun).Microseconds()) / 1000}
	return s.openWinners(ctx, r, p)
}

func (in *RecallInput) admitsKind(kind string) bool {
	return len(in.Kinds) == 0 || slices.Contains(in.Kinds, kind)
}

func knowledgeEntry(k models.Knowledge, hasher lexical.Hasher) lexical.Entry {
	return lexical.Build(lexical.Doc{
		ID: k.ID, Kind: lexical.SessionDoc, Content: k.Content, OccurredAt: k.UpdatedAt.Time(), CreatedAt: k.CreatedAt.Time(),
		Importance: float32(k.Importance), Confidence: float32(k.Confidence),
	}, hasher)
}

// finish makes the answer of what was opened.
func (r *recall) finish() {
	for _, o := range r.opened {
		r.answer.Items = append(r.answer.Items, o.item)
	}
	r.answer.Cards = cards(r.opened, r.in.Locale)
	if r.decision == "" {
		r.decision = DecisionRecalled
		if len(r.opened) == 0 {
			r.decision = DecisionEmpty
		}
	}
}
