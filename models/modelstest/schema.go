package modelstest

import (
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"gorm.io/gorm/schema"

	"github.com/google/uuid"

	"fornix/keys"
	"fornix/models"
)

// Column is a column of the migrated schema, as the database tells it.
type Column struct {
	Table, Name, Type string
	NotNull           bool
	PrimaryKey        int    // position in the primary key from 1; 0: not part of it
	TableSQL          string // the CREATE statement, for its CHECKs
	Unique            [][]string
}

// queueTables belong to the job queue and to goose; their columns are listed
// where they are registered, not here.
func foreignTable(name string) bool {
	return strings.HasPrefix(name, "river_") || strings.HasPrefix(name, "goose_") || strings.HasPrefix(name, "sqlite_")
}

// Rows are the structs of all tables.
func structs() []any {
	return []any{
		models.Tenant{}, models.User{}, models.UserSession{}, models.SignInLink{}, models.Agent{}, models.AttributeDef{},
		models.PolicyRule{}, models.Knowledge{}, models.KnowledgeVector{}, models.SystemState{}, models.Subject{},
		models.DirectoryEntry{}, models.Attribute{}, models.Memory{}, models.MemoryEvidence{}, models.Session{}, models.Turn{},
		models.Segment{}, models.SegmentDelta{}, models.Recall{}, models.ErasedToken{}, models.PortalLink{},
		models.PortalSession{}, models.AuditEvent{}, models.Erasure{}, models.Receipt{}, models.Tombstone{},
	}
}

func testSchema(t *testing.T, b Backend) {
	db := b.Open(t)
	columns := b.Schema(t, db)
	if len(columns) < 100 {
		t.Fatalf("only %d columns were found", len(columns))
	}
	goType := map[string]reflect.Type{}
	for _, row := range structs() {
		parsed, err := schema.Parse(row, &sync.Map{}, schema.NamingStrategy{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range parsed.Fields {
			if f.DBName != "" {
				goType[parsed.Table+"."+f.DBName] = f.FieldType
			}
		}
	}
	t.Run("structs and schema are equal", func(t *testing.T) {
		inSchema := map[string]bool{}
		for _, c := range columns {
			if foreignTable(c.Table) {
				continue
			}
			name := c.Table + "." + c.Name
			inSchema[name] = true
			typ, ok := goType[name]
			if !ok {
				t.Errorf("column %s has no field", name)
				continue
			}
			if optional := typ.Kind() == reflect.Pointer; optional == c.NotNull {
				t.Errorf("%s: field optional %t, column NOT NULL %t", name, optional, c.NotNull)
			}
		}
		for name := range goType {
			if !inSchema[name] {
				t.Errorf("field %s has no column", name)
			}
		}
	})
	t.Run("R5 every column is sealed, a token, an id, a number, or listed with its reason", func(t *testing.T) {
		used := map[string]bool{}
		for _, c := range columns {
			if foreignTable(c.Table) {
				continue
			}
			if why := Fault(c, goType[c.Table+"."+c.Name], used); why != "" {
				t.Errorf("%s.%s: %s", c.Table, c.Name, why)
			}
		}
		for name := range models.ClearColumns {
			if !used[name] && !strings.HasPrefix(name, "goose") && !strings.HasPrefix(name, "river") {
				t.Errorf("clear column %s isn't in the schema", name)
			}
		}
	})
	t.Run("R2 keys begin with the tenant and contain the subject", func(t *testing.T) {
		keysOf := map[string][]string{}
		owned := map[string]bool{}
		for _, c := range columns {
			if c.Name == "subject_id" {
				owned[c.Table] = true
			}
			if c.PrimaryKey > 0 {
				for len(keysOf[c.Table]) < c.PrimaryKey {
					keysOf[c.Table] = append(keysOf[c.Table], "")
				}
				keysOf[c.Table][c.PrimaryKey-1] = c.Name
			}
		}
		noTenant := []string{"tenants", "system_state"}
		for table, key := range keysOf {
			if foreignTable(table) || slices.Contains(noTenant, table) {
				continue
			}
			if key[0] != "tenant_id" || owned[table] && key[1] != "subject_id" {
				t.Errorf("%s: primary key %v", table, key)
			}
		}
		for _, c := range columns {
			if foreignTable(c.Table) || slices.Contains(noTenant, c.Table) {
				continue
			}
			for _, u := range c.Unique {
				if u[0] != "tenant_id" || owned[c.Table] && !slices.Contains(u, "subject_id") {
					t.Errorf("%s: unique index %v", c.Table, u)
				}
			}
		}
	})
}

// Fault says why a column may not be as it is; empty when it may. used collects
// the clear columns that were needed.
func Fault(c Column, typ reflect.Type, used map[string]bool) string {
	if typ != nil && typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	check := func(text string) bool { return strings.Contains(c.TableSQL, text) }
	switch {
	case c.Type == "INTEGER" || c.Type == "REAL":
		return ""
	case typ == reflect.TypeFor[keys.Sealed]():
		if !check("substr(" + c.Name + ", 1, 4) = x'" + keys.MagicHex + "'") {
			return "sealed without the CHECK on its first bytes"
		}
		return ""
	case typ == reflect.TypeFor[keys.Token]():
		if !check("length(" + c.Name + ") = 16") {
			return "token without the CHECK on its length"
		}
		return ""
	case typ == reflect.TypeFor[uuid.UUID]():
		if !check("length(" + c.Name + ") = 36") {
			return "id without the CHECK on its length"
		}
		return ""
	}
	for _, name := range []string{c.Table + "." + c.Name, "*." + c.Name} {
		if _, ok := models.ClearColumns[name]; ok {
			used[name] = true
			return ""
		}
	}
	return "neither sealed, token nor id, and not in models/clear_columns.go"
}
