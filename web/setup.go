package web

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"regexp"

	"fornix/memory"
	"fornix/migrations"
	"fornix/policy"
	"fornix/web/account"
)

// Setup says what Migrate adds beside bringing the schema up to date.
type Setup struct {
	Tenant, Name, Locale, Admin string
}

// SetUp is what Migrate made. SignIn is the first admin's sign-in link.
type SetUp struct{ Tenant, SignIn string }

var tenantForm = regexp.MustCompile(`^[a-z0-9-]{1,40}$`)

// Migrate makes an installation where there is none, brings its schema up to date,
// and adds a tenant and its first admin where they are named and missing.
func Migrate(ctx context.Context, cfg Config, in Setup) (done SetUp, err error) {
	switch {
	case in.Tenant != "" && !tenantForm.MatchString(in.Tenant):
		return done, startError(nil, "--tenant must be 1 to 40 of a-z, 0-9 and hyphens")
	case in.Tenant == "" && in.Admin != "":
		return done, startError(nil, "--admin needs --tenant")
	}
	d, err := openFolder(ctx, cfg, true)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	if in.Tenant == "" {
		return done, nil
	}
	done.Tenant = in.Tenant
	if err := addTenant(ctx, d, in.Tenant, or(in.Name, in.Tenant), or(in.Locale, "en")); err != nil || in.Admin == "" {
		return done, err
	}
	s, err := newServices(ctx, cfg, d)
	if err != nil {
		return done, err
	}
	who := account.NewUser{Email: in.Admin, Name: in.Admin, Locale: or(in.Locale, "en")}
	token, err := s.addStaff(memory.AsSystem(ctx, in.Tenant, "setup"), who, policy.RoleAdmin)
	if err != nil {
		return done, err
	}
	done.SignIn = linkURL(or(cfg.PublicURL, "http://"+cfg.Listen), token)
	return done, nil
}

// addStaff makes an account with roles where it is missing, and returns a sign-in
// link in either case.
func (s *services) addStaff(ctx context.Context, u account.NewUser, roles ...string) (token string, err error) {
	id, err := s.accounts.FindUser(ctx, u.Email)
	if memory.CodeOf(memory.Wrap("", err)) == memory.CodeNotFound {
		if id, err = s.accounts.Add(ctx, u); err == nil {
			p, _ := policy.From(ctx)
			change := policy.Change{Reason: "account made"}
			for _, role := range roles {
				change.Add = append(change.Add, policy.AssignRole(p.Tenant, id.String(), role))
			}
			err = s.policy.Apply(ctx, change)
		}
	}
	if err != nil {
		return "", fmt.Errorf("web: add staff: %w", err)
	}
	return s.accounts.NewLink(ctx, id)
}

func linkURL(base, token string) string {
	return base + "/signin/link?token=" + url.QueryEscape(token)
}

// PublicKey returns the key that receipts and the ledger are signed with, in
// base64.
func PublicKey(ctx context.Context, cfg Config) (text string, err error) {
	d, err := openFolder(ctx, cfg, false)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	key, err := d.store.PublicKey(ctx)
	if err != nil {
		return "", fmt.Errorf("web: public key: %w", err)
	}
	return "ed25519 " + base64.StdEncoding.EncodeToString(key), nil
}

// Doctor looks at the installation and says what it found, a line each; its error
// is the first fault, as a line that says what to do.
func Doctor(ctx context.Context, cfg Config) (findings []string, err error) {
	d, err := openFolder(ctx, cfg, false)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	if err := d.store.Check(ctx); err != nil {
		return findings, explain(cfg, err)
	}
	findings = append(findings, "ok key store opens (file store: not for production)")
	for _, err := range d.store.Ledger(ctx, 1) {
		if err != nil {
			return findings, explain(cfg, err)
		}
	}
	head, err := d.store.LedgerHead(ctx)
	if err != nil {
		return findings, explain(cfg, err)
	}
	findings = append(findings, fmt.Sprintf("ok erasure ledger: %d entries, chain and signatures hold", head))
	pending, err := migrations.Pending(ctx, migrations.SQLite, d.db.Writer())
	if err != nil || pending {
		return findings, startError(err, "the schema is older than the program: run `fornix migrate`")
	}
	tenants, err := d.db.Tenants(ctx)
	if err != nil {
		return findings, explain(cfg, err)
	}
	findings = append(findings, fmt.Sprintf("ok database: schema is up to date, %d tenants open with this key store", len(tenants)))
	open, err := d.db.OpenJobs(ctx)
	if err != nil {
		return findings, explain(cfg, err)
	}
	return append(findings, fmt.Sprintf("ok job queue: %d jobs wait", open)), nil
}
