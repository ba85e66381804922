package memory

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"fornix/audit"
	"fornix/models"
	"fornix/policy"
)

// Kinds of what staff reveal.
const (
	RevealMemory    = "memory"
	RevealAttribute = "attribute"
	RevealIdentity  = "identity" // the host product's id of a person
)

// RevealInput names what is to be opened and why. ID is a public id; for an
// identity it is the person's.
type RevealInput struct {
	Kind, ID, Reason string
}

// Revealed is one opened value.
type Revealed struct {
	Person   string // the person's id, for the way back
	Value    string
	Name     string // of an attribute
	Evidence []Evidence
}

const (
	minReason = 10
	maxReason = 1000
)

// Reveal opens one sealed value for a member of staff. The event of it, with the
// reason, stands before the value goes out.
func (s *Service) Reveal(ctx context.Context, in RevealInput) (Revealed, error) {
	ctx, p, err := s.staff(ctx, policy.AreaPeople, policy.ActPeopleRead)
	if err != nil {
		return Revealed{}, err
	}
	var f faults
	switch n := utf8.RuneCountInString(strings.TrimSpace(in.Reason)); {
	case n == 0:
		f.add("reason", "required", "say why")
	case n < minReason:
		f.add("reason", "too_short", "at least 10 characters")
	case n > maxReason || !utf8.ValidString(in.Reason):
		f.add("reason", "too_long", "at most 1,000 characters")
	}
	if err := f.err(); err != nil {
		return Revealed{}, err
	}
	open := map[string]func(context.Context, policy.Principal, RevealInput) (*Person, Revealed, audit.Event, error){
		RevealMemory: s.revealMemory, RevealAttribute: s.revealAttribute, RevealIdentity: s.revealIdentity,
	}[in.Kind]
	if open == nil {
		return Revealed{}, NotFound()
	}
	person, out, event, err := open(ctx, p, in)
	if err != nil {
		return Revealed{}, Wrap("reveal", err)
	}
	defer person.Close()
	event.Subject, event.Epoch, event.Reason = person.SubjectID, person.Epoch, in.Reason
	if err := s.Write(ctx, person, func(ctx context.Context, tx *models.Tx) error { return tx.Record(ctx, event) }); err != nil {
		return Revealed{}, Wrap("reveal", err)
	}
	out.Person = person.SubjectID.String()
	return out, nil
}

func (s *Service) revealMemory(ctx context.Context, p policy.Principal, in RevealInput) (*Person, Revealed, audit.Event, error) {
	person, row, err := s.findMemory(ctx, p, in.ID)
	if err != nil {
		return nil, Revealed{}, audit.Event{}, err
	}
	if !s.policy.Can(p, row.Category, policy.ActMemoryReveal) {
		person.Close()
		return nil, Revealed{}, audit.Event{}, Forbidden()
	}
	views, err := s.ViewMemories(ctx, person, []models.Memory{row})
	if err != nil {
		person.Close()
		return nil, Revealed{}, audit.Event{}, err
	}
	return person, Revealed{Value: views[0].Content, Evidence: views[0].Evidence}, audit.Event{Action: policy.ActMemoryReveal, Object: "memory:" + row.ID.String()}, nil
}

func (s *Service) revealAttribute(ctx context.Context, p policy.Principal, in RevealInput) (*Person, Revealed, audit.Event, error) {
	fail := func(person *Person, err error) (*Person, Revealed, audit.Event, error) {
		if person != nil {
			person.Close()
		}
		return nil, Revealed{}, audit.Event{}, err
	}
	id, err := ParseID(PrefixAttribute, in.ID)
	if err != nil {
		return fail(nil, err)
	}
	person, err := s.OpenPerson(ctx, id.Subject)
	if err != nil {
		return fail(nil, err)
	}
	row, err := s.db.AttributeRow(ctx, id.Subject, id.Row)
	if err != nil {
		return fail(person, err)
	}
	name, err := person.Open(row.TableName(), "name", row.ID, row.Name)
	if err != nil {
		return fail(person, err)
	}
	if !s.policy.CanAttr(p, string(name), row.Category, policy.ActAttributeRead) {
		return fail(person, NotFound())
	}
	if !s.policy.CanAttr(p, string(name), row.Category, policy.ActAttributeReveal) {
		return fail(person, Forbidden())
	}
	value, err := person.Open(row.TableName(), "value", row.ID, row.Value)
	if err != nil {
		return fail(person, err)
	}
	return person, Revealed{Name: string(name), Value: string(value)}, audit.Event{Action: policy.ActAttributeReveal, Object: "attribute:" + row.ID.String()}, nil
}

func (s *Service) revealIdentity(ctx context.Context, p policy.Principal, in RevealInput) (*Person, Revealed, audit.Event, error) {
	id, err := uuid.Parse(in.ID)
	if err != nil {
		return nil, Revealed{}, audit.Event{}, NotFound()
	}
	if !s.policy.Can(p, policy.CatContact, policy.ActMemoryReveal) {
		return nil, Revealed{}, audit.Event{}, Forbidden()
	}
	person, err := s.OpenPerson(ctx, id)
	if err != nil {
		return nil, Revealed{}, audit.Event{}, err
	}
	value, err := person.Open(person.TableName(), "external_id", id, person.ExternalID)
	if err != nil {
		person.Close()
		return nil, Revealed{}, audit.Event{}, err
	}
	return person, Revealed{Value: string(value)}, audit.Event{Action: "subject.reveal", Object: "subject:" + person.Pseudonym}, nil
}
