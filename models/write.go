package models

import (
	"context"
	"fmt"
	"reflect"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Insert writes new rows of one table. A unique index that already holds such a
// row gives ErrDuplicate.
func Insert[T any](ctx context.Context, tx *Tx, rows ...T) error {
	if len(rows) == 0 {
		return nil
	}
	// In batches: SQLite binds at most 32,766 values a statement.
	if err := tx.gorm.WithContext(ctx).Omit(clause.Associations).CreateInBatches(&rows, 200).Error; err != nil {
		return fmt.Errorf("models: insert %s: %w", tableOf(rows[0]), mapError(err))
	}
	return nil
}

// Update writes the whole row if its version is still the one it was read with,
// and counts the version up; else ErrStale, and nothing is changed (R7).
func Update[T any](ctx context.Context, tx *Tx, row *T) error {
	version := reflect.ValueOf(row).Elem().FieldByName("Version")
	if !version.IsValid() {
		return fmt.Errorf("models: update %s: row has no version", tableOf(*row))
	}
	was := version.Int()
	version.SetInt(was + 1)
	res := tx.gorm.WithContext(ctx).Model(row).Where("version = ?", was).Select("*").Omit(clause.Associations).Updates(row)
	if res.Error == nil && res.RowsAffected == 1 {
		return nil
	}
	version.SetInt(was)
	if res.Error != nil {
		return fmt.Errorf("models: update %s: %w", tableOf(*row), mapError(res.Error))
	}
	return fmt.Errorf("models: update %s: %w", tableOf(*row), ErrStale)
}

// first reads one row by conditions.
func first[T any](ctx context.Context, db *DB, conds ...any) (T, error) {
	var row T
	g := db.ORM(ctx).Limit(1)
	if len(conds) > 0 {
		g = g.Where(conds[0], conds[1:]...)
	}
	if err := g.Take(&row).Error; err != nil {
		return row, fmt.Errorf("models: read %s: %w", tableOf(row), mapError(err))
	}
	return row, nil
}

// list reads rows; shape adds conditions, order and limit.
func list[T any](ctx context.Context, db *DB, shape func(*gorm.DB) *gorm.DB) ([]T, error) {
	var rows []T
	if err := shape(db.ORM(ctx)).Find(&rows).Error; err != nil {
		var row T
		return nil, fmt.Errorf("models: list %s: %w", tableOf(row), mapError(err))
	}
	return rows, nil
}

// remove deletes rows of T and says how many.
func remove[T any](ctx context.Context, tx *Tx, query string, args ...any) (int64, error) {
	var row T
	res := tx.gorm.WithContext(ctx).Where(query, args...).Delete(&row)
	if res.Error != nil {
		return 0, fmt.Errorf("models: delete %s: %w", tableOf(row), mapError(res.Error))
	}
	return res.RowsAffected, nil
}

func count[T any](ctx context.Context, db *DB, query string, args ...any) (int64, error) {
	var (
		row T
		n   int64
	)
	if err := db.ORM(ctx).Model(&row).Where(query, args...).Count(&n).Error; err != nil {
		return 0, fmt.Errorf("models: count %s: %w", tableOf(row), mapError(err))
	}
	return n, nil
}

func tableOf(row any) string {
	if named, ok := row.(interface{ TableName() string }); ok {
		return named.TableName()
	}
	return fmt.Sprintf("%T", row)
}
