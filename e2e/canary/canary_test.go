package canary_test

import (
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fornix/e2e/canary"
	"fornix/e2e/client"
	"fornix/e2e/process"
)

// The people of the test, and the fewest values that must have been read back.
const (
	people        = 12
	fewestRead    = 300
	perPerson     = 4 // memories
	turnsOfPerson = 6
)

// flock makes canaries and notes which were read back.
type flock struct {
	t     *testing.T
	rand  *rand.Rand
	all   []string
	read  map[string]bool
	agent client.Agent
}

// next makes a canary: letters for English, eight characters for Chinese. Neither is a
// word of any language, so none can stand anywhere by chance.
func (f *flock) next() string {
	var b strings.Builder
	if len(f.all)%2 == 0 {
		b.WriteString("canary")
		for range 12 {
			b.WriteByte(byte('a' + f.rand.IntN(26)))
		}
	} else {
		for range 8 {
			b.WriteRune(rune(0x4e00 + f.rand.IntN(0x5000)))
		}
	}
	f.all = append(f.all, b.String())
	return b.String()
}

// seen notes each canary that the answer shows.
func (f *flock) seen(answer string) {
	for _, c := range f.all {
		if strings.Contains(answer, c) {
			f.read[c] = true
		}
	}
}

// call is an API call that has to succeed.
func (f *flock) call(method, path string, body, into any) {
	f.t.Helper()
	if _, err := f.agent.Call(method, path, body, into); err != nil {
		f.t.Fatal(err)
	}
}

// readBack notes the canaries in the answer to a GET of the API.
func (f *flock) readBack(path string) {
	f.t.Helper()
	var answer any
	f.call(http.MethodGet, path, nil, &answer)
	f.see(answer)
}

// see notes the canaries in a decoded answer, whatever its JSON escaped.
func (f *flock) see(answer any) {
	f.t.Helper()
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(answer); err != nil {
		f.t.Fatal(err)
	}
	f.seen(text.String())
}

// TestNoCanaryOnDisk puts personal values in by the API and the pages, reads them back,
// and seeks them in the data folder, while the program runs and after it, and in all
// that it printed.
func TestNoCanaryOnDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program, err := process.Build(dir)
	if err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(dir, "data")
	demo, err := process.Settings{Env: []string{"FORNIX_DATA=" + data, "FORNIX_LISTEN=127.0.0.1:0", "FORNIX_LOG_LEVEL=debug"}}.Start(program, "demo")
	if err != nil {
		t.Fatal(err)
	}
	stopped := false
	t.Cleanup(func() {
		if !stopped {
			demo.Kill()
		}
	})
	f := &flock{t: t, rand: rand.New(rand.NewPCG(2, 26)), read: map[string]bool{}, agent: client.Agent{URL: demo.URL, Key: demo.AgentKey}}
	for range people {
		f.person()
	}
	f.staff(demo)

	var unread []string
	for _, c := range f.all {
		if !f.read[c] {
			unread = append(unread, c)
		}
	}
	t.Logf("%d canaries put in, %d read back", len(f.all), len(f.read))
	if len(f.read) < fewestRead {
		t.Errorf("%d canaries were read back, want %d at least; not seen again: %q", len(f.read), fewestRead, unread)
	}
	f.seek(data, "while it runs")
	if err := demo.Stop(); err != nil {
		t.Error(err)
	}
	stopped = true
	f.seek(data, "after it stopped")
	for _, hit := range canary.Seek("log", []byte(demo.Output()), f.all) {
		t.Error(hit)
	}
}

// seek looks through the folder. Three files at least: the database, a key, the ledger.
func (f *flock) seek(data, when string) {
	f.t.Helper()
	hits, files, err := canary.SeekFolder(data, f.all)
	if err != nil {
		f.t.Fatal(err)
	}
	if files < 3 {
		f.t.Errorf("%s: saw %d files in the data folder: the search looks at the wrong place", when, files)
	}
	if database, err := os.Stat(filepath.Join(data, "fornix.db")); err != nil || database.Size() == 0 {
		f.t.Errorf("%s: no database to search (%v)", when, err)
	}
	for _, hit := range hits {
		f.t.Errorf("%s: %s", when, hit)
	}
}

// person writes one person's values by every way that an agent has, and reads them back
// by the API and in the person's own portal.
func (f *flock) person() {
	f.t.Helper()
	subject := f.next()
	for range perPerson {
		var done struct {
			MemoryID string `json:"memory_id"`
			Outcome  string
		}
		f.call(http.MethodPost, "/memories", map[string]any{
			"subject": subject, "content": "Locker " + f.next() + ", shelf " + f.next(), "quote": "I said " + f.next(),
			"topic": f.next(), "tags": []string{f.next()}, "category": "preference", "source": "user",
			"session_id": f.next(), "message_id": f.next(),
		}, &done)
		f.readBack("/memories/" + done.MemoryID)
	}
	path := "/subjects/" + url.PathEscape(subject) + "/attributes"
	for key, value := range map[string]string{"preferred_name": f.next(), "city": f.next()} {
		f.call(http.MethodPut, path+"/"+key, map[string]any{"value": value, "source": "user", "reason": f.next()}, nil)
	}
	f.readBack(path + "?keys=preferred_name,city")

	session := f.next()
	var turns []map[string]any
	for i := range turnsOfPerson {
		role := []string{"user", "assistant"}[i%2]
		turns = append(turns, map[string]any{"role": role, "content": "About " + f.next() + " we spoke.", "message_id": f.next()})
	}
	f.call(http.MethodPost, "/messages", map[string]any{"subject": subject, "session_id": session, "messages": turns}, nil)
	var answer any
	f.call(http.MethodPost, "/recall", map[string]any{"subject": subject, "query": "Which locker? " + f.next(), "limit": 50}, &answer)
	f.see(answer)

	var link struct{ URL string }
	f.call(http.MethodPost, "/portal-links", map[string]any{"subject": subject}, &link)
	visitor, err := client.NewVisitor(f.agent.URL)
	if err != nil {
		f.t.Fatal(err)
	}
	if err := visitor.SignIn(link.URL); err != nil {
		f.t.Fatal(err)
	}
	for _, page := range []string{"/me", "/me/turns", "/me/access"} {
		f.page(visitor, page)
	}
}

// page opens a page that has to be there and notes its canaries.
func (f *flock) page(v *client.Visitor, path string) string {
	f.t.Helper()
	status, text, err := v.Get(path)
	if err != nil || status != http.StatusOK {
		f.t.Fatalf("%s answers %d (%v)", path, status, err)
	}
	f.seen(html.UnescapeString(text))
	return text
}

// staff seeks a person by their external id, which is the one personal value that staff
// type, and mistypes a password.
func (f *flock) staff(demo *process.Demo) {
	f.t.Helper()
	visitor, err := client.NewVisitor(demo.URL)
	if err != nil {
		f.t.Fatal(err)
	}
	if err := visitor.SignIn(demo.Compliance); err != nil {
		f.t.Fatal(err)
	}
	f.page(visitor, "/admin/people?q="+url.QueryEscape(f.all[0]))
	stranger, err := client.NewVisitor(demo.URL)
	if err != nil {
		f.t.Fatal(err)
	}
	form := url.Values{"email": {fmt.Sprintf("%s@northwind.example", f.next())}, "password": {f.next()}}
	if _, _, err := stranger.Post("/signin", form); err != nil {
		f.t.Fatal(err)
	}
}
