package account

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"fornix/audit"
	"fornix/keys"
	"fornix/memory"
	"fornix/migrations"
	"fornix/models"
	"fornix/policy"
)

const tenant, password = "acme", "correct horse battery"

type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

type fixture struct {
	*Service
	ctx   context.Context
	clock *clock
	ada   uuid.UUID // has a password
}

func open(t *testing.T) fixture {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	store, err := keys.CreateFile(filepath.Join(dir, "keys"))
	must(err)
	t.Cleanup(func() { _ = store.Close() })
	c := &clock{now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}
	sealer := keys.NewSealer(store, keys.Options{})
	db, err := models.Open(t.Context(), models.Config{Path: filepath.Join(dir, "fornix.db"), Sealer: sealer, Clock: c.Now})
	must(err)
	t.Cleanup(func() { _ = db.Close() })
	must(migrations.Up(t.Context(), migrations.SQLite, db.Writer()))
	ctx := memory.AsSystem(t.Context(), tenant, "test")
	wrapped, err := sealer.NewTenant(ctx, tenant)
	must(err)
	must(db.InTx(ctx, func(ctx context.Context, tx *models.Tx) error {
		row := models.Tenant{ID: tenant, Name: "Acme", Locale: "en", SecretWrapped: wrapped, CreatedAt: models.At(c.Now()), Version: 1}
		return errors.Join(tx.CreateTenant(ctx, row), tx.Record(ctx, audit.Event{Action: "tenant.create", Object: "tenant:acme"}))
	}))
	must(policy.Seed(ctx, db.Policy(), tenant))
	engine, err := policy.New(ctx, db.Policy(), policy.Options{Now: c.Now})
	must(err)
	s, err := New(Options{DB: db, Sealer: sealer, Policy: engine, Clock: c.Now, SessionTTL: time.Hour})
	must(err)
	ada, err := s.Add(ctx, NewUser{Email: " Ada@Example.com", Name: "Ada", Locale: "en", Password: password})
	must(err)
	must(engine.Apply(ctx, policy.Change{Add: []policy.Rule{policy.AssignRole(tenant, ada.String(), policy.RoleAdmin)}, Reason: "test"}))
	return fixture{Service: s, ctx: ctx, clock: c, ada: ada}
}

func TestSignIn(t *testing.T) {
	t.Parallel()
	f := open(t)
	token, err := f.SignIn(t.Context(), "192.0.2.1", "ada@example.com ", password)
	if err != nil {
		t.Fatal(err)
	}
	session, err := f.Session(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	if p := session.Principal; p.Kind != policy.KindUser || p.ID != f.ada.String() || p.Tenant != tenant || p.Name != "Ada" || len(p.Roles) != 1 || p.Roles[0] != policy.RoleAdmin {
		t.Errorf("principal %+v", p)
	}
	if !session.SteppedUp {
		t.Error("who has just signed in must prove it again")
	}
	f.clock.add(StepUpFor + time.Second)
	if session, _ = f.Session(t.Context(), token); session.SteppedUp {
		t.Error("the proof lasts for ever")
	}
	if err := f.StepUp(t.Context(), "192.0.2.1", session, "wrong"); !errors.Is(err, ErrWrong) {
		t.Errorf("step-up with a wrong password: %v", err)
	}
	if err := f.StepUp(t.Context(), "192.0.2.1", session, password); err != nil {
		t.Fatal(err)
	}
	if session, _ = f.Session(t.Context(), token); !session.SteppedUp {
		t.Error("the step-up isn't kept")
	}
	f.clock.add(time.Hour)
	if _, err := f.Session(t.Context(), token); memory.CodeOf(err) != memory.CodeUnauthenticated {
		t.Errorf("an expired session: %v", err)
	}
}

func TestSignInRefuses(t *testing.T) {
	t.Parallel()
	f := open(t)
	bea, err := f.Add(f.ctx, NewUser{Email: "bea@example.com", Name: "Bea", Locale: "en"})
	if err != nil || bea == uuid.Nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ email, password string }{
		"a wrong password":                 {"ada@example.com", "wrong"},
		"an unknown address":               {"eve@example.com", password},
		"an account without a password":    {"bea@example.com", ""},
		"a password longer than we hash":   {"ada@example.com", strings.Repeat("x", maxPassword+1)},
		"an address longer than any there": {strings.Repeat("a", 400), password},
	} {
		if _, err := f.SignIn(t.Context(), "", c.email, c.password); !errors.Is(err, ErrWrong) {
			t.Errorf("%s: %v", name, err)
		}
	}
	t.Run("more tries are slowed down, of the account and of the address", func(t *testing.T) {
		var wait *WaitError
		for range triesPerAccount {
			_, err = f.SignIn(t.Context(), "", "fay@example.com", "wrong")
		}
		if _, again := f.SignIn(t.Context(), "", "FAY@example.com", password); errors.As(err, &wait) || !errors.As(again, &wait) || wait.Seconds() < 1 {
			t.Errorf("account: %v, then %v", err, again)
		}
		for i := range triesPerAddress + 1 {
			_, err = f.SignIn(t.Context(), "192.0.2.9", strings.Repeat("a", i)+"@example.com", "wrong")
		}
		if !errors.As(err, &wait) {
			t.Errorf("address: %v", err)
		}
		f.clock.add(wait.Wait)
		if _, err = f.SignIn(t.Context(), "192.0.2.9", "gil@example.com", "wrong"); !errors.Is(err, ErrWrong) {
			t.Errorf("after the wait: %v", err)
		}
	})
}

func TestLink(t *testing.T) {
	t.Parallel()
	f := open(t)
	token, err := f.NewLink(f.ctx, f.ada)
	if err != nil || !IsLink(token) {
		t.Fatal(token, err)
	}
	gone := func(err error) bool { return memory.CodeOf(err) == memory.CodeGone }
	t.Run("a look uses nothing up", func(t *testing.T) {
		for range 3 {
			if company, err := f.PeekLink(t.Context(), token); err != nil || company != "Acme" {
				t.Fatal(company, err)
			}
		}
	})
	t.Run("of uses at the same time one wins", func(t *testing.T) {
		var (
			wg       sync.WaitGroup
			mu       sync.Mutex
			sessions []string
		)
		for range 8 {
			wg.Go(func() {
				session, err := f.UseLink(t.Context(), "", token)
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					sessions = append(sessions, session)
				} else if !gone(err) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if len(sessions) != 1 {
			t.Fatalf("%d sessions from one link", len(sessions))
		}
		if s, err := f.Session(t.Context(), sessions[0]); err != nil || s.Principal.ID != f.ada.String() || !s.SteppedUp {
			t.Errorf("%+v, %v", s, err)
		}
	})
	t.Run("a used, expired, forged or foreign one is gone", func(t *testing.T) {
		late, err := f.NewLink(f.ctx, f.ada)
		if err != nil {
			t.Fatal(err)
		}
		f.clock.add(LinkTTL)
		session, _ := newToken(sessionPrefix, tenant)
		forged, _ := newToken(linkPrefix, tenant)
		foreign, _ := newToken(linkPrefix, "other")
		for _, token := range []string{token, late, forged, foreign, session, "", "fl_acme.", late + "x", "fl_acme.\x00"} {
			if _, err := f.UseLink(t.Context(), "", token); !gone(err) {
				t.Errorf("use %q: %v", token, err)
			}
			if _, err := f.PeekLink(t.Context(), token); !gone(err) {
				t.Errorf("peek %q: %v", token, err)
			}
		}
	})
}

func TestSessionEnds(t *testing.T) {
	t.Parallel()
	f := open(t)
	begin := func() string {
		token, err := f.SignIn(t.Context(), "", "ada@example.com", password)
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	ended := func(token string) bool {
		_, err := f.Session(t.Context(), token)
		return memory.CodeOf(err) == memory.CodeUnauthenticated
	}
	one, two := begin(), begin()
	for range 2 { // ending twice changes nothing
		if err := f.SignOut(t.Context(), one); err != nil {
			t.Fatal(err)
		}
	}
	if !ended(one) || ended(two) {
		t.Error("signing out must end this session alone")
	}
	if err := f.SetPassword(f.ctx, f.ada, "another password"); err != nil {
		t.Fatal(err)
	}
	if !ended(two) {
		t.Error("a new password must end the old one's sessions")
	}
	if _, err := f.SignIn(t.Context(), "", "ada@example.com", password); !errors.Is(err, ErrWrong) {
		t.Errorf("the old password: %v", err)
	}
	if err := f.SetPassword(f.ctx, f.ada, "short"); memory.CodeOf(err) != memory.CodeInvalid {
		t.Errorf("a short password: %v", err)
	}
	for _, token := range []string{"", "fs_acme." + strings.Repeat("A", 43), strings.Replace(one, "fs_acme", "fs_other", 1)} {
		if !ended(token) {
			t.Errorf("%q opens a session", token)
		}
	}
}
