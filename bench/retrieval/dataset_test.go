package retrieval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	dataEnv    = "FORNIX_DATA" // the folder that holds en/ and cn/
	dataFolder = "../../../shared/data/memorybank"
	goldFolder = "../memorybank"
)

// person is one person's dialogues and questions, from the data set and the labels.
type person struct {
	name      string
	turns     []turn
	questions []question
	lastDay   time.Time
}

type turn struct {
	day       string
	number    int // 1-based in the day
	text      string
	assistant bool
}

type question struct {
	text string
	gold []position
}

type position struct {
	Day  string `json:"day"`
	Turn int    `json:"turn"`
}

func dataRoot() string {
	if root := os.Getenv(dataEnv); root != "" {
		return root
	}
	return dataFolder
}

// loadPeople reads one language, in the order of names. An absent data set is
// fs.ErrNotExist.
func loadPeople(language string) ([]person, error) {
	bank, err := os.ReadFile(filepath.Join(dataRoot(), language, "memory_bank_"+language+".json"))
	if err != nil {
		return nil, err
	}
	var dialogues map[string]struct {
		History map[string][]struct{ Query, Response string } `json:"history"`
	}
	if err := json.Unmarshal(bank, &dialogues); err != nil {
		return nil, fmt.Errorf("read dialogues: %w", err)
	}
	questions, err := loadQuestions(language)
	if err != nil {
		return nil, err
	}
	var people []person
	for key, dialogue := range dialogues {
		p := person{name: strings.TrimSpace(key)}
		p.questions = questions[p.name]
		for day, exchanges := range dialogue.History {
			at, err := time.Parse(time.DateOnly, day)
			if err != nil {
				return nil, fmt.Errorf("read dialogues: %w", err)
			}
			if at.After(p.lastDay) {
				p.lastDay = at
			}
			for i, exchange := range exchanges {
				p.turns = append(p.turns,
					turn{day, 2*i + 1, exchange.Query, false},
					turn{day, 2*i + 2, exchange.Response, true})
			}
		}
		slices.SortFunc(p.turns, func(a, b turn) int {
			if order := strings.Compare(a.day, b.day); order != 0 {
				return order
			}
			return a.number - b.number
		})
		people = append(people, p)
	}
	slices.SortFunc(people, func(a, b person) int { return strings.Compare(a.name, b.name) })
	return people, nil
}

func loadQuestions(language string) (map[string][]question, error) {
	probing, err := os.ReadFile(filepath.Join(dataRoot(), language, "probing_questions_"+language+".jsonl"))
	if err != nil {
		return nil, err
	}
	questions := map[string][]question{}
	err = eachObject(probing, func(decoder *json.Decoder) error {
		var lists map[string][]string
		if err := decoder.Decode(&lists); err != nil {
			return err
		}
		for name, list := range lists {
			for _, text := range list {
				name := strings.TrimSpace(name)
				questions[name] = append(questions[name], question{text: text})
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read questions: %w", err)
	}
	labels, err := os.ReadFile(filepath.Join(goldFolder, "gold_"+language+".jsonl"))
	if err != nil {
		return nil, err
	}
	err = eachObject(labels, func(decoder *json.Decoder) error {
		var label struct {
			Person   string
			Question int
			Gold     []position
		}
		if err := decoder.Decode(&label); err != nil {
			return err
		}
		list := questions[label.Person]
		if label.Question < 0 || label.Question >= len(list) {
			return fmt.Errorf("label of %s points to no question", label.Person)
		}
		list[label.Question].gold = label.Gold
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read labels: %w", err)
	}
	return questions, nil
}

func eachObject(content []byte, read func(*json.Decoder) error) error {
	for decoder := json.NewDecoder(bytes.NewReader(content)); ; {
		if err := read(decoder); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}
