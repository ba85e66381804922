package modelstest

import (
	"context"
	"errors"
	"testing"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"fornix/models"
)

// world is one memory with evidence in each tenant.
type world struct {
	db   *models.DB
	a, b models.Memory
}

func newWorld(t *testing.T, b Backend) *world {
	t.Helper()
	db := b.Open(t)
	w := &world{db: db}
	w.a = remember(t, db, person(t, db, tenantA), "alpha's")
	w.b = remember(t, db, person(t, db, tenantB), "beta's")
	for _, m := range []models.Memory{w.a, w.b} {
		e := models.MemoryEvidence{SubjectID: m.SubjectID, ID: evidenceOfB, MemoryID: m.ID, Source: "user", CreatedAt: m.CreatedAt}
		err := write(t, db, string(m.TenantID), func(ctx context.Context, tx *models.Tx) error { return models.Insert(ctx, tx, e) })
		if err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// path is one way through GORM.
type path struct {
	name string
	// run does the path with GORM and returns how many rows it saw or changed.
	run func(g *gorm.DB, w *world) (int64, error)
	// refused says that the guard refuses it even for the right tenant.
	refused bool
}

// paths are the ways through GORM that reach, or try to reach, beta's memory.
var paths = []path{
	{name: "Find", run: func(g *gorm.DB, w *world) (int64, error) {
		var m []models.Memory
		r := g.Find(&m)
		return int64(len(m)), r.Error
	}},
	{name: "First by id", run: func(g *gorm.DB, w *world) (int64, error) {
		var m models.Memory
		return found(g.First(&m, "id = ?", w.b.ID))
	}},
	{name: "Take by struct", run: func(g *gorm.DB, w *world) (int64, error) {
		var m models.Memory
		return found(g.Where(&models.Memory{ID: w.b.ID}).Take(&m))
	}},
	{name: "forged tenant in a condition", run: func(g *gorm.DB, w *world) (int64, error) {
		var m []models.Memory
		r := g.Where(&models.Memory{TenantID: tenantB}).Find(&m)
		return int64(len(m)), r.Error
	}},
	{name: "Count", run: func(g *gorm.DB, w *world) (int64, error) {
		var n int64
		r := g.Model(&models.Memory{}).Count(&n)
		return n, r.Error
	}},
	{name: "Pluck", run: func(g *gorm.DB, w *world) (int64, error) {
		var ids []string
		r := g.Model(&models.Memory{}).Pluck("id", &ids)
		return int64(len(ids)), r.Error
	}},
	{name: "Rows", run: func(g *gorm.DB, w *world) (int64, error) {
		rs, err := g.Model(&models.Memory{}).Rows()
		if err != nil {
			return 0, err
		}
		defer rs.Close()
		var n int64
		for rs.Next() {
			n++
		}
		return n, rs.Err()
	}},
	{name: "Scan into another struct", run: func(g *gorm.DB, w *world) (int64, error) {
		var out []struct{ ID string }
		r := g.Model(&models.Memory{}).Scan(&out)
		return int64(len(out)), r.Error
	}},
	{name: "FindInBatches", run: func(g *gorm.DB, w *world) (int64, error) {
		var batch []models.Memory
		r := g.FindInBatches(&batch, 1, func(*gorm.DB, int) error { return nil })
		return r.RowsAffected, r.Error
	}},
	{name: "Preload", run: func(g *gorm.DB, w *world) (int64, error) {
		var m []models.Memory
		r := g.Preload("Evidence").Find(&m)
		var n int64
		for _, x := range m {
			n += int64(len(x.Evidence))
		}
		return n, r.Error
	}},
	{name: "Joins by relation", run: func(g *gorm.DB, w *world) (int64, error) {
		var e []models.MemoryEvidence
		r := g.Joins("Memory").Find(&e)
		return int64(len(e)), r.Error
	}},
	{name: "InnerJoins by relation", run: func(g *gorm.DB, w *world) (int64, error) {
		var e []models.MemoryEvidence
		r := g.InnerJoins("Memory").Find(&e)
		return int64(len(e)), r.Error
	}},
	{name: "Or", run: func(g *gorm.DB, w *world) (int64, error) {
		var m []models.Memory
		r := g.Where("1 = 0").Or("1 = 1").Find(&m)
		return int64(len(m)), r.Error
	}},
	{name: "Or first", run: func(g *gorm.DB, w *world) (int64, error) {
		var m []models.Memory
		r := g.Or("id = ?", w.b.ID).Or("1 = 1").Find(&m)
		return int64(len(m)), r.Error
	}},
	{name: "Not", run: func(g *gorm.DB, w *world) (int64, error) {
		var m []models.Memory
		r := g.Not("1 = 0").Find(&m)
		return int64(len(m)), r.Error
	}},
	{name: "closing bracket in a condition", run: func(g *gorm.DB, w *world) (int64, error) {
		var m []models.Memory
		r := g.Where("1 = 1 OR 1 = 1").Find(&m)
		return int64(len(m)), r.Error
	}},
	{name: "subquery", run: func(g *gorm.DB, w *world) (int64, error) {
		var m []models.Memory
		r := g.Where("id IN (?)", g.Session(&gorm.Session{NewDB: true}).Model(&models.MemoryEvidence{}).Select("memory_id")).Find(&m)
		return int64(len(m)), r.Error
	}},
	{name: "generics", run: func(g *gorm.DB, w *world) (int64, error) {
		m, err := gorm.G[models.Memory](g).Find(g.Statement.Context)
		return int64(len(m)), err
	}},
	{name: "generics by id", run: func(g *gorm.DB, w *world) (int64, error) {
		_, err := gorm.G[models.Memory](g).Where("id = ?", w.b.ID).First(g.Statement.Context)
		return found(&gorm.DB{Error: err})
	}},
	{name: "Association Find", run: func(g *gorm.DB, w *world) (int64, error) {
		var e []models.MemoryEvidence
		m := w.b
		err := g.Model(&m).Association("Evidence").Find(&e)
		return int64(len(e)), err
	}},
	{name: "Unscoped", refused: true, run: func(g *gorm.DB, w *world) (int64, error) {
		var m []models.Memory
		r := g.Unscoped().Find(&m)
		return int64(len(m)), r.Error
	}},
	{name: "Table", refused: true, run: func(g *gorm.DB, w *world) (int64, error) {
		var m []models.Memory
		r := g.Table("memories").Find(&m)
		return int64(len(m)), r.Error
	}},
	{name: "Table into a map", refused: true, run: func(g *gorm.DB, w *world) (int64, error) {
		var m []map[string]any
		r := g.Table("memories").Find(&m)
		return int64(len(m)), r.Error
	}},
	{name: "Table with a subquery", refused: true, run: func(g *gorm.DB, w *world) (int64, error) {
		var m []map[string]any
		r := g.Table("(?) AS x", g.Session(&gorm.Session{NewDB: true}).Model(&models.Memory{})).Find(&m)
		return int64(len(m)), r.Error
	}},
	{name: "Raw", refused: true, run: func(g *gorm.DB, w *world) (int64, error) {
		var m []models.Memory
		r := g.Raw("SELECT * FROM memories").Scan(&m)
		return int64(len(m)), r.Error
	}},
	{name: "Raw Row", refused: true, run: func(g *gorm.DB, w *world) (int64, error) {
		rs, err := g.Raw("SELECT * FROM memories").Rows()
		if err == nil {
			_ = rs.Close()
		}
		return 0, err
	}},
	{name: "Joins with a string", refused: true, run: func(g *gorm.DB, w *world) (int64, error) {
		var m []models.Memory
		r := g.Joins("JOIN memories AS other ON 1 = 1").Find(&m)
		return int64(len(m)), r.Error
	}},
	{name: "From clause", refused: true, run: func(g *gorm.DB, w *world) (int64, error) {
		var m []models.Memory
		r := g.Clauses(clause.From{Tables: []clause.Table{{Name: "memories", Alias: "memories"}}}).Find(&m)
		return int64(len(m)), r.Error
	}},
	{name: "tenants table", refused: true, run: func(g *gorm.DB, w *world) (int64, error) {
		var m []models.Tenant
		r := g.Find(&m)
		return int64(len(m)), r.Error
	}},
}

func found(g *gorm.DB) (int64, error) {
	if errors.Is(g.Error, gorm.ErrRecordNotFound) {
		return 0, nil
	}
	if g.Error != nil {
		return 0, g.Error
	}
	return 1, nil
}

func testTenants(t *testing.T, b Backend) {
	w := newWorld(t, b)
	for _, p := range paths {
		t.Run("read/"+p.name, func(t *testing.T) {
			for tenant, want := range map[string]int64{tenantB: 1, "gamma": 0} {
				n, err := p.run(w.db.ORM(As(t.Context(), tenant)), w)
				if p.refused {
					if !errors.Is(err, models.ErrUnguarded) {
						t.Errorf("%s: err = %v, want ErrUnguarded", tenant, err)
					}
					continue
				}
				if err != nil || n != want {
					t.Errorf("%s saw %d rows (%v), want %d", tenant, n, err, want)
				}
			}
			n, err := p.run(w.db.ORM(t.Context()), w)
			if err == nil || n != 0 {
				t.Errorf("no tenant saw %d rows, err = %v", n, err)
			}
			if !errors.Is(err, models.ErrNoTenant) && !errors.Is(err, models.ErrUnguarded) {
				t.Errorf("no tenant: err = %v", err)
			}
		})
	}
	testTenantWrites(t, b)
}
