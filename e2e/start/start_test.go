// Package start measures what somebody waits who tries Fornix out: from `go run . demo`
// to the first page, cold (nothing compiled, no data) and warm (both there). It prints
// the times and asserts none, since they are the machine's; it does assert that the
// second start goes on with the data of the first.
package start

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fornix/e2e/process"
)

// The aims, on two cores.
const (
	aimCold = 2 * time.Minute
	aimWarm = 2 * time.Second
)

// TestDemoStart leaves the module cache as it is: what a download takes is the network's.
func TestDemoStart(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(t.TempDir(), "data")
	settings := process.Settings{Dir: root, Env: []string{
		"GOCACHE=" + t.TempDir(), "FORNIX_DATA=" + data, "FORNIX_LISTEN=127.0.0.1:0",
	}}
	cold := firstPage(t, settings)
	database, err := os.Stat(filepath.Join(data, "fornix.db"))
	if err != nil {
		t.Fatalf("after the cold start: %v", err)
	}
	warm := firstPage(t, settings)
	again, err := os.Stat(filepath.Join(data, "fornix.db"))
	if err != nil {
		t.Fatalf("after the warm start: %v", err)
	}
	if !os.SameFile(database, again) {
		t.Error("the second start made the database anew")
	}
	t.Logf("go run . demo to its first page: cold %.1f s (aim %.0f s), warm %.1f s (aim %.0f s)",
		cold.Seconds(), aimCold.Seconds(), warm.Seconds(), aimWarm.Seconds())
}

// firstPage starts the demo, opens its first page, stops it, and returns the time from
// start to page.
func firstPage(t *testing.T, settings process.Settings) time.Duration {
	t.Helper()
	began := time.Now()
	demo, err := settings.Start("go", "run", ".", "demo")
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.Get(demo.URL + "/")
	took := time.Since(began)
	if err != nil {
		demo.Kill()
		t.Fatalf("first page: %v", err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("first page: status %d", response.StatusCode)
	}
	// `go run` doesn't hand a signal on: it has to reach the group, as Ctrl-C does.
	demo.Interrupt()
	return took
}
