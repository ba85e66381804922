// Package keystest is the conformance suite of key stores.
package keystest

import (
	"crypto/ed25519"
	"errors"
	"sync"
	"testing"

	"github.com/google/uuid"

	"fornix/keys"
)

// Run runs the suite; open gives a fresh store each time.
func Run(t *testing.T, open func(t *testing.T) keys.Store) {
	ref := func(epoch uint32) keys.SubjectRef {
		return keys.SubjectRef{Tenant: "alpha", Subject: uuid.Must(uuid.NewV7()), Epoch: epoch}
	}
	entry := func(r keys.SubjectRef) keys.Entry {
		return keys.Entry{Tenant: r.Tenant, Pseudonym: "sub_" + r.Subject.String(), Epoch: r.Epoch, Scope: keys.ScopeAll}
	}
	must := func(t *testing.T, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Run("a secret is made once and read back the same", func(t *testing.T) {
		s, r := open(t), ref(1)
		must(t, s.CreateSubject(t.Context(), r))
		if err := s.CreateSubject(t.Context(), r); !errors.Is(err, keys.ErrExists) {
			t.Errorf("second create: %v", err)
		}
		a, err := s.SubjectSecret(t.Context(), r)
		must(t, err)
		b, err := s.SubjectSecret(t.Context(), r)
		must(t, err)
		if len(a) != 32 || string(a) != string(b) {
			t.Errorf("secrets of %d and %d bytes differ", len(a), len(b))
		}
		other := r
		other.Epoch = 2
		must(t, s.CreateSubject(t.Context(), other))
		if c, err := s.SubjectSecret(t.Context(), other); err != nil || string(c) == string(a) {
			t.Errorf("another epoch has the same secret (%v)", err)
		}
	})
	t.Run("absence is a fault, never an erasure", func(t *testing.T) {
		s, r := open(t), ref(1)
		if _, err := s.SubjectSecret(t.Context(), r); !errors.Is(err, keys.ErrMissing) || errors.Is(err, keys.ErrErased) {
			t.Errorf("unknown: %v", err)
		}
		if _, err := s.AppendLedger(t.Context(), entry(r)); err != nil {
			t.Fatal(err)
		}
		if _, err := s.SubjectSecret(t.Context(), r); !errors.Is(err, keys.ErrMissing) {
			t.Errorf("ledger entry alone: %v", err)
		}
		if gone, err := s.Destroyed(t.Context(), r); err != nil || gone {
			t.Errorf("destroyed = %t, %v", gone, err)
		}
	})
	t.Run("destruction needs the ledger and is for good", func(t *testing.T) {
		s, r := open(t), ref(3)
		e := entry(r)
		must(t, s.CreateSubject(t.Context(), r))
		if err := s.DestroySubject(t.Context(), r, e.Pseudonym); !errors.Is(err, keys.ErrNoLedgerEntry) {
			t.Fatalf("without ledger: %v", err)
		}
		wrong := e
		wrong.Epoch = 2
		_, err := s.AppendLedger(t.Context(), wrong)
		must(t, err)
		if err := s.DestroySubject(t.Context(), r, e.Pseudonym); !errors.Is(err, keys.ErrNoLedgerEntry) {
			t.Fatalf("with another epoch's entry: %v", err)
		}
		if _, err := s.SubjectSecret(t.Context(), r); err != nil {
			t.Fatalf("a refused destruction hurt the secret: %v", err)
		}
		_, err = s.AppendLedger(t.Context(), e)
		must(t, err)
		for range 2 {
			must(t, s.DestroySubject(t.Context(), r, e.Pseudonym))
		}
		if gone, err := s.Destroyed(t.Context(), r); err != nil || !gone {
			t.Errorf("destroyed = %t, %v", gone, err)
		}
		if _, err := s.SubjectSecret(t.Context(), r); !errors.Is(err, keys.ErrErased) {
			t.Errorf("secret: %v", err)
		}
		if err := s.CreateSubject(t.Context(), r); !errors.Is(err, keys.ErrExists) {
			t.Errorf("made again: %v", err)
		}
	})
	t.Run("a reference that names nobody is refused everywhere", func(t *testing.T) {
		s := open(t)
		for name, r := range map[string]keys.SubjectRef{
			"no tenant":       {Subject: uuid.Must(uuid.NewV7()), Epoch: 1},
			"tenant is a way": {Tenant: "../alpha", Subject: uuid.Must(uuid.NewV7()), Epoch: 1},
			"no subject":      {Tenant: "alpha", Epoch: 1},
			"no epoch":        {Tenant: "alpha", Subject: uuid.Must(uuid.NewV7())},
		} {
			_, read := s.SubjectSecret(t.Context(), r)
			_, destroyed := s.Destroyed(t.Context(), r)
			for what, err := range map[string]error{
				"create": s.CreateSubject(t.Context(), r), "read": read, "destroyed": destroyed,
				"destroy": s.DestroySubject(t.Context(), r, "sub_x"),
			} {
				if !errors.Is(err, keys.ErrInvalid) {
					t.Errorf("%s, %s: %v", name, what, err)
				}
			}
		}
		if _, err := s.WrapTenant(t.Context(), "Alpha/"); !errors.Is(err, keys.ErrInvalid) {
			t.Errorf("wrap: %v", err)
		}
	})
	t.Run("a tenant's secret unwraps for that tenant alone", func(t *testing.T) {
		s := open(t)
		wrapped, err := s.WrapTenant(t.Context(), "alpha")
		must(t, err)
		secret, err := s.UnwrapTenant(t.Context(), "alpha", wrapped)
		if err != nil || len(secret) != 32 {
			t.Fatalf("unwrap: %d bytes, %v", len(secret), err)
		}
		if _, err := s.UnwrapTenant(t.Context(), "beta", wrapped); err == nil {
			t.Error("another tenant unwrapped it")
		}
		wrapped[len(wrapped)-1] ^= 1
		if _, err := s.UnwrapTenant(t.Context(), "alpha", wrapped); err == nil {
			t.Error("changed bytes unwrapped")
		}
	})
	t.Run("the ledger is a signed chain that takes an entry once", func(t *testing.T) {
		s := open(t)
		rows := keys.Entry{Tenant: "alpha", Pseudonym: "sub_x", Epoch: 1, Scope: keys.ScopeRows, Rows: []uuid.UUID{uuid.Must(uuid.NewV7())}}
		for i, e := range []keys.Entry{entry(ref(1)), rows, entry(ref(1))} {
			got, err := s.AppendLedger(t.Context(), e)
			if err != nil || got.Seq != uint64(i)+1 || got.Time.IsZero() || len(got.Sig) == 0 {
				t.Fatalf("append: %+v, %v", got, err)
			}
			again, err := s.AppendLedger(t.Context(), e)
			if err != nil || again.Seq != got.Seq {
				t.Fatalf("append again: %d, %v", again.Seq, err)
			}
		}
		for _, bad := range []keys.Entry{
			{Pseudonym: "p", Epoch: 1, Scope: keys.ScopeAll}, {Tenant: "t", Pseudonym: "p", Scope: keys.ScopeAll},
			{Tenant: "t", Pseudonym: "p", Epoch: 1, Scope: keys.ScopeRows}, {Tenant: "t", Pseudonym: "p", Epoch: 1, Scope: "some"},
		} {
			if _, err := s.AppendLedger(t.Context(), bad); err == nil {
				t.Errorf("accepted %+v", bad)
			}
		}
		var seqs []uint64
		for e, err := range s.Ledger(t.Context(), 2) {
			must(t, err)
			seqs = append(seqs, e.Seq)
		}
		if head, err := s.LedgerHead(t.Context()); err != nil || head != 3 || len(seqs) != 2 || seqs[0] != 2 {
			t.Errorf("head %d, entries from 2: %v, %v", head, seqs, err)
		}
	})
	t.Run("signatures verify with the public key", func(t *testing.T) {
		s := open(t)
		key, err := s.PublicKey(t.Context())
		must(t, err)
		sig, err := s.Sign(t.Context(), []byte("message"))
		if err != nil || !ed25519.Verify(key, []byte("message"), sig) || ed25519.Verify(key, []byte("messagf"), sig) {
			t.Errorf("sign: %v", err)
		}
		must(t, s.Check(t.Context()))
	})
	t.Run("of many creators one wins", func(t *testing.T) {
		s, r := open(t), ref(1)
		var (
			wg   sync.WaitGroup
			mu   sync.Mutex
			wins int
		)
		for range 8 {
			wg.Go(func() {
				err := s.CreateSubject(t.Context(), r)
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					wins++
				} else if !errors.Is(err, keys.ErrExists) {
					t.Errorf("create: %v", err)
				}
			})
		}
		wg.Wait()
		if wins != 1 {
			t.Errorf("%d creators won", wins)
		}
	})
}
