package models

import (
	"fmt"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// installGuards registers the callbacks that refuse what the tenant hooks can't
// limit, and writes outside InTx.
func installGuards(g *gorm.DB) error {
	cb := g.Callback()
	for _, err := range []error{
		cb.Query().Before("gorm:query").Register("fornix:guard", guardRead),
		cb.Row().Before("gorm:row").Register("fornix:guard", guardRead),
		cb.Create().Before("gorm:before_create").Register("fornix:guard", guardCreate),
		cb.Update().Before("gorm:setup_reflect_value").Register("fornix:guard", guardWrite),
		cb.Delete().Before("gorm:before_delete").Register("fornix:guard", guardWrite),
		cb.Raw().Before("gorm:raw").Register("fornix:guard", guardRaw),
	} {
		if err != nil {
			return fmt.Errorf("models: install guards: %w", err)
		}
	}
	return nil
}

func guardRead(g *gorm.DB) {
	if stmt := g.Statement; !isSystem(stmt.Context) {
		_ = stmt.AddError(shapeFault(stmt))
	}
}

func guardWrite(g *gorm.DB) {
	stmt := g.Statement
	if !isSystem(stmt.Context) {
		_ = stmt.AddError(shapeFault(stmt))
	}
	// A Save or an update of several rows by primary keys alone may carry another
	// tenant's key; the filter of the tenant hook holds beside it.
	_ = stmt.AddError(noteWrite(stmt))
}

func guardCreate(g *gorm.DB) {
	stmt := g.Statement
	if !isSystem(stmt.Context) {
		_ = stmt.AddError(shapeFault(stmt))
		_ = stmt.AddError(conflictFault(stmt))
	}
	_ = stmt.AddError(noteWrite(stmt))
}

func guardRaw(g *gorm.DB) {
	stmt := g.Statement
	if !isSystem(stmt.Context) {
		_ = stmt.AddError(fmt.Errorf("models: Exec: %w", ErrUnguarded))
	}
	_ = stmt.AddError(noteWrite(stmt))
}

// shapeFault names what makes a statement impossible to limit.
func shapeFault(stmt *gorm.Statement) error {
	refuse := func(what string) error { return fmt.Errorf("models: %s: %w", what, ErrUnguarded) }
	switch {
	case stmt.SQL.Len() > 0:
		return refuse("Raw")
	case stmt.TableExpr != nil:
		return refuse("Table")
	case stmt.Schema == nil:
		return refuse("statement without a model")
	case stmt.Schema.LookUpField("TenantID") == nil:
		return refuse("table " + stmt.Schema.Table + " of no tenant")
	case stmt.Table != stmt.Schema.Table:
		return refuse("other table than the model's")
	case stmt.Unscoped:
		return refuse("Unscoped")
	}
	for _, join := range stmt.Joins {
		if _, ok := stmt.Schema.Relationships.Relations[join.Name]; !ok {
			return refuse("Joins with a string")
		}
	}
	for name, c := range stmt.Clauses {
		// FROM is where Joins(string) and Clauses(clause.From{…}) put tables that
		// no hook sees.
		if from, ok := c.Expression.(clause.From); name == "FROM" && ok && (len(from.Tables) > 0 || len(from.Joins) > 0) {
			return refuse("FROM clause")
		}
	}
	return nil
}

// conflictFault refuses an upsert whose target doesn't begin with the tenant: it
// would change another tenant's row.
func conflictFault(stmt *gorm.Statement) error {
	c, ok := stmt.Clauses["ON CONFLICT"]
	if !ok {
		return nil
	}
	on, ok := c.Expression.(clause.OnConflict)
	if !ok || on.DoNothing {
		return nil
	}
	var target []string
	for _, column := range on.Columns {
		target = append(target, column.Name)
	}
	// UpdateAll without columns targets the primary key, which holds the tenant.
	if (len(target) == 0 && on.OnConstraint == "") || slices.Contains(target, "tenant_id") {
		return nil
	}
	return fmt.Errorf("models: ON CONFLICT without tenant: %w", ErrUnguarded)
}
