package keys

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
)

// gate is a store that counts reads of secrets and can hold one subject's back.
type gate struct {
	Store
	reads   atomic.Int64
	held    SubjectRef
	arrived chan struct{}
	release chan struct{}
}

func (g *gate) SubjectSecret(ctx context.Context, ref SubjectRef) ([]byte, error) {
	g.reads.Add(1)
	secret, err := g.Store.SubjectSecret(ctx, ref)
	if ref == g.held {
		g.arrived <- struct{}{}
		<-g.release
	}
	return secret, err
}

func newGate(t *testing.T, size int) (*Sealer, *gate) {
	t.Helper()
	store, err := CreateFile(filepath.Join(t.TempDir(), "keys"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	g := &gate{Store: store, arrived: make(chan struct{}, 64), release: make(chan struct{})}
	s := NewSealer(g, Options{CacheSize: size})
	if _, err := s.NewTenant(t.Context(), "alpha"); err != nil {
		t.Fatal(err)
	}
	return s, g
}

func newPerson(t *testing.T, s *Sealer) SubjectRef {
	t.Helper()
	ref := SubjectRef{Tenant: "alpha", Subject: uuid.Must(uuid.NewV7()), Epoch: 1}
	if err := s.NewSubject(t.Context(), ref); err != nil {
		t.Fatal(err)
	}
	return ref
}

func ringOf(t *testing.T, s *Sealer, ref SubjectRef) *Ring {
	t.Helper()
	r, err := s.Ring(t.Context(), ref)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestSealerCache(t *testing.T) {
	t.Parallel()
	t.Run("a drop reaches a ring that left the cache while it was in use", func(t *testing.T) {
		t.Parallel()
		s, _ := newGate(t, 1)
		ref := newPerson(t, s)
		held := ringOf(t, s, ref)
		cell := Cell{SubjectRef: ref, Table: "t", Column: "c"}
		sealed, err := held.Seal(cell, []byte("x"))
		if err != nil {
			t.Fatal(err)
		}
		ringOf(t, s, newPerson(t, s)).Close() // takes the one place in the cache
		if got, err := held.Open(cell, sealed); err != nil || string(got) != "x" {
			t.Fatalf("an evicted ring in use must work on: %q, %v", got, err)
		}
		s.DropSubject(ref.Tenant, ref.Subject)
		if _, err := held.Open(cell, sealed); !errors.Is(err, ErrDropped) {
			t.Errorf("open after the drop: %v", err)
		}
		held.Close()
	})
	t.Run("an evicted ring is zeroed and forgotten when its last user closes it", func(t *testing.T) {
		t.Parallel()
		s, _ := newGate(t, 1)
		ref := newPerson(t, s)
		first, second := ringOf(t, s, ref), ringOf(t, s, ref)
		ringOf(t, s, newPerson(t, s)).Close()
		first.Close()
		if isZero(first.token) || len(s.lingering) != 1 {
			t.Fatalf("zeroed under its second user, %d linger", len(s.lingering))
		}
		second.Close()
		if !isZero(first.token) || !isZero(first.data.commit) || first.data.aead != nil || len(s.lingering) != 0 {
			t.Errorf("keys are left, %d linger", len(s.lingering))
		}
	})
	t.Run("no more rings are kept than asked for", func(t *testing.T) {
		t.Parallel()
		s, _ := newGate(t, 3)
		for range 10 {
			ringOf(t, s, newPerson(t, s)).Close()
		}
		if s.rings.Len() != 3 || len(s.lingering) != 0 {
			t.Errorf("%d rings kept, %d linger", s.rings.Len(), len(s.lingering))
		}
	})
	t.Run("a slow store is asked once for one person and holds up nobody else", func(t *testing.T) {
		t.Parallel()
		s, g := newGate(t, 8)
		slow, other := newPerson(t, s), newPerson(t, s)
		g.held = slow
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				r, err := s.Ring(context.Background(), slow)
				if err != nil {
					t.Errorf("ring: %v", err)
					return
				}
				r.Close()
			})
		}
		<-g.arrived
		ringOf(t, s, other).Close() // would hang if a lock were held
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := s.Ring(gone, slow); !errors.Is(err, context.Canceled) {
			t.Errorf("a caller who left: %v", err)
		}
		close(g.release)
		wg.Wait()
		if n := g.reads.Load(); n != 2 {
			t.Errorf("%d reads of two secrets", n)
		}
	})
	t.Run("a secret fetched before a wipe never enters the cache after it", func(t *testing.T) {
		t.Parallel()
		s, g := newGate(t, 8)
		ref := newPerson(t, s)
		g.held = ref
		failed := make(chan error)
		go func() {
			_, err := s.Ring(context.Background(), ref)
			failed <- err
		}()
		<-g.arrived // the old secret is in the fetch's hand
		if _, err := g.AppendLedger(t.Context(), Entry{Tenant: ref.Tenant, Pseudonym: "p", Epoch: 1, Scope: ScopeAll}); err != nil {
			t.Fatal(err)
		}
		if err := g.DestroySubject(t.Context(), ref, "p"); err != nil {
			t.Fatal(err)
		}
		s.Drop(ref)
		close(g.release)
		if err := <-failed; !errors.Is(err, ErrErased) {
			t.Errorf("ring: %v", err)
		}
	})
	t.Run("a loaded tenant isn't given another secret", func(t *testing.T) {
		t.Parallel()
		s, _ := newGate(t, 8)
		if _, err := s.NewTenant(t.Context(), "alpha"); !errors.Is(err, ErrExists) {
			t.Errorf("new tenant: %v", err)
		}
	})
	t.Run("a forgotten tenant opens nothing", func(t *testing.T) {
		t.Parallel()
		s, _ := newGate(t, 8)
		ref := newPerson(t, s)
		held := ringOf(t, s, ref)
		defer held.Close()
		s.DropTenant("alpha")
		if _, err := held.Seal(Cell{SubjectRef: ref}, nil); !errors.Is(err, ErrDropped) {
			t.Errorf("held ring: %v", err)
		}
		if _, err := s.Ring(t.Context(), ref); !errors.Is(err, ErrNoTenant) {
			t.Errorf("ring: %v", err)
		}
	})
}

func isZero(b []byte) bool {
	for _, x := range b {
		if x != 0 {
			return false
		}
	}
	return true
}

func FuzzOpen(f *testing.F) {
	ref := SubjectRef{Tenant: "alpha", Subject: uuid.MustParse("01939a00-0000-7000-8000-00000000000a"), Epoch: 1}
	cell := Cell{SubjectRef: ref, Table: "memories", Column: "content"}
	ring, err := newRing(ref, make([]byte, 2*keyLen))
	if err != nil {
		f.Fatal(err)
	}
	// A fixed nonce: fuzzing runs in several processes, which must agree on the blob.
	random = bytes.NewReader(make([]byte, nonceLen))
	good, err := ring.Seal(cell, []byte("only this opens"))
	random = defaultRandom
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good.Bytes())
	f.Add(good.Bytes()[:MinBlob])
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := ParseSealed(raw)
		if err != nil {
			return
		}
		switch plain, err := ring.Open(cell, s); {
		case string(raw) == string(good.blob):
			if err != nil {
				t.Errorf("the real blob: %v", err)
			}
		case !errors.Is(err, ErrOpen) || plain != nil:
			t.Errorf("forged: %q, %v", plain, err)
		}
	})
}
