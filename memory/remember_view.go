package memory

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"fornix/memory/lexical"
	"fornix/models"
	"fornix/policy"
)

func idsOf(hits []lexical.Hit) []uuid.UUID {
	ids := make([]uuid.UUID, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	return ids
}

// openMemory opens a memory's words and labels.
func (s *Service) openMemory(p *Person, row models.Memory) (string, Labels, error) {
	content, err := p.Open(row.TableName(), "content", row.ID, row.Content)
	if err != nil {
		return "", Labels{}, err
	}
	var labels Labels
	err = p.OpenJSON(row.TableName(), "labels", row.ID, row.Labels, &labels)
	return string(content), labels, err
}

// Memory reads one memory, opened, with what it rests on. Agents need the
// category's memory.read; the person reads their own. Staff open a memory with a
// reason instead (Reveal).
func (s *Service) Memory(ctx context.Context, id string) (MemoryView, error) {
	views, err := s.memoryViews(ctx, id, false)
	if err != nil {
		return MemoryView{}, err
	}
	return views[0], nil
}

// History reads a memory with all its versions, the oldest first.
func (s *Service) History(ctx context.Context, id string) ([]MemoryView, error) {
	return s.memoryViews(ctx, id, true)
}

func (s *Service) memoryViews(ctx context.Context, id string, history bool) ([]MemoryView, error) {
	ctx, p, err := s.actor(ctx)
	if err != nil {
		return nil, err
	}
	if p.Kind == policy.KindUser {
		return nil, Forbidden()
	}
	if isShared(id) {
		view, err := s.sharedView(ctx, p, id)
		return []MemoryView{view}, err
	}
	person, row, err := s.findMemory(ctx, p, id)
	if err != nil {
		return nil, err
	}
	defer person.Close()
	rows := []models.Memory{row}
	if history {
		if rows, err = s.db.MemoryChain(ctx, person.SubjectID, row.ID); err != nil {
			return nil, Wrap("read memory", err)
		}
		rows = slices.DeleteFunc(rows, func(m models.Memory) bool { return !s.canSee(p, m) })
		slices.SortFunc(rows, func(a, b models.Memory) int {
			if a.OccurredAt != b.OccurredAt {
				return int(min(1, max(-1, a.OccurredAt-b.OccurredAt)))
			}
			return slices.Compare(a.ID[:], b.ID[:])
		})
	}
	views, err := s.ViewMemories(ctx, person, rows)
	return views, Wrap("read memory", err)
}

// findMemory finds a memory that the actor may see; everything else is not found.
func (s *Service) findMemory(ctx context.Context, p policy.Principal, id string) (*Person, models.Memory, error) {
	parsed, err := ParseID(PrefixMemory, id)
	if err != nil {
		return nil, models.Memory{}, err
	}
	if p.Kind == policy.KindSubject && p.Subject != parsed.Subject.String() {
		return nil, models.Memory{}, NotFound()
	}
	row, err := s.db.MemoryRow(ctx, parsed.Subject, parsed.Row)
	if err != nil {
		return nil, row, Wrap("read memory", err)
	}
	if !s.canSee(p, row) {
		return nil, row, NotFound()
	}
	person, err := s.OpenPerson(ctx, parsed.Subject)
	return person, row, err
}

// canSee tells whether the actor may see a memory of a person they may reach. An
// agent doesn't see what waits for a decision, unless it proposed it, nor what
// is past its time.
func (s *Service) canSee(p policy.Principal, row models.Memory) bool {
	switch p.Kind {
	case policy.KindSubject:
		return p.Subject == row.SubjectID.String()
	case policy.KindSystem:
		return true
	case policy.KindUser:
		return s.policy.Can(p, row.Category, policy.ActMemoryRead)
	}
	if !s.policy.Can(p, row.Category, policy.ActMemoryRead) {
		return false
	}
	if s.expired(row) {
		return false
	}
	if row.Status == models.StatusPending || row.Status == models.StatusRejected {
		own := agentID(p)
		return own != nil && row.AgentID != nil && *own == *row.AgentID
	}
	return true
}

// ViewMemories opens memories of a person for a reader who may see them.
func (s *Service) ViewMemories(ctx context.Context, p *Person, rows []models.Memory) ([]MemoryView, error) {
	ids := make([]uuid.UUID, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	evidence, err := s.db.EvidenceOf(ctx, p.SubjectID, ids)
	if err != nil {
		return nil, err
	}
	views := make([]MemoryView, 0, len(rows))
	for _, row := range rows {
		view, err := s.viewMemory(p, row)
		if err != nil {
			return nil, err
		}
		for _, e := range evidence {
			if e.MemoryID != row.ID {
				continue
			}
			item := Evidence{Source: e.Source, At: e.CreatedAt.Time()}
			if e.Quote != nil {
				quote, err := p.Open(e.TableName(), "quote", e.ID, *e.Quote)
				if err != nil {
					return nil, err
				}
				item.Quote = string(quote)
			}
			if e.TurnID != nil {
				item.TurnID = ID{p.SubjectID, *e.TurnID}.Public(PrefixTurn)
			}
			view.Evidence = append(view.Evidence, item)
		}
		views = append(views, view)
	}
	return views, nil
}

func (s *Service) viewMemory(p *Person, row models.Memory) (MemoryView, error) {
	content, labels, err := s.openMemory(p, row)
	if err != nil {
		return MemoryView{}, err
	}
	link := func(id *uuid.UUID) string {
		if id == nil {
			return ""
		}
		return ID{p.SubjectID, *id}.Public(PrefixMemory)
	}
	tags := labels.Tags
	if tags == nil {
		tags = []string{}
	}
	return MemoryView{
		MemoryID: link(&row.ID), Content: content, Namespace: row.Namespace, Kind: row.Kind, Layer: row.Layer, Category: row.Category,
		Source: row.Source, Status: row.Status, Topic: labels.Topic, Slot: labels.Slot, Tags: tags,
		Confidence: row.Confidence, Importance: row.Importance, OccurredAt: row.OccurredAt.Time(), CreatedAt: row.CreatedAt.Time(),
		UpdatedAt: row.UpdatedAt.Time(), ExpireAt: row.ExpireAt.MaybeTime(), Version: row.Version,
		Supersedes: link(row.Supersedes), ReplacedBy: link(row.SupersededBy), Evidence: []Evidence{},
	}, nil
}
