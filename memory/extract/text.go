package extract

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxSentence is the longest sentence read, in bytes. Nobody speaks longer
// ones; what is longer is pasted.
const maxSentence = 1200

// turn is a text prepared for the rules. The three forms below have a byte for
// byte correspondence, so that what a rule finds in match can be cut from
// folded, and through offsets from the original.
type turn struct {
	original string
	// folded has half-width punctuation and letters.
	folded string
	// match is folded in lower case, in simplified characters, with the inside
	// of quotation marks blanked: what somebody else said is not a statement.
	match     string
	offsets   []int32
	language  string
	sentences []sentence
}

// sentence is a range of the folded text. The quote begins earlier than the
// sentence when an opening like "remember that" was cut off.
type sentence struct{ lo, hi, quoteLo int }

func newTurn(text string) *turn {
	t := &turn{original: strings.ToValidUTF8(text, " ")}
	t.fold()
	t.language = languageOf(t.folded)
	t.mask()
	t.split()
	return t
}

// fold builds the folded text and the way back from it.
func (t *turn) fold() {
	var b strings.Builder
	b.Grow(len(t.original))
	t.offsets = make([]int32, 0, len(t.original)+1)
	for i, r := range t.original {
		r = foldRune(r)
		b.WriteRune(r)
		for range utf8.RuneLen(r) {
			t.offsets = append(t.offsets, int32(i))
		}
	}
	t.offsets = append(t.offsets, int32(len(t.original)))
	t.folded = b.String()
}

func foldRune(r rune) rune {
	switch {
	case r >= '！' && r <= '～':
		return r - 0xFEE0
	case r == '’' || r == '‘' || r == 'ʼ':
		return '\''
	case r == '\u3000' || r == '\u00a0':
		return ' '
	case r == '。' || r == '｡':
		return '。'
	case r != '\n' && unicode.IsControl(r):
		return ' '
	}
	return r
}

// words gives the person's words between two places of the folded text, without
// the punctuation around them.
func (t *turn) words(lo, hi int) string {
	if lo >= hi {
		return ""
	}
	s := t.original[t.offsets[lo]:t.offsets[hi]]
	s = strings.TrimLeftFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",，.。;；:：!！?？、-—…~*•", r)
	})
	return strings.TrimRightFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",，;；:：、-—", r)
	})
}

func languageOf(s string) string {
	var han, latin int
	for _, r := range s {
		switch {
		case unicode.Is(unicode.Han, r):
			han++
		case r < 0x250 && unicode.IsLetter(r):
			latin++
		}
	}
	// A Chinese character says as much as three or four letters.
	if han > 0 && han*4 >= latin {
		return Chinese
	}
	return English
}

var quotePairs = map[rune]rune{'"': '"', '“': '”', '「': '」', '『': '』', '《': '》'}

// mask blanks quotations and writes match. A mark that isn't closed in its line
// is an ordinary character.
func (t *turn) mask() {
	b := []byte(t.folded)
	for i := range b {
		if b[i] >= 'A' && b[i] <= 'Z' {
			b[i] += 'a' - 'A'
		}
	}
	var open rune
	start := 0
	for i, r := range t.folded {
		switch {
		case open != 0 && r == quotePairs[open]:
			for k := start; k < i; k++ {
				b[k] = '_'
			}
			open = 0
		case r == '\n':
			open = 0
		case open == 0 && quotePairs[r] != 0:
			open, start = r, i+utf8.RuneLen(r)
		}
	}
	t.match = simplify(string(b))
}

// traditional characters that occur in rules, each followed by its simplified
// form; both take three bytes, which keeps the places equal.
const traditional = "記记憶忆對对過过歡欢愛爱現现來来從从後后這这個个時时間间電电話话號号碼码" +
	"應应該该會会說说請请讓让買买賣卖學学習习業业員员師师醫医藥药歲岁們们媽妈爺爷還还沒没嗎吗" +
	"別别與与種种樣样點点錢钱預预計计劃划願愿書书聽听讀读語语華华國国養养貓猫兒儿結结離离單单" +
	"覺觉討讨厭厌氣气題题什什麼么問问總总準准備备開开實实際际親亲謝谢辦办錯错訴诉處处網网" +
	"區区縣县東东車车飛飞機机園园場场館馆約约週周號号訂订單单遠远無无為为將将較较蝦虾魚鱼雞鸡豬猪飯饭麵面馬马鳥鸟蘭兰灣湾麗丽紅红綠绿藍蓝顏颜"

var toSimplified = func() *strings.Replacer {
	var pairs []string
	rs := []rune(traditional)
	for i := 0; i+1 < len(rs); i += 2 {
		if rs[i] != rs[i+1] {
			pairs = append(pairs, string(rs[i]), string(rs[i+1]))
		}
	}
	return strings.NewReplacer(pairs...)
}()

func simplify(s string) string { return toSimplified.Replace(s) }

// Lines that aren't the person speaking to us: our own memory cards coming back,
// quoted replies, transcripts of somebody else.
var foreignLine = regexp.MustCompile(`^[\s\-*•#\d.)(]*(?:[\[【(<]\s*(?:memory|memories|记忆|回忆)[^\]】)>]{0,20}[\]】)>]|>|\||(?:assistant|ai|bot|system|chatgpt|agent|tool)\s*:|(?:助手|助理|机器人|客服|系统|ai伴侣|ai助手)\s*:)`)

// split finds the sentences, line by line.
func (t *turn) split() {
	fenced := false
	for lo := 0; lo < len(t.match); {
		hi := len(t.match)
		if k := strings.IndexByte(t.match[lo:], '\n'); k >= 0 {
			hi = lo + k
		}
		line := strings.TrimSpace(t.match[lo:hi])
		switch {
		case strings.HasPrefix(line, "```"):
			fenced = !fenced
		case fenced || line == "" || foreignLine.MatchString(line):
		default:
			t.splitLine(lo, hi)
		}
		lo = hi + 1
	}
}

func (t *turn) splitLine(lo, hi int) {
	start := lo
	for i := lo; i < hi; {
		r, n := utf8.DecodeRuneInString(t.match[i:hi])
		i += n
		if !t.endsSentence(r, i, hi) {
			continue
		}
		for i < hi && strings.IndexByte(".!?;~ ", t.match[i]) >= 0 || strings.HasPrefix(t.match[i:hi], "。") {
			_, n := utf8.DecodeRuneInString(t.match[i:hi])
			i += n
		}
		t.sentence(start, i)
		start = i
	}
	t.sentence(start, hi)
}

func (t *turn) sentence(lo, hi int) {
	s := t.match[lo:hi]
	lo += len(s) - len(strings.TrimLeft(s, " \t-*•"))
	hi -= len(s) - len(strings.TrimRight(s, " \t"))
	if hi-lo < 2 || hi-lo > maxSentence {
		return
	}
	t.sentences = append(t.sentences, sentence{lo: lo, hi: hi, quoteLo: lo})
}

// Shortened words whose dot doesn't end a sentence.
var shortened = regexp.MustCompile(`(?:^|[ .(])(?:mr|mrs|ms|dr|st|no|vs|prof|jr|e\.g|i\.e|etc|p\.m|a\.m|u\.s|u\.k|[a-z])$`)

func (t *turn) endsSentence(r rune, next, hi int) bool {
	switch r {
	case '。', '!', '?', ';', '…':
		return true
	case '.':
		if next >= hi {
			return true
		}
		c := t.match[next]
		if c != ' ' && c < utf8.RuneSelf && c != '.' {
			return false
		}
		from := max(0, next-8)
		return !shortened.MatchString(t.match[from : next-1])
	}
	return false
}
