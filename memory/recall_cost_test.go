package memory

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"fornix/models"
	"fornix/policy"
)

// recallStatements counts the statements of the one database that TestRecallCost
// registers it with.
var recallStatements atomic.Int64

func countRecallStatement[T any](T) { recallStatements.Add(1) }

func TestRecallCost(t *testing.T) {
	t.Parallel()
	r := newRecallRig(t)
	hooks := r.db.ORM(r.ctx).Callback()
	for _, err := range []error{
		hooks.Query().Before("*").Register("test:count", countRecallStatement),
		hooks.Create().Before("*").Register("test:count", countRecallStatement),
		hooks.Row().Before("*").Register("test:count", countRecallStatement),
		hooks.Raw().Before("*").Register("test:count", countRecallStatement),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	say := func(session string, n int) {
		var messages []Message
		for i := range n {
			messages = append(messages, Message{Role: "user", Content: fmt.Sprintf("The city has a house number %d in %s.", i, session)})
		}
		if _, err := r.Messages(r.ctx, MessagesInput{Subject: "ann", SessionID: session, Messages: messages}); err != nil {
			t.Fatal(err)
		}
	}
	cost := func() int64 {
		before := recallStatements.Load()
		if got := r.recall(RecallInput{Subject: "ann", Query: "Which house of the city?"}); len(got.Items) == 0 {
			t.Fatal("nothing recalled")
		}
		return recallStatements.Load() - before
	}
	r.remember(RememberInput{Subject: "ann", Content: "I own a house in the city.", Source: SourceUser})
	say("first", 2)
	few := cost()
	for n := range 3 {
		say(fmt.Sprintf("s%d", n), maxMessages)
	}
	many := cost()
	r.fold(r.person("ann"))
	folded := cost()
	t.Logf("statements of a recall: %d", few)
	if few == 0 || many != few || folded != few {
		t.Errorf("%d statements with few entries, %d with many, %d when folded", few, many, folded)
	}
}

func TestRecallBeside(t *testing.T) {
	t.Parallel()

	t.Run("a wipe between search and answer lets nothing out", func(t *testing.T) {
		t.Parallel()
		r := newRecallRig(t)
		p := r.person("ann")
		r.write(p, func(ctx context.Context, tx *models.Tx) error {
			row, err := r.db.Subject(ctx, p.SubjectID)
			if err != nil {
				return err
			}
			row.Status = models.SubjectErasing
			if err := models.Update(ctx, tx, &row); err != nil {
				return err
			}
			return tx.Record(ctx, row0(p))
		})
		found := &recall{in: RecallInput{Query: "x", Namespace: DefaultNamespace}, who: policy.Principal{Kind: policy.KindSystem}, now: recallNow}
		if err := r.recordRecall(r.ctx, found, p); !isGone(err) {
			t.Errorf("recorded for somebody who is being erased: %v", err)
		}
		if found.answer.RecallID != "" {
			t.Error("an answer of somebody who is being erased has an id")
		}
		if got := r.recall(RecallInput{Subject: "ann", Query: "x"}); len(got.Items) != 0 || got.RecallID != "" || got.Mode != ModeMemory {
			t.Errorf("got %+v", got)
		}
	})

	t.Run("recalls while deltas are folded miss nothing", func(t *testing.T) {
		t.Parallel()
		r := newRecallRig(t)
		r.remember(RememberInput{Subject: "ann", Content: "I own a house in the city.", Source: SourceUser})
		p := r.person("ann")
		stop := make(chan struct{})
		var asking sync.WaitGroup
		var missed atomic.Int64
		for range 2 {
			asking.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					entries, err := r.loadIndex(r.ctx, p, DefaultNamespace, policy.DataCategories())
					if err != nil || len(entries) == 0 {
						missed.Add(1)
					}
				}
			})
		}
		for n := range 20 {
			r.put(p, policy.CatTurns, turnEntry(r, p, 1, n, "more"))
			r.fold(p)
		}
		close(stop)
		asking.Wait()
		if n := missed.Load(); n != 0 {
			t.Errorf("%d loads found no index", n)
		}
	})

	t.Run("neither question nor memory stands in the database in clear", func(t *testing.T) {
		t.Parallel()
		r := newRecallRig(t)
		r.remember(RememberInput{Subject: "ann", Content: "My canary is called Zyxwvut.", Source: SourceUser})
		if got := r.recall(RecallInput{Subject: "ann", Query: "Is Zyxwvut the name of the canary?"}); len(got.Items) != 1 {
			t.Fatalf("got %q", contents(got))
		}
		var tables []string
		for table, columns := range map[string]string{
			"recalls": "namespace || decision || degraded || hex(query) || hex(detail)", "segment_deltas": "namespace || category || hex(block)",
		} {
			rows, err := r.db.Writer().QueryContext(t.Context(), "SELECT "+columns+" FROM "+table)
			if err != nil {
				t.Fatal(err)
			}
			for rows.Next() {
				var text string
				if err := rows.Scan(&text); err != nil {
					t.Fatal(err)
				}
				tables = append(tables, table)
				if strings.Contains(strings.ToLower(text), "zyxwvut") || strings.Contains(text, fmt.Sprintf("%X", "Zyxwvut")) {
					t.Errorf("%s holds the word in clear", table)
				}
			}
			if err := rows.Err(); err != nil {
				t.Fatal(err)
			}
			rows.Close()
		}
		if len(tables) < 2 {
			t.Errorf("looked only at %q", tables)
		}
	})
}
