package keys_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"fornix/keys"
)

func newSealer(t *testing.T, o keys.Options) *keys.Sealer {
	t.Helper()
	store, _ := newStore(t)
	s := keys.NewSealer(store, o)
	if _, err := s.NewTenant(t.Context(), "alpha"); err != nil {
		t.Fatal(err)
	}
	return s
}

func newRef(t *testing.T, s *keys.Sealer) keys.SubjectRef {
	t.Helper()
	ref := keys.SubjectRef{Tenant: "alpha", Subject: uuid.Must(uuid.NewV7()), Epoch: 1}
	if err := s.NewSubject(t.Context(), ref); err != nil {
		t.Fatal(err)
	}
	return ref
}

func cellOf(ref keys.SubjectRef) keys.Cell {
	return keys.Cell{SubjectRef: ref, Table: "memories", Column: "content", Row: uuid.Must(uuid.NewV7())}
}

func TestSeal(t *testing.T) {
	t.Parallel()
	s := newSealer(t, keys.Options{})
	ref := newRef(t, s)
	cell := cellOf(ref)
	sealed, err := s.Seal(t.Context(), cell, []byte("the canary sings"))
	if err != nil {
		t.Fatal(err)
	}
	t.Run("opens in its own cell", func(t *testing.T) {
		if got, err := s.Open(t.Context(), cell, sealed); err != nil || string(got) != "the canary sings" {
			t.Errorf("open = %q, %v", got, err)
		}
	})
	t.Run("opens in no other cell", func(t *testing.T) {
		twin := newRef(t, s)
		epoch2 := keys.SubjectRef{Tenant: ref.Tenant, Subject: ref.Subject, Epoch: 2}
		if err := s.NewSubject(t.Context(), epoch2); err != nil {
			t.Fatal(err)
		}
		for name, change := range map[string]func(*keys.Cell){
			"row": func(c *keys.Cell) { c.Row = uuid.Must(uuid.NewV7()) }, "column": func(c *keys.Cell) { c.Column = "labels" },
			"table": func(c *keys.Cell) { c.Table = "turns" }, "subject": func(c *keys.Cell) { c.Subject = twin.Subject },
			"epoch":    func(c *keys.Cell) { c.Epoch = 2 },
			"operator": func(c *keys.Cell) { c.SubjectRef = keys.SubjectRef{Tenant: "alpha"} },
			"border":   func(c *keys.Cell) { c.Table, c.Column = "memoriesc", "ontent" },
		} {
			other := cell
			change(&other)
			if got, err := s.Open(t.Context(), other, sealed); !errors.Is(err, keys.ErrOpen) || got != nil {
				t.Errorf("%s: %q, %v", name, got, err)
			}
		}
	})
	t.Run("opens with no byte changed, cut or added", func(t *testing.T) {
		raw := sealed.Bytes()
		for i := range raw {
			bad := append([]byte{}, raw...)
			bad[i] ^= byte(1 + rand.IntN(255))
			parsed, err := keys.ParseSealed(bad)
			if err != nil {
				continue
			}
			if _, err := s.Open(t.Context(), cell, parsed); !errors.Is(err, keys.ErrOpen) {
				t.Errorf("byte %d: %v", i, err)
			}
		}
		for _, bad := range [][]byte{raw[:len(raw)-1], append(append([]byte{}, raw...), 0)} {
			if parsed, err := keys.ParseSealed(bad); err == nil {
				if _, err := s.Open(t.Context(), cell, parsed); !errors.Is(err, keys.ErrOpen) {
					t.Errorf("length %d: %v", len(bad), err)
				}
			}
		}
	})
	t.Run("shows nothing of itself", func(t *testing.T) {
		raw, err := json.Marshal(map[string]any{"v": sealed, "p": &sealed})
		if err != nil {
			t.Fatal(err)
		}
		var log strings.Builder
		slog.New(slog.NewTextHandler(&log, nil)).Info("row", "v", sealed)
		for _, text := range []string{string(raw), log.String(), fmt.Sprintf("%v %+v %#v %s %x %d", sealed, sealed, sealed, sealed, sealed, sealed)} {
			if !strings.Contains(text, "[sealed]") || strings.Contains(text, keys.MagicHex) || strings.Contains(text, "240") {
				t.Errorf("prints as %s", text)
			}
		}
		if err := json.Unmarshal([]byte(`"AAAA"`), new(keys.Sealed)); err == nil {
			t.Error("a sealed value was read from JSON")
		}
	})
	t.Run("what isn't sealed can't be stored or read", func(t *testing.T) {
		if _, err := (keys.Sealed{}).Value(); !errors.Is(err, keys.ErrNotSealed) {
			t.Errorf("value of nothing: %v", err)
		}
		for _, src := range []any{nil, "text", []byte("plaintext"), []byte{}, make([]byte, 100)} {
			if err := new(keys.Sealed).Scan(src); !errors.Is(err, keys.ErrNotSealed) {
				t.Errorf("scan %T: %v", src, err)
			}
		}
		if _, err := (keys.Token{}).Value(); err == nil {
			t.Error("an empty token was stored")
		}
	})
}

func TestPayload(t *testing.T) {
	t.Parallel()
	s := newSealer(t, keys.Options{})
	ring, err := s.Ring(t.Context(), newRef(t, s))
	if err != nil {
		t.Fatal(err)
	}
	defer ring.Close()
	cell := cellOf(ring.Ref())
	sealed, wrapped, commitment, err := keys.SealWithDataKey(ring, cell, []byte("payload"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := keys.OpenWithDataKey(ring, cell, sealed, wrapped, commitment); err != nil || string(got) != "payload" {
		t.Errorf("open = %q, %v", got, err)
	}
	_, _, second, err := keys.SealWithDataKey(ring, cell, []byte("payload"))
	if err != nil || second == commitment {
		t.Errorf("two commitments to one payload are equal (%v)", err)
	}
	if _, err := keys.OpenWithDataKey(ring, cell, sealed, wrapped, second); !errors.Is(err, keys.ErrOpen) {
		t.Errorf("another commitment: %v", err)
	}
	other := cell
	other.Row = uuid.Must(uuid.NewV7())
	if _, err := keys.OpenWithDataKey(ring, other, sealed, wrapped, commitment); !errors.Is(err, keys.ErrOpen) {
		t.Errorf("another row: %v", err)
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	s := newSealer(t, keys.Options{})
	a, err := s.Ring(t.Context(), newRef(t, s))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	b, err := s.Ring(t.Context(), newRef(t, s))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if a.Token("x", []byte("tea")) != a.Token("x", []byte("tea")) || a.Token("x", []byte("tea")) == a.Token("y", []byte("tea")) {
		t.Error("tokens must be equal for one purpose and differ between two")
	}
	if a.Token("x", []byte("tea")) == b.Token("x", []byte("tea")) {
		t.Error("two people have the same token")
	}
	if a.Token("xt", []byte("ea")) == a.Token("x", []byte("tea")) {
		t.Error("purpose and text run together")
	}
	tok := a.Token("x", []byte("tea"))
	raw, err := json.Marshal(map[keys.Token]any{tok: tok})
	if err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprintf("%s %v %x %d %#v", raw, tok, tok, tok, tok); strings.Count(text, "[token]") != 6 || strings.Contains(text, fmt.Sprint(tok[0], " ", tok[1])) {
		t.Errorf("prints as %s", text)
	}
	if err := json.Unmarshal([]byte(`[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]`), new(keys.Token)); err == nil {
		t.Error("a token was read from JSON")
	}
	if _, err := s.IndexToken("nobody", "x", []byte("y")); !errors.Is(err, keys.ErrNoTenant) {
		t.Errorf("unknown tenant: %v", err)
	}
}

func TestCache(t *testing.T) {
	t.Parallel()
	wipe := func(t *testing.T, s *keys.Sealer, ref keys.SubjectRef) {
		t.Helper()
		if _, err := s.Store().AppendLedger(t.Context(), keys.Entry{Tenant: ref.Tenant, Pseudonym: "p", Epoch: ref.Epoch, Scope: keys.ScopeAll}); err != nil {
			t.Fatal(err)
		}
		if err := s.Store().DestroySubject(t.Context(), ref, "p"); err != nil {
			t.Fatal(err)
		}
		s.DropSubject(ref.Tenant, ref.Subject)
	}
	t.Run("after a wipe no ring opens anything, not one in use", func(t *testing.T) {
		t.Parallel()
		s := newSealer(t, keys.Options{})
		ref := newRef(t, s)
		cell := cellOf(ref)
		sealed, err := s.Seal(t.Context(), cell, []byte("x"))
		if err != nil {
			t.Fatal(err)
		}
		held, err := s.Ring(t.Context(), ref)
		if err != nil {
			t.Fatal(err)
		}
		defer held.Close()
		wipe(t, s, ref)
		if _, err := held.Open(cell, sealed); !errors.Is(err, keys.ErrDropped) {
			t.Errorf("held ring: %v", err)
		}
		if _, err := held.Seal(cell, []byte("y")); !errors.Is(err, keys.ErrDropped) || !held.Token("p", nil).IsZero() {
			t.Errorf("held ring seals: %v", err)
		}
		if _, err := s.Open(t.Context(), cell, sealed); !errors.Is(err, keys.ErrErased) {
			t.Errorf("new ring: %v", err)
		}
	})
	t.Run("an entry lives for its time alone", func(t *testing.T) {
		t.Parallel()
		now := time.Unix(1_700_000_000, 0)
		var mu sync.Mutex
		s := newSealer(t, keys.Options{CacheTTL: time.Hour, Clock: func() time.Time { mu.Lock(); defer mu.Unlock(); return now }})
		ref := newRef(t, s)
		if _, err := s.Seal(t.Context(), cellOf(ref), nil); err != nil {
			t.Fatal(err)
		}
		// Destroyed behind the sealer's back: the cache may serve it for five minutes.
		if _, err := s.Store().AppendLedger(t.Context(), keys.Entry{Tenant: ref.Tenant, Pseudonym: "p", Epoch: 1, Scope: keys.ScopeAll}); err != nil {
			t.Fatal(err)
		}
		if err := s.Store().DestroySubject(t.Context(), ref, "p"); err != nil {
			t.Fatal(err)
		}
		mu.Lock()
		now = now.Add(5*time.Minute + time.Second)
		mu.Unlock()
		if _, err := s.Seal(t.Context(), cellOf(ref), nil); !errors.Is(err, keys.ErrErased) {
			t.Errorf("after five minutes: %v", err)
		}
	})
	t.Run("a small cache still serves many people at once", func(t *testing.T) {
		t.Parallel()
		s := newSealer(t, keys.Options{CacheSize: 2})
		var refs []keys.SubjectRef
		for range 6 {
			refs = append(refs, newRef(t, s))
		}
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				for n := range 40 {
					cell := cellOf(refs[(i+n)%len(refs)])
					sealed, err := s.Seal(context.Background(), cell, []byte("x"))
					if err != nil {
						t.Errorf("seal: %v", err)
						return
					}
					if got, err := s.Open(context.Background(), cell, sealed); err != nil || string(got) != "x" {
						t.Errorf("open: %q, %v", got, err)
						return
					}
				}
			})
		}
		wg.Wait()
	})
}

func TestOpenAllocations(t *testing.T) {
	s := newSealer(t, keys.Options{})
	ring, err := s.Ring(t.Context(), newRef(t, s))
	if err != nil {
		t.Fatal(err)
	}
	defer ring.Close()
	cell := cellOf(ring.Ref())
	sealed, err := ring.Seal(cell, []byte("some words of a person"))
	if err != nil {
		t.Fatal(err)
	}
	n := testing.AllocsPerRun(100, func() { _, _ = ring.Open(cell, sealed) })
	if n > 8 { // six for the commitment, one each for the cell and the plaintext
		t.Errorf("Open allocates %v times", n)
	}
}

func FuzzParseSealed(f *testing.F) {
	f.Add([]byte{})
	f.Add(make([]byte, keys.MinBlob))
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := keys.ParseSealed(raw)
		if err != nil {
			if !s.IsZero() {
				t.Error("an error came with a value")
			}
			return
		}
		if string(s.Bytes()) != string(raw) || len(raw) < keys.MinBlob {
			t.Errorf("parsed %d bytes into %d", len(raw), s.Len())
		}
	})
}
