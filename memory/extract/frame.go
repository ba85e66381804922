package extract

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a whole turn or sentence is: play, an order to remember or forget, a
// correction, an attempt to steer the system.

var (
	play = regexp.MustCompile(`\b(?:role-?play(?:ing)?|pretend(?:ing)? (?:to be|that|you|i|we)|act as|let's pretend|you are now|you're now|you play|i'll play|i will play|in character|just kidding|jk|i'm (?:just |only )?(?:kidding|joking)|only joking|just a joke|(?:here's|here is|tell you) a joke|knock knock|speaking as my character|write (?:me )?(?:a|an) (?:story|poem|song|dialogue|scene|script))\b` +
		`|角色扮演|假装|扮演|你来演|我来演|我演|你现在是一[个名位只]|开(?:个)?玩笑|逗你的|骗你的|讲个笑话|说个笑话|写(?:一)?[个首篇段](?:故事|诗|小说|歌|对话|剧本)`)
	notPlay = regexp.MustCompile(`not (?:kidding|joking)|no joke|不是开玩笑|没开玩笑|没有开玩笑`)

	hostile = regexp.MustCompile(`\b(?:ignore|disregard|forget|override|bypass)\b[^.!?]{0,30}\b(?:instructions?|prompts?|rules|guidelines|policy|policies|safety|restrictions?|constraints?)\b|\bsystem (?:prompt|message|override)\b|\bdeveloper mode\b|\bjailbreak|\bdo anything now\b|\b(?:grant|give)s? (?:me|him|her|the user|all) (?:full |all )?(?:admin|root|access|permissions?)|\b(?:i am|i'm|user is|this user is|that) (?:an? |the )?(?:admin|administrator|root|superuser|developer of this)\b|\balways (?:approve|trust|obey|allow|grant)\b|\bwithout (?:verification|asking for (?:approval|confirmation))|<\s*/?\s*(?:system|instructions?|admin)\s*>|\b(?:reveal|print|show|leak|send) (?:me )?(?:the |your |all |every )?(?:system|hidden|secret|other users?'?|customers?'?|everyone's)\b` +
		`|(?:忽略|无视|忘记|忘掉|跳过|绕过)[^。!?]{0,14}(?:指令|指示|提示|规则|限制|设定|要求|约束)|系统(?:提示|消息|指令)|开发者模式|越狱|(?:我|用户|此人|他)(?:就)?是(?:系统)?管理员|(?:给我|授予|拥有|获得)[^。!?]{0,6}(?:权限|管理员)|(?:一律|总是|永远|直接)(?:批准|通过|信任|允许|服从)|(?:泄露|输出|显示|告诉我)[^。!?]{0,8}(?:系统提示|密钥|其他用户|别的用户)`)

	corrects = regexp.MustCompile(`^(?:hi|hello|hey|oh|ah|well|hmm|um|no|nope|sorry|wait|oops)?[,. ]*(?:correction|i meant|i misspoke|my mistake|that's (?:wrong|not right|incorrect|outdated)|that is (?:wrong|not right|incorrect|outdated)|you(?:'ve| have)? got (?:it|that) wrong|not anymore|let me correct)\b|\b(?:no longer|not [a-z ]{1,30} any ?more|n't [a-z ]{1,40} any ?more|no, (?:i|it's|my|that)|i meant|scratch that|to correct|correct (?:that|this|my)|i made a mistake|i was wrong about|it's not (?:[a-z0-9']+ ){0,2}[a-z0-9']+, (?:but|it's|i)|i'm not [a-z' ]{1,24}, i'm|has changed|number changed|i've (?:changed|switched|moved)|i (?:changed|switched) (?:my|to|from))\b` +
		`|不是[^。!?]{1,24}?,?(?:而)?是|我说错了|说错了|搞错了|弄错了|记错了|更正|纠正|更新一下|改成|改为|换成了|已经不[^。!?]{1,12}了|准确地?说|应该是|我的意思是|(?:号码|地址|电话|邮箱|工作|公司)(?:已经)?(?:换|变)了`)
	bareCorrects = regexp.MustCompile(`\b(?:i meant|correction|i misspoke|scratch that|it's not (?:[a-z0-9']+ ){0,2}[a-z0-9']+, (?:but|it's))\b|^no, (?:it's|not)\b|不是[^,]{1,24}?,?(?:而)?是|说错了|搞错了|记错了|更正|纠正|^应该是[^吧]{3,}$|我的意思是`)
	opinion      = regexp.MustCompile(`不是不|是不是|不是说|不是因为|不是我|你|这|那`)

	hedged    = regexp.MustCompile(`\b(?:maybe|perhaps|probably|possibly|i think|i guess|not sure|might|kind of|sort of|i suppose|seems?)\b|可能|也许|大概|好像|似乎|应该|或许|说不定|不确定|没准`)
	fromNowOn = regexp.MustCompile(`\b(?:from now on|from today on|from this day|from here on|going forward|in (?:the )?future,|starting (?:today|now|tomorrow)|as of (?:today|now))|从现在(?:起|开始)|从今(?:天|往|以)后?(?:起|开始)?|今后|以后|往后|从此`)
	instructs = regexp.MustCompile(`^(?:please |from now on,? |to )?(?:always|never|don't|do not|call me|use|answer|reply|write|speak|address|send|stop|avoid|keep|make sure|only|contact)\b|请(?:用|叫|不要|别|总是|一直|先|在|给)|(?:以后|今后|从现在起|从现在开始)(?:请|都|就|不要|别|每次|用|叫|给|帮|回答|跟|和我|先)|^(?:不要|别|叫我|用)`)
	errand    = regexp.MustCompile(`\b(?:remember|remind me|don't forget) (?:me )?to\b|提醒我|(?:记得|别忘了?)(?:帮我|给我|要)?(?:去|买|交|带|给|打|发|订|拿|取)`)
)

func (t *turn) isPlay() bool {
	return play.MatchString(t.match) && !notPlay.MatchString(t.match)
}

// Softer words of correction, which people also use as mere filler: they count
// only beside a fact that can be set right.
var mayCorrect = regexp.MustCompile(`\b(?:actually|in fact|i mean)\b|其实|不再|事实上`)

func mightCorrect(m string) bool { return mayCorrect.MatchString(m) }

func (t *turn) isHostile() bool { return hostile.MatchString(t.match) }

func (t *turn) isCorrection() bool {
	for _, s := range t.sentences {
		if m := t.match[s.lo:s.hi]; corrects.MatchString(m) && !strings.HasSuffix(m, "?") {
			return true
		}
	}
	return false
}

func isBareCorrection(m string) bool {
	return bareCorrects.MatchString(m) && !opinion.MatchString(m)
}

func isHedged(m string) bool { return hedged.MatchString(m) }

// topicResolution marks what a person means to do from now on.
const topicResolution = "resolution"

func saysFromNowOn(m string) bool { return fromNowOn.MatchString(m) }
func isInstruction(m string) bool { return instructs.MatchString(m) }

// isShortAsk holds for "(Could you remember) my birthday?": the fact comes next.
func isShortAsk(m string) bool {
	return strings.HasSuffix(m, "?") && len(strings.Fields(m)) <= 4 && utf8.RuneCountInString(m) <= 28
}

func isErrand(m string) bool { return errand.MatchString(m) }

// How a sentence asks to be remembered.
const (
	notExplicit = iota
	holdsFact   // "remember that I'm vegan"
	asksTo      // "remember to call my mother"
	pointsAhead // "remember this:"
	pointsBack  // "please remember that."
)

var (
	enRemember = regexp.MustCompile(`^(?:(?:hi|hello|hey|ok|okay|oh|well|and|so|also|but|yes|now|please|kindly|just|for next time)[,.! ]+)*(?:(?:can|could|would|will) you (?:please |kindly )?|please |i(?:'d| would) like you to |i (?:want|need) you to |you should |you must |make sure (?:you |to )?|try to )?(?:always )?(?:remember(?: for me)?|note(?: down)?|take note|make a note|write down|keep in mind|bear in mind|don't (?:you )?(?:ever )?forget|do not forget|never forget|memorize|save|for the record|for future reference|note to self|fyi)\b`)
	enNotOrder = regexp.MustCompile(`^(?:remember|don't forget)\s+(?:when|how (?:we|i|you)|me\b|our|those|the (?:time|day)|last)|^(?:save|note)\b (?:my|the|a|money|time|me|up|on|your|some|book|taking|from)|^(?:write down) (?:some|ideas)`)
	zhRemember = regexp.MustCompile(`(?:请|帮我|你要|你得|要|麻烦你?|一定要|务必|能不能|能|可以|你|千万|给我|好好)*(?:记住|记一下|记下来?|记好|记着|记录一下|牢记|备注(?:一下)?|别忘(?:了|记)|不要忘(?:了|记)|请记得|要记得|帮我记得?)`)
	zhNotOrder = regexp.MustCompile(`(?:(?:^|[^帮给让替跟])我|他|她|人|们|没|没有|不|难|容易|才能|怎么|如何)[^,，]{0,8}(?:记住|记一下|记下|记着)|值得记住|记住单词|还记得|我(?:会|已经|要|想|得|一定)[^,]{0,4}(?:记|别忘)|怎么记|记住了$|别忘了我[!。~]*$|(?:记住|别忘了?)(?:要)?(?:休息|吃饭|喝水)`)
	backWords  = regexp.MustCompile(`^(?:that|this|it|these|those|all (?:of )?(?:that|this)|this please|that please|it please|that for (?:me|later|next time)|this for (?:me|later|next time)|it for (?:me|later|next time)|(?:that|this|it) down|一下|了|哦|啊|吧|好|这个|这一点|这点|这件事|这些|上面的|刚才说的)*[\s,.!。~]*(?:please|thanks?|thank you|谢谢|ok)?[\s.!?。~]*$`)
	aheadMark  = regexp.MustCompile(`^(?:this|that|the following|一下|以下|下面|这些|这几点|这件事)*(?:信息|内容|几点)?\s*[:：]\s*$`)
	thatWord   = regexp.MustCompile(`^(?: for (?:me|later|next time|the future))?\s*(?:down )?(?:,? ?(?:that|this|please)\b)?[\s,:]*|^`)
)

// rememberCue spares most sentences the patterns.
var rememberCue = regexp.MustCompile(`remember|note|mind|forget|write down|memorize|save|for the record|reference|fyi|记|忘|备注`)

// explicitPart finds an order to remember; rest is where its object begins.
func explicitPart(m string) (rest, order int) {
	if !rememberCue.MatchString(m) {
		return 0, notExplicit
	}
	loc := enRemember.FindStringIndex(m)
	if loc != nil {
		if enNotOrder.MatchString(orderFrom(m, loc[1])) {
			return 0, notExplicit
		}
	} else {
		loc = zhRemember.FindStringIndex(m)
		if loc == nil || zhNotOrder.MatchString(m) || strings.HasSuffix(m, "了吗?") {
			return 0, notExplicit
		}
		if loc[0] > 0 {
			before := strings.Trim(m[:loc[0]], " ,，。!:")
			if !greeting.MatchString(before) && !isFiller(before) {
				// "我对花生过敏,请记住": the fact stands before the order.
				return 0, holdsFact
			}
		}
	}
	tail := m[loc[1]:]
	object := strings.TrimSpace(tail)
	switch {
	case aheadMark.MatchString(object):
		return 0, pointsAhead
	case backWords.MatchString(object):
		return 0, pointsBack
	case strings.HasPrefix(tail, " to ") || isErrand(m):
		return 0, asksTo
	}
	skip := thatWord.FindString(tail)
	rest = loc[1] + len(skip)
	for _, p := range []string{"一下", "了", "哦", "啊", ",", ":", "，", " "} {
		rest += len(m[rest:]) - len(strings.TrimPrefix(m[rest:], p))
	}
	return rest, holdsFact
}

// orderFrom gives the order and what follows it, without what stands before.
func orderFrom(m string, end int) string {
	verbs := []string{"remember", "don't forget", "save", "note", "write down"}
	best := -1
	for _, v := range verbs {
		if k := strings.LastIndex(m[:end], v); k > best {
			best = k
		}
	}
	if best < 0 {
		return ""
	}
	return m[best:]
}

func isFiller(s string) bool {
	n := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n <= 2 && !strings.Contains(s, "我")
}
