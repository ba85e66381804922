package privacy_test

import (
	"context"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fornix/keys"
	"fornix/memory"
	"fornix/models"
	"fornix/privacy"
)

func TestWipe(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	subject, made := w.fill("anna")
	bystander, _ := w.fill("bob")
	before := w.left(bystander)
	if len(w.left(subject)) < 8 {
		t.Fatalf("the person fills only %v", w.left(subject))
	}
	backup := w.backup()
	ctx, _ := w.person("anna")
	req, err := w.privacy.WipeSelf(ctx)
	must(t, err)

	t.Run("from the request on nothing is served or written", func(t *testing.T) {
		if _, err := w.memory.FindPerson(w.system(), "anna"); code(err) != memory.CodeNotFound {
			t.Errorf("find: %v", err)
		}
		if _, err := w.memory.Remember(w.system(), memory.RememberInput{Subject: "anna", Content: "late words"}); code(err) != memory.CodeGone {
			t.Errorf("remember: %v", err)
		}
		if _, err := w.memory.Memory(ctx, made.MemoryID); code(err) != memory.CodeNotFound {
			t.Errorf("read: %v", err)
		}
	})
	w.runErasures()
	t.Run("no row is left outside the kept list, and nobody else's is touched", func(t *testing.T) {
		if left := w.left(subject); len(left) != 0 {
			t.Errorf("left: %v", left)
		}
		if after := w.left(bystander); len(after) != len(before) {
			t.Errorf("bystander: %v, was %v", after, before)
		}
	})
	t.Run("the receipt is signed and says what went", func(t *testing.T) {
		e, err := w.privacy.ErasureByToken(t.Context(), req.ErasureID, req.ProgressToken)
		must(t, err)
		if e.State != models.ErasureComplete || e.ReceiptID == "" || len(e.Remaining) != 0 {
			t.Fatalf("erasure = %+v", e)
		}
		r, err := w.privacy.Receipt(t.Context(), e.ReceiptID)
		must(t, err)
		key, err := w.store.PublicKey(t.Context())
		must(t, err)
		sig, err := base64.StdEncoding.DecodeString(r.Signature)
		must(t, err)
		if err := privacy.VerifyReceipt([]byte(r.Body), sig, key); err != nil {
			t.Error(err)
		}
		if err := privacy.VerifyReceipt([]byte(strings.Replace(r.Body, `"subjects":1`, `"subjects":0`, 1)), sig, key); err == nil {
			t.Error("a changed receipt verifies")
		}
		if r.Deleted["memories"] < 3 || r.Deleted["turns"] != 2 || r.Deleted["attributes"] != 1 || r.Key == nil || !r.Key.Destroyed || r.Backups != privacy.BackupsKeyDestroyed {
			t.Errorf("receipt = %+v", r.ReceiptBody)
		}
		if strings.Contains(r.Body, "anna") || strings.Contains(r.Body, subject.SubjectID.String()) {
			t.Error("the receipt names the person")
		}
		if _, err := w.privacy.ErasureByToken(t.Context(), req.ErasureID, "AAAA"); code(err) != memory.CodeNotFound {
			t.Errorf("a wrong secret: %v", err)
		}
	})
	t.Run("a copy made before opens nothing with the live key store", func(t *testing.T) {
		old := w.reopen(backup)
		rows, err := old.db.MemoriesOf(old.system(), subject.SubjectID, []string{models.StatusActive}, nil, 100)
		must(t, err)
		if len(rows) < 3 {
			t.Fatalf("the copy holds %d memories", len(rows))
		}
		for _, m := range rows {
			cell := keys.Cell{SubjectRef: subject.Ref(), Table: "memories", Column: "content", Row: m.ID}
			if got, err := w.sealer.Open(t.Context(), cell, m.Content); !isErased(err) || got != nil {
				t.Errorf("opened %q, %v", got, err)
			}
		}
	})
	t.Run("a restored copy is erased again before anything is served", func(t *testing.T) {
		old := w.reopen(backup)
		must(t, old.privacy.ReplayLedger(t.Context()))
		if left := old.left(subject); len(left) != 0 {
			t.Errorf("left after the replay: %v", left)
		}
		if after := old.left(bystander); len(after) == 0 {
			t.Error("the replay erased somebody else")
		}
	})
	t.Run("late work changes nothing", func(t *testing.T) {
		must(t, w.memory.RunExtract(w.system(), memory.Job{Kind: memory.JobExtract, Tenant: tenant, Subject: subject.SubjectID, Epoch: subject.Epoch}))
		must(t, w.privacy.RunErasure(t.Context(), privacy.Job{Tenant: tenant, Erasure: models.NewID()}))
		if left := w.left(subject); len(left) != 0 {
			t.Errorf("left: %v", left)
		}
	})
	t.Run("who returns is a new person of a new epoch", func(t *testing.T) {
		_, again := w.person("anna")
		if again.SubjectID == subject.SubjectID || again.Epoch != subject.Epoch+1 || again.Pseudonym == subject.Pseudonym {
			t.Errorf("again = %v of epoch %d", again.SubjectID, again.Epoch)
		}
	})
}

// TestWipeResumes stops the erasure after every step, as a kill would, and runs
// it again from what the disk holds.
func TestWipeResumes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	subject, _ := w.fill("anna")
	ctx, _ := w.person("anna")
	_, err := w.privacy.WipeSelf(ctx)
	must(t, err)
	job := w.queue.erasures[0]
	// The ledger and the key are done, the database doesn't know of it.
	entry := keys.Entry{Tenant: tenant, Pseudonym: subject.Pseudonym, Epoch: subject.Epoch, Scope: keys.ScopeAll}
	if _, err := w.store.AppendLedger(t.Context(), entry); err != nil {
		t.Fatal(err)
	}
	must(t, w.store.DestroySubject(t.Context(), subject.Ref(), subject.Pseudonym))
	w.queue.erasures = nil
	must(t, w.privacy.ReplayLedger(t.Context())) // an unfinished one isn't started twice
	must(t, w.privacy.Resume(t.Context()))
	if len(w.queue.erasures) != 1 || w.queue.erasures[0] != job {
		t.Fatalf("resumed: %v", w.queue.erasures)
	}
	w.runErasures()
	must(t, w.privacy.RunErasure(t.Context(), job))
	if left := w.left(subject); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

func TestWipeByOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fill("anna")
	ctx, _ := w.person("bob")
	if _, err := w.privacy.Wipe(ctx, "anna", ""); code(err) != memory.CodeForbidden {
		t.Errorf("another person: %v", err)
	}
	if _, err := w.privacy.WipeSelf(context.Background()); code(err) != memory.CodeUnauthenticated {
		t.Errorf("nobody: %v", err)
	}
}

func TestEraseMemory(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	subject, made := w.fill("anna")
	ctx, _ := w.person("anna")
	other, _ := w.person("bob")
	if _, err := w.privacy.EraseMemory(other, made.MemoryID); code(err) != memory.CodeNotFound {
		t.Errorf("another person: %v", err)
	}
	backup := w.backup()
	erased, err := w.privacy.EraseMemory(ctx, made.MemoryID)
	must(t, err)
	if _, err := w.memory.Memory(ctx, made.MemoryID); code(err) != memory.CodeNotFound {
		t.Errorf("read after: %v", err)
	}
	if _, err := w.privacy.EraseMemory(ctx, made.MemoryID); code(err) != memory.CodeNotFound {
		t.Errorf("erase again: %v", err)
	}
	answer, err := w.memory.Recall(w.system(), memory.RecallInput{Subject: "anna", Query: "jasmine tea"})
	must(t, err)
	for _, item := range answer.Items {
		if strings.Contains(item.Content, "jasmine") {
			t.Errorf("recalled %q", item.Content)
		}
	}
	r, err := w.privacy.Receipt(t.Context(), erased.ReceiptID)
	must(t, err)
	if r.Deleted["memories"] != 1 || r.Backups != privacy.BackupsHorizon || r.Key != nil {
		t.Errorf("receipt = %+v", r.ReceiptBody)
	}
	old := w.reopen(backup)
	must(t, old.privacy.ReplayLedger(t.Context()))
	oldCtx, _ := old.person("anna")
	if _, err := old.memory.Memory(oldCtx, made.MemoryID); code(err) != memory.CodeNotFound {
		t.Errorf("a restored copy still serves it: %v", err)
	}
	if n := w.left(subject)["memories"]; n < 2 {
		t.Errorf("%d other memories are left", n)
	}
}

// TestRegistered fails on a table with people's rows that the eraser doesn't know.
func TestRegistered(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	known := map[string]bool{"subjects": true}
	for _, s := range w.privacy.Stores() {
		known[s.Name] = true
	}
	rows, err := w.db.Writer().QueryContext(t.Context(), "SELECT m.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table' AND c.name = 'subject_id'")
	must(t, err)
	defer rows.Close()
	n := 0
	for rows.Next() {
		var name string
		must(t, rows.Scan(&name))
		if n++; !known[name] {
			t.Errorf("table %s isn't registered with the eraser", name)
		}
	}
	if n < 10 {
		t.Errorf("only %d tables of people were found", n)
	}
}

// backup copies the database as a backup would, its write-ahead log included.
func (w *world) backup() string {
	w.t.Helper()
	path := filepath.Join(w.t.TempDir(), "backup.db")
	_, err := w.db.Writer().ExecContext(w.t.Context(), "VACUUM INTO ?", path)
	must(w.t, err)
	return path
}

// reopen opens a copy of a backup with the live key store.
func (w *world) reopen(backup string) *world {
	w.t.Helper()
	raw, err := os.ReadFile(backup)
	must(w.t, err)
	path := filepath.Join(w.t.TempDir(), "fornix.db")
	must(w.t, os.WriteFile(path, raw, 0o600))
	old := &world{t: w.t, dir: w.dir, store: w.store, sealer: w.sealer, queue: &queue{}}
	old.openDB(path)
	old.services()
	return old
}
