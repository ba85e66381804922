package importer

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fornix/memory"
)

func collect(format, text string) ([]memory.MessagesInput, error) {
	var all []memory.MessagesInput
	for in, err := range Read(format, strings.NewReader(text)) {
		if err != nil {
			return all, err
		}
		all = append(all, in)
	}
	return all, nil
}

func TestRead(t *testing.T) {
	t.Parallel()
	at := func(text string) *time.Time {
		when, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return &when
	}
	t.Run("MemoryBank's days become sessions in order, with ids that stay", func(t *testing.T) {
		t.Parallel()
		got, err := collect(MemoryBank, `{"Bo":{"name":"Bo","history":{
			"2023-05-02":[{"query":"later","response":""}],
			"2023-05-01":[{"query":"hello","response":"hi"}]}},"Al":{"history":{"2023-05-03":[{"query":"x","response":"y"}]}}}`)
		if err != nil {
			t.Fatal(err)
		}
		want := []memory.MessagesInput{
			{Subject: "Al", SessionID: "2023-05-03", Messages: []memory.Message{
				{Role: "user", Content: "x", OccurredAt: at("2023-05-03T09:00:00Z"), MessageID: "2023-05-03/1/q"},
				{Role: "assistant", Content: "y", OccurredAt: at("2023-05-03T09:00:30Z"), MessageID: "2023-05-03/1/a"}}},
			{Subject: "Bo", SessionID: "2023-05-01", Messages: []memory.Message{
				{Role: "user", Content: "hello", OccurredAt: at("2023-05-01T09:00:00Z"), MessageID: "2023-05-01/1/q"},
				{Role: "assistant", Content: "hi", OccurredAt: at("2023-05-01T09:00:30Z"), MessageID: "2023-05-01/1/a"}}},
			{Subject: "Bo", SessionID: "2023-05-02", Messages: []memory.Message{
				{Role: "user", Content: "later", OccurredAt: at("2023-05-02T09:00:00Z"), MessageID: "2023-05-02/1/q"}}},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("a long conversation is cut into calls that POST /messages takes", func(t *testing.T) {
		t.Parallel()
		one := `{"role":"user","content":"x"}`
		got, err := collect(JSONL, fmt.Sprintf(`{"subject":"s","session_id":"1","messages":[%s]}`, strings.Repeat(one+",", 450)+one))
		if err != nil || len(got) != 3 || len(got[0].Messages) != 200 || len(got[2].Messages) != 51 {
			t.Fatalf("%d calls, %v", len(got), err)
		}
	})
	t.Run("blank lines are nothing", func(t *testing.T) {
		t.Parallel()
		got, err := collect(JSONL, "\n{\"subject\":\"s\",\"session_id\":\"1\",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}\n\n")
		if err != nil || len(got) != 1 || got[0].Subject != "s" {
			t.Fatalf("%v, %v", got, err)
		}
	})
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	const secret = "s3cr3t"
	for name, c := range map[string]struct{ format, text, want string }{
		"an unknown format":       {"csv", "", "unknown format"},
		"an unknown field":        {JSONL, `{"subject":"s","s3cr3t":1}`, "line 1: unknown field"},
		"a wrong type":            {JSONL, "\n" + `{"subject":["s3cr3t"]}`, "line 2: field subject: wrong type"},
		"half a value":            {JSONL, `{"subject":"s3cr3t`, "line 1: not valid JSON"},
		"two values on a line":    {JSONL, `{"subject":"s"} {"subject":"s3cr3t"}`, "line 1: something follows"},
		"no messages":             {JSONL, `{"subject":"s3cr3t","session_id":"1"}`, "line 1: no messages"},
		"a line without end":      {JSONL, strings.Repeat("x", maxLine+1), "line 1"},
		"what isn't MemoryBank":   {MemoryBank, `["s3cr3t"]`, "isn't MemoryBank"},
		"a day that isn't a date": {MemoryBank, `{"s3cr3t":{"history":{"s3cr3t":[]}}}`, "person 1: a day"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := collect(c.format, c.text)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want %q", err, c.want)
			}
			if strings.Contains(err.Error(), secret) {
				t.Errorf("the error quotes the file: %v", err)
			}
		})
	}
}
