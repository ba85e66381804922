package audit_test

import (
	"context"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"

	"fornix/audit"
)

func sample() audit.Envelope {
	return audit.NewEnvelope(uuid.MustParse("01939a00-0000-7000-8000-000000000001"), "northwind", 1_700_000_000_000_000,
		audit.Actor{Kind: audit.ActorUser, ID: "u1", Role: "admin"}, audit.Origin{IP: "192.0.2.1", UserAgent: "test", RequestID: "r1"},
		audit.Event{Action: "memory.reveal", Object: "memory:m1", Epoch: 3}, "sub_x")
}

func TestLeaf(t *testing.T) {
	t.Parallel()
	base := audit.Leaf(sample(), []byte("ct"), [32]byte{1})

	t.Run("is fixed by a vector", func(t *testing.T) {
		t.Parallel()
		const want = "eb82a20c10e4c34d93580bed5869b25f61d31e190750ae781c6bc3404b1a6caf"
		if got := hex.EncodeToString(base[:]); got != want {
			t.Errorf("leaf = %s, want %s", got, want)
		}
	})
	t.Run("changes with every part", func(t *testing.T) {
		t.Parallel()
		changes := map[string]func(*audit.Envelope){
			"id": func(e *audit.Envelope) { e.ID[15]++ }, "tenant": func(e *audit.Envelope) { e.Tenant += "x" },
			"time": func(e *audit.Envelope) { e.Micros++ }, "actor kind": func(e *audit.Envelope) { e.ActorKind += "x" },
			"actor": func(e *audit.Envelope) { e.ActorID += "x" }, "role": func(e *audit.Envelope) { e.ActorRole += "x" },
			"ip": func(e *audit.Envelope) { e.IP += "x" }, "agent": func(e *audit.Envelope) { e.UserAgent += "x" },
			"action": func(e *audit.Envelope) { e.Action += "x" }, "object": func(e *audit.Envelope) { e.Object += "x" },
			"subject": func(e *audit.Envelope) { e.Subject += "x" }, "epoch": func(e *audit.Envelope) { e.Epoch++ },
			"request": func(e *audit.Envelope) { e.RequestID += "x" },
			// A byte that moves from one field to the next is another envelope.
			"border": func(e *audit.Envelope) { e.ActorID, e.ActorRole = "u", "1admin" },
		}
		for name, change := range changes {
			e := sample()
			change(&e)
			if audit.Leaf(e, []byte("ct"), [32]byte{1}) == base {
				t.Errorf("leaf didn't change with the %s", name)
			}
		}
		if audit.Leaf(sample(), []byte("cT"), [32]byte{1}) == base {
			t.Error("leaf didn't change with the ciphertext")
		}
		if audit.Leaf(sample(), []byte("ct"), [32]byte{2}) == base {
			t.Error("leaf didn't change with the commitment")
		}
	})
}

func TestEvent(t *testing.T) {
	t.Parallel()
	t.Run("a person's address is in the payload alone", func(t *testing.T) {
		t.Parallel()
		actor, origin := audit.Actor{Kind: audit.ActorSubject, ID: "sub_x"}, audit.Origin{IP: "198.51.100.7", UserAgent: "phone"}
		e := audit.Event{Action: "memory.delete", Object: "memory:m1", Subject: uuid.New(), Epoch: 1}
		env := audit.NewEnvelope(uuid.New(), "t", 1, actor, origin, e, "sub_x")
		if env.IP != "" || env.UserAgent != "" {
			t.Errorf("envelope holds %q %q", env.IP, env.UserAgent)
		}
		raw, err := e.Payload(actor, origin)
		if err != nil {
			t.Fatal(err)
		}
		p, err := audit.DecodePayload(raw)
		if err != nil || p.IP != origin.IP || p.UserAgent != origin.UserAgent {
			t.Errorf("payload = %+v, %v", p, err)
		}
	})
	t.Run("ill-formed events are refused", func(t *testing.T) {
		t.Parallel()
		for name, e := range map[string]audit.Event{
			"no action":         {Object: "memory:m1"},
			"action not dotted": {Action: "wipe", Object: "memory:m1"},
			"value as object":   {Action: "memory.read", Object: "memory:likes tea"},
			"no kind":           {Action: "memory.read", Object: "m1"},
			"long object":       {Action: "memory.read", Object: "memory:" + strings.Repeat("a", 300)},
			"no epoch":          {Action: "memory.read", Object: "memory:m1", Subject: uuid.New()},
		} {
			if err := e.Check(); !errors.Is(err, audit.ErrInvalid) {
				t.Errorf("%s: err = %v", name, err)
			}
		}
		if err := (audit.Event{Action: "memory.read", Object: "memory:m1"}).Check(); err != nil {
			t.Errorf("a good event: %v", err)
		}
	})
	t.Run("actor and origin travel in the context", func(t *testing.T) {
		t.Parallel()
		if _, ok := audit.ActorFrom(context.Background()); ok {
			t.Error("an empty context names an actor")
		}
		ctx := audit.WithOrigin(audit.WithActor(context.Background(), audit.System("expire")), audit.Origin{RequestID: "r"})
		if a, ok := audit.ActorFrom(ctx); !ok || a.ID != "expire" || audit.OriginFrom(ctx).RequestID != "r" {
			t.Errorf("actor = %+v, origin = %+v", a, audit.OriginFrom(ctx))
		}
	})
}
