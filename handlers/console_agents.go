package handlers

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"fornix/memory"
	"fornix/policy"
	"fornix/views"
)

// AgentReader lists the tenant's agents.
type AgentReader interface {
	Agents(ctx context.Context) ([]memory.AgentView, error)
}

// PolicyReader shows the policy in force.
type PolicyReader interface {
	Overview(tenant string) []policy.Line
	Rules(tenant string) []policy.Rule
	Assignments(tenant string) []policy.Assignment
	Version() uint64
}

// Access answers /admin/agents and /admin/policies.
type Access struct {
	*Pages
	Memory AgentReader
	Policy PolicyReader
}

// Agents answers GET /admin/agents.
func (h *Access) Agents(c *gin.Context) error {
	ctx := c.Request.Context()
	agents, err := h.Memory.Agents(ctx)
	if err != nil {
		return err
	}
	who, _ := policy.From(ctx)
	page := views.ConsoleAgentsPage{Rows: toAgentRows(agents, h.Policy.Overview(who.Tenant))}
	if page.Chrome, err = h.console(c, "/admin/agents"); err != nil {
		return err
	}
	return render(c, http.StatusOK, views.ConsoleAgents(page))
}

// toAgentRows shows what each agent may do in its own module, where it acts.
func toAgentRows(agents []memory.AgentView, lines []policy.Line) []views.ConsoleAgentRow {
	var rows []views.ConsoleAgentRow
	for _, a := range agents {
		row := views.ConsoleAgentRow{Name: a.Name, Module: a.Module, KeyPrefix: a.KeyPrefix, Status: a.Status, Created: a.CreatedAt}
		anywhere := true
		for _, l := range lines {
			if l.Kind != policy.KindAgent || l.Name != a.ID {
				continue
			}
			// The line of every module stands where the module has none of its own.
			if l.Module == a.Module || l.Module == policy.Any && anywhere {
				row.Grants, anywhere = toGrants(l.Cells), l.Module == policy.Any
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func toGrants(cells []policy.Cell) []views.ConsoleGrant {
	var grants []views.ConsoleGrant
	for _, cell := range cells {
		grants = append(grants, views.ConsoleGrant(cell))
	}
	return grants
}

// Policies answers GET /admin/policies.
func (h *Access) Policies(c *gin.Context) error {
	ctx := c.Request.Context()
	names, err := h.agentNames(ctx)
	if err != nil {
		return err
	}
	who, _ := policy.From(ctx)
	page := toPolicies(h.Policy.Overview(who.Tenant), names)
	page.Version = int(h.Policy.Version())
	for _, a := range h.Policy.Assignments(who.Tenant) {
		page.Links = append(page.Links, views.ConsoleLink{Member: a.Subject, Role: a.Role})
	}
	for _, r := range h.Policy.Rules(who.Tenant) {
		if r.Ptype == policy.PtypePolicy {
			page.Rules = append(page.Rules, views.ConsoleRule{Subject: r.Sub, Module: r.Mod, Category: r.Cat, Action: r.Act, Effect: r.Eft})
		}
	}
	if page.Chrome, err = h.console(c, "/admin/policies"); err != nil {
		return err
	}
	return render(c, http.StatusOK, views.ConsolePolicies(page))
}

// agentNames names agents by id; who may not read them sees ids.
func (h *Access) agentNames(ctx context.Context) (map[string]string, error) {
	agents, err := h.Memory.Agents(ctx)
	if memory.CodeOf(err) == memory.CodeForbidden {
		return nil, nil
	}
	names := map[string]string{}
	for _, a := range agents {
		names[a.ID] = a.Name
	}
	return names, err
}

// toPolicies splits the matrix: categories of what is remembered in one table, the
// areas and single attribute keys in the other.
func toPolicies(lines []policy.Line, names map[string]string) views.ConsolePoliciesPage {
	page := views.ConsolePoliciesPage{
		Data: views.ConsoleMatrix{Columns: policy.DataCategories()}, Areas: views.ConsoleMatrix{Columns: policy.Areas()},
	}
	known := map[string]bool{}
	for _, area := range page.Areas.Columns {
		known[area] = true
	}
	for _, l := range lines {
		line := func() views.ConsolePolicyLine {
			return views.ConsolePolicyLine{Kind: string(l.Kind), Name: or(names[l.Name], l.Name), Module: l.Module, Cells: map[string]views.ConsoleGrant{}}
		}
		data, areas := line(), line()
		for _, cell := range l.Cells {
			if policy.IsDataCategory(cell.Category) {
				data.Cells[cell.Category] = views.ConsoleGrant(cell)
				continue
			}
			areas.Cells[cell.Category] = views.ConsoleGrant(cell)
			if !known[cell.Category] {
				known[cell.Category] = true
				page.Areas.Columns = append(page.Areas.Columns, cell.Category)
			}
		}
		if len(data.Cells) > 0 {
			page.Data.Lines = append(page.Data.Lines, data)
		}
		if len(areas.Cells) > 0 {
			page.Areas.Lines = append(page.Areas.Lines, areas)
		}
	}
	return page
}
