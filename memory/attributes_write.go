package memory

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"fornix/keys"
	"fornix/models"
	"fornix/policy"
)

// maxTTLDays is a hundred years.
const maxTTLDays = 36500

// PutAttribute writes a field of a person's profile. What the dictionary forbids
// is refused, what it bands is kept as its band. A value that is inferred, or of a
// source believed less than the one that stands, waits and changes nothing.
func (s *Service) PutAttribute(ctx context.Context, subject, key string, in AttributeInput) (AttributeWritten, error) {
	ctx, p, err := s.actor(ctx)
	if err != nil {
		return AttributeWritten{}, err
	}
	if err := CheckExternalID(subject); err != nil {
		return AttributeWritten{}, err
	}
	defs, err := s.definitions(ctx, []string{key})
	if err != nil {
		return AttributeWritten{}, Wrap("put attribute", err)
	}
	if p.Kind == policy.KindSubject || !s.mayAttribute(p, key, defs, policy.ActAttributeWrite) {
		return AttributeWritten{}, Forbidden()
	}
	if in.Source == "" {
		in.Source = SourceExternal
		if p.Kind == policy.KindUser {
			in.Source = SourceManual
		}
	}
	def := definitionOf(defs, key)
	value, err := checkAttribute(def, key, in)
	if err != nil {
		return AttributeWritten{}, err
	}
	person, err := s.EnsurePerson(ctx, subject, "")
	if err != nil {
		return AttributeWritten{}, err
	}
	defer person.Close()
	readable := s.mayAttribute(p, key, defs, policy.ActAttributeRead)
	if !readable {
		in.Version = 0 // a conflict would tell which version stands
	}
	written, err := s.putAttribute(ctx, person, def, value, in, agentID(p), "attribute.write")
	if err != nil {
		return AttributeWritten{}, err
	}
	if !readable {
		return AttributeWritten{Version: 1, Outcome: OutcomeAccepted}, nil
	}
	return written, nil
}

// CorrectOwnAttribute sets a field right for the person who is signed in. What
// the person says stands over every other source.
func (s *Service) CorrectOwnAttribute(ctx context.Context, key string, value json.RawMessage, version int64) (AttributeWritten, error) {
	ctx, p, err := s.actor(ctx)
	if err != nil {
		return AttributeWritten{}, err
	}
	subject, err := subjectOf(p)
	if err != nil {
		return AttributeWritten{}, err
	}
	person, err := s.OpenPerson(ctx, subject)
	if err != nil {
		return AttributeWritten{}, err
	}
	defer person.Close()
	defs, err := s.definitions(ctx, []string{key})
	if err != nil {
		return AttributeWritten{}, Wrap("correct attribute", err)
	}
	in := AttributeInput{Value: value, Source: SourceUser, Version: version}
	def := definitionOf(defs, key)
	if in.Value, err = checkAttribute(def, key, in); err != nil {
		return AttributeWritten{}, err
	}
	return s.putAttribute(ctx, person, def, in.Value, in, nil, "attribute.correct")
}

// definitionOf is the dictionary's entry of a key. One that it doesn't know is kept
// sealed and restricted, in whatever form it comes.
func definitionOf(defs map[string]models.AttributeDef, key string) models.AttributeDef {
	if def, ok := defs[key]; ok {
		return def
	}
	return models.AttributeDef{Key: key, Category: policy.CatRestricted, Sensitivity: "sealed", Rule: RuleAllowed, JSONSchema: "{}"}
}

// checkAttribute judges an input and returns the value as it is to be kept.
func checkAttribute(def models.AttributeDef, key string, in AttributeInput) (json.RawMessage, error) {
	if !attributeKey.MatchString(key) {
		return nil, Invalid(Field{Name: "key", Code: "invalid", Text: "a-z, 0-9 and _, at most 64, a letter first"})
	}
	if def.Rule == RuleForbidden {
		return nil, Invalid(Field{Name: "key", Code: "forbidden", Text: "the dictionary forbids to keep " + key})
	}
	var f faults
	f.oneOf("source", in.Source, []string{SourceUser, SourceManual, SourceExternal, SourceInferred})
	f.share("confidence", in.Confidence)
	f.short("reason", in.Reason, maxName)
	if in.TTLDays != nil && (*in.TTLDays < 1 || *in.TTLDays > maxTTLDays) {
		f.add("ttl_days", "out_of_range", "1 to 36500")
	}
	if in.Version < 0 {
		f.add("version", "out_of_range", "the version you read, or 0")
	}
	var compact bytes.Buffer
	switch {
	case len(in.Value) == 0 || bytes.Equal(bytes.TrimSpace(in.Value), []byte("null")):
		f.add("value", "required", "must not be empty; to remove it, erase it")
	case len(in.Value) > maxValue:
		f.add("value", "too_long", "at most 16 KiB")
	case json.Compact(&compact, in.Value) != nil:
		f.add("value", "invalid", "is not JSON")
	}
	if err := f.err(); err != nil {
		return nil, err
	}
	value := json.RawMessage(compact.Bytes())
	if def.Rule == RuleBanded {
		name, err := bandOf(def, value)
		if err != nil {
			return nil, Invalid(Field{Name: "value", Code: "invalid", Text: "is no figure and no band"})
		}
		return json.Marshal(name)
	}
	rules, err := parseSchema(json.RawMessage(def.JSONSchema))
	if err != nil {
		return nil, Wrap("schema of "+key, err)
	}
	if err := rules.check(value); err != nil {
		return nil, Invalid(Field{Name: "value", Code: "invalid", Text: err.Error()})
	}
	return value, nil
}

// putAttribute writes a checked value.
func (s *Service) putAttribute(ctx context.Context, p *Person, def models.AttributeDef, value json.RawMessage, in AttributeInput, by *uuid.UUID, action string) (AttributeWritten, error) {
	row, err := s.attributeRow(p, def, value, in, by)
	if err != nil {
		return AttributeWritten{}, Wrap("put attribute", err)
	}
	outcome := OutcomeCreated
	err = s.Write(ctx, p, func(ctx context.Context, tx *models.Tx) error {
		versions, err := s.db.AttributeVersions(ctx, p.SubjectID, row.KeyToken)
		if err != nil {
			return err
		}
		if blocked, err := s.blocked(ctx, tx, p, "attribute", row.KeyToken, s.now(), in.Source); err != nil || blocked {
			outcome, row.ValueVersion = OutcomeIgnored, 0
			if err != nil {
				return err
			}
			return tx.Record(ctx, attributeEvent(p, "attribute.ignore", row, outcome))
		}
		outcome, err = s.settleAttribute(ctx, tx, p, &row, value, in.Version, versions)
		if err != nil {
			return err
		}
		return tx.Record(ctx, attributeEvent(p, action, row, outcome))
	})
	return AttributeWritten{Version: row.ValueVersion, Outcome: outcome}, Wrap("put attribute", err)
}

func (s *Service) attributeRow(p *Person, def models.AttributeDef, value json.RawMessage, in AttributeInput, by *uuid.UUID) (models.Attribute, error) {
	now := s.now()
	row := models.Attribute{
		SubjectID: p.SubjectID, ID: models.NewID(), KeyToken: attributeToken(p, def.Key), Category: def.Category, Source: in.Source,
		Confidence: 1, Status: models.StatusActive, AgentID: by, CreatedAt: models.At(now), UpdatedAt: models.At(now), Version: 1,
	}
	if in.Source == SourceInferred {
		row.Status, row.Confidence = models.StatusPending, .5
	}
	if in.Confidence != nil {
		row.Confidence = *in.Confidence
	}
	if days := in.TTLDays; days != nil || def.TTLDays != nil {
		if days == nil {
			days = def.TTLDays
		}
		expire := models.At(now.Add(time.Duration(*days) * 24 * time.Hour))
		row.ExpireAt = &expire
	}
	seal := func(column string, value []byte) (keys.Sealed, error) {
		return p.Seal(row.TableName(), column, row.ID, value)
	}
	var err error
	if row.Name, err = seal("name", []byte(def.Key)); err != nil {
		return row, err
	}
	if row.Value, err = seal("value", value); err != nil {
		return row, err
	}
	if in.Reason != "" {
		reason, err := seal("reason", []byte(in.Reason))
		if err != nil {
			return row, err
		}
		row.Reason = &reason
	}
	return row, nil
}

// settleAttribute gives the value its place among the versions of its key.
func (s *Service) settleAttribute(ctx context.Context, tx *models.Tx, p *Person, row *models.Attribute, value json.RawMessage, expect int64, versions []models.Attribute) (string, error) {
	now := models.At(s.now())
	var current *models.Attribute
	row.ValueVersion = 1
	for i, v := range versions {
		row.ValueVersion = max(row.ValueVersion, v.ValueVersion+1)
		if v.Status == models.StatusActive {
			current = &versions[i]
		}
	}
	present := int64(0)
	if current != nil {
		present = current.ValueVersion
	}
	if expect != 0 && expect != present {
		return "", &Error{Code: CodeConflict, Key: "error.conflict", Text: "it was changed meanwhile; read it again", Current: present}
	}
	if current == nil {
		if row.Status == models.StatusPending {
			return OutcomePending, models.Insert(ctx, tx, *row)
		}
		return OutcomeCreated, models.Insert(ctx, tx, *row)
	}
	have, err := p.Open(current.TableName(), "value", current.ID, current.Value)
	if err != nil {
		return "", err
	}
	expired := current.ExpireAt != nil && *current.ExpireAt <= now
	lower := trust[row.Source] < trust[current.Source] && !expired
	switch {
	case bytes.Equal(have, value) && row.Source != SourceInferred:
		if !lower {
			current.Source, current.ExpireAt = row.Source, row.ExpireAt
		}
		current.Confidence, current.UpdatedAt = max(current.Confidence, row.Confidence), now
		err := models.Update(ctx, tx, current)
		*row = *current
		return OutcomeMerged, err
	case lower && row.Source != SourceInferred:
		row.Status, row.ConflictWith = models.StatusPending, &current.ID
		return OutcomeConflict, models.Insert(ctx, tx, *row)
	case row.Status == models.StatusPending:
		return OutcomePending, models.Insert(ctx, tx, *row)
	}
	current.Status, current.UpdatedAt = models.StatusSuperseded, now
	if err := models.Update(ctx, tx, current); err != nil { // first: one active value per key
		return "", err
	}
	row.Supersedes = &current.ID
	return OutcomeSuperseded, models.Insert(ctx, tx, *row)
}
