package memory

import (
	"context"
	"encoding/json"
	"sort"
	"time"

	"github.com/google/uuid"

	"fornix/models"
	"fornix/policy"
)

// Mine is what is remembered about the person who is signed in.
type Mine struct {
	Attributes []MyAttribute
	Memories   []MyMemory
	Turns      int64
	Restricted bool
	Next       string
}

// MyAttribute is a profile field as its person sees it.
type MyAttribute struct {
	Key              string
	LabelZh, LabelEn string // of the dictionary; the key when it has none
	Value            json.RawMessage
	Source           string
	Reason           string
	Confidence       float64
	VisibleTo        []string
	ExpireAt         *time.Time
	UpdatedAt        time.Time
	Version          int64
}

// MyMemory is a memory as its person sees it. Pending says that nobody approved
// it yet, so no agent is told.
type MyMemory struct {
	MemoryView
	Pending   bool
	VisibleTo []string
}

// Me returns the person who is signed in, opened. Close it.
func (s *Service) Me(ctx context.Context) (context.Context, *Person, error) {
	ctx, p, err := s.actor(ctx)
	if err != nil {
		return ctx, nil, err
	}
	id, err := uuid.Parse(p.Subject)
	if p.Kind != policy.KindSubject || err != nil {
		return ctx, nil, Forbidden()
	}
	person, err := s.OpenPerson(ctx, id)
	return ctx, person, err
}

// Mine lists what is remembered about the person who is signed in.
func (s *Service) Mine(ctx context.Context, cursor string) (Mine, error) {
	ctx, person, err := s.Me(ctx)
	if err != nil {
		return Mine{}, err
	}
	defer person.Close()
	before, err := parseCursor(cursor)
	if err != nil {
		return Mine{}, err
	}
	rows, err := s.db.MemoriesOf(ctx, person.SubjectID, []string{models.StatusActive, models.StatusPending, models.StatusArchived}, before, peoplePage+1)
	if err != nil {
		return Mine{}, Wrap("read mine", err)
	}
	var mine Mine
	if len(rows) > peoplePage {
		rows = rows[:peoplePage]
		mine.Next = rows[peoplePage-1].ID.String()
	}
	views, err := s.ViewMemories(ctx, person, rows)
	if err != nil {
		return Mine{}, Wrap("read mine", err)
	}
	for _, v := range views {
		mine.Memories = append(mine.Memories, MyMemory{
			MemoryView: v, Pending: v.Status == models.StatusPending, VisibleTo: s.visibleTo(string(person.TenantID), v.Category, "", v.Status),
		})
	}
	if before == nil {
		if mine.Attributes, err = s.myAttributes(ctx, person); err != nil {
			return Mine{}, Wrap("read mine", err)
		}
	}
	mine.Turns, err = s.db.CountTurns(ctx, person.SubjectID)
	return mine, Wrap("read mine", err)
}

// MyMemory reads one memory of the person who is signed in.
func (s *Service) MyMemory(ctx context.Context, id string) (MemoryView, error) {
	ctx, person, err := s.Me(ctx)
	if err != nil {
		return MemoryView{}, err
	}
	person.Close()
	return s.Memory(ctx, id)
}

// MyAttribute reads one profile field of the person who is signed in.
func (s *Service) MyAttribute(ctx context.Context, key string) (MyAttribute, error) {
	ctx, person, err := s.Me(ctx)
	if err != nil {
		return MyAttribute{}, err
	}
	defer person.Close()
	all, err := s.myAttributes(ctx, person)
	if err != nil {
		return MyAttribute{}, Wrap("read mine", err)
	}
	for _, a := range all {
		if a.Key == key {
			return a, nil
		}
	}
	return MyAttribute{}, NotFound()
}

func (s *Service) myAttributes(ctx context.Context, person *Person) ([]MyAttribute, error) {
	defs, err := s.db.AttributeDefs(ctx)
	if err != nil {
		return nil, err
	}
	labels := map[string]models.AttributeDef{}
	for _, d := range defs {
		labels[d.Key] = d
	}
	rows, err := s.db.AttributesOf(ctx, person.SubjectID, []string{models.StatusActive})
	if err != nil {
		return nil, err
	}
	var out []MyAttribute
	for _, a := range rows {
		name, err := person.Open(a.TableName(), "name", a.ID, a.Name)
		if err != nil {
			return nil, err
		}
		value, err := person.Open(a.TableName(), "value", a.ID, a.Value)
		if err != nil {
			return nil, err
		}
		mine := MyAttribute{
			Key: string(name), LabelZh: string(name), LabelEn: string(name), Value: value, Source: a.Source, Confidence: a.Confidence,
			VisibleTo: s.visibleTo(string(person.TenantID), a.Category, string(name), a.Status),
			ExpireAt:  a.ExpireAt.MaybeTime(), UpdatedAt: a.UpdatedAt.Time(), Version: a.ValueVersion,
		}
		if d, ok := labels[mine.Key]; ok {
			mine.LabelZh, mine.LabelEn = d.LabelZh, d.LabelEn
		}
		if a.Reason != nil {
			reason, err := person.Open(a.TableName(), "reason", a.ID, *a.Reason)
			if err != nil {
				return nil, err
			}
			mine.Reason = string(reason)
		}
		out = append(out, mine)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Key < out[j].Key })
	return out, nil
}

// visibleTo names the agents that the policy lets read it; nobody reads what
// isn't active.
func (s *Service) visibleTo(tenant, category, key, status string) []string {
	if status != models.StatusActive {
		return nil
	}
	var names []string
	seen := map[string]bool{}
	for _, g := range s.policy.WhoCanRead(tenant, category, key) {
		name := g.Holder.Module
		if name == policy.ModuleConsole || seen[name] {
			continue
		}
		seen[name] = true
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// MyTurn is one turn of the person's conversations.
type MyTurn struct {
	ID, Session, Agent, Role, Content string
	At                                time.Time
}

// MyTurns lists the turns kept of the person who is signed in, newest first.
func (s *Service) MyTurns(ctx context.Context, cursor string) (turns []MyTurn, next string, err error) {
	ctx, person, err := s.Me(ctx)
	if err != nil {
		return nil, "", err
	}
	defer person.Close()
	before, err := parseCursor(cursor)
	if err != nil {
		return nil, "", err
	}
	rows, err := s.db.TurnsOf(ctx, person.SubjectID, before, peoplePage+1)
	if err != nil {
		return nil, "", Wrap("read turns", err)
	}
	if len(rows) > peoplePage {
		rows = rows[:peoplePage]
		next = rows[peoplePage-1].ID.String()
	}
	names, err := s.agentNames(ctx)
	if err != nil {
		return nil, "", Wrap("read turns", err)
	}
	for _, r := range rows {
		content, err := person.Open(r.TableName(), "content", r.ID, r.Content)
		if err != nil {
			return nil, "", Wrap("read turns", err)
		}
		turns = append(turns, MyTurn{
			ID: ID{person.SubjectID, r.ID}.Public(PrefixTurn), Session: r.SessionID.String(), Agent: nameOf(names, r.AgentID), Role: r.Role,
			Content: string(content), At: r.OccurredAt.Time(),
		})
	}
	return turns, next, nil
}

// MyAccess is one look at the person's memory, by an agent.
type MyAccess struct {
	At     time.Time
	Who    string
	Staff  bool
	What   string
	Count  int64
	Denied bool
	Reason string
}

// MyAccesses lists who saw what of the person who is signed in, newest first:
// the reads of agents and what staff opened.
func (s *Service) MyAccesses(ctx context.Context, cursor string) (rows []MyAccess, next string, err error) {
	ctx, person, err := s.Me(ctx)
	if err != nil {
		return nil, "", err
	}
	defer person.Close()
	before, err := parseCursor(cursor)
	if err != nil {
		return nil, "", err
	}
	recalls, err := s.db.RecallsOf(ctx, person.SubjectID, before, peoplePage+1)
	if err != nil {
		return nil, "", Wrap("read accesses", err)
	}
	if len(recalls) > peoplePage {
		recalls = recalls[:peoplePage]
		next = recalls[peoplePage-1].ID.String()
	}
	names, err := s.agentNames(ctx)
	if err != nil {
		return nil, "", Wrap("read accesses", err)
	}
	for _, r := range recalls {
		rows = append(rows, MyAccess{At: r.CreatedAt.Time(), Who: nameOf(names, r.AgentID), What: "recall", Count: r.Returned, Denied: r.Decision == "denied"})
	}
	reveals, err := s.reveals(ctx, person, before, next)
	if err != nil {
		return nil, "", Wrap("read accesses", err)
	}
	rows = append(rows, reveals...)
	sort.SliceStable(rows, func(i, j int) bool { return rows[i].At.After(rows[j].At) })
	return rows, next, nil
}

// reveals lists what staff opened in the span of ids of one page of reads; ids
// order by time.
func (s *Service) reveals(ctx context.Context, person *Person, before *uuid.UUID, last string) ([]MyAccess, error) {
	var rows []MyAccess
	for _, action := range []string{policy.ActMemoryReveal, policy.ActAttributeReveal, "subject.reveal", policy.ActAuditReveal} {
		events, err := s.db.Trail(ctx, models.TrailFilter{Action: action, Pseudonym: person.Pseudonym, Before: before, Limit: 200})
		if err != nil {
			return nil, err
		}
		for _, e := range events {
			if last != "" && e.ID.String() < last {
				break // belongs to a later page
			}
			payload, err := s.db.OpenPayload(ctx, e, &person.Subject)
			if err != nil {
				return nil, err
			}
			rows = append(rows, MyAccess{At: e.OccurredAt.Time(), Who: e.ActorRole, Staff: true, What: "reveal", Count: 1, Reason: payload.Reason})
		}
	}
	return rows, nil
}

func (s *Service) agentNames(ctx context.Context) (map[uuid.UUID]string, error) {
	agents, err := s.db.Agents(ctx)
	if err != nil {
		return nil, err
	}
	names := map[uuid.UUID]string{}
	for _, a := range agents {
		names[a.ID] = a.Name
	}
	return names, nil
}

func nameOf(names map[uuid.UUID]string, id *uuid.UUID) string {
	if id == nil {
		return ""
	}
	return names[*id]
}
