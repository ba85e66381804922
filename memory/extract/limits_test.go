package extract

import (
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"fornix/policy"
)

func FuzzFromTurn(f *testing.F) {
	for _, seed := range []string{
		"", "I live in Ghent and work at Ardo.", "我对花生过敏，请记住。", "Remember this:", "\"", "《", "不是，是", "记住", "忘掉", "把都删掉",
		"\xff\xfe我\x00", "I'm ’’’ “x", "5月99日", "in 999 years", "```", "[memory]", "ＡＢＣ，？", "İstanbul'da yaşıyorum", "𠀀𠀀叫我𠀀",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v := FromTurn(text, spokenAt)
		clean := strings.ToValidUTF8(text, " ")
		for _, s := range v.Statements {
			if s.Content == "" || !strings.Contains(clean, s.Content) {
				t.Errorf("content %q isn't a piece of %q", s.Content, text)
			}
			if !utf8.ValidString(s.Value) || s.Importance < 0 || s.Importance > 1 || s.Confidence < 0 || s.Confidence > 1 {
				t.Errorf("%+v", s)
			}
			if !policy.IsDataCategory(s.Category) || s.Kind == "" || s.Layer == "" {
				t.Errorf("category %q, kind %q, layer %q", s.Category, s.Kind, s.Layer)
			}
		}
		if len(v.Statements) > maxStatements {
			t.Errorf("%d statements", len(v.Statements))
		}
		RecallGate(text)
	})
}

func TestCategoriesAreThoseOfThePolicy(t *testing.T) {
	t.Parallel()
	for _, c := range []string{catProfile, catContact, catPreference, catHealth, catWork, catFamily, catFinance, catSchedule, catOrder, catExperience, catRestricted} {
		if !policy.IsDataCategory(c) {
			t.Errorf("the policy doesn't know %q", c)
		}
	}
	for _, rules := range [][]rule{englishRules, chineseRules} {
		for _, r := range rules {
			if !policy.IsDataCategory(r.category) || r.kind == "" || r.importance <= 0 || r.importance > 1 {
				t.Errorf("rule %s: category %q, kind %q, importance %v", r.name, r.category, r.kind, r.importance)
			}
		}
	}
}

// Rules can't be right if their cues never let them see a turn.
func TestEveryRuleSpeaks(t *testing.T) {
	t.Parallel()
	heard := map[string]bool{}
	for _, file := range []string{"en.jsonl", "zh.jsonl", "en_held.jsonl", "zh_held.jsonl", "en_unseen.jsonl", "zh_unseen.jsonl"} {
		for _, l := range readLabelled(t, file) {
			turn := newTurn(l.Text)
			for _, s := range turn.sentences {
				cs, _, _ := turn.clauses(s, false)
				for _, c := range cs {
					if _, name, ok := turn.firstRule(c); ok {
						heard[map[bool]string{false: "en ", true: "zh "}[c.chinese]+name] = true
					}
				}
			}
		}
	}
	for lang, rules := range map[string][]rule{"en ": englishRules, "zh ": chineseRules} {
		for _, r := range rules {
			if !heard[lang+r.name] {
				t.Errorf("no labelled turn shows the rule %q", lang+r.name)
			}
		}
	}
}

// Work is counted in sentences and clauses rather than in seconds: a text ten
// times as long is cut into ten times as many pieces of the same size.
func TestLongTurnsAreCutIntoBoundedPieces(t *testing.T) {
	t.Parallel()
	for name, piece := range map[string]string{
		"sentences": "I live in Ghent and I work at Ardo. ", "one sentence": "and so on ", "commas": "a, ", "chinese": "我住在杭州，", "quotes": "“我", "lines": "x\n", "marks": "。", "no spaces": "i'm",
	} {
		text := strings.Repeat(piece, 100_000/len(piece))
		turn := newTurn(text)
		covered := 0
		for _, s := range turn.sentences {
			if s.hi-s.lo > maxSentence {
				t.Errorf("%s: a sentence of %d bytes", name, s.hi-s.lo)
			}
			covered += s.hi - s.lo
		}
		if covered > len(turn.match) {
			t.Errorf("%s: sentences overlap", name)
		}
		if v := FromTurn(text, time.Time{}); len(v.Statements) > maxStatements {
			t.Errorf("%s: %d statements", name, len(v.Statements))
		}
	}
}

func BenchmarkFromTurn(b *testing.B) {
	for name, piece := range map[string]string{"en": "I live in Ghent and I work at Ardo. Do you know it? ", "zh": "我住在杭州，在青禾科技上班。你知道吗？"} {
		for _, size := range []int{100, 10_000, 100_000} {
			text := strings.Repeat(piece, size/len(piece)+1)
			b.Run(name+"/"+strconv.Itoa(size), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					FromTurn(text, spokenAt)
				}
			})
		}
	}
}
