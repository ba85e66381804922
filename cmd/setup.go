package cmd

import (
	"errors"

	"fornix/web"
)

type migrateCommand struct {
	Tenant string `help:"Id of a tenant to add: a-z, 0-9 and hyphens." placeholder:"ID"`
	Name   string `help:"The tenant's name, as people read it." placeholder:"NAME"`
	Locale string `help:"The tenant's language: en or zh-Hans." default:"en" enum:"en,zh-Hans"`
	Admin  string `help:"Address of the tenant's first admin, who gets a sign-in link." placeholder:"EMAIL"`
}

func (c migrateCommand) Run(p *program) error {
	done, err := web.Migrate(p.ctx, p.cfg, web.Setup{Tenant: c.Tenant, Name: c.Name, Locale: c.Locale, Admin: c.Admin})
	if err != nil {
		return err
	}
	err = p.printf("migrated: %s\n", p.cfg.Data)
	if done.Tenant != "" {
		err = errors.Join(err, p.printf("tenant: %s\n", done.Tenant))
	}
	if done.SignIn != "" {
		err = errors.Join(err, p.printf("sign-in admin: %s\n", done.SignIn))
	}
	return err
}

type doctorCommand struct{}

func (doctorCommand) Run(p *program) error {
	findings, err := web.Doctor(p.ctx, p.cfg)
	for _, f := range findings {
		if printErr := p.printf("%s\n", f); printErr != nil {
			return printErr
		}
	}
	return err
}

type keysCommand struct{}

func (keysCommand) Run(p *program) error {
	key, err := web.PublicKey(p.ctx, p.cfg)
	if err != nil {
		return err
	}
	return p.printf("%s\n", key)
}

type importCommand struct {
	Format string   `required:"" enum:"memorybank,jsonl" help:"memorybank or jsonl."`
	Tenant string   `required:"" help:"Id of the tenant that the people belong to." placeholder:"ID"`
	Data   string   `help:"The data folder; FORNIX_DATA by default." type:"path" placeholder:"DIR"`
	Files  []string `arg:"" help:"Files to read." type:"existingfile"`
}

func (c importCommand) Run(p *program) error {
	cfg := p.cfg
	if c.Data != "" {
		cfg.Data = c.Data
	}
	report, err := web.Import(p.ctx, cfg, web.ImportInput{Tenant: c.Tenant, Format: c.Format, Files: c.Files})
	if err != nil && report.Sent == 0 {
		return err
	}
	return errors.Join(err, p.printf("%s\n", report))
}
