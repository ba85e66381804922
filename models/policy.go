package models

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm/clause"

	"fornix/audit"
	"fornix/policy"
)

// policyVersion is the cursor that grows with each change of the policy.
const policyVersion = "policy_version"

// PolicyStore keeps the policy in the database; it is policy's RuleStore.
type PolicyStore struct{ db *DB }

var _ policy.RuleStore = PolicyStore{}

// Policy returns the store of the rules.
func (db *DB) Policy() PolicyStore { return PolicyStore{db} }

// LoadRules returns the rules of all tenants and their version. The version is
// read first and again after the rules, so that a change in between shows.
func (p PolicyStore) LoadRules(ctx context.Context) ([]policy.Rule, uint64, error) {
	ctx = System(ctx, "the policy engine holds the rules of all tenants")
	for range 5 {
		before, err := p.RulesVersion(ctx)
		if err != nil {
			return nil, 0, err
		}
		var rows []PolicyRule
		if err := p.db.ORM(ctx).Order("tenant_id, id").Find(&rows).Error; err != nil {
			return nil, 0, fmt.Errorf("models: load policy: %w", mapError(err))
		}
		after, err := p.RulesVersion(ctx)
		if err != nil {
			return nil, 0, err
		}
		if before == after {
			rules := make([]policy.Rule, len(rows))
			for i, r := range rows {
				rules[i] = policy.Rule{Ptype: r.Ptype, Sub: r.Sub, Dom: string(r.TenantID), Mod: r.Mod, Cat: r.Cat, Act: r.Act, Eft: r.Eft}
			}
			return rules, after, nil
		}
	}
	return nil, 0, fmt.Errorf("models: load policy: %w: it changes all the time", ErrUnavailable)
}

// RulesVersion returns the policy's version; 0 when nothing was ever stored.
func (p PolicyStore) RulesVersion(ctx context.Context) (uint64, error) {
	v, err := p.db.Cursor(ctx, policyVersion)
	return uint64(v), err
}

// ChangeRules writes rules, audit event and version in one transaction.
func (p PolicyStore) ChangeRules(ctx context.Context, change policy.Change) (uint64, error) {
	ctx = WithTenant(ctx, change.Tenant())
	if _, ok := audit.ActorFrom(ctx); !ok {
		ctx = audit.WithActor(ctx, audit.System("policy"))
	}
	var version uint64
	err := p.db.InTx(ctx, func(ctx context.Context, tx *Tx) error {
		now, err := p.RulesVersion(ctx)
		if err != nil {
			return err
		}
		if change.Expect != now {
			return policy.ErrConflict
		}
		for _, r := range change.Remove {
			n, err := remove[PolicyRule](ctx, tx, "ptype = ? AND sub = ? AND mod = ? AND cat = ? AND act = ? AND eft = ?", r.Ptype, r.Sub, r.Mod, r.Cat, r.Act, r.Eft)
			if err != nil {
				return err
			}
			if n == 0 {
				return fmt.Errorf("models: remove rule: %w", ErrNotFound)
			}
		}
		rows := make([]PolicyRule, len(change.Add))
		for i, r := range change.Add {
			rows[i] = PolicyRule{ID: NewID(), Ptype: r.Ptype, Sub: r.Sub, Mod: r.Mod, Cat: r.Cat, Act: r.Act, Eft: r.Eft}
		}
		if err := Insert(ctx, tx, rows...); err != nil {
			return err
		}
		version = now + 1
		if err := tx.SetCursor(ctx, policyVersion, int64(version)); err != nil {
			return err
		}
		return tx.Record(ctx, audit.Event{
			Action: "policy.write", Object: fmt.Sprintf("policy:%d", version), Reason: change.Reason,
			Before: map[string]any{"removed": ruleTexts(change.Remove)}, After: map[string]any{"added": ruleTexts(change.Add)},
		})
	})
	if err != nil {
		return 0, fmt.Errorf("models: change policy: %w", err)
	}
	return version, nil
}

func ruleTexts(rules []policy.Rule) []string {
	texts := make([]string, len(rules))
	for i, r := range rules {
		texts[i] = r.String()
	}
	return texts
}

// Cursor reads one of the program's own cursors; 0 when it was never set.
func (db *DB) Cursor(ctx context.Context, key string) (int64, error) {
	row, err := first[SystemState](System(ctx, "the program's own cursors belong to no tenant"), db, "key = ?", key)
	if errors.Is(err, ErrNotFound) {
		return 0, nil
	}
	return row.Value, err
}

// SetCursor writes one of the program's own cursors.
func (tx *Tx) SetCursor(ctx context.Context, key string, value int64) error {
	ctx = System(ctx, "the program's own cursors belong to no tenant")
	row := SystemState{Key: key, Value: value}
	err := tx.gorm.WithContext(ctx).Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error
	if err != nil {
		return fmt.Errorf("models: set cursor %s: %w", key, mapError(err))
	}
	return nil
}
