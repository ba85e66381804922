package modelstest

import (
	"context"
	"errors"
	"testing"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"fornix/models"
)

// writePaths are the ways through GORM that change, or try to change, beta's
// memory. Each reports how many rows it changed.
var writePaths = []path{
	{name: "Updates with struct", run: func(g *gorm.DB, w *world) (int64, error) {
		r := g.Model(&models.Memory{}).Where("id = ?", w.b.ID).Updates(models.Memory{Importance: .9})
		return r.RowsAffected, r.Error
	}},
	{name: "Updates with map", run: func(g *gorm.DB, w *world) (int64, error) {
		r := g.Model(&models.Memory{}).Where("1 = 0").Or("1 = 1").Updates(map[string]any{"importance": .9})
		return r.RowsAffected, r.Error
	}},
	{name: "Update by the row's own key", run: func(g *gorm.DB, w *world) (int64, error) {
		m := w.b
		r := g.Model(&m).Update("importance", .9)
		return r.RowsAffected, r.Error
	}},
	{name: "UpdateColumn", run: func(g *gorm.DB, w *world) (int64, error) {
		r := g.Model(&models.Memory{}).Where("id = ?", w.b.ID).UpdateColumn("importance", .9)
		return r.RowsAffected, r.Error
	}},
	{name: "UpdateColumns with an expression", run: func(g *gorm.DB, w *world) (int64, error) {
		r := g.Model(&models.Memory{}).Where("1 = 1").UpdateColumns(map[string]any{"access_count": gorm.Expr("access_count + 1")})
		return r.RowsAffected, r.Error
	}},
	{name: "generics Update", run: func(g *gorm.DB, w *world) (int64, error) {
		n, err := gorm.G[models.Memory](g).Where("id = ?", w.b.ID).Update(g.Statement.Context, "importance", .9)
		return int64(n), err
	}},
	{name: "Delete by key", run: func(g *gorm.DB, w *world) (int64, error) {
		m := w.b
		r := g.Delete(&m)
		return r.RowsAffected, r.Error
	}},
	{name: "Delete by condition", run: func(g *gorm.DB, w *world) (int64, error) {
		r := g.Where("1 = 0").Or("1 = 1").Delete(&models.Memory{})
		return r.RowsAffected, r.Error
	}},
	{name: "generics Delete", run: func(g *gorm.DB, w *world) (int64, error) {
		n, err := gorm.G[models.Memory](g).Where("id = ?", w.b.ID).Delete(g.Statement.Context)
		return int64(n), err
	}},
	{name: "Unscoped Delete", refused: true, run: func(g *gorm.DB, w *world) (int64, error) {
		r := g.Unscoped().Where("1 = 1").Delete(&models.Memory{})
		return r.RowsAffected, r.Error
	}},
	{name: "Unscoped Update", refused: true, run: func(g *gorm.DB, w *world) (int64, error) {
		r := g.Unscoped().Model(&models.Memory{}).Where("1 = 1").Update("importance", .9)
		return r.RowsAffected, r.Error
	}},
	{name: "Table Updates", refused: true, run: func(g *gorm.DB, w *world) (int64, error) {
		r := g.Table("memories").Where("1 = 1").Updates(map[string]any{"importance": .9})
		return r.RowsAffected, r.Error
	}},
	{name: "Table Create", refused: true, run: func(g *gorm.DB, w *world) (int64, error) {
		r := g.Table("memories").Create(map[string]any{"tenant_id": tenantB, "id": models.NewID()})
		return r.RowsAffected, r.Error
	}},
	{name: "Exec", refused: true, run: func(g *gorm.DB, w *world) (int64, error) {
		r := g.Exec("UPDATE memories SET importance = .9")
		return r.RowsAffected, r.Error
	}},
	{name: "ON CONFLICT on a column without tenant", refused: true, run: func(g *gorm.DB, w *world) (int64, error) {
		m := w.b
		r := g.Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "id"}}, UpdateAll: true}).Create(&m)
		return r.RowsAffected, r.Error
	}},
}

// thefts write a row with beta's key: in another tenant they must make a row of
// that tenant, or fail, and never touch beta's.
var thefts = map[string]func(g *gorm.DB, m *models.Memory) error{
	"Save":            func(g *gorm.DB, m *models.Memory) error { return g.Save(m).Error },
	"Create":          func(g *gorm.DB, m *models.Memory) error { return g.Create(m).Error },
	"Create slice":    func(g *gorm.DB, m *models.Memory) error { return g.Create([]*models.Memory{m}).Error },
	"CreateInBatches": func(g *gorm.DB, m *models.Memory) error { return g.CreateInBatches([]models.Memory{*m}, 1).Error },
	"generics Create": func(g *gorm.DB, m *models.Memory) error {
		return gorm.G[models.Memory](g).Create(g.Statement.Context, m)
	},
	"OnConflict DoNothing": func(g *gorm.DB, m *models.Memory) error {
		return g.Clauses(clause.OnConflict{DoNothing: true}).Create(m).Error
	},
	"OnConflict UpdateAll": func(g *gorm.DB, m *models.Memory) error {
		return g.Clauses(clause.OnConflict{UpdateAll: true}).Create(m).Error
	},
	"FirstOrCreate":         func(g *gorm.DB, m *models.Memory) error { return g.Where("id = ?", m.ID).FirstOrCreate(m).Error },
	"Updates moving tenant": func(g *gorm.DB, m *models.Memory) error { return g.Model(m).Select("*").Updates(*m).Error },
	"map moving tenant": func(g *gorm.DB, m *models.Memory) error {
		return g.Model(&models.Memory{}).Where("id = ?", m.ID).Updates(map[string]any{"importance": .9, "source": "manual"}).Error
	},
	"Association Append": func(g *gorm.DB, m *models.Memory) error {
		return g.Model(m).Association("Evidence").Append(&models.MemoryEvidence{TenantID: tenantB, ID: models.NewID(), Source: "user"})
	},
	"Association Replace": func(g *gorm.DB, m *models.Memory) error {
		return g.Model(m).Association("Evidence").Replace(&models.MemoryEvidence{TenantID: tenantB, ID: models.NewID(), Source: "user"})
	},
	"Association Delete": func(g *gorm.DB, m *models.Memory) error {
		return g.Model(m).Association("Evidence").Delete(&models.MemoryEvidence{TenantID: tenantB, SubjectID: m.SubjectID, ID: evidenceOfB})
	},
	"Association Clear": func(g *gorm.DB, m *models.Memory) error { return g.Model(m).Association("Evidence").Clear() },
}

// evidenceOfB is the id of the evidence of beta's memory in every world.
var evidenceOfB = models.NewID()

// errUndo rolls a transaction of the suite back.
var errUndo = errors.New("undo")

// attempt runs a path in a recorded transaction that is always undone.
func attempt(t *testing.T, w *world, ctx context.Context, run func(g *gorm.DB, w *world) (int64, error)) (n int64, err error) {
	t.Helper()
	undone := w.db.InTx(ctx, func(ctx context.Context, tx *models.Tx) error {
		n, err = run(w.db.ORM(ctx), w)
		return errUndo
	})
	if !errors.Is(undone, errUndo) {
		t.Fatalf("undo: %v", undone)
	}
	return n, err
}

func testTenantWrites(t *testing.T, b Backend) {
	w := newWorld(t, b)
	for _, p := range writePaths {
		t.Run("write/"+p.name, func(t *testing.T) {
			for tenant, want := range map[string]int64{tenantB: 1, "gamma": 0} {
				n, err := attempt(t, w, As(t.Context(), tenant), p.run)
				switch {
				case p.refused && !errors.Is(err, models.ErrUnguarded):
					t.Errorf("%s: err = %v, want ErrUnguarded", tenant, err)
				case !p.refused && (err != nil || n != want):
					t.Errorf("%s changed %d rows (%v), want %d", tenant, n, err, want)
				}
			}
			noTenant := models.WithTenant(As(t.Context(), tenantA), "")
			if n, err := attempt(t, w, noTenant, p.run); err == nil || n != 0 {
				t.Errorf("no tenant changed %d rows, err = %v", n, err)
			}
			if n, err := p.run(w.db.ORM(As(t.Context(), tenantB)), w); err == nil || n != 0 {
				t.Errorf("outside InTx %d rows were changed, err = %v", n, err)
			}
		})
	}
	for name, steal := range thefts {
		t.Run("theft/"+name, func(t *testing.T) {
			w := newWorld(t, b)
			// Whether the thief's own write succeeds is not the point; beta's rows are.
			_ = write(t, w.db, tenantA, func(ctx context.Context, tx *models.Tx) error {
				m := w.b
				m.Importance, m.Source = .123, "manual"
				_ = steal(w.db.ORM(ctx), &m)
				return nil
			})
			var left []models.Memory
			if err := w.db.ORM(As(t.Context(), tenantB)).Preload("Evidence").Find(&left).Error; err != nil {
				t.Fatal(err)
			}
			if len(left) != 1 || left[0].Importance != w.b.Importance || left[0].Source != w.b.Source || left[0].Version != w.b.Version || len(left[0].Evidence) != 1 {
				t.Errorf("beta's memory was touched: %d rows, %+v", len(left), left)
			}
		})
	}
}
