package web

import (
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"fornix/static"
)

// newHandler is the whole program as an http.Handler.
func newHandler(cfg Config, url string, s *services) (http.Handler, error) {
	srv := &server{cfg: cfg, url: url, services: s}
	engine, err := srv.engine(srv.routes())
	if err != nil {
		return nil, err
	}
	return cfg.guarded(engine), nil
}

// engine registers routes; one that admits nobody is a fault of the program.
func (s *server) engine(routes []route) (*gin.Engine, error) {
	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	// Redirects to "the same" address go to //evil.example for a path that begins
	// with two slashes.
	e.RedirectTrailingSlash = false
	e.RedirectFixedPath = false
	e.HandleMethodNotAllowed = true
	// A slash inside of an id is percent-encoded and stays a part of it.
	e.UseRawPath = true
	e.UnescapePathValues = true
	if err := e.SetTrustedProxies(nil); err != nil { // guarded finds the address itself
		return nil, fmt.Errorf("web: engine: %w", err)
	}
	for _, r := range routes {
		if !r.need.Valid() || r.handle == nil {
			return nil, fmt.Errorf("web: route %s %s has no need that can be met", r.method, r.path)
		}
		e.Handle(r.method, r.path, s.answer(r))
	}
	e.NoRoute(func(c *gin.Context) {
		writeProblem(c.Writer, c.Request, plainProblem(http.StatusNotFound, "not_found", "there is nothing here"))
	})
	e.NoMethod(func(c *gin.Context) {
		writeProblem(c.Writer, c.Request, plainProblem(http.StatusMethodNotAllowed, "method_not_allowed", "this address is used in another way"))
	})
	return e, nil
}

// serveStatic serves style sheets and scripts.
func serveStatic() func(*gin.Context) error {
	files := static.Handler()
	return func(c *gin.Context) error {
		files.ServeHTTP(c.Writer, c.Request)
		return nil
	}
}

func health(c *gin.Context) error {
	serveHealth(c.Writer)
	return nil
}

// ready tells whether requests can be answered just now: the database answers,
// the key store opens, and the policy is fresh.
func (s *server) ready(c *gin.Context) error {
	ctx := c.Request.Context()
	faults := gin.H{}
	if err := s.db.Ping(ctx); err != nil {
		faults["database"] = "unavailable"
	}
	if err := s.store.Check(ctx); err != nil {
		faults["key_store"] = "unavailable"
	}
	if _, stale := s.policy.Stale(); stale {
		faults["policy"] = "stale"
	}
	if len(faults) > 0 {
		c.JSON(http.StatusServiceUnavailable, gin.H{"status": "not ready", "faults": faults})
		return nil
	}
	c.JSON(http.StatusOK, gin.H{"status": "ready"})
	return nil
}
