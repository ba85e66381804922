package web

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"fornix/memory"
	"fornix/policy"
)

const (
	swaps        = 10_000
	swapsARound  = 250 // pairs of different cells, changed and put back together
	swapPeople   = 24
	swapTenants  = 2
	memoriesEach = 10
)

// cell is a sealed cell as raw SQL finds it, with the call of the API that opens it
// and the value that only it holds.
type cell struct {
	table, column, tenant, subject, row string
	secret                              string
	read                                func() *httptest.ResponseRecorder
}

// swapper is a served installation with people, and a connection of its own to the
// database file.
type swapper struct {
	t     *testing.T
	app   *App
	db    *sql.DB
	keys  map[string]string // tenant → API key
	cells []*cell
	n     int
}

func (s *swapper) call(tenant, method, path string, body any) *httptest.ResponseRecorder {
	var sent bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&sent).Encode(body); err != nil {
			s.t.Fatal(err)
		}
	}
	r := httptest.NewRequest(method, "/api/v1"+path, &sent)
	r.Header.Set("Authorization", "Bearer "+s.keys[tenant])
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	s.app.ServeHTTP(w, r)
	return w
}

// secret is a word that stands nowhere else.
func (s *swapper) secret() string {
	s.n++
	return fmt.Sprintf("zq%06dx%s", s.n, strings.ReplaceAll(uuid.NewString(), "-", "")[:8])
}

// fill gives a person memories with quotes, and a profile field, through the API.
func (s *swapper) fill(tenant, external string) {
	s.t.Helper()
	for range memoriesEach {
		words, quote, topic := s.secret(), s.secret(), s.secret()
		w := s.call(tenant, http.MethodPost, "/memories", map[string]any{
			"subject": external, "content": "Keeps the word " + words, "quote": "I keep " + quote, "topic": topic, "category": "general", "source": "user",
		})
		var made memory.Remembered
		if err := json.Unmarshal(w.Body.Bytes(), &made); err != nil || made.Outcome != memory.OutcomeCreated {
			s.t.Fatalf("remember answers %d: %s", w.Code, w.Body)
		}
		id, err := memory.ParseID(memory.PrefixMemory, made.MemoryID)
		if err != nil {
			s.t.Fatal(err)
		}
		read := func() *httptest.ResponseRecorder {
			return s.call(tenant, http.MethodGet, "/memories/"+made.MemoryID, nil)
		}
		subject, row := id.Subject.String(), id.Row.String()
		evidence := s.value("SELECT id FROM memory_evidence WHERE tenant_id = ? AND subject_id = ? AND memory_id = ?", tenant, subject, row)
		s.cells = append(s.cells,
			&cell{"memories", "content", tenant, subject, row, words, read},
			&cell{"memories", "labels", tenant, subject, row, topic, read},
			&cell{"memory_evidence", "quote", tenant, subject, evidence, quote, read})
	}
	subject := s.cells[len(s.cells)-1].subject
	value := s.secret()
	path := "/subjects/" + url.PathEscape(external) + "/attributes"
	if w := s.call(tenant, http.MethodPut, path+"/motto", map[string]any{"value": value, "source": "user"}); w.Code >= 300 {
		s.t.Fatalf("put attribute answers %d: %s", w.Code, w.Body)
	}
	row := s.value("SELECT id FROM attributes WHERE tenant_id = ? AND subject_id = ?", tenant, subject)
	s.cells = append(s.cells, &cell{"attributes", "value", tenant, subject, row, value, func() *httptest.ResponseRecorder {
		return s.call(tenant, http.MethodGet, path+"?keys=motto", nil)
	}})
}

func (s *swapper) value(query string, args ...any) (v string) {
	s.t.Helper()
	if err := s.db.QueryRowContext(s.t.Context(), query, args...).Scan(&v); err != nil {
		s.t.Fatal(err)
	}
	return v
}

// swap exchanges the blobs of pairs of cells, in one transaction; doing it again
// puts them back.
func (s *swapper) swap(pairs [][2]*cell) {
	s.t.Helper()
	tx, err := s.db.BeginTx(s.t.Context(), nil)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	where := " WHERE tenant_id = ? AND subject_id = ? AND id = ?"
	for _, pair := range pairs {
		var blobs [2][]byte
		for i, c := range pair {
			if err := tx.QueryRow("SELECT "+c.column+" FROM "+c.table+where, c.tenant, c.subject, c.row).Scan(&blobs[i]); err != nil {
				s.t.Fatal(err)
			}
		}
		for i, c := range pair {
			if _, err := tx.Exec("UPDATE "+c.table+" SET "+c.column+" = ?"+where, blobs[1-i], c.tenant, c.subject, c.row); err != nil {
				s.t.Fatal(err)
			}
		}
	}
	if err := tx.Commit(); err != nil {
		s.t.Fatal(err)
	}
}

// TestSwappedCellsOpenNowhere moves sealed cells into each other's places by raw SQL
// and reads them through the API: none may open there, and put back all do.
func TestSwappedCellsOpenNowhere(t *testing.T) {
	t.Parallel()
	s := newSwapper(t)
	for _, c := range s.cells {
		if w := c.read(); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), c.secret) {
			t.Fatalf("before any swap %s.%s answers %d: %s", c.table, c.column, w.Code, w.Body)
		}
	}
	random := rand.New(rand.NewPCG(10, 2026))
	kinds := map[string]int{}
	done, opened := 0, 0
	for done < swaps {
		order := random.Perm(len(s.cells))
		var pairs [][2]*cell
		for i := 0; i+1 < len(order) && len(pairs) < swapsARound && done+len(pairs) < swaps; i += 2 {
			pair := [2]*cell{s.cells[order[i]], s.cells[order[i+1]]}
			pairs = append(pairs, pair)
			kinds[kindOf(pair)]++
		}
		s.swap(pairs)
		for _, pair := range pairs {
			for i, c := range pair {
				w := c.read()
				// The other's value here, or this one's from the other's place, is an opened cell.
				if w.Code < 400 || strings.Contains(w.Body.String(), pair[1-i].secret) || strings.Contains(w.Body.String(), c.secret) {
					opened++
					t.Errorf("%s.%s opened in the place of %s.%s: %d %s", pair[1-i].table, pair[1-i].column, c.table, c.column, w.Code, w.Body)
				}
			}
			if opened > 5 {
				t.FailNow()
			}
		}
		s.swap(pairs)
		done += len(pairs)
	}
	for _, kind := range []string{"row", "column or table", "person", "tenant"} {
		if kinds[kind] == 0 {
			t.Errorf("no swap changed only up to the %s: %v", kind, kinds)
		}
	}
	for _, c := range s.cells {
		if w := c.read(); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), c.secret) {
			t.Fatalf("put back, %s.%s answers %d", c.table, c.column, w.Code)
		}
	}
	fmt.Printf("%d swaps of sealed cells (%v): %d opened\n", done, kinds, opened)
}

// kindOf names the widest border that a swap crosses.
func kindOf(p [2]*cell) string {
	switch a, b := p[0], p[1]; {
	case a.tenant != b.tenant:
		return "tenant"
	case a.subject != b.subject:
		return "person"
	case a.table != b.table || a.column != b.column:
		return "column or table"
	}
	return "row"
}

func newSwapper(t *testing.T) *swapper {
	t.Helper()
	cfg := folder(t)
	s := &swapper{t: t, keys: map[string]string{}}
	tenants := []string{"acme", "borealis"}
	for _, tenant := range tenants[:swapTenants] {
		if _, err := Migrate(t.Context(), cfg, Setup{Tenant: tenant, Name: tenant, Locale: "en"}); err != nil {
			t.Fatal(err)
		}
	}
	s.app = start(t, cfg)
	access := policy.Access{Categories: []string{policy.CatGeneral, policy.CatRestricted}, Actions: []string{
		policy.ActMemoryRead, policy.ActMemoryWrite, policy.ActAttributeRead, policy.ActAttributeWrite,
	}}
	for _, tenant := range tenants {
		key, err := s.app.services.memory.CreateAgent(memory.AsSystem(t.Context(), tenant, "test"), "support", "support", access)
		if err != nil {
			t.Fatal(err)
		}
		s.keys[tenant] = key
	}
	var err error
	if s.db, err = sql.Open("sqlite", "file:"+cfg.databaseFile()+"?_pragma=busy_timeout(10000)&_pragma=synchronous(off)&_txlock=immediate"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.db.Close() })
	s.db.SetMaxOpenConns(1)
	for i := range swapPeople {
		s.fill(tenants[i%swapTenants], fmt.Sprintf("person-%d", i))
	}
	return s
}
