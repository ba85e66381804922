package handlers

import (
	"context"
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"

	"fornix/memory"
	"fornix/policy"
	"fornix/views"
	"fornix/views/i18n"
)

// PeopleReader lists people and what is kept of them, sealed.
type PeopleReader interface {
	People(ctx context.Context, q, cursor string) (memory.PeoplePage, error)
	PersonDetail(ctx context.Context, subject string) (memory.PersonDetail, error)
	// MemoryMeta reads a memory's versions, the newest first, and whose it is.
	MemoryMeta(ctx context.Context, id string) (person string, versions []memory.SealedMemory, err error)
}

// People answers /admin/people, /admin/people/{id} and /admin/memories/{id}.
// Dictionary gives the names of attributes; it may be nil.
type People struct {
	*Pages
	Memory     PeopleReader
	Dictionary EntryReader
}

const peoplePath = "/admin/people"

func personPath(id string) string { return peoplePath + "/" + url.PathEscape(id) }

// List answers GET /admin/people?q=&cursor=.
func (h *People) List(c *gin.Context) error {
	query, err := pageQuery(c, "q", "cursor")
	if err != nil {
		return err
	}
	found, err := h.Memory.People(c.Request.Context(), query["q"], query["cursor"])
	if err != nil {
		return err
	}
	page := views.ConsolePeoplePage{Query: query["q"]}
	for _, p := range found.Rows {
		page.Rows = append(page.Rows, toPersonRow(p))
	}
	page.Next, page.First = pager(peoplePath, query["cursor"], found.Next)
	// The external id that was sought stays out of the language switch's address.
	if page.Chrome, err = h.console(c, peoplePath); err != nil {
		return err
	}
	return render(c, http.StatusOK, views.ConsolePeople(page))
}

func toPersonRow(p memory.PersonRow) views.ConsolePersonRow {
	return views.ConsolePersonRow{
		ID: p.ID, Pseudonym: p.Pseudonym, Status: p.Status, Attributes: int(p.Attributes), Memories: int(p.Memories), Turns: int(p.Turns), Since: p.Since,
	}
}

// Show answers GET /admin/people/{id}.
func (h *People) Show(c *gin.Context) error {
	id, err := pathText(c, "id")
	if err != nil {
		return err
	}
	ctx := c.Request.Context()
	detail, err := h.Memory.PersonDetail(ctx, id)
	if err != nil {
		return err
	}
	labels, err := labelsFor(ctx, h.Dictionary)
	if err != nil {
		return err
	}
	page := views.ConsolePersonPage{
		Person: toPersonRow(detail.PersonRow), Attributes: toSealedAttributes(detail.Attributes, labels), Memories: toSealedMemories(detail.Memories),
		MayWipe: h.may(c, policy.AreaPeople, policy.ActSubjectWipe),
	}
	if page.Chrome, err = h.console(c, personPath(id)); err != nil {
		return err
	}
	return render(c, http.StatusOK, views.ConsolePerson(page))
}

// labelsFor reads the dictionary's names in the page's language. Who may not read
// the dictionary sees keys.
func labelsFor(ctx context.Context, dictionary EntryReader) (map[string]string, error) {
	if dictionary == nil {
		return nil, nil
	}
	entries, err := dictionary.Entries(ctx)
	if memory.CodeOf(err) == memory.CodeForbidden {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	labels := map[string]string{}
	for _, e := range entries {
		labels[e.Key] = e.LabelEn
		if i18n.From(ctx) == i18n.ZhHans {
			labels[e.Key] = e.LabelZh
		}
	}
	return labels, nil
}

// toSealedAttributes puts the versions of a field under the one that holds: the
// active one, else the newest.
func toSealedAttributes(rows []memory.SealedAttribute, labels map[string]string) []views.ConsoleAttributeRow {
	byName := map[string][]memory.SealedAttribute{}
	var names []string
	for _, a := range rows {
		if len(byName[a.Name]) == 0 {
			names = append(names, a.Name)
		}
		byName[a.Name] = append(byName[a.Name], a)
	}
	var out []views.ConsoleAttributeRow
	for _, name := range names {
		versions := byName[name]
		head := 0
		for i, a := range versions {
			now := versions[head]
			if active, was := a.Status == "active", now.Status == "active"; active != was && active || active == was && a.Version > now.Version {
				head = i
			}
		}
		a := versions[head]
		row := views.ConsoleAttributeRow{
			ID: a.ID, Key: a.Name, Label: labels[a.Name], Category: a.Category, Source: a.Source, Status: a.Status, Confidence: a.Confidence,
			Updated: a.UpdatedAt, Until: timeOf(a.ExpireAt), Version: int(a.Version), MayReveal: a.Revealable,
		}
		for i, past := range versions {
			if i != head {
				row.Past = append(row.Past, views.ConsolePastRow{Status: past.Status, Source: past.Source, Version: int(past.Version), Since: past.UpdatedAt})
			}
		}
		out = append(out, row)
	}
	return out
}

// toSealedMemories puts what was superseded under what replaced it. A memory whose
// successor isn't listed stands for itself.
func toSealedMemories(rows []memory.SealedMemory) []views.ConsoleMemoryRow {
	byID := map[string]memory.SealedMemory{}
	for _, m := range rows {
		byID[m.ID] = m
	}
	var out []views.ConsoleMemoryRow
	for _, m := range rows {
		if _, replaced := byID[m.ReplacedBy]; replaced {
			continue
		}
		row := toMemoryRow(m)
		past, ok := byID[m.Supersedes]
		for range rows { // a chain has no more links than there are rows
			if !ok {
				break
			}
			row.Past = append(row.Past, views.ConsolePastRow{
				Status: past.Status, Source: past.Source, Version: int(past.Version), Since: past.CreatedAt, Href: memoryPath(past.ID),
			})
			past, ok = byID[past.Supersedes]
		}
		out = append(out, row)
	}
	return out
}

func memoryPath(id string) string { return "/admin/memories/" + url.PathEscape(id) }

func toMemoryRow(m memory.SealedMemory) views.ConsoleMemoryRow {
	return views.ConsoleMemoryRow{
		ID: m.ID, Kind: m.Kind, Category: m.Category, Source: m.Source, Status: m.Status, Confidence: m.Confidence, Updated: m.UpdatedAt,
		Until: timeOf(m.ExpireAt), Version: int(m.Version), MayReveal: m.Revealable,
	}
}

// ShowMemory answers GET /admin/memories/{id}.
func (h *People) ShowMemory(c *gin.Context) error {
	id, err := pathText(c, "id")
	if err != nil {
		return err
	}
	ctx := c.Request.Context()
	person, versions, err := h.Memory.MemoryMeta(ctx, id)
	if err != nil {
		return err
	}
	detail, err := h.Memory.PersonDetail(ctx, person)
	if err != nil {
		return err
	}
	page, ok := toMemoryPage(id, versions)
	if !ok {
		return memory.NotFound()
	}
	page.Person, page.Pseudonym = person, detail.Pseudonym
	if page.Chrome, err = h.console(c, memoryPath(id)); err != nil {
		return err
	}
	return render(c, http.StatusOK, views.ConsoleMemory(page))
}

// toMemoryPage shows one version among all; false when it isn't among them.
func toMemoryPage(id string, versions []memory.SealedMemory) (page views.ConsoleMemoryPage, ok bool) {
	for _, m := range versions {
		current := m.ID == id
		if current {
			ok = true
			page.Memory, page.Layer, page.Importance = toMemoryRow(m), m.Layer, m.Importance
			page.Occurred, page.Created = m.OccurredAt, m.CreatedAt
		}
		page.Chain = append(page.Chain, views.ConsoleVersionRow{
			ID: m.ID, Status: m.Status, Source: m.Source, Version: int(m.Version), Since: m.CreatedAt, Current: current,
		})
	}
	return page, ok
}
