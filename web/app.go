// Package web is the composition root: settings, the data folder, the wiring of
// the services, the routes with what each asks of its caller, sessions and the
// headers of every answer. It holds no business rule.
package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// retryLocked is how often a locked program looks whether its key store is back.
const retryLocked = 2 * time.Second

// App is the program: made by New, run by Run, ended by Close.
type App struct {
	cfg      Config
	listener net.Listener
	handler  atomic.Pointer[http.Handler]

	mu       sync.Mutex
	services *services // nil while locked
	closed   bool
}

// New takes the port and opens the data folder. Everything is ready when it
// returns: the ledger is replayed and jobs run. With a key store that is missing
// or wrong beside an existing database it returns a locked App, which answers 503
// until the key store is put right. Every error is a *StartError of one line.
func New(ctx context.Context, cfg Config) (*App, error) {
	a, err := listen(cfg)
	if err != nil {
		return nil, err
	}
	switch err := a.open(ctx); {
	case err != nil && isLocked(cfg, err):
		cfg.log().ErrorContext(ctx, "locked: every request is answered 503 until this is put right", "fault", err.Error())
		locked := cfg.guarded(http.HandlerFunc(serveLocked))
		a.handler.Store(&locked)
	case err != nil:
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// listen takes the port first, so that a busy one is found before a folder is made.
func listen(cfg Config) (*App, error) {
	l, err := net.Listen("tcp", cfg.Listen)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, startError(err, "%s is in use by another program: stop that one, or set FORNIX_LISTEN to another port", cfg.Listen)
	}
	if err != nil {
		return nil, startError(err, "can't listen on %s: %s", cfg.Listen, reason(err))
	}
	return &App{cfg: cfg, listener: l}, nil
}

// open opens the folder, starts the services and puts the routes in place.
func (a *App) open(ctx context.Context) error {
	d, err := openFolder(ctx, a.cfg, false)
	if err != nil {
		return err
	}
	s, err := newServices(ctx, a.cfg, d)
	if err != nil {
		return errors.Join(explain(a.cfg, err), d.close())
	}
	return a.use(ctx, s)
}

// use starts the services and serves them; it closes them on a fault.
func (a *App) use(ctx context.Context, s *services) error {
	err := s.start(ctx)
	var h http.Handler
	if err == nil {
		h, err = newHandler(a.cfg, a.URL(), s)
	}
	if err != nil {
		return errors.Join(explain(a.cfg, err), s.close())
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return s.close()
	}
	a.services = s
	a.handler.Store(&h)
	return nil
}

// URL is how people reach it: the public address, else where it listens.
func (a *App) URL() string {
	if a.cfg.PublicURL != "" {
		return a.cfg.PublicURL
	}
	return "http://" + a.listener.Addr().String()
}

// Locked tells whether it waits for its key store.
func (a *App) Locked() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.services == nil
}

// ServeHTTP answers a request by the routes in place.
func (a *App) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	(*a.handler.Load()).ServeHTTP(w, r)
}

// Run serves until the context ends, then lets running requests end.
func (a *App) Run(ctx context.Context) error {
	if a.Locked() {
		go a.unlock(ctx)
	}
	server := &http.Server{
		Handler: a, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: time.Minute,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10,
		BaseContext: func(net.Listener) context.Context { return context.WithoutCancel(ctx) },
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(a.listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("web: serve: %w", err)
	case <-ctx.Done():
	}
	limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if err := server.Shutdown(limit); err != nil {
		return fmt.Errorf("web: shut down: %w", err)
	}
	return nil
}

// unlock tries again until the key store opens or the context ends.
func (a *App) unlock(ctx context.Context) {
	tick := time.NewTicker(retryLocked)
	defer tick.Stop()
	for a.Locked() {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := a.open(ctx); err == nil {
			a.cfg.log().InfoContext(ctx, "unlocked: the key store is back")
		}
	}
}

// Close ends jobs, closes the data folder and gives the port back.
func (a *App) Close() error {
	a.mu.Lock()
	s := a.services
	a.services, a.closed = nil, true
	a.mu.Unlock()
	err := s.close()
	if closeErr := a.listener.Close(); closeErr != nil && !errors.Is(closeErr, net.ErrClosed) {
		err = errors.Join(err, closeErr)
	}
	return err
}

// serveLocked answers while the key store is missing or wrong.
func serveLocked(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/healthz" {
		serveHealth(w)
		return
	}
	p := plainProblem(http.StatusServiceUnavailable, "unavailable", "the key store isn't there or isn't this database's; nothing was deleted")
	p.retry = int(retryLocked/time.Second) + 1
	writeProblem(w, r, p)
}

func serveHealth(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte("{\"status\":\"ok\"}\n"))
}
