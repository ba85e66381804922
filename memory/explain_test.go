package memory

import (
	"fmt"
	"testing"
	"time"

	"fornix/models"
	"fornix/policy"
)

func TestRecallRecord(t *testing.T) {
	t.Parallel()

	t.Run("it says why each memory went out or didn't", func(t *testing.T) {
		t.Parallel()
		r := newRecallRig(t)
		recalled := r.remember(RememberInput{Subject: "ann", Content: "I live in the city of Hangzhou.", Source: SourceUser})
		weaker := r.remember(RememberInput{Subject: "ann", Content: "A friend of mine once left the city for good because of work.", Source: SourceUser, Importance: share(.1)})
		unrelated := r.remember(RememberInput{Subject: "ann", Content: "Cello on Sundays.", Source: SourceUser})
		got := r.recall(RecallInput{Subject: "ann", Query: "Which city does she live in?", Limit: 1})
		*r.now = r.now.Add(time.Minute)
		later := r.remember(RememberInput{Subject: "ann", Content: "The city council called.", Source: SourceUser})
		other := r.person("bob")
		for name, c := range map[string]struct{ memory, want string }{
			"recalled":      {recalled.MemoryID, VerdictRecalled},
			"below":         {weaker.MemoryID, VerdictNotRecalled},
			"unrelated":     {unrelated.MemoryID, VerdictNotFound},
			"later":         {later.MemoryID, VerdictStoredLater},
			"never":         {ID{other.SubjectID, models.NewID()}.Public(PrefixMemory), VerdictNeverStored},
			"not an id":     {"mem_x", VerdictNeverStored},
			"unknown turn":  {ID{r.person("ann").SubjectID, models.NewID()}.Public(PrefixTurn), VerdictNeverStored},
			"of nobody":     {ID{Row: models.NewID()}.Public(PrefixShared), VerdictNeverStored},
			"another's row": {ID{other.SubjectID, mustRow(t, recalled.MemoryID)}.Public(PrefixMemory), VerdictNeverStored},
		} {
			why, err := r.RecallRecord(r.ctx, got.RecallID, c.memory)
			if err != nil || why.Memory == nil || why.Memory.Verdict != c.want {
				t.Errorf("%s: %+v, %v; want %s", name, why.Memory, err, c.want)
			}
		}
		why, err := r.RecallRecord(r.ctx, got.RecallID, weaker.MemoryID)
		if err != nil || why.Memory.Ranked == nil || why.Memory.Ranked.Rank != 2 || why.Memory.Ranked.Out != outLimit || len(why.Memory.Ranked.Legs) == 0 {
			t.Errorf("got %+v, %v", why.Memory, err)
		}
	})

	t.Run("a memory the agent may not recall looks like one that was never stored", func(t *testing.T) {
		t.Parallel()
		r := newRecallRig(t)
		hidden := r.remember(RememberInput{Subject: "ann", Content: "I take insulin.", Category: policy.CatHealth, Source: SourceUser})
		r.ctx = r.agent(policy.ModuleSales)
		got := r.recall(RecallInput{Subject: "ann", Query: "Does she take insulin?"})
		why, err := r.RecallRecord(r.ctx, got.RecallID, hidden.MemoryID)
		if err != nil || why.Memory.Verdict != VerdictNeverStored || len(why.Items) != 0 {
			t.Errorf("got %+v, %v", why, err)
		}
	})

	t.Run("the agent that asked, the person and staff see it, and nobody else", func(t *testing.T) {
		t.Parallel()
		r := newRecallRig(t)
		r.remember(RememberInput{Subject: "ann", Content: "I live in the city of Hangzhou.", Source: SourceUser})
		got := r.recall(RecallInput{Subject: "ann", Query: "Which city?"})
		ann, bob := r.person("ann"), r.person("bob")
		user := models.NewID().String()
		if err := r.policy.Apply(AsSystem(t.Context(), "acme", "test"), policy.Change{Add: []policy.Rule{policy.AssignRole("acme", user, policy.RoleCompliance)}}); err != nil {
			t.Fatal(err)
		}
		as := func(p policy.Principal) func() (RecallExplained, error) {
			p.Tenant = "acme"
			return func() (RecallExplained, error) { return r.RecallRecord(policy.With(r.ctx, p), got.RecallID, "") }
		}
		for name, c := range map[string]struct {
			read  func() (RecallExplained, error)
			code  Code
			query string
		}{
			"the agent": {func() (RecallExplained, error) { return r.RecallRecord(r.ctx, got.RecallID, "") }, "", "Which city?"},
			"another agent": {func() (RecallExplained, error) {
				return r.RecallRecord(r.agent(policy.ModuleAssistant), got.RecallID, "")
			}, CodeNotFound, ""},
			"the person":     {as(policy.Principal{Kind: policy.KindSubject, ID: ann.SubjectID.String(), Subject: ann.SubjectID.String()}), "", "Which city?"},
			"another person": {as(policy.Principal{Kind: policy.KindSubject, ID: bob.SubjectID.String(), Subject: bob.SubjectID.String()}), CodeNotFound, ""},
			"staff":          {as(policy.Principal{Kind: policy.KindUser, ID: user}), "", ""},
			"no role":        {as(policy.Principal{Kind: policy.KindUser, ID: models.NewID().String()}), CodeNotFound, ""},
		} {
			why, err := c.read()
			if CodeOf(err) != c.code || why.Query != c.query || err == nil && (why.Decision != DecisionRecalled || len(why.Items) != 1) {
				t.Errorf("%s: %+v, %v", name, why, err)
			}
		}
	})

	t.Run("the record keeps no more than its share of candidates, and all that went out", func(t *testing.T) {
		t.Parallel()
		r := newRecallRig(t)
		var messages []Message
		for n := range mostTraced + 20 {
			messages = append(messages, Message{Role: "user", Content: fmt.Sprintf("The city has a house number %d.", n)})
		}
		if _, err := r.Messages(r.ctx, MessagesInput{Subject: "ann", SessionID: "s", Messages: messages}); err != nil {
			t.Fatal(err)
		}
		got := r.recall(RecallInput{Subject: "ann", Query: "Which city?"})
		why, err := r.RecallRecord(r.ctx, got.RecallID, "")
		if err != nil || len(why.Items) != mostTraced || why.Candidates != mostTraced+20 || len(got.Items) != defaultRecall {
			t.Errorf("traced %d of %d, %d went out, %v", len(why.Items), why.Candidates, len(got.Items), err)
		}
	})
}

// mustRow is the row that a public id names.
func mustRow(t *testing.T, id string) (row [16]byte) {
	t.Helper()
	parsed, err := ParseID(PrefixMemory, id)
	if err != nil {
		t.Fatal(err)
	}
	return parsed.Row
}
