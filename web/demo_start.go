package web

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fornix/audit"
	"fornix/memory"
	"fornix/models"
	"fornix/policy"
	"fornix/web/account"
	"fornix/web/demo"
)

// demoSeeded is the cursor that is set when the demo's content is complete.
const demoSeeded = "demo_seeded"

// demoPortalLink is how long the printed portal link may wait.
const demoPortalLink = time.Hour

// Welcome is what the demo prints: fresh sign-in links and a call to try.
type Welcome struct {
	URL     string
	Tenants []TenantWelcome // the first is the one that the plain lines are of
}

// TenantWelcome is a tenant's part of it.
type TenantWelcome struct {
	ID, Subject, Query         string
	Admins                     []string
	Compliance, Person         string
	AgentKey                   string
	PasswordEmail, PasswordNow string
}

// Text is the lines to print. Programs read the first tenant's; the others' are
// named by their tenant.
func (w Welcome) Text() string {
	var b strings.Builder
	line := func(format string, args ...any) { _, _ = fmt.Fprintf(&b, format+"\n", args...) }
	line("url: %s", w.URL)
	for i, t := range w.Tenants {
		of := ""
		if i > 0 {
			of = " of " + t.ID
			line("")
		}
		for _, link := range t.Admins {
			line("sign-in admin%s: %s", of, link)
		}
		line("sign-in compliance%s: %s", of, t.Compliance)
		line("sign-in person%s: %s", of, t.Person)
		line("agent key support%s: %s", of, t.AgentKey)
		line("password%s: %s %s", of, t.PasswordEmail, t.PasswordNow)
		if i == 0 {
			line("")
			line("curl -s %s/api/v1/recall -H 'Authorization: Bearer %s' -H 'Content-Type: application/json' -d '{\"subject\":\"%s\",\"query\":\"%s\"}'",
				w.URL, t.AgentKey, t.Subject, t.Query)
		}
	}
	return b.String()
}

// NewDemo is New on a folder that it fills, where it is empty, with the demo's
// invented people. A second start goes on with what is there. It never waits for
// a key store: what is wrong with the folder is a *StartError.
func NewDemo(ctx context.Context, cfg Config) (*App, Welcome, error) {
	content, err := demo.Load()
	if err != nil {
		return nil, Welcome{}, err
	}
	a, err := listen(cfg)
	if err != nil {
		return nil, Welcome{}, err
	}
	welcome, err := a.openDemo(ctx, content)
	if err != nil {
		return nil, Welcome{}, errors.Join(err, a.Close())
	}
	return a, welcome, nil
}

func (a *App) openDemo(ctx context.Context, content demo.Data) (Welcome, error) {
	there, err := holds(a.cfg.databaseFile())
	if err != nil {
		return Welcome{}, explain(a.cfg, err)
	}
	d, err := openFolder(ctx, a.cfg, true)
	if err != nil {
		return Welcome{}, err
	}
	s, err := a.cfg.demoServices(ctx, d, content, !there)
	if err != nil {
		return Welcome{}, errors.Join(explain(a.cfg, err), d.close())
	}
	welcome, err := s.welcome(ctx, content, a.URL())
	if err != nil {
		return Welcome{}, errors.Join(explain(a.cfg, err), d.close())
	}
	return welcome, a.use(ctx, s)
}

// demoServices wires the services, and fills a fresh installation.
func (c Config) demoServices(ctx context.Context, d *data, content demo.Data, fresh bool) (*services, error) {
	if !fresh {
		seeded, err := d.db.Cursor(ctx, demoSeeded)
		if err != nil {
			return nil, err
		}
		if seeded == 0 {
			return nil, startError(nil, "%s isn't a finished demo (its first start was cut short, or it is another installation): remove it to start over, or run `fornix serve`", c.Data)
		}
		return newServices(ctx, c, d)
	}
	for _, t := range content.Tenants {
		if err := addTenant(ctx, d, t.ID, t.Name, t.Locale); err != nil {
			return nil, err
		}
	}
	s, err := newServices(ctx, c, d)
	if err != nil {
		return nil, err
	}
	if err := s.seed(ctx, c, content); err != nil {
		return nil, err
	}
	err = d.db.InTx(memory.AsSystem(ctx, content.Tenants[0].ID, "demo"), func(ctx context.Context, tx *models.Tx) error {
		return tx.SetCursor(ctx, demoSeeded, 1)
	})
	return s, err
}

// welcome makes fresh links, a fresh key of the support agents and a fresh password
// of the first admins, so that none of them has to be kept anywhere.
func (s *services) welcome(ctx context.Context, content demo.Data, url string) (Welcome, error) {
	w := Welcome{URL: url}
	for _, t := range content.Tenants {
		tw, err := s.welcomeTenant(memory.AsSystem(ctx, t.ID, "demo"), t, url)
		if err != nil {
			return w, fmt.Errorf("web: demo: %w", err)
		}
		w.Tenants = append(w.Tenants, tw)
	}
	// The English tenant first: its lines are the plain ones.
	slices.SortStableFunc(w.Tenants, func(a, b TenantWelcome) int { return -strings.Compare(a.ID, b.ID) })
	return w, nil
}

func (s *services) welcomeTenant(ctx context.Context, t demo.Tenant, url string) (TenantWelcome, error) {
	w := TenantWelcome{ID: t.ID, Query: "What size with thick socks?"}
	if t.Locale == "zh-Hans" {
		w.Query = "订飞机餐要备注什么？"
	}
	for _, staff := range t.Staff {
		if !slices.Contains(staff.Roles, policy.RoleAdmin) && !slices.Contains(staff.Roles, policy.RoleCompliance) {
			continue
		}
		id, err := s.accounts.FindUser(ctx, staff.Email)
		if err != nil {
			return w, err
		}
		if w.PasswordEmail == "" {
			w.PasswordEmail, w.PasswordNow = staff.Email, randomPassword()
			if err := s.accounts.SetPassword(ctx, id, w.PasswordNow); err != nil {
				return w, err
			}
		}
		token, err := s.accounts.NewLink(ctx, id)
		if err != nil {
			return w, err
		}
		if slices.Contains(staff.Roles, policy.RoleAdmin) {
			w.Admins = append(w.Admins, linkURL(url, token))
		} else {
			w.Compliance = linkURL(url, token)
		}
	}
	var err error
	if w.AgentKey, err = s.rotateKey(ctx, "support"); err != nil {
		return w, err
	}
	agent, err := s.memory.AgentByKey(ctx, w.AgentKey)
	if err != nil {
		return w, err
	}
	w.Subject, w.Person, err = s.personLink(asAgent(ctx, agent), t, url)
	return w, err
}

// personLink makes a sign-in link for the featured person, or for the next one
// where that one was wiped. Nobody is left when all were.
func (s *services) personLink(ctx context.Context, t demo.Tenant, url string) (subject, link string, err error) {
	for _, p := range append([]demo.Person{t.Featured()}, t.People...) {
		token, _, err := s.memory.CreatePortalLink(ctx, p.ExternalID, p.Locale, demoPortalLink)
		switch memory.CodeOf(err) {
		case memory.CodeNotFound, memory.CodeGone:
			continue
		}
		if err != nil {
			return "", "", err
		}
		return p.ExternalID, linkURL(url, token), nil
	}
	return t.Featured().ExternalID, "(everybody was wiped: remove the data folder to start over)", nil
}

// asAgent returns a context in which the agent acts.
func asAgent(ctx context.Context, p policy.Principal) context.Context {
	return models.WithTenant(policy.With(audit.WithActor(ctx, account.Actor(p)), p), p.Tenant)
}

func randomPassword() string {
	raw := make([]byte, 10)
	_, _ = rand.Read(raw) // never fails: crypto/rand ends the program instead
	return strings.ToLower(base32.StdEncoding.EncodeToString(raw))
}
