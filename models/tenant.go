package models

import (
	"context"
	"fmt"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/schema"
)

// TenantID is the type of every tenant_id column. As a GORM clause hook it adds
// the tenant of the context to each query, update and delete of the row's table
// and writes it into each row created, whatever the row said.
type TenantID string

type (
	tenantKey struct{}
	systemKey struct{}
)

// WithTenant returns a context whose statements see one tenant alone.
func WithTenant(ctx context.Context, tenant string) context.Context {
	return context.WithValue(ctx, tenantKey{}, TenantID(tenant))
}

// TenantFrom returns the tenant of the context; empty when there is none.
func TenantFrom(ctx context.Context) string {
	if ctx == nil {
		return ""
	}
	tenant, _ := ctx.Value(tenantKey{}).(TenantID)
	return string(tenant)
}

// System returns a context whose statements aren't limited to a tenant. The
// reason is for the reader; the places that call it are few and can be listed.
func System(ctx context.Context, reason string) context.Context {
	if reason == "" {
		panic("models: System without a reason")
	}
	return context.WithValue(ctx, systemKey{}, reason)
}

func isSystem(ctx context.Context) bool {
	if ctx == nil {
		return false
	}
	_, ok := ctx.Value(systemKey{}).(string)
	return ok
}

// scopeOf returns the tenant a statement is limited to; limited is false in a
// System context. For Joins("Rel") GORM builds a statement without a context:
// the parent's stands on its DB.
func scopeOf(stmt *gorm.Statement) (tenant TenantID, limited bool, err error) {
	ctx := stmt.Context
	if ctx == nil && stmt.DB != nil && stmt.DB.Statement != nil {
		ctx = stmt.DB.Statement.Context
	}
	if isSystem(ctx) {
		return TenantID(TenantFrom(ctx)), false, nil
	}
	if tenant := TenantFrom(ctx); tenant != "" {
		return TenantID(tenant), true, nil
	}
	return "", true, ErrNoTenant
}

// QueryClauses limits reads.
func (TenantID) QueryClauses(f *schema.Field) []clause.Interface {
	return []clause.Interface{tenantFilter{f}}
}

// UpdateClauses limits updates.
func (TenantID) UpdateClauses(f *schema.Field) []clause.Interface {
	return []clause.Interface{tenantFilter{f}}
}

// DeleteClauses limits deletes.
func (TenantID) DeleteClauses(f *schema.Field) []clause.Interface {
	return []clause.Interface{tenantFilter{f}}
}

// CreateClauses overwrites the tenant of rows that are created.
func (TenantID) CreateClauses(f *schema.Field) []clause.Interface {
	return []clause.Interface{tenantStamp{f}}
}

// tenantFilter adds "tenant_id = ?" to a statement. It brackets what stands
// there already, so an Or can't step over it.
type tenantFilter struct{ field *schema.Field }

func (tenantFilter) Name() string               { return "" }
func (tenantFilter) Build(clause.Builder)       {}
func (tenantFilter) MergeClause(*clause.Clause) {}

// filterMark keeps one statement from being limited twice.
const filterMark = "fornix:tenant"

func (t tenantFilter) ModifyStatement(stmt *gorm.Statement) {
	if _, done := stmt.Clauses[filterMark]; done {
		return
	}
	tenant, limited, err := scopeOf(stmt)
	if err != nil {
		// The statement is stopped and, should anything run it all the same,
		// matches nothing.
		if stmt.DB != nil {
			_ = stmt.AddError(fmt.Errorf("models: %s: %w", t.field.Schema.Table, err))
		}
		tenant = ""
	}
	stmt.Clauses[filterMark] = clause.Clause{}
	if !limited {
		return
	}
	if c, ok := stmt.Clauses["WHERE"]; ok {
		if where, ok := c.Expression.(clause.Where); ok && len(where.Exprs) > 0 {
			c.Expression = clause.Where{Exprs: []clause.Expression{bracket{where.Exprs}}}
			stmt.Clauses["WHERE"] = c
		}
	}
	stmt.AddClause(clause.Where{Exprs: []clause.Expression{
		clause.Eq{Column: clause.Column{Table: clause.CurrentTable, Name: t.field.DBName}, Value: string(tenant)},
	}})
}

// bracket writes conditions in brackets of their own.
type bracket struct{ exprs []clause.Expression }

func (b bracket) Build(builder clause.Builder) {
	_ = builder.WriteByte('(')
	clause.Where{Exprs: b.exprs}.Build(builder)
	_ = builder.WriteByte(')')
}

// tenantStamp writes the tenant of the context into rows being created.
type tenantStamp struct{ field *schema.Field }

func (tenantStamp) Name() string               { return "" }
func (tenantStamp) Build(clause.Builder)       {}
func (tenantStamp) MergeClause(*clause.Clause) {}

func (t tenantStamp) ModifyStatement(stmt *gorm.Statement) {
	tenant, limited, err := scopeOf(stmt)
	if err != nil {
		_ = stmt.AddError(fmt.Errorf("models: create in %s: %w", t.field.Schema.Table, err))
		return
	}
	if limited || tenant != "" {
		stmt.SetColumn(t.field.DBName, tenant, true)
	}
}
