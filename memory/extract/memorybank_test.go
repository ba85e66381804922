package extract

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// The data lies beside the checkout; it is never copied into it.
const memorybank = "../../../shared/data/memorybank"

// TestShareOfRealTurns prints how many turns of real companion dialogues make
// memories. They hold more facts than the talk of a service desk, so the bound
// is wider than the aim of 70 % without.
func TestShareOfRealTurns(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "cn"} {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			b, err := os.ReadFile(filepath.Join(memorybank, lang, "memory_bank_"+lang+".json"))
			if errors.Is(err, fs.ErrNotExist) && os.Getenv("REQUIRE_DATA") == "" {
				t.Skip("MemoryBank isn't here")
			}
			if err != nil {
				t.Fatal(err)
			}
			var people map[string]struct {
				History map[string][]struct {
					Query string `json:"query"`
				} `json:"history"`
			}
			if err := json.Unmarshal(b, &people); err != nil {
				t.Fatal(err)
			}
			turns, made, statements := 0, 0, 0
			named := 0
			for _, p := range people {
				knowsName := false
				for day, said := range p.History {
					at, _ := time.Parse("2006-01-02", day)
					for _, s := range said {
						turns++
						v := FromTurn(s.Query, at)
						statements += len(v.Statements)
						if len(v.Statements) > 0 {
							made++
						}
						for _, st := range v.Statements {
							knowsName = knowsName || st.Slot == "name"
						}
					}
				}
				if knowsName {
					named++
				}
			}
			without := 1 - float64(made)/float64(turns)
			t.Logf("%d turns, %.1f %% make no memory, %d statements, %d of %d people gave their name", turns, 100*without, statements, named, len(people))
			if without < 0.6 || without > 0.8 {
				t.Errorf("%.1f %% of the turns make none, want 60 to 80", 100*without)
			}
			if named < len(people) {
				t.Errorf("the name of %d people was missed", len(people)-named)
			}
		})
	}
}
