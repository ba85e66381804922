package modelstest_test

import (
	"database/sql"
	"testing"

	"fornix/models"
	"fornix/models/modelstest"
)

func TestSQLite(t *testing.T) {
	modelstest.Run(t, modelstest.Backend{Open: modelstest.OpenSQLite, Schema: sqliteSchema})
}

// sqliteSchema reads the schema through the writer: it is metadata, of no tenant.
func sqliteSchema(t *testing.T, db *models.DB) []modelstest.Column {
	t.Helper()
	query := func(q string, scan func(*sql.Rows) error, args ...any) {
		rows, err := db.Writer().QueryContext(t.Context(), q, args...)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			if err := scan(rows); err != nil {
				t.Fatal(err)
			}
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
	unique := map[string]map[string][]string{}
	query(`SELECT m.name, i.name, c.name FROM sqlite_schema m, pragma_index_list(m.name) i, pragma_index_info(i.name) c
		WHERE m.type = 'table' AND i."unique" = 1 AND i.origin <> 'pk' ORDER BY m.name, i.name, c.seqno`, func(r *sql.Rows) error {
		var table, index, column string
		if err := r.Scan(&table, &index, &column); err != nil {
			return err
		}
		if unique[table] == nil {
			unique[table] = map[string][]string{}
		}
		unique[table][index] = append(unique[table][index], column)
		return nil
	})
	var columns []modelstest.Column
	query(`SELECT m.name, c.name, c.type, c."notnull", c.pk, m.sql FROM sqlite_schema m, pragma_table_info(m.name) c
		WHERE m.type = 'table' ORDER BY m.name, c.cid`, func(r *sql.Rows) error {
		var c modelstest.Column
		if err := r.Scan(&c.Table, &c.Name, &c.Type, &c.NotNull, &c.PrimaryKey, &c.TableSQL); err != nil {
			return err
		}
		for _, u := range unique[c.Table] {
			c.Unique = append(c.Unique, u)
		}
		columns = append(columns, c)
		return nil
	})
	return columns
}
