package web

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestImport(t *testing.T) {
	t.Parallel()
	cfg := installed(t)
	file := filepath.Join(t.TempDir(), "talk.jsonl")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func() (ImportReport, error) {
		return Import(t.Context(), cfg, ImportInput{Tenant: "acme", Format: "jsonl", Files: []string{file}})
	}
	write(`{"subject":"p1","session_id":"s1","messages":[{"role":"user","content":"I am allergic to peanuts.","message_id":"1"},{"role":"assistant","content":"Noted.","message_id":"2"}]}
{"subject":"p2","session_id":"s1","messages":[{"role":"user","content":"I live in Bergen.","message_id":"1"}]}
`)
	first, err := run()
	if err != nil || first.Sent != 3 || first.New != 3 || first.After.People != 2 || first.After.Turns != 3 || first.After.Memories < 2 {
		t.Fatalf("%s, %v", first, err)
	}
	t.Run("a second time adds nothing", func(t *testing.T) {
		again, err := run()
		if err != nil || again.Sent != 3 || again.New != 0 || again.Before != again.After || again.After != first.After {
			t.Errorf("%s, %v", again, err)
		}
	})
	t.Run("a fault stops it and keeps what came before", func(t *testing.T) {
		write(`{"subject":"p3","session_id":"s1","messages":[{"role":"user","content":"I like tea.","message_id":"1"}]}
{"subject":"s3cr3t"`)
		if _, err := run(); err == nil || !strings.Contains(err.Error(), "line 2") || strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("got %v", err)
		}
		write(`{"subject":"p3","session_id":"s1","messages":[{"role":"user","content":"I like tea.","message_id":"1"}]}`)
		if again, err := run(); err != nil || again.New != 0 || again.After.People != 3 {
			t.Errorf("%s, %v", again, err)
		}
	})
	t.Run("an unknown tenant is one line", func(t *testing.T) {
		var line *StartError
		if _, err := Import(t.Context(), cfg, ImportInput{Tenant: "other", Format: "jsonl"}); !errors.As(err, &line) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("the doctor finds it sound, and says what to do where it isn't", func(t *testing.T) {
		findings, err := Doctor(t.Context(), cfg)
		if err != nil || len(findings) < 4 {
			t.Errorf("%q, %v", findings, err)
		}
		if key, err := PublicKey(t.Context(), cfg); err != nil || !strings.HasPrefix(key, "ed25519 ") {
			t.Errorf("key %q, %v", key, err)
		}
		var line *StartError
		if err := os.Remove(filepath.Join(cfg.keyFolder(), "master.key")); err != nil {
			t.Fatal(err)
		}
		if _, err := Doctor(t.Context(), cfg); !errors.As(err, &line) || !strings.Contains(line.Line, "master.key") {
			t.Errorf("without a master key: %v", err)
		}
	})
}
