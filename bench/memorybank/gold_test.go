// Package memorybank holds the hand-made gold turns of the MemoryBank probing
// questions. It owns positions only (person, question, day, turn), never text,
// and must not import recall code: the labels judge it.
package memorybank

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const (
	dataFolder     = "../../../shared/data/memorybank"
	peopleCount    = 15
	questionCount  = 100
	maxNoteLetters = 120 // a reason, too short to carry dialogue
)

type position struct {
	Day  string `json:"day"`
	Turn int    `json:"turn"`
}

type label struct {
	Person   string     `json:"person"`
	Question int        `json:"question"`
	Gold     []position `json:"gold"`
	Note     string     `json:"note"`
}

type questionID struct {
	person   string
	question int
}

// dataset is what the labels are checked against, keyed by trimmed name.
type dataset struct {
	turns     map[string]map[string]int
	questions map[string]int
}

func TestGold(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"en", "cn"} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			content, err := os.ReadFile("gold_" + language + ".jsonl")
			if err != nil {
				t.Fatal(err)
			}
			labels, err := parseLabels(content)
			if err != nil {
				t.Fatal(err)
			}
			t.Run("is well formed", func(t *testing.T) {
				for _, problem := range formProblems(labels) {
					t.Error(problem)
				}
			})
			t.Run("points into the data set", func(t *testing.T) {
				data, err := loadDataset(language)
				if errors.Is(err, fs.ErrNotExist) && os.Getenv("REQUIRE_DATA") != "1" {
					t.Log("data set absent: only the form was checked")
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				for _, problem := range dataProblems(labels, data) {
					t.Error(problem)
				}
			})
		})
	}
}

func TestChecksFindFaults(t *testing.T) {
	t.Parallel()
	data := dataset{
		turns:     map[string]map[string]int{"Ann": {"2023-05-01": 4}},
		questions: map[string]int{"Ann": 1},
	}
	gold := func(day string, turn int) []position { return []position{{Day: day, Turn: turn}} }
	cases := []struct {
		name   string
		labels []label
		want   string
	}{
		{"turn zero", []label{{Person: "Ann", Gold: gold("2023-05-01", 0)}}, "is not a turn"},
		{"a day that is no date", []label{{Person: "Ann", Gold: gold("2023-02-30", 1)}}, "is not a date"},
		{"a name with spaces", []label{{Person: " Ann", Gold: gold("2023-05-01", 1)}}, "is not a trimmed name"},
		{"no gold without a note", []label{{Person: "Ann"}}, "no gold needs a note"},
		{"a note beside gold", []label{{Person: "Ann", Gold: gold("2023-05-01", 1), Note: "why"}}, "no gold needs a note"},
		{"a long note", []label{{Person: "Ann", Note: strings.Repeat("x", maxNoteLetters+1)}}, "note is too long"},
		{"a position twice", []label{{Person: "Ann", Gold: append(gold("2023-05-01", 1), gold("2023-05-01", 1)...)}}, "listed twice"},
		{"a question twice", []label{{Person: "Ann", Note: "n"}, {Person: "Ann", Note: "n"}}, "labelled twice"},
		{"a gap in the questions", []label{{Person: "Ann", Question: 1, Note: "n"}}, "question 0 has no label"},
		{"too few questions", nil, "want 100 labels"},
		{"a turn beyond the day", []label{{Person: "Ann", Gold: gold("2023-05-01", 5)}}, "has 4 turns"},
		{"a day the person lacks", []label{{Person: "Ann", Gold: gold("2023-05-02", 1)}}, "no such day"},
		{"an unknown person", []label{{Person: "Bob", Note: "n"}}, "no such person"},
		{"a question beyond the list", []label{{Person: "Ann", Question: 1, Note: "n"}}, "no such question"},
		{"an unlabelled question", nil, "want 1 labels"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			found := strings.Join(append(formProblems(c.labels), dataProblems(c.labels, data)...), "\n")
			if !strings.Contains(found, c.want) {
				t.Errorf("want a problem with %q, got:\n%s", c.want, found)
			}
		})
	}
	t.Run("an unknown field", func(t *testing.T) {
		t.Parallel()
		if _, err := parseLabels([]byte(`{"person":"Ann","question":0,"gold":[],"text":"x"}`)); err == nil {
			t.Error("want an error: a label must not carry text")
		}
	})
}

// parseLabels reads one object per line and refuses unknown fields, so that no
// text of the data set can slip in beside the positions.
func parseLabels(content []byte) ([]label, error) {
	var labels []label
	lines := bufio.NewScanner(bytes.NewReader(content))
	for n := 1; lines.Scan(); n++ {
		decoder := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		decoder.DisallowUnknownFields()
		var l label
		if err := decoder.Decode(&l); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("line %d: more than one object", n)
		}
		labels = append(labels, l)
	}
	return labels, lines.Err()
}

func formProblems(labels []label) []string {
	var problems []string
	if len(labels) != questionCount {
		problems = append(problems, fmt.Sprintf("want %d labels, got %d", questionCount, len(labels)))
	}
	seen := map[questionID]bool{}
	perPerson := map[string]int{}
	for _, l := range labels {
		at := fmt.Sprintf("%s question %d", l.Person, l.Question)
		if l.Person == "" || l.Person != strings.TrimSpace(l.Person) {
			problems = append(problems, fmt.Sprintf("%q is not a trimmed name", l.Person))
		}
		id := questionID{l.Person, l.Question}
		if seen[id] {
			problems = append(problems, at+": labelled twice")
		}
		seen[id] = true
		perPerson[l.Person]++
		if (len(l.Gold) == 0) != (l.Note != "") {
			problems = append(problems, at+": no gold needs a note, gold must have none")
		}
		if len([]rune(l.Note)) > maxNoteLetters {
			problems = append(problems, at+": note is too long")
		}
		listed := map[position]bool{}
		for _, p := range l.Gold {
			if _, err := time.Parse(time.DateOnly, p.Day); err != nil {
				problems = append(problems, fmt.Sprintf("%s: %q is not a date", at, p.Day))
			}
			if p.Turn < 1 {
				problems = append(problems, fmt.Sprintf("%s: %d is not a turn", at, p.Turn))
			}
			if listed[p] {
				problems = append(problems, fmt.Sprintf("%s: %s turn %d listed twice", at, p.Day, p.Turn))
			}
			listed[p] = true
		}
	}
	for person, count := range perPerson {
		for q := range count {
			if !seen[questionID{person, q}] {
				problems = append(problems, fmt.Sprintf("%s: question %d has no label", person, q))
			}
		}
	}
	if len(perPerson) != peopleCount {
		problems = append(problems, fmt.Sprintf("want %d people, got %d", peopleCount, len(perPerson)))
	}
	return problems
}

func dataProblems(labels []label, data dataset) []string {
	var problems []string
	labelled := map[string]int{}
	for _, l := range labels {
		at := fmt.Sprintf("%s question %d", l.Person, l.Question)
		days, known := data.turns[l.Person]
		if !known {
			problems = append(problems, at+": no such person")
			continue
		}
		if l.Question < 0 || l.Question >= data.questions[l.Person] {
			problems = append(problems, at+": no such question")
		}
		labelled[l.Person]++
		for _, p := range l.Gold {
			turns, known := days[p.Day]
			switch {
			case !known:
				problems = append(problems, fmt.Sprintf("%s: no such day %s", at, p.Day))
			case p.Turn > turns:
				problems = append(problems, fmt.Sprintf("%s: %s has %d turns, not %d", at, p.Day, turns, p.Turn))
			}
		}
	}
	for person, want := range data.questions {
		if labelled[person] != want {
			problems = append(problems, fmt.Sprintf("%s: want %d labels, got %d", person, want, labelled[person]))
		}
	}
	return problems
}

func loadDataset(language string) (dataset, error) {
	data := dataset{turns: map[string]map[string]int{}, questions: map[string]int{}}
	folder := filepath.Join(dataFolder, language)
	bank, err := os.ReadFile(filepath.Join(folder, "memory_bank_"+language+".json"))
	if err != nil {
		return data, err
	}
	var people map[string]struct {
		History map[string][]json.RawMessage `json:"history"`
	}
	if err := json.Unmarshal(bank, &people); err != nil {
		return data, fmt.Errorf("read dialogues: %w", err)
	}
	for name, person := range people {
		days := map[string]int{}
		for day, exchanges := range person.History {
			days[day] = 2 * len(exchanges)
		}
		data.turns[strings.TrimSpace(name)] = days
	}
	probing, err := os.Open(filepath.Join(folder, "probing_questions_"+language+".jsonl"))
	if err != nil {
		return data, err
	}
	defer probing.Close()
	for decoder := json.NewDecoder(probing); ; {
		var lists map[string][]string
		if err := decoder.Decode(&lists); errors.Is(err, io.EOF) {
			return data, nil
		} else if err != nil {
			return data, fmt.Errorf("read questions: %w", err)
		}
		for name, list := range lists {
			data.questions[strings.TrimSpace(name)] += len(list)
		}
	}
}
