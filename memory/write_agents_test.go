package memory_test

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"fornix/memory"
	"fornix/policy"
)

func TestAgentKeys(t *testing.T) {
	t.Parallel()
	w := newWriteWorld(t, year)
	sys := w.system(t)
	key, err := w.CreateAgent(sys, "Help desk", "support")
	must(t, err)
	if !regexp.MustCompile(`^fx_acme_[0-9a-z]{32}$`).MatchString(key) {
		t.Fatalf("key has %d characters of another form", len(key))
	}
	p, err := w.AgentByKey(t.Context(), key)
	must(t, err)
	if p.Kind != policy.KindAgent || p.Tenant != writeTenant || p.Module != "support" || p.Name != "Help desk" {
		t.Fatalf("got %+v", p)
	}
	last := key[len(key)-1:]
	other := "0"
	if last == other {
		other = "1"
	}
	for name, wrong := range map[string]string{
		"another secret": key[:len(key)-1] + other, "another tenant": strings.Replace(key, "acme", "beta", 1),
		"empty": "", "cut": key[:20], "longer": key + "0", "upper case": strings.ToUpper(key),
	} {
		if _, err := w.AgentByKey(t.Context(), wrong); memory.CodeOf(err) != memory.CodeUnauthenticated {
			t.Errorf("%s: %v", name, err)
		}
	}
	views, err := w.Agents(sys)
	must(t, err)
	if len(views) != 1 || !strings.HasPrefix(key, views[0].KeyPrefix) || len(views[0].KeyPrefix) > len(key)-20 {
		t.Fatalf("views %+v", views)
	}
	_, err = w.CreateAgent(sys, "Help desk", "sales")
	wantCode(t, err, memory.CodeConflict)
	_, err = w.CreateAgent(sys, "Trojan", policy.ModuleConsole)
	wantCode(t, err, memory.CodeInvalid)
	_, err = w.CreateAgent(w.agent(t, "support"), "Child", "support")
	wantCode(t, err, memory.CodeForbidden)
}

func TestAgentWithGrantsOfItsOwnHasNothingElse(t *testing.T) {
	t.Parallel()
	w := newWriteWorld(t, year)
	key, err := w.CreateAgent(w.system(t), "Narrow", "support", policy.Access{Categories: []string{"order"}, Actions: []string{policy.ActMemoryWrite}})
	must(t, err)
	p, err := w.AgentByKey(t.Context(), key)
	must(t, err)
	ctx := policy.With(w.agent(t, "support"), p)
	w.remember(t, ctx, memory.RememberInput{Content: "Ordered a tent", Category: "order"})
	_, err = w.Remember(ctx, memory.RememberInput{Subject: "c-1", Content: "Lives in Lyon", Category: "profile"})
	wantCode(t, err, memory.CodeForbidden)
}

func TestNothingWrittenStandsInClear(t *testing.T) {
	t.Parallel()
	w := profileWorld(t)
	ctx := w.agent(t, "assistant")
	canaries := []string{"kanarie-person", "Kanarieville", "kanarietag", "kanarietopic", "kanarieslot", "kanariequote", "kanariesession", "kanarieturn"}
	in := memory.RememberInput{
		Subject: "kanarie-person", Content: "Lives in Kanarieville", Category: "profile", Topic: "kanarietopic", Slot: "kanarieslot",
		Tags: []string{"kanarietag"}, Quote: "kanariequote", SessionID: "kanariesession", MessageID: "kanarieturn", Source: "user",
	}
	first := w.remember(t, ctx, in)
	_, err := w.Correct(ctx, first.MemoryID, memory.CorrectInput{Content: "Lives near Kanarieville", Version: 1})
	must(t, err)
	_, err = w.Messages(ctx, memory.MessagesInput{Subject: "kanarie-person", SessionID: "kanariesession", Messages: []memory.Message{user("I live in Kanarieville kanarieturn")}})
	must(t, err)
	w.extract(t)
	_, err = w.PutAttribute(ctx, "kanarie-person", "city", memory.AttributeInput{Value: []byte(`"Kanarieville"`), Source: "user", Reason: "kanariequote"})
	must(t, err)
	_, err = w.Attributes(ctx, "kanarie-person", []string{"city"})
	must(t, err)
	for _, file := range []string{w.path, w.path + "-wal"} {
		raw, err := os.ReadFile(file)
		must(t, err)
		for _, canary := range canaries {
			if bytes.Contains(bytes.ToLower(raw), bytes.ToLower([]byte(canary))) {
				t.Errorf("%q stands in clear in the database", canary)
			}
		}
	}
}
