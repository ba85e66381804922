package jobs

import (
	"context"
	"fmt"

	"github.com/riverqueue/river"

	"fornix/memory"
	"fornix/privacy"
)

// memoryArgs are the arguments of memory's jobs as they stand in the queue.
type memoryArgs struct{ memory.Job }

func (memoryArgs) Kind() string { return "memory" }

type memoryWorker struct {
	river.WorkerDefaults[memoryArgs]
	queue *Queue
}

func (w *memoryWorker) Work(ctx context.Context, job *river.Job[memoryArgs]) error {
	s := w.queue.running().Memory
	ctx = memory.AsSystem(ctx, job.Args.Tenant, "job."+job.Args.Job.Kind)
	switch job.Args.Job.Kind {
	case memory.JobExtract:
		return s.RunExtract(ctx, job.Args.Job)
	case memory.JobFold:
		return s.RunFold(ctx, job.Args.Job)
	}
	return river.JobCancel(fmt.Errorf("jobs: unknown job %q", job.Args.Job.Kind))
}

// erasureArgs are the arguments of an erasure as they stand in the queue: they
// name the erasure and not the person, so nothing of the person stays there.
type erasureArgs struct{ privacy.Job }

func (erasureArgs) Kind() string { return "erasure" }

// InsertOpts lets an erasure be tried for weeks: a promise isn't given up.
func (erasureArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 100, Priority: 1}
}

type erasureWorker struct {
	river.WorkerDefaults[erasureArgs]
	queue *Queue
}

func (w *erasureWorker) Work(ctx context.Context, job *river.Job[erasureArgs]) error {
	ctx = memory.AsSystem(ctx, job.Args.Tenant, "job.erasure")
	return w.queue.running().Privacy.RunErasure(ctx, job.Args.Job)
}

func (q *Queue) running() Services {
	q.mu.RLock()
	defer q.mu.RUnlock()
	return q.services
}
