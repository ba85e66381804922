package retrieval

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fornix/audit"
	"fornix/keys"
	"fornix/memory"
	"fornix/memory/lexical"
	"fornix/migrations"
	"fornix/models"
	"fornix/policy"
	"fornix/web/importer"
)

const tenant = "memorybank"

// queue hands jobs to the test, which runs them.
type queue struct{ jobs []memory.Job }

func (q *queue) Enqueue(_ context.Context, _ *models.Tx, job memory.Job) (int64, error) {
	q.jobs = append(q.jobs, job)
	return int64(len(q.jobs)), nil
}

// product is Fornix on a folder, opened as a process opens it.
type product struct {
	db     *models.DB
	memory *memory.Service
	queue  *queue
	close  func()
}

func open(t *testing.T, dir string, fresh bool) *product {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	openStore := keys.OpenFile
	if fresh {
		openStore = keys.CreateFile
	}
	store, err := openStore(filepath.Join(dir, "keys"))
	must(err)
	sealer := keys.NewSealer(store, keys.Options{})
	db, err := models.Open(t.Context(), models.Config{Path: filepath.Join(dir, "fornix.db"), Sealer: sealer})
	must(err)
	must(migrations.Up(t.Context(), migrations.SQLite, db.Writer()))
	ctx := memory.AsSystem(t.Context(), tenant, "bench")
	if fresh {
		wrapped, err := sealer.NewTenant(ctx, tenant)
		must(err)
		must(db.InTx(ctx, func(ctx context.Context, tx *models.Tx) error {
			if err := tx.CreateTenant(ctx, models.Tenant{ID: tenant, Name: tenant, Locale: "en", SecretWrapped: wrapped, Version: 1}); err != nil {
				return err
			}
			return tx.Record(ctx, audit.Event{Action: "tenant.create", Object: "tenant:" + tenant})
		}))
		must(policy.Seed(ctx, db.Policy(), tenant))
	} else {
		row, err := db.Tenant(ctx, tenant)
		must(err)
		must(sealer.LoadTenant(ctx, tenant, row.SecretWrapped))
	}
	engine, err := policy.New(ctx, db.Policy(), policy.Options{})
	must(err)
	q := &queue{}
	service, err := memory.New(memory.Options{DB: db, Sealer: sealer, Policy: engine, Queue: q, Retention: 90 * 24 * time.Hour})
	must(err)
	return &product{db: db, memory: service, queue: q, close: func() { must(errors.Join(db.Close(), store.Close())) }}
}

// load imports a language by the way of POST /messages, jobs included, and says
// how many turns were new.
func (p *product) load(t *testing.T, language string) (turns int) {
	t.Helper()
	ctx := memory.AsSystem(t.Context(), tenant, "import")
	file, err := os.Open(filepath.Join(dataRoot(), language, "memory_bank_"+language+".json"))
	if errors.Is(err, fs.ErrNotExist) && os.Getenv("REQUIRE_DATA") == "" {
		t.Skip("no MemoryBank beside the checkout")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for in, err := range importer.Read("memorybank", file) {
		if err != nil {
			t.Fatal(err)
		}
		accepted, err := p.memory.Messages(ctx, in)
		if err != nil {
			t.Fatal(err)
		}
		turns += accepted.Accepted
	}
	for len(p.queue.jobs) > 0 {
		job := p.queue.jobs[0]
		p.queue.jobs = p.queue.jobs[1:]
		run := p.memory.RunExtract
		if job.Kind == memory.JobFold {
			run = p.memory.RunFold
		}
		if err := run(ctx, job); err != nil {
			t.Fatal(err)
		}
	}
	return turns
}

// TestProduct recalls MemoryBank's questions through the whole product: imported,
// sealed, extracted, merged, closed, opened again.
func TestProduct(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"en", "cn"} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			p := open(t, dir, true)
			first := p.load(t, language)
			ctx := memory.AsSystem(t.Context(), tenant, "bench")
			before, err := p.db.Count(ctx)
			if err != nil {
				t.Fatal(err)
			}
			again := p.load(t, language)
			after, err := p.db.Count(ctx)
			if err != nil || again != 0 || after != before {
				t.Errorf("a second import added %d turns: %+v, was %+v (%v)", again, after, before, err)
			}
			p.close()

			p = open(t, dir, false)
			defer p.close()
			people, err := loadPeople(language)
			if err != nil {
				t.Fatal(err)
			}
			var recipe, plain figures
			for _, who := range people {
				p.measure(t, ctx, who, &recipe)
				measure(t, who, lexical.PlainBM25, &plain)
			}
			plain.dayHit1 = max(plain.dayHit1, plain.dayOfBestTurn)
			fmt.Printf("product %s: %d people, %d turns, %d memories, %d questions: turn hit@5 %.2f (plain BM25 %.2f), day hit@1 %.2f (plain BM25 %.2f)\n",
				language, len(people), first, after.Memories, recipe.asked, recipe.share(recipe.turnHit5), plain.share(plain.turnHit5), recipe.share(recipe.dayHit1), plain.share(plain.dayHit1))
			if recipe.asked < 99 || recipe.turnHit5 < plain.turnHit5 || recipe.dayHit1 < plain.dayHit1 {
				t.Errorf("the product finds less than plain BM25: %+v, plain %+v", recipe, plain)
			}
		})
	}
}

// measure asks a person's questions. A memory counts as the turns it rests on.
func (p *product) measure(t *testing.T, ctx context.Context, who person, into *figures) {
	t.Helper()
	place := p.places(t, ctx, who)
	for _, q := range who.questions {
		if len(q.gold) == 0 {
			continue
		}
		into.asked++
		answer, err := p.memory.Recall(ctx, memory.RecallInput{Subject: who.name, Query: q.text, Limit: 50, Ranking: "relevance"})
		if err != nil {
			t.Fatal(err)
		}
		gold, days := map[position]bool{}, map[string]bool{}
		for _, g := range q.gold {
			gold[g], days[g.Day] = true, true
		}
		hit := false
		scores := map[string][]float64{}
		for i, item := range answer.Items {
			for _, at := range p.turnsOf(t, ctx, item, place) {
				hit = hit || i < 5 && gold[at]
				if len(scores[at.Day]) < 3 {
					scores[at.Day] = append(scores[at.Day], item.Score)
				}
			}
		}
		if hit {
			into.turnHit5++
		}
		if days[best(scores)] {
			into.dayHit1++
		}
	}
}

// best is the day with the best three items, weighed 1, 1/2 and 1/3 as the recipe
// does.
func best(scores map[string][]float64) string {
	var day string
	var top float64
	for _, d := range slices.Sorted(maps.Keys(scores)) {
		var sum float64
		for i, score := range scores[d] {
			sum += score / float64(i+1)
		}
		if sum > top {
			day, top = d, sum
		}
	}
	return day
}

// places maps the ids of a person's turns to day and number.
func (p *product) places(t *testing.T, ctx context.Context, who person) map[string]position {
	t.Helper()
	person, err := p.memory.FindPerson(ctx, who.name)
	if err != nil {
		t.Fatal(err)
	}
	defer person.Close()
	rows, err := p.db.TurnsOf(ctx, person.SubjectID, nil, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	byText := map[string]position{}
	for _, turn := range who.turns {
		byText[turn.day+"\x00"+turn.text] = position{turn.day, turn.number}
	}
	place := map[string]position{}
	for _, r := range rows {
		text, err := person.Open(r.TableName(), "content", r.ID, r.Content)
		if err != nil {
			t.Fatal(err)
		}
		day := r.OccurredAt.Time().Format(time.DateOnly)
		at, ok := byText[day+"\x00"+string(text)]
		if !ok {
			at, ok = byText[day+"\x00"+strings.TrimSpace(string(text))]
		}
		if !ok {
			continue
		}
		place[memory.ID{Subject: person.SubjectID, Row: r.ID}.Public(memory.PrefixTurn)] = at
	}
	return place
}

func (p *product) turnsOf(t *testing.T, ctx context.Context, item memory.RecallItem, place map[string]position) []position {
	t.Helper()
	if at, ok := place[item.MemoryID]; ok {
		return []position{at}
	}
	if item.Kind == "turn" {
		return nil
	}
	view, err := p.memory.Memory(ctx, item.MemoryID)
	if err != nil {
		t.Fatal(err)
	}
	var at []position
	for _, e := range view.Evidence {
		if found, ok := place[e.TurnID]; ok {
			at = append(at, found)
		}
	}
	return at
}
