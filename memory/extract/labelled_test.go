package extract

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// labelled is a turn of our own writing with what it must come to.
type labelled struct {
	Text     string `json:"text"`
	Remember bool   `json:"remember"`
	Forget   bool   `json:"forget"`
	Kind     string `json:"kind"`
	Slot     string `json:"slot"`
	Value    string `json:"value"`
}

func readLabelled(t *testing.T, file string) []labelled {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []labelled
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		d := json.NewDecoder(strings.NewReader(lines.Text()))
		d.DisallowUnknownFields()
		var l labelled
		if err := d.Decode(&l); err != nil {
			t.Fatalf("%s: %q: %v", file, lines.Text(), err)
		}
		out = append(out, l)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

var spokenAt = time.Date(2026, 3, 11, 10, 0, 0, 0, time.UTC) // a Wednesday

// agrees tells whether one of the statements is the labelled one.
func agrees(v Verdict, l labelled) bool {
	for _, s := range v.Statements {
		if (l.Kind == "" || s.Kind == l.Kind) && (l.Slot == "" || s.Slot == l.Slot) && (l.Value == "" || s.Value == l.Value) {
			return true
		}
	}
	return false
}

func TestLabelledTurns(t *testing.T) {
	t.Parallel()
	for _, set := range []struct {
		file                       string
		least                      int
		precision, recall, details float64
	}{
		{"en.jsonl", 150, 0.98, 0.98, 0.97},
		{"zh.jsonl", 150, 0.98, 0.98, 0.97},
		{"en_held.jsonl", 90, 0.97, 0.95, 0.85},
		{"zh_held.jsonl", 90, 0.97, 0.85, 0.80},
		{"en_unseen.jsonl", 50, 0.95, 0.85, 0.85},
		{"zh_unseen.jsonl", 50, 0.95, 0.85, 0.85},
	} {
		t.Run(set.file, func(t *testing.T) {
			t.Parallel()
			turns := readLabelled(t, set.file)
			if len(turns) < set.least {
				t.Fatalf("%d turns, want at least %d", len(turns), set.least)
			}
			var hit, extra, missed, exact, positive int
			for _, l := range turns {
				v := FromTurn(l.Text, spokenAt)
				made := len(v.Statements) > 0
				switch {
				case made && l.Remember:
					hit++
				case made:
					extra++
					t.Logf("too much: %q -> %q", l.Text, v.Statements[0].Content)
				case l.Remember:
					missed++
					t.Logf("missed: %q", l.Text)
				}
				if l.Remember {
					positive++
					if agrees(v, l) {
						exact++
					} else if made {
						s := v.Statements[0]
						t.Logf("labels: %q: want %s %s=%s, got %s %s=%s", l.Text, l.Kind, l.Slot, l.Value, s.Kind, s.Slot, s.Value)
					}
				}
				if l.Forget != (v.Forget != nil) {
					t.Errorf("%q: forget request %v, want %v", l.Text, v.Forget != nil, l.Forget)
				}
			}
			precision := float64(hit) / float64(hit+extra)
			recall := float64(hit) / float64(hit+missed)
			details := float64(exact) / float64(positive)
			t.Logf("%d turns: precision %.3f, recall %.3f, kind+slot+value right %.3f", len(turns), precision, recall, details)
			if precision < set.precision || recall < set.recall || details < set.details {
				t.Errorf("below the floor: precision %.2f, recall %.2f, labels %.2f", set.precision, set.recall, set.details)
			}
		})
	}
}
