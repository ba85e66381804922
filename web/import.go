package web

import (
	"context"
	"errors"
	"fmt"
	"os"

	"fornix/memory"
	"fornix/models"
	"fornix/policy"
	"fornix/web/importer"
)

// importAgent is who stands in the log for what was imported; it may write turns
// and nothing else.
const importAgent = "import"

// ImportInput says what to take in, and for which tenant.
type ImportInput struct {
	Tenant, Format string
	Files          []string
}

// ImportReport says what an import came to.
type ImportReport struct {
	Sent          int // turns in the files
	New           int // turns that weren't there before
	Before, After models.Counts
}

// String is the report in one line.
func (r ImportReport) String() string {
	return fmt.Sprintf("imported: %d turns read, %d new; people %d (+%d), memories %d (+%d), turns %d (+%d)", r.Sent, r.New,
		r.After.People, r.After.People-r.Before.People, r.After.Memories, r.After.Memories-r.Before.Memories, r.After.Turns, r.After.Turns-r.Before.Turns)
}

// Import takes in conversations by the same way as POST /messages and waits until
// the queue has made memories of them. A fault stops it; what was accepted stays,
// and running it again adds what is missing.
func Import(ctx context.Context, cfg Config, in ImportInput) (report ImportReport, err error) {
	d, err := openFolder(ctx, cfg, false)
	if err != nil {
		return report, err
	}
	s, err := newServices(ctx, cfg, d)
	if err != nil {
		return report, errors.Join(explain(cfg, err), d.close())
	}
	defer func() { err = errors.Join(err, s.close()) }()
	ctx = memory.AsSystem(ctx, in.Tenant, "import")
	if _, err := s.db.Tenant(ctx, in.Tenant); errors.Is(err, models.ErrNotFound) {
		return report, startError(err, "there is no tenant %q: run `fornix migrate --tenant %s`", in.Tenant, in.Tenant)
	}
	if err := s.start(ctx); err != nil {
		return report, err
	}
	agent, err := s.importer(ctx)
	if err != nil {
		return report, fmt.Errorf("web: import: %w", err)
	}
	if report.Before, err = s.db.Count(ctx); err != nil {
		return report, fmt.Errorf("web: import: %w", err)
	}
	for _, file := range in.Files {
		if err := s.importFile(asAgent(ctx, agent), in.Format, file, &report); err != nil {
			return report, fmt.Errorf("web: import: %w", err)
		}
	}
	if err := s.queue.Drain(ctx); err != nil {
		return report, fmt.Errorf("web: import: %w", err)
	}
	report.After, err = s.db.Count(ctx)
	return report, err
}

func (s *services) importFile(ctx context.Context, format, file string, report *ImportReport) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	for in, err := range importer.Read(format, f) {
		if err != nil {
			return err
		}
		accepted, err := s.memory.Messages(ctx, in)
		if err != nil {
			return fmt.Errorf("after %d turns: %w", report.Sent, err)
		}
		report.Sent += len(in.Messages)
		report.New += accepted.Accepted
	}
	return nil
}

// importer returns the agent of imports, and registers it on first use. Nobody
// knows its key.
func (s *services) importer(ctx context.Context) (policy.Principal, error) {
	row, err := s.db.AgentByName(ctx, importAgent)
	if errors.Is(err, models.ErrNotFound) {
		access := policy.Access{Categories: []string{policy.CatTurns}, Actions: []string{policy.ActTurnWrite}}
		if _, err := s.memory.CreateAgent(ctx, importAgent, importAgent, access); err != nil {
			return policy.Principal{}, err
		}
		row, err = s.db.AgentByName(ctx, importAgent)
	}
	if err != nil {
		return policy.Principal{}, err
	}
	return policy.Principal{Kind: policy.KindAgent, ID: row.ID.String(), Tenant: string(row.TenantID), Module: row.Module, Name: row.Name}, nil
}
