package modelstest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"fornix/audit"
	"fornix/keys"
	"fornix/models"
	"fornix/policy"
)

func testTx(t *testing.T, b Backend) {
	db := b.Open(t)
	s := person(t, db, tenantA)
	events := func(t *testing.T) int64 {
		t.Helper()
		var n int64
		if err := db.ORM(As(t.Context(), tenantA)).Model(&models.AuditEvent{}).Count(&n).Error; err != nil {
			t.Fatal(err)
		}
		return n
	}
	memories := func(t *testing.T) int64 {
		t.Helper()
		var n int64
		if err := db.ORM(As(t.Context(), tenantA)).Model(&models.Memory{}).Count(&n).Error; err != nil {
			t.Fatal(err)
		}
		return n
	}
	t.Run("a write without an event is rolled back", func(t *testing.T) {
		before := memories(t)
		m := memoryOf(t, db, s, "unrecorded")
		err := db.InTx(As(t.Context(), tenantA), func(ctx context.Context, tx *models.Tx) error { return models.Insert(ctx, tx, m) })
		if !errors.Is(err, models.ErrUnrecorded) || memories(t) != before {
			t.Errorf("err = %v, memories %d → %d", err, before, memories(t))
		}
	})
	t.Run("an event that can't be written undoes the change", func(t *testing.T) {
		before := memories(t)
		m := memoryOf(t, db, s, "no actor")
		err := db.InTx(models.WithTenant(t.Context(), tenantA), func(ctx context.Context, tx *models.Tx) error {
			if err := models.Insert(ctx, tx, m); err != nil {
				return err
			}
			return tx.Record(ctx, note)
		})
		if !errors.Is(err, models.ErrNoActor) || memories(t) != before {
			t.Errorf("err = %v, memories %d → %d", err, before, memories(t))
		}
	})
	t.Run("an error undoes change and event", func(t *testing.T) {
		m, rows, evs := memoryOf(t, db, s, "undone"), memories(t), events(t)
		err := write(t, db, tenantA, func(ctx context.Context, tx *models.Tx) error {
			if err := models.Insert(ctx, tx, m); err != nil {
				return err
			}
			if err := tx.Record(ctx, note); err != nil {
				return err
			}
			return errUndo
		})
		if !errors.Is(err, errUndo) || memories(t) != rows || events(t) != evs {
			t.Errorf("err = %v, memories %d → %d, events %d → %d", err, rows, memories(t), evs, events(t))
		}
	})
	t.Run("a panic undoes the change and frees the writer", func(t *testing.T) {
		m, rows := memoryOf(t, db, s, "panic"), memories(t)
		func() {
			defer func() { _ = recover() }()
			_ = write(t, db, tenantA, func(ctx context.Context, tx *models.Tx) error {
				_ = models.Insert(ctx, tx, m)
				panic("in the middle")
			})
		}()
		if memories(t) != rows {
			t.Error("the row stayed")
		}
		remember(t, db, s, "after the panic")
	})
	t.Run("a second InTx inside fails at once", func(t *testing.T) {
		err := write(t, db, tenantA, func(ctx context.Context, tx *models.Tx) error {
			return db.InTx(ctx, func(context.Context, *models.Tx) error { return nil })
		})
		if !errors.Is(err, models.ErrNestedTx) {
			t.Errorf("err = %v", err)
		}
	})
	t.Run("a busy writer is unavailable, not waited for without end", func(t *testing.T) {
		entered, leave, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
		go func() {
			done <- db.InTx(As(context.Background(), tenantA), func(context.Context, *models.Tx) error {
				close(entered)
				<-leave
				return nil
			})
		}()
		<-entered
		ctx, cancel := context.WithTimeout(As(t.Context(), tenantA), 50*time.Millisecond)
		defer cancel()
		err := db.InTx(ctx, func(context.Context, *models.Tx) error { return nil })
		close(leave)
		if err == nil || <-done != nil {
			t.Errorf("err = %v", err)
		}
	})
	t.Run("an event's payload opens with the subject's key and matches its leaf", func(t *testing.T) {
		ev := audit.Event{Action: "memory.correct", Object: "memory:x", Subject: s.SubjectID, Epoch: s.Epoch, Reason: "canary-reason"}
		err := db.InTx(As(t.Context(), tenantA), func(ctx context.Context, tx *models.Tx) error { return tx.Record(ctx, ev) })
		if err != nil {
			t.Fatal(err)
		}
		var row models.AuditEvent
		if err := db.ORM(As(t.Context(), tenantA)).Where("action = ?", "memory.correct").Take(&row).Error; err != nil {
			t.Fatal(err)
		}
		payload, err := db.OpenPayload(t.Context(), row, &s)
		if err != nil || payload.Reason != "canary-reason" {
			t.Errorf("payload = %+v, %v", payload, err)
		}
		leaf := audit.Leaf(row.Envelope(), row.Payload.Bytes(), [32]byte(row.Commitment))
		if string(leaf[:]) != string(row.Leaf) {
			t.Error("the stored leaf isn't the leaf of the stored row")
		}
		if row.Pseudonym == "" || strings.Contains(row.Pseudonym, s.SubjectID.String()) {
			t.Errorf("pseudonym = %q", row.Pseudonym)
		}
	})
}

func testVersions(t *testing.T, b Backend) {
	db := b.Open(t)
	m := remember(t, db, person(t, db, tenantA), "one")
	update := func(m *models.Memory) error {
		return write(t, db, tenantA, func(ctx context.Context, tx *models.Tx) error { return models.Update(ctx, tx, m) })
	}
	first, second := m, m
	first.Importance, second.Importance = .7, .9
	if err := update(&first); err != nil || first.Version != 2 {
		t.Fatalf("first update: %v, version %d", err, first.Version)
	}
	if err := update(&second); !errors.Is(err, models.ErrStale) || second.Version != 1 {
		t.Errorf("stale update: %v, version %d", err, second.Version)
	}
	var now models.Memory
	if err := db.ORM(As(t.Context(), tenantA)).Take(&now, "id = ?", m.ID).Error; err != nil || now.Importance != .7 || now.Version != 2 {
		t.Errorf("row = %v %v (%v)", now.Importance, now.Version, err)
	}
	foreign := first
	err := write(t, db, tenantB, func(ctx context.Context, tx *models.Tx) error { return models.Update(ctx, tx, &foreign) })
	if !errors.Is(err, models.ErrStale) {
		t.Errorf("another tenant's update: %v", err)
	}
}

func testSealed(t *testing.T, b Backend) {
	db := b.Open(t)
	s := person(t, db, tenantA)
	t.Run("an unsealed value is refused on every path", func(t *testing.T) {
		m := memoryOf(t, db, s, "x")
		m.Content = keys.Sealed{}
		err := write(t, db, tenantA, func(ctx context.Context, tx *models.Tx) error { return models.Insert(ctx, tx, m) })
		if err == nil {
			t.Error("Insert stored an empty sealed value")
		}
		stored := remember(t, db, s, "y")
		for name, change := range map[string]any{
			"Update": "plaintext", "map": map[string]any{"content": "plaintext"}, "bytes": map[string]any{"content": []byte("plaintext")},
		} {
			err := write(t, db, tenantA, func(ctx context.Context, tx *models.Tx) error {
				g := db.ORM(ctx).Model(&models.Memory{}).Where("id = ?", stored.ID)
				if text, ok := change.(string); ok {
					return g.Update("content", text).Error
				}
				return g.Updates(change).Error
			})
			if err == nil {
				t.Errorf("%s stored plaintext", name)
			}
		}
	})
}

func testPolicy(t *testing.T, b Backend) {
	db := b.Open(t)
	store := db.Policy()
	ctx := audit.WithActor(t.Context(), audit.System("modelstest"))
	if err := policy.Seed(ctx, store, tenantA, tenantB); err != nil {
		t.Fatal(err)
	}
	rules, version, err := store.LoadRules(ctx)
	if err != nil || len(rules) == 0 || version == 0 {
		t.Fatalf("load: %d rules, version %d, %v", len(rules), version, err)
	}
	rule := policy.Allow(policy.RoleSubject("guest"), tenantA, policy.ModuleConsole, policy.AreaAudit, policy.ActAuditRead)
	if _, err := store.ChangeRules(ctx, policy.Change{Add: []policy.Rule{rule}, Expect: version - 1}); !errors.Is(err, policy.ErrConflict) {
		t.Errorf("stale change: %v", err)
	}
	next, err := store.ChangeRules(ctx, policy.Change{Add: []policy.Rule{rule}, Expect: version, Reason: "a guest"})
	if err != nil || next != version+1 {
		t.Fatalf("change: version %d, %v", next, err)
	}
	if _, err := store.ChangeRules(ctx, policy.Change{Add: []policy.Rule{rule}, Expect: next}); err == nil {
		t.Error("the same rule was stored twice")
	}
	after, now, err := store.LoadRules(ctx)
	if err != nil || now != next || len(after) != len(rules)+1 {
		t.Errorf("after: %d rules (before %d), version %d, %v", len(after), len(rules), now, err)
	}
}
