// Package kill kills the program from outside at random moments while it wipes people,
// starts it again, kills that start too, and wants the same end each time: the wipe is
// complete, its receipt is there, and no row of the person is left.
package kill

import (
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"fornix/e2e/client"
	"fornix/e2e/process"

	_ "modernc.org/sqlite" // the rows that are left are counted under the program's hands
)

const (
	defaultKills = 200
	// pollsToComplete bounds the wait for an erasure that never ends: a minute.
	pollsToComplete = 6000
	pollEvery       = 10 * time.Millisecond
)

// victim is the program under test with its data folder.
type victim struct {
	t        *testing.T
	settings process.Settings
	program  string
	data     string
	rand     *rand.Rand
	demo     *process.Demo

	span, startSpan time.Duration // what a wipe and a start take that nobody disturbs
	halfDone        int           // kills after which a wipe was neither unasked nor complete
}

func TestKilledWipesEndComplete(t *testing.T) {
	kills, err := strconv.Atoi(os.Getenv("FORNIX_KILLS"))
	if err != nil {
		kills = defaultKills
	}
	dir := t.TempDir()
	program, err := process.Build(dir)
	if err != nil {
		t.Fatal(err)
	}
	v := &victim{t: t, program: program, data: filepath.Join(dir, "data"), rand: rand.New(rand.NewPCG(7, 200))}
	v.settings.Env = []string{"FORNIX_DATA=" + v.data, "FORNIX_LISTEN=127.0.0.1:0"}
	v.start() // fills the folder
	t.Cleanup(func() { v.demo.Kill() })
	if err := v.demo.Stop(); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	v.start()
	v.startSpan = time.Since(began)

	v.fill("undisturbed")
	began = time.Now()
	v.complete(v.wipe("undisturbed"))
	v.span = time.Since(began)
	before := v.count("SELECT count(*) FROM subjects")

	wiped := 0
	for done := 0; done < kills; wiped++ {
		subject := fmt.Sprintf("victim %d", wiped)
		v.fill(subject)
		erasure := v.wipeAndKill(subject)
		done++
		if done < kills {
			// The next start resumes the wipe: it must stand being killed, too.
			v.killStart()
			done++
		}
		v.start()
		if erasure == "" {
			erasure = v.wipeUnlessGone(subject)
		}
		if erasure != "" {
			v.complete(erasure)
		}
		v.isForgotten(subject)
	}
	v.holds(before, wiped+1)
	t.Logf("%d kills at %d wipes, %d of which left a wipe half done; undisturbed a wipe takes %s and a start %s",
		kills, wiped, v.halfDone, v.span.Round(time.Millisecond), v.startSpan.Round(time.Millisecond))
	if v.halfDone == 0 {
		t.Error("no kill met a wipe half done: the moments are wrong")
	}
}

func (v *victim) start() {
	v.t.Helper()
	demo, err := v.settings.Start(v.program, "demo")
	if err != nil {
		v.t.Fatal(err)
	}
	v.demo = demo
}

func (v *victim) agent() client.Agent { return client.Agent{URL: v.demo.URL, Key: v.demo.AgentKey} }

// moment is when to kill: anywhere in what takes the span, and a little after.
func (v *victim) moment(span time.Duration) time.Duration {
	return time.Duration(v.rand.Int64N(int64(span) + int64(span)/4 + 1))
}

// killStart starts the program and kills it at a random moment of its start.
func (v *victim) killStart() {
	v.t.Helper()
	command := exec.Command(v.program, "demo")
	command.Env = append(os.Environ(), v.settings.Env...)
	v.fatal(command.Start())
	time.Sleep(v.moment(v.startSpan)) // no assertion rests on the time
	v.fatal(command.Process.Kill())
	_ = command.Wait() // says that it was killed
	v.noteHalfDone()
}

// noteHalfDone looks at a copy of the database, for opening it would tidy up what the
// kill left behind.
func (v *victim) noteHalfDone() {
	v.t.Helper()
	dir := v.t.TempDir()
	for _, name := range []string{"fornix.db", "fornix.db-wal"} {
		content, err := os.ReadFile(filepath.Join(v.data, name))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		v.fatal(err)
		v.fatal(os.WriteFile(filepath.Join(dir, name), content, 0o600))
	}
	if v.countIn(dir, "SELECT count(*) FROM erasures WHERE state <> 'complete' OR receipt_id IS NULL") > 0 {
		v.halfDone++
	}
}

// fill gives the person something in each store that an agent can write.
func (v *victim) fill(subject string) {
	v.t.Helper()
	a := v.agent()
	call := func(method, path string, body any) {
		v.t.Helper()
		if _, err := a.Call(method, path, body, nil); err != nil {
			v.t.Fatal(err)
		}
	}
	for i := range 3 {
		call(http.MethodPost, "/memories", map[string]any{"subject": subject, "content": fmt.Sprintf("Keeps bicycle number %d in the yard.", i), "category": "preference", "tags": []string{"bicycle"}})
	}
	call(http.MethodPut, path(subject)+"/attributes/city", map[string]any{"value": "Leeds", "source": "user"})
	call(http.MethodPost, "/messages", map[string]any{"subject": subject, "session_id": "s", "messages": []map[string]any{
		{"role": "user", "content": "From now on please write to me in the evening."},
		{"role": "assistant", "content": "I will."},
	}})
	call(http.MethodPost, "/recall", map[string]any{"subject": subject, "query": "Where is the bicycle?"})
	call(http.MethodPost, "/portal-links", map[string]any{"subject": subject})
}

func path(subject string) string { return "/subjects/" + url.PathEscape(subject) }

type requested struct {
	ErasureID string `json:"erasure_id"`
}

func (v *victim) wipe(subject string) string {
	v.t.Helper()
	var answer requested
	if _, err := v.agent().Call(http.MethodDelete, path(subject), nil, &answer); err != nil {
		v.t.Fatal(err)
	}
	return answer.ErasureID
}

// wipeAndKill asks for the wipe and kills the program at a random moment while it is
// asked or works. It returns the erasure's id if the answer still came.
func (v *victim) wipeAndKill(subject string) string {
	v.t.Helper()
	a := v.agent()
	answered := make(chan string, 1)
	go func() {
		var answer requested
		_, err := a.Call(http.MethodDelete, path(subject), nil, &answer)
		if err != nil {
			answer.ErasureID = "" // killed before it could answer
		}
		answered <- answer.ErasureID
	}()
	time.Sleep(v.moment(v.span)) // no assertion rests on the time
	v.demo.Kill()
	v.noteHalfDone()
	return <-answered
}

// wipeUnlessGone asks again where no answer came. The first request may have been
// committed all the same: then nobody by that name is there any more.
func (v *victim) wipeUnlessGone(subject string) string {
	v.t.Helper()
	var answer requested
	status, err := v.agent().Call(http.MethodDelete, path(subject), nil, &answer)
	switch {
	case err == nil:
		return answer.ErasureID
	case status == http.StatusNotFound, status == http.StatusGone, status == http.StatusConflict:
		return ""
	}
	v.t.Fatal(err)
	return ""
}

// complete waits until the erasure says that it is, and wants a receipt.
func (v *victim) complete(erasure string) {
	v.t.Helper()
	var view struct {
		State     string
		ReceiptID string `json:"receipt_id"`
	}
	for range pollsToComplete {
		if _, err := v.agent().Call(http.MethodGet, "/erasures/"+erasure, nil, &view); err != nil {
			v.t.Fatal(err)
		}
		if view.State == "complete" {
			if view.ReceiptID == "" {
				v.t.Errorf("erasure %s is complete without a receipt", erasure)
			} else if _, err := v.agent().Call(http.MethodGet, "/receipts/"+view.ReceiptID, nil, nil); err != nil {
				v.t.Error(err)
			}
			return
		}
		time.Sleep(pollEvery)
	}
	v.t.Fatalf("erasure %s stays %s\n%s", erasure, view.State, v.demo.Output())
}

// isForgotten wants the API to know nothing of the person.
func (v *victim) isForgotten(subject string) {
	v.t.Helper()
	var answer struct{ Items []any }
	status, err := v.agent().Call(http.MethodPost, "/recall", map[string]any{"subject": subject, "query": "Where is the bicycle?"}, &answer)
	if err != nil && status != http.StatusNotFound && status != http.StatusGone {
		v.t.Fatal(err)
	}
	if len(answer.Items) > 0 {
		v.t.Errorf("%d items are recalled of a wiped person", len(answer.Items))
	}
}

// holds looks at the database itself, with the program stopped: every erasure is
// complete and has its receipt, and no table with subjects has a row of one who is gone.
func (v *victim) holds(subjects, wiped int) {
	v.t.Helper()
	if err := v.demo.Stop(); err != nil {
		v.t.Error(err)
	}
	for query, want := range map[string]int{
		"SELECT count(*) FROM subjects":                                                                     subjects,
		"SELECT count(*) FROM erasures WHERE scope = 'all' AND state = 'complete'":                          wiped,
		"SELECT count(*) FROM erasures WHERE state <> 'complete'":                                           0,
		"SELECT count(*) FROM erasures e WHERE NOT EXISTS (SELECT 1 FROM receipts WHERE id = e.receipt_id)": 0,
		"SELECT count(DISTINCT erasure_token) FROM tombstones":                                              wiped,
	} {
		if got := v.count(query); got != want {
			v.t.Errorf("%s is %d, want %d", query, got, want)
		}
	}
	tables := v.texts(v.data, "SELECT m.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table' AND c.name = 'subject_id'")
	if len(tables) < 8 {
		v.t.Fatalf("%d tables have subjects: the check looks at the wrong place", len(tables))
	}
	for _, table := range tables {
		if left := v.count(fmt.Sprintf("SELECT count(*) FROM %q WHERE subject_id IS NOT NULL AND subject_id NOT IN (SELECT subject_id FROM subjects)", table)); left > 0 {
			v.t.Errorf("%s has %d rows of people who are gone", table, left)
		}
	}
}

func (v *victim) count(query string) int {
	v.t.Helper()
	return v.countIn(v.data, query)
}

func (v *victim) countIn(dir, query string) int {
	v.t.Helper()
	texts := v.texts(dir, query)
	n, err := strconv.Atoi(texts[0])
	if err != nil {
		v.t.Fatal(err)
	}
	return n
}

func (v *victim) texts(dir, query string) (all []string) {
	v.t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "fornix.db")+"?_pragma=busy_timeout(10000)")
	if err != nil {
		v.t.Fatal(err)
	}
	defer func() { v.t.Helper(); v.fatal(db.Close()) }()
	rows, err := db.Query(query)
	v.fatal(err)
	for rows.Next() {
		var text string
		v.fatal(rows.Scan(&text))
		all = append(all, text)
	}
	v.fatal(errors.Join(rows.Err(), rows.Close()))
	return all
}

func (v *victim) fatal(err error) {
	v.t.Helper()
	if err != nil {
		v.t.Fatal(err)
	}
}
