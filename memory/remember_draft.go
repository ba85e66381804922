package memory

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/google/uuid"

	"fornix/keys"
	"fornix/memory/extract"
	"fornix/memory/lexical"
	"fornix/models"
	"fornix/policy"
)

// Labels is what is sealed beside a memory's words. Value is what the slot holds
// in a form to compare; When the time spoken of as an interval of days; Trigger
// why the memory was made.
type Labels struct {
	Topic   string   `json:"topic,omitempty"`
	Slot    string   `json:"slot,omitempty"`
	Value   string   `json:"value,omitempty"`
	Tags    []string `json:"tags,omitempty"`
	When    string   `json:"when,omitempty"`
	Trigger string   `json:"trigger,omitempty"`
}

// draft is a statement on its way into the memory.
type draft struct {
	content, quote                           string
	namespace, kind, layer, category, source string
	labels                                   Labels
	confidence, importance                   float64
	// occurred is when it happened, said when it was told: what was erased
	// after that isn't made again.
	occurred, said time.Time
	expire         *time.Time
	agent, session *uuid.UUID
	turn           *uuid.UUID
	message        *keys.Token
	attribute      string // dictionary key the value would belong to
	rawValue       string
	also           []string // dictionary keys that a text of several statements speaks of
}

// draftOf fills in what the writer left out from what the rules read in the
// text. A writer's own words always win over the rules'.
func (s *Service) draftOf(in RememberInput) draft {
	now := s.now()
	d := draft{
		content: strings.TrimSpace(in.Content), quote: in.Quote, namespace: in.Namespace,
		kind: in.Kind, layer: in.Layer, category: in.Category, source: in.Source,
		labels:     Labels{Topic: in.Topic, Slot: in.Slot, Tags: in.Tags, Trigger: "remember"},
		confidence: 1, importance: .5, occurred: now, said: now, expire: in.ExpireAt,
	}
	if d.source == "" {
		d.source = SourceExternal
	}
	if in.OccurredAt != nil {
		d.occurred = *in.OccurredAt
		if d.occurred.Before(now) {
			d.said = d.occurred
		}
	}
	if d.source == SourceInferred {
		d.confidence = .5
	}
	if v := extract.FromTurn(d.content, d.occurred); len(v.Statements) == 1 {
		d.takeLabels(v.Statements[0])
	} else {
		d.also = attributesOf(v)
	}
	if d.labels.Slot != "" && d.labels.Value == "" {
		d.labels.Value = lexical.Normalize(d.content)
	}
	if d.category == "" {
		d.category = policy.CatGeneral
	}
	if d.kind == "" {
		d.kind = "hard_fact"
	}
	if d.layer == "" {
		d.layer = layerOf[d.kind]
	}
	if in.Confidence != nil {
		d.confidence = *in.Confidence
	}
	if in.Importance != nil {
		d.importance = *in.Importance
	}
	return d
}

// takeLabels takes from a statement what the writer left open. A text without a
// category that the rules can't place either stays general and not restricted:
// the writer chose to have it remembered, and no rule saw anything delicate.
func (d *draft) takeLabels(st extract.Statement) {
	d.attribute, d.rawValue = st.AttributeKey, st.Value
	if d.category == "" && st.Category != policy.CatRestricted {
		d.category = st.Category
	}
	if d.kind == "" {
		d.kind = st.Kind
	}
	if d.layer == "" && d.kind == st.Kind {
		d.layer = st.Layer
	}
	if d.labels.Topic == "" {
		d.labels.Topic = st.Topic
	}
	if d.labels.Slot == "" {
		d.labels.Slot = st.Slot
	}
	if d.labels.Slot == st.Slot {
		d.labels.Value = st.SlotValue()
	}
	d.labels.When = st.When
	d.importance = st.Importance
}

// draftFrom makes a draft of a statement that extraction found in a turn.
func draftFrom(st extract.Statement, trigger string, turn models.Turn) draft {
	return draft{
		content: st.Content, quote: st.Quote, namespace: turn.Namespace, kind: st.Kind, layer: st.Layer,
		category: st.Category, source: SourceUser,
		labels:     Labels{Topic: st.Topic, Slot: st.Slot, Value: st.SlotValue(), Tags: st.Tags, When: st.When, Trigger: trigger},
		confidence: st.Confidence, importance: st.Importance,
		occurred: turn.SaidAt(), said: min(turn.OccurredAt, turn.CreatedAt).Time(),
		agent: turn.AgentID, session: &turn.SessionID, turn: &turn.ID, message: &turn.MessageToken,
		attribute: st.AttributeKey, rawValue: st.Value,
	}
}

// attributesOf lists the dictionary keys that a text speaks of.
func attributesOf(v extract.Verdict) []string {
	var names []string
	for _, st := range v.Statements {
		if st.AttributeKey != "" {
			names = append(names, st.AttributeKey)
		}
	}
	return names
}

// applyDictionary holds a text to what the dictionary says of the field it
// speaks of: a forbidden one isn't kept, a banded one only as its band.
func (s *Service) applyDictionary(ctx context.Context, d draft) (draft, error) {
	defs, err := s.db.AttributeDefsOf(ctx, d.also)
	if err != nil {
		return d, Wrap("read dictionary", err)
	}
	for _, def := range defs {
		if def.Rule != RuleAllowed {
			return d, Invalid(Field{Name: "content", Code: "forbidden", Text: "the dictionary doesn't let " + def.Key + " be kept as it is; leave it out"})
		}
	}
	if d.attribute == "" {
		return d, nil
	}
	def, err := s.db.AttributeDef(ctx, d.attribute)
	switch {
	case models.IsNotFound(err):
		return d, nil
	case err != nil:
		return d, Wrap("read dictionary", err)
	case def.Rule == RuleForbidden:
		return d, Invalid(Field{Name: "content", Code: "forbidden", Text: "the dictionary forbids to keep " + def.Key})
	case def.Rule != RuleBanded:
		return d, nil
	}
	raw, err := json.Marshal(d.rawValue)
	if err != nil {
		return d, err
	}
	band, err := bandOf(def, raw)
	if err != nil {
		return d, Invalid(Field{Name: "content", Code: "forbidden", Text: "the dictionary keeps " + def.Key + " only in bands, and this names no figure"})
	}
	label := def.LabelEn
	if strings.ContainsFunc(d.content, isHan) {
		label = def.LabelZh
	}
	// Quote and tags hold the figure, too.
	d.content, d.quote, d.labels.Tags = label+": "+band, "", nil
	d.labels.Value = lexical.Normalize(band)
	return d, nil
}

func isHan(r rune) bool { return r >= 0x4E00 && r <= 0x9FFF }

// Tokens. A purpose and what it joins never change: rows are found by them.
func contentToken(p *Person, content string) keys.Token {
	return p.Ring.Token("content", []byte(lexical.Normalize(content)))
}

func slotToken(p *Person, namespace, slot string) keys.Token {
	return p.Ring.Token("slot", joined(namespace, lexical.Normalize(slot)))
}

func topicToken(p *Person, topic string) keys.Token {
	return p.Ring.Token("topic", []byte(lexical.Normalize(topic)))
}

func sessionToken(p *Person, namespace, session string) keys.Token {
	return p.Ring.Token("session", joined(namespace, session))
}

func messageToken(p *Person, namespace, session, message string) keys.Token {
	return p.Ring.Token("message", joined(namespace, session, message))
}

// joined writes parts so that no two lists of parts give the same bytes: none
// may hold a NUL.
func joined(parts ...string) []byte { return []byte(strings.Join(parts, "\x00")) }
