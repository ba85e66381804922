package lexical

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAnalyze(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, text, want string }{
		{"stems and drops stop words", "I was running in the parks", "run park"},
		{"drops possessive and contracted ends", "Anna's dog doesn't bark", "anna dog bark"},
		{"takes the curly apostrophe like the straight one", "Anna’s dog", "anna dog"},
		{"folds width and case", "ＣＡＦＥ Latte", "cafe latt"},
		{"keeps numbers", "room 302 on May 2nd", "room 302 2nd"},
		{"leaves other alphabets unstemmed", "Привет, мир", "привет мир"},
		{"gives characters and pairs of Chinese", "绿茶", "绿 茶 绿茶"},
		{"drops a gram of function characters alone", "我们是", ""},
		{"keeps a word that holds a function character", "上海", "海 上海"},
		{"mixes scripts", "我爱Python", "爱 我爱 python"},
		{"gives nothing for nothing", " \t?! ", ""},
		{"survives broken text", "tea\xff\xfecup", "tea cup"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, strings.Join(Analyze(c.text), " ")); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("cuts an endless text between characters", func(t *testing.T) {
		t.Parallel()
		terms := Analyze(strings.Repeat("茶", maxTextBytes))
		characters := maxTextBytes / len("茶")
		if want := 2*characters - 1; len(terms) != want {
			t.Errorf("got %d terms, want %d", len(terms), want)
		}
	})
}

func TestAnalyzePlain(t *testing.T) {
	t.Parallel()
	want := []string{"i", "was", "running", "我", "们", "我们"}
	if diff := cmp.Diff(want, AnalyzePlain("I was running, 我们")); diff != "" {
		t.Error(diff)
	}
}

func TestIsQuestion(t *testing.T) {
	t.Parallel()
	cases := []struct {
		text string
		want bool
	}{
		{"How are you?", true}, {"How are you？", true}, {"Really?!", true}, {`"Who?"`, true},
		{"你喜欢茶吗", true}, {"这是什么呢", true}, {"Who? Me.", false}, {"我在想呢", false}, {"", false},
	}
	for _, c := range cases {
		if got := isQuestion(fold(c.text)); got != c.want {
			t.Errorf("%q: got %v", c.text, got)
		}
	}
}

func TestSynonyms(t *testing.T) {
	t.Parallel()
	t.Run("words of one class share it", func(t *testing.T) {
		t.Parallel()
		for _, pair := range [][2]string{{"puppy", "dogs"}, {"hiking", "forest"}, {"狗", "仓鼠"}, {"吃蛋糕", "面包"}} {
			a, b := analyze(pair[0]).synonyms, analyze(pair[1]).synonyms
			if len(both(a, b)) == 0 {
				t.Errorf("%v share no class: %v, %v", pair, a, b)
			}
		}
	})
	t.Run("the longest Chinese word wins", func(t *testing.T) {
		t.Parallel()
		if got := analyze("不开心").synonyms; len(both(got, chineseClasses["开心"])) > 0 {
			t.Errorf("unhappy was read as happy: %v", got)
		}
	})
}

func TestAskedRole(t *testing.T) {
	t.Parallel()
	cases := []struct{ text, want string }{
		{"What painters did you recommend to me?", SpeakerAssistant},
		{"I once recommended a film to you, what was it?", SpeakerUser},
		{"What music do I like?", SpeakerUser},
		{"Do you remember me saying what I saw there?", SpeakerUser},
		{"How do you feel about it?", ""},
		{"Where is the station?", ""},
		{"你曾经给我推荐过哪些画家？", SpeakerAssistant},
		{"我曾经和你推荐过一部电影，叫什么？", SpeakerUser},
		{"我喜欢什么音乐？", SpeakerUser},
		{"你觉得我怎么样？", ""},
	}
	for _, c := range cases {
		if got := askedRole(analyze(fold(c.text))); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestAsksWhen(t *testing.T) {
	t.Parallel()
	cases := []struct {
		text string
		want bool
	}{
		{"When did I move?", true}, {"Do you know when I moved?", true}, {"What day was it?", true},
		{"How long ago was that?", true}, {"我什么时候搬的家？", true}, {"几号出发", true},
		{"What did I read when I was ill?", false}, {"When I was ill, what did I read?", false}, {"我读了什么书？", false},
	}
	for _, c := range cases {
		if got := asksWhen(analyze(fold(c.text))); got != c.want {
			t.Errorf("%q: got %v", c.text, got)
		}
	}
}
