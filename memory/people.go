package memory

import (
	"context"
	"time"

	"github.com/google/uuid"

	"fornix/models"
	"fornix/policy"
)

// peoplePage is how many people, memories, turns or records a page lists.
const peoplePage = 50

// PersonRow is a person as staff see them: no name, no id of the host product.
type PersonRow struct {
	ID         string
	Pseudonym  string
	Status     string
	Locale     string
	Memories   int64
	Attributes int64
	Turns      int64
	Since      time.Time
}

// PeoplePage is one page of people. Next is empty on the last.
type PeoplePage struct {
	Rows []PersonRow
	Next string
}

// SealedMemory is a memory as staff see it before they open it.
type SealedMemory struct {
	ID                                    string
	Kind, Layer, Category, Source, Status string
	Confidence, Importance                float64
	OccurredAt, CreatedAt, UpdatedAt      time.Time
	ExpireAt                              *time.Time
	Version                               int64
	Supersedes, ReplacedBy                string
	Revealable                            bool
}

// SealedAttribute is a profile field as staff see it before they open it. Name is
// the dictionary key, empty when the dictionary doesn't know it.
type SealedAttribute struct {
	ID, Name, Category, Source, Status string
	Confidence                         float64
	UpdatedAt                          time.Time
	ExpireAt                           *time.Time
	Version                            int64
	Revealable                         bool
}

// PersonDetail is all that is kept about a person, sealed. Hidden counts the rows
// of categories that the reader may not even list.
type PersonDetail struct {
	PersonRow
	Memories   []SealedMemory
	Attributes []SealedAttribute
	Hidden     int
}

var allStatuses = []string{models.StatusActive, models.StatusPending, models.StatusSuperseded, models.StatusArchived, models.StatusRejected}

// staff returns the actor if it is a member of staff who may do act on area.
func (s *Service) staff(ctx context.Context, area, act string) (context.Context, policy.Principal, error) {
	ctx, p, err := s.actor(ctx)
	if err == nil && (p.Kind != policy.KindUser || !s.policy.Can(p, area, act)) {
		err = Forbidden()
	}
	return ctx, p, err
}

// People lists people, or finds the one whose external id is q.
func (s *Service) People(ctx context.Context, q, cursor string) (PeoplePage, error) {
	ctx, _, err := s.staff(ctx, policy.AreaPeople, policy.ActPeopleRead)
	if err != nil {
		return PeoplePage{}, err
	}
	var rows []models.Subject
	if q != "" {
		person, err := s.FindPerson(ctx, q)
		if CodeOf(err) == CodeNotFound || CodeOf(err) == CodeInvalid {
			return PeoplePage{}, nil
		}
		if err != nil {
			return PeoplePage{}, err
		}
		person.Close()
		rows = append(rows, person.Subject)
	} else {
		after, err := parseCursor(cursor)
		if err != nil {
			return PeoplePage{}, err
		}
		if rows, err = s.db.People(ctx, after, peoplePage+1); err != nil {
			return PeoplePage{}, Wrap("list people", err)
		}
	}
	var page PeoplePage
	if len(rows) > peoplePage {
		rows = rows[:peoplePage]
		page.Next = rows[peoplePage-1].SubjectID.String()
	}
	page.Rows, err = s.personRows(ctx, rows)
	return page, Wrap("list people", err)
}

func (s *Service) personRows(ctx context.Context, subjects []models.Subject) ([]PersonRow, error) {
	ids := make([]uuid.UUID, len(subjects))
	for i, row := range subjects {
		ids[i] = row.SubjectID
	}
	held, err := s.db.Holdings(ctx, ids)
	if err != nil {
		return nil, err
	}
	rows := make([]PersonRow, len(subjects))
	for i, row := range subjects {
		rows[i] = PersonRow{
			ID: row.SubjectID.String(), Pseudonym: row.Pseudonym, Status: row.Status, Locale: row.Locale,
			Memories: held[row.SubjectID].Memories, Attributes: held[row.SubjectID].Attributes, Turns: held[row.SubjectID].Turns, Since: row.CreatedAt.Time(),
		}
	}
	return rows, nil
}

func parseCursor(cursor string) (*uuid.UUID, error) {
	if cursor == "" {
		return nil, nil
	}
	id, err := uuid.Parse(cursor)
	if err != nil {
		return nil, Invalid(Field{Name: "cursor", Code: "invalid", Text: "not a cursor of this list"})
	}
	return &id, nil
}

// PersonDetail lists what is kept about a person, sealed.
func (s *Service) PersonDetail(ctx context.Context, subject string) (PersonDetail, error) {
	ctx, p, err := s.staff(ctx, policy.AreaPeople, policy.ActPeopleRead)
	if err != nil {
		return PersonDetail{}, err
	}
	id, err := uuid.Parse(subject)
	if err != nil {
		return PersonDetail{}, NotFound()
	}
	person, err := s.OpenPerson(ctx, id)
	if err != nil {
		return PersonDetail{}, err
	}
	defer person.Close()
	rows, err := s.personRows(ctx, []models.Subject{person.Subject})
	if err != nil {
		return PersonDetail{}, Wrap("read person", err)
	}
	d := PersonDetail{PersonRow: rows[0]}
	memories, err := s.db.MemoriesOf(ctx, id, allStatuses, nil, 1000)
	if err != nil {
		return d, Wrap("read person", err)
	}
	for _, m := range memories {
		if !s.policy.Can(p, m.Category, policy.ActMemoryRead) {
			d.Hidden++
			continue
		}
		d.Memories = append(d.Memories, s.sealedMemory(p, m))
	}
	attributes, err := s.db.AttributesOf(ctx, id, allStatuses)
	if err != nil {
		return d, Wrap("read person", err)
	}
	for _, a := range attributes {
		name, err := person.Open(a.TableName(), "name", a.ID, a.Name)
		if err != nil {
			return d, Wrap("read person", err)
		}
		if !s.policy.CanAttr(p, string(name), a.Category, policy.ActAttributeRead) {
			d.Hidden++
			continue
		}
		d.Attributes = append(d.Attributes, SealedAttribute{
			ID: ID{id, a.ID}.Public(PrefixAttribute), Name: string(name), Category: a.Category, Source: a.Source, Status: a.Status,
			Confidence: a.Confidence, UpdatedAt: a.UpdatedAt.Time(), ExpireAt: a.ExpireAt.MaybeTime(), Version: a.ValueVersion,
			Revealable: s.policy.CanAttr(p, string(name), a.Category, policy.ActAttributeReveal),
		})
	}
	return d, nil
}

func (s *Service) sealedMemory(p policy.Principal, m models.Memory) SealedMemory {
	row := SealedMemory{
		ID: ID{m.SubjectID, m.ID}.Public(PrefixMemory), Kind: m.Kind, Layer: m.Layer, Category: m.Category, Source: m.Source, Status: m.Status,
		Confidence: m.Confidence, Importance: m.Importance, OccurredAt: m.OccurredAt.Time(), CreatedAt: m.CreatedAt.Time(),
		UpdatedAt: m.UpdatedAt.Time(), ExpireAt: m.ExpireAt.MaybeTime(), Version: m.Version,
		Revealable: s.policy.Can(p, m.Category, policy.ActMemoryReveal),
	}
	if m.Supersedes != nil {
		row.Supersedes = ID{m.SubjectID, *m.Supersedes}.Public(PrefixMemory)
	}
	if m.SupersededBy != nil {
		row.ReplacedBy = ID{m.SubjectID, *m.SupersededBy}.Public(PrefixMemory)
	}
	return row
}

// MemoryMeta is a memory as staff see it before they open it, with its versions,
// the newest first.
func (s *Service) MemoryMeta(ctx context.Context, id string) (person string, versions []SealedMemory, err error) {
	ctx, p, err := s.staff(ctx, policy.AreaPeople, policy.ActPeopleRead)
	if err != nil {
		return "", nil, err
	}
	parsed, err := ParseID(PrefixMemory, id)
	if err != nil {
		return "", nil, err
	}
	subject, err := s.db.Subject(ctx, parsed.Subject)
	if err != nil {
		return "", nil, Wrap("read memory", err)
	}
	chain, err := s.db.MemoryChain(ctx, parsed.Subject, parsed.Row)
	if err != nil {
		return "", nil, Wrap("read memory", err)
	}
	for _, m := range chain {
		if s.policy.Can(p, m.Category, policy.ActMemoryRead) {
			versions = append(versions, s.sealedMemory(p, m))
		}
	}
	if len(versions) == 0 || subject.Status != models.SubjectActive {
		return "", nil, NotFound()
	}
	return parsed.Subject.String(), versions, nil
}
