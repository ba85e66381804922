package models

import (
	"context"
	"fmt"

	"github.com/google/uuid"
)

// OpenJobs counts the jobs that wait or run.
func (db *DB) OpenJobs(ctx context.Context) (int64, error) {
	ctx = System(ctx, "the job queue belongs to no tenant")
	var n int64
	err := db.ORM(ctx).Raw("SELECT count(*) FROM river_job WHERE state IN ('available', 'pending', 'retryable', 'running', 'scheduled')").Scan(&n).Error
	if err != nil {
		return 0, fmt.Errorf("models: count jobs: %w", mapError(err))
	}
	return n, nil
}

// ofSubject selects the jobs whose arguments name the subject.
const ofSubject = "river_job WHERE json_extract(args, '$.tenant') = ? AND json_extract(args, '$.subject') = ?"

// CountJobs counts the jobs that name a subject, in any state.
func (db *DB) CountJobs(ctx context.Context, subject uuid.UUID) (int64, error) {
	tenant := TenantFrom(ctx)
	ctx = System(ctx, "the job queue belongs to no tenant; the statement names one")
	var n int64
	if err := db.ORM(ctx).Raw("SELECT count(*) FROM "+ofSubject, tenant, subject.String()).Scan(&n).Error; err != nil {
		return 0, fmt.Errorf("models: count jobs of subject: %w", mapError(err))
	}
	return n, nil
}

// DeleteJobs removes the jobs that name a subject, in any state. One that runs
// just now is stopped by its epoch.
func (tx *Tx) DeleteJobs(ctx context.Context, subject uuid.UUID) (int64, error) {
	tenant := TenantFrom(ctx)
	ctx = System(ctx, "the job queue belongs to no tenant; the statement names one")
	res := tx.gorm.WithContext(ctx).Exec("DELETE FROM "+ofSubject, tenant, subject.String())
	if res.Error != nil {
		return 0, fmt.Errorf("models: delete jobs of subject: %w", mapError(res.Error))
	}
	return res.RowsAffected, nil
}
