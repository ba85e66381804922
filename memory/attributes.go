package memory

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"fornix/audit"
	"fornix/keys"
	"fornix/models"
	"fornix/policy"
)

// maxKeys bounds one read of a profile.
const maxKeys = 100

// DecisionProfile is the decision in the access record of a profile's fields.
const DecisionProfile = "profile"

// deniedAccess is the decision where nothing that was asked for is granted; it
// is the same word as for a recall.
const deniedAccess = "denied"

// attributeToken finds a field by its key.
func attributeToken(p *Person, key string) keys.Token {
	return p.Ring.Token("attribute", []byte(key))
}

// Attributes reads fields of a person's profile: only the keys named, of these
// only those the policy grants, and only those are opened. What was asked, also
// in vain, is an access record that the person can see. A person who isn't known
// has nothing, and isn't made by being asked about.
func (s *Service) Attributes(ctx context.Context, subject string, names []string) (Attributes, error) {
	ctx, p, err := s.actor(ctx)
	if err != nil {
		return Attributes{}, err
	}
	if p.Kind != policy.KindAgent && p.Kind != policy.KindSystem {
		return Attributes{}, Forbidden() // staff reveal, people have their portal
	}
	names, err = checkKeys(names)
	if err == nil {
		err = CheckExternalID(subject)
	}
	if err != nil {
		return Attributes{}, err
	}
	defs, err := s.definitions(ctx, names)
	if err != nil {
		return Attributes{}, Wrap("attributes", err)
	}
	answer := Attributes{Attributes: map[string]AttributeView{}, Denied: []string{}, Missing: []string{}}
	var granted []string
	for _, key := range names {
		if s.mayAttribute(p, key, defs, policy.ActAttributeRead) && defs[key].Rule != RuleForbidden {
			granted = append(granted, key)
		} else {
			answer.Denied = append(answer.Denied, key)
		}
	}
	person, err := s.FindPerson(ctx, subject)
	if CodeOf(err) == CodeNotFound {
		answer.Missing = append(answer.Missing, granted...)
		return answer, nil
	}
	if err != nil {
		return Attributes{}, err
	}
	defer person.Close()
	ids, err := s.openAttributes(ctx, person, granted, &answer)
	if err != nil {
		return Attributes{}, Wrap("attributes", err)
	}
	return answer, Wrap("attributes", s.recordAccess(ctx, p, person, names, ids, answer))
}

func checkKeys(names []string) ([]string, error) {
	var f faults
	var kept []string
	seen := map[string]bool{}
	for _, key := range names {
		key = strings.TrimSpace(key)
		if !attributeKey.MatchString(key) {
			f.add("keys", "invalid", "a-z, 0-9 and _, at most 64, a letter first")
			break
		}
		if !seen[key] {
			seen[key] = true
			kept = append(kept, key)
		}
	}
	switch {
	case len(names) == 0:
		f.add("keys", "required", "name the fields you need")
	case len(kept) > maxKeys:
		f.add("keys", "too_long", "at most 100")
	}
	return kept, f.err()
}

// definitions reads the dictionary's entries of keys; a key without one isn't in
// the map.
func (s *Service) definitions(ctx context.Context, names []string) (map[string]models.AttributeDef, error) {
	rows, err := s.db.AttributeDefsOf(ctx, names)
	defs := make(map[string]models.AttributeDef, len(rows))
	for _, row := range rows {
		defs[row.Key] = row
	}
	return defs, err
}

// mayAttribute asks the policy about a key; one that the dictionary doesn't know
// is restricted.
func (s *Service) mayAttribute(p policy.Principal, key string, defs map[string]models.AttributeDef, act string) bool {
	category := policy.CatRestricted
	if def, ok := defs[key]; ok {
		category = def.Category
	}
	return p.Kind == policy.KindSystem || s.policy.CanAttr(p, key, category, act)
}

// openAttributes opens the present values of the keys granted and returns the
// rows' ids.
func (s *Service) openAttributes(ctx context.Context, p *Person, granted []string, answer *Attributes) ([]uuid.UUID, error) {
	tokens := make([]keys.Token, len(granted))
	names := map[keys.Token]string{}
	for i, key := range granted {
		tokens[i] = attributeToken(p, key)
		names[tokens[i]] = key
	}
	rows, err := s.db.ActiveAttributes(ctx, p.SubjectID, tokens, models.At(s.now()))
	if err != nil {
		return nil, err
	}
	var ids []uuid.UUID
	for _, row := range rows {
		view, err := s.viewAttribute(p, row)
		if err != nil {
			return nil, err
		}
		answer.Attributes[names[row.KeyToken]] = view
		ids = append(ids, row.ID)
	}
	for _, key := range granted {
		if _, ok := answer.Attributes[key]; !ok {
			answer.Missing = append(answer.Missing, key)
		}
	}
	return ids, nil
}

func (s *Service) viewAttribute(p *Person, row models.Attribute) (AttributeView, error) {
	value, err := p.Open(row.TableName(), "value", row.ID, row.Value)
	if err != nil {
		return AttributeView{}, err
	}
	return AttributeView{
		Value: value, Source: row.Source, Confidence: row.Confidence, ExpiresAt: row.ExpireAt.MaybeTime(),
		UpdatedAt: row.UpdatedAt.Time(), Version: row.ValueVersion,
	}, nil
}

// accessDetail is the sealed part of an access record of a profile.
type accessDetail struct {
	Attributes []uuid.UUID `json:"attributes,omitempty"`
	Denied     []string    `json:"denied,omitempty"`
	Missing    []string    `json:"missing,omitempty"`
}

// recordAccess writes who read which fields.
func (s *Service) recordAccess(ctx context.Context, by policy.Principal, p *Person, asked []string, ids []uuid.UUID, a Attributes) error {
	row := models.Recall{
		SubjectID: p.SubjectID, ID: models.NewID(), Namespace: DefaultNamespace, AgentID: agentID(by),
		Decision: DecisionProfile, Returned: int64(len(ids)), CreatedAt: models.At(s.now()),
	}
	if len(a.Denied) == len(asked) {
		row.Decision = deniedAccess
	}
	var err error
	if row.Query, err = p.SealJSON(row.TableName(), "query", row.ID, asked); err != nil {
		return err
	}
	if row.Detail, err = p.SealJSON(row.TableName(), "detail", row.ID, accessDetail{ids, a.Denied, a.Missing}); err != nil {
		return err
	}
	return s.Write(ctx, p, func(ctx context.Context, tx *models.Tx) error { return models.Insert(ctx, tx, row) })
}

// event of a change of a field: ids and what came of it, never the value.
func attributeEvent(p *Person, action string, row models.Attribute, outcome string) audit.Event {
	return audit.Event{
		Action: action, Object: "attribute:" + row.ID.String(), Subject: p.SubjectID, Epoch: p.Epoch,
		After: map[string]any{"outcome": outcome, "version": row.ValueVersion, "source": row.Source},
	}
}
