package policy

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/casbin/casbin/v2"
)

const (
	defaultPoll     = time.Second
	maxPoll         = 2 * time.Second
	defaultMaxStale = 10 * time.Second
)

// Options tune an engine; the zero value is right for serving.
type Options struct {
	// Poll is how often Run looks for a new version: 1 s by default, at most 2 s.
	Poll time.Duration
	// MaxStale is how old the last confirmation of the policy may be before staff
	// are refused admin actions; 10 s by default.
	MaxStale time.Duration
	// Now is the clock; time.Now by default.
	Now func() time.Time
	// Log gets one line when reloading begins to fail and one when it recovers.
	Log *slog.Logger
	// OnChange is called after another version came into force. No lock is
	// held: it may call the engine, also Apply.
	OnChange func(version uint64)
}

// Engine answers questions about the policy in force and keeps it up to date.
// Checks never wait for a load or a write.
type Engine struct {
	store RuleStore
	opts  Options

	current   atomic.Pointer[snapshot]
	confirmed atomic.Pointer[time.Time]
	failing   atomic.Pointer[failure]
	failures  atomic.Uint64

	// reloading holds one token: loads happen one after the other, so an older
	// snapshot can't replace a newer one. A channel and not a mutex, since a
	// waiter must be able to give up with its context.
	reloading chan struct{}
	wake      chan struct{}
}

// snapshot is one version of the policy in all its forms.
type snapshot struct {
	rules    []Rule
	enforcer *casbin.Enforcer
	matrix   *Matrix
	// unread marks a version that was computed and not yet read from the store;
	// the next refresh reads it even though the version is the same.
	unread bool
}

type failure struct {
	since time.Time
	err   error
}

// New loads the policy and returns an engine in force. It fails when the store
// can't be read, holds a malformed rule, or holds no rule (ErrNoPolicy): Fornix
// doesn't start without a policy. See Seed.
func New(ctx context.Context, store RuleStore, opts Options) (*Engine, error) {
	if store == nil {
		return nil, errors.New("policy: new engine: no rule store")
	}
	if opts.Poll <= 0 {
		opts.Poll = defaultPoll
	}
	opts.Poll = min(opts.Poll, maxPoll)
	if opts.MaxStale <= 0 {
		opts.MaxStale = defaultMaxStale
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	e := &Engine{store: store, opts: opts, reloading: make(chan struct{}, 1), wake: make(chan struct{}, 1)}
	if err := e.Refresh(ctx); err != nil {
		return nil, err
	}
	return e, nil
}

func (e *Engine) snapshot() *snapshot {
	if e == nil {
		return nil
	}
	return e.current.Load()
}

// Matrix is the capability matrix in force, nil (which denies) when there is
// none. Take it once where several answers must come from the same version; it
// doesn't know the policy's age, so ask the engine about admin actions.
func (e *Engine) Matrix() *Matrix {
	if s := e.snapshot(); s != nil {
		return s.matrix
	}
	return nil
}

// Version is the policy version in force.
func (e *Engine) Version() uint64 { return e.Matrix().Version() }

// Can tells whether the principal may do act on cat: agents in their module,
// users in the console, with all their roles, deny winning. It doesn't allocate
// and takes no lock.
func (e *Engine) Can(p Principal, cat, act string) bool {
	return e.Matrix().Can(p, cat, act) && !e.tooOldFor(&p, act)
}

// CanAttr tells whether the principal may do act on the attribute key whose
// dictionary category is given; see Matrix.CanAttr.
func (e *Engine) CanAttr(p Principal, key, category, act string) bool {
	return e.Matrix().CanAttr(p, key, category, act) && !e.tooOldFor(&p, act)
}

// Categories lists the data categories on which the principal may do act; nil
// when there is none, and then nothing may be read.
func (e *Engine) Categories(p Principal, act string) []string {
	if e.tooOldFor(&p, act) {
		return nil
	}
	return e.Matrix().Categories(p, act)
}

// CanAny tells whether there is a data category on which the principal may do
// act: whether to show a link, or whether an attempt is to be recorded as denied.
func (e *Engine) CanAny(p Principal, act string) bool {
	return len(e.Categories(p, act)) > 0
}

// Roles lists a user's or agent's roles in its tenant, sorted.
func (e *Engine) Roles(p Principal) []string { return e.Matrix().Roles(p) }

// tooOldFor: agents go on with the last known policy, since memory must answer
// while a database is away; staff don't change, open or erase on it.
func (e *Engine) tooOldFor(p *Principal, act string) bool {
	if p.Kind != KindUser || !IsAdminAction(act) {
		return false
	}
	if e == nil {
		return true
	}
	at := e.confirmed.Load()
	return at == nil || e.opts.Now().Sub(*at) > e.opts.MaxStale
}
