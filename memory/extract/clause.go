package extract

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// clause is a part of a sentence that can hold one fact.
type clause struct {
	lo, hi int
	// prefix is a subject that the clause shares with the one before it:
	// "(I live in Berlin) and work at …" is matched as "i work at …".
	prefix string
	// listed says that the next clause goes on with a list begun in this one.
	listed bool
	// closed clauses are no statement of the person: questions, suppositions,
	// what others said.
	closed bool
	// others says that the last subject named wasn't the speaker.
	others  bool
	chinese bool
}

var (
	enBoundary = regexp.MustCompile(`, | - | — |: |, ?and |[^,] and (?:i\b|im\b|ive\b|my\b|(?:live|work|study|have|am|prefer|love|like|hate|enjoy|speak|own|play|drive)\b)|[^,] but (?:i|my|now)\b|[^,] (?:because|since|although|though|while) (?:i|my)\b|[^,] so (?:i|can|could|what|do|please)\b`)
	zhBoundary = regexp.MustCompile(`[,:]|——`)
	zhNotBut   = regexp.MustCompile(`不是[^,，]{1,24}?(是|而是)`)
	enShared   = regexp.MustCompile(`^(?:(?:and )?(?:also )?(?:live|work|study|have|am|prefer|hate|enjoy|speak|own|drive)|and (?:also )?(?:love|like|play))\b`)
	// After these a bare verb is an infinitive: "I will try to rest and study".
	enInfinitive = regexp.MustCompile(`\b(?:will|to|can|could|would|should|may|might|must|let|'ll|'d)\b`)
	enOpening    = regexp.MustCompile(`^(?:and|but|so|because|since|although|though|while) `)

	greeting = regexp.MustCompile(`^(?:(?:hi|hello|hey|good (?:morning|afternoon|evening)|ok|okay|yes|yeah|no|sure|well|oh|hmm|right|thanks?(?: you)?|great|of course|alright)\b[ a-z]{0,24}|(?:my )?friend|(?:你|您|大家)好[^我]{0,12}|[嗨嘿哈喂嗯哦啊呃好]+[^我,]{0,8}|(?:早上|晚上|下午|中午)好[^我]{0,8}|(?:我的)?朋友|ai[^我,]{0,12}|谢谢[^我]{0,14}|好的|是的|是啊|对[啊呀的]?|当然(?:可以|了|啦)?|不(?:是|对)|没错|no)[ ,.!。:]*$`)
)

// clauses cuts a sentence and marks what can't be a statement. Content runs
// from first to end: greetings before and questions after are left out.
func (t *turn) clauses(s sentence, explicit bool) (cs []clause, first, end int) {
	chinese := isChinese(t.match[s.lo:s.hi])
	cs = t.cut(s, chinese)
	asks := t.markQuestions(s, cs, chinese, explicit)
	t.markOthers(cs, chinese, explicit)
	first, end = s.lo, s.hi
	for i := 0; i+1 < len(cs) && greeting.MatchString(strings.TrimSpace(t.match[cs[i].lo:cs[i].hi])); i++ {
		first = cs[i+1].lo
	}
	if asks >= 0 {
		end = cs[asks].lo
	}
	return cs, first, end
}

// isChinese holds for sentences built in Chinese, whatever names they carry:
// "My name is 张伟" is English.
func isChinese(m string) bool {
	return strings.ContainsAny(m, "我你您的是在了不有吗呢吧就都也还很") || languageOf(m) == Chinese
}

func (t *turn) cut(s sentence, chinese bool) []clause {
	m := t.match[s.lo:s.hi]
	var marks [][]int
	if chinese {
		marks = zhBoundary.FindAllStringIndex(m, -1)
		for _, x := range zhNotBut.FindAllStringSubmatchIndex(m, -1) {
			if !strings.Contains(m[x[0]:x[1]], ",") {
				marks = append(marks, []int{x[2], x[2]})
			}
		}
		sortMarks(marks)
	} else {
		marks = enBoundary.FindAllStringIndex(m, -1)
		for _, x := range marks {
			// A word boundary match begins at the last letter before it and
			// keeps its own words in the clause that follows.
			if m[x[0]] != ',' && m[x[0]] != ':' && m[x[0]] != ' ' {
				_, n := utf8.DecodeRuneInString(m[x[0]:])
				x[0] += n
				x[1] = x[0] + 1
			} else if m[x[0]] == ',' {
				x[1] = x[0] + 1
			}
		}
	}
	marks = joinOrders(m, marks)
	var cs []clause
	lo := 0
	add := func(hi int) {
		if strings.TrimSpace(m[lo:hi]) != "" {
			cs = append(cs, clause{lo: s.lo + lo, hi: s.lo + hi, chinese: chinese})
		}
	}
	for _, x := range marks {
		if x[0] < lo {
			continue
		}
		add(x[0])
		lo = x[1]
	}
	add(len(m))
	speaks := false
	for i := range cs {
		c := strings.TrimSpace(t.match[cs[i].lo:cs[i].hi])
		if !chinese {
			if speaks && enShared.MatchString(c) {
				cs[i].prefix = "i "
			} else {
				speaks = enSpeaks.MatchString(enOpening.ReplaceAllString(c, "")) && !enInfinitive.MatchString(c)
			}
		}
	}
	for i := 0; i+1 < len(cs); i++ {
		next := strings.TrimSpace(t.match[cs[i+1].lo:cs[i+1].hi])
		cs[i].listed = goesOn(next, chinese)
	}
	return cs
}

var listEnd = regexp.MustCompile(`^(?:and|or) |^(?:以及|还有|和)`)

// goesOn tells whether a clause is a further item and no sentence of its own.
func goesOn(c string, chinese bool) bool {
	if enSpeaks.MatchString(c) || strings.Contains(c, "我") || strings.HasPrefix(c, "especially") {
		return false
	}
	if listEnd.MatchString(c) {
		return true
	}
	if chinese {
		return utf8.RuneCountInString(strings.Trim(c, " 。!~")) <= 4 && !strings.ContainsAny(c, "很你吧的真太了")
	}
	return len(strings.Fields(c)) <= 3 && !notAnItem.MatchString(c)
}

var notAnItem = regexp.MustCompile(`^(?:please|thanks|thank|so|but|because|too|though|actually|right|ok|sorry|it|that|this|you|my|what|how|do|no|not|honestly|haha|always|mostly|now|though)\b`)

// joinOrders keeps "from now on" with the clause that it introduces, and "my
// number changed" with the new one.
func joinOrders(m string, marks [][]int) [][]int {
	if len(marks) > 0 && (startsOrder.MatchString(m[:marks[0][0]]) || hasChanged.MatchString(m[:marks[0][0]])) {
		return marks[1:]
	}
	return marks
}

var startsOrder = regexp.MustCompile(`^(?:and |so |ok(?:ay)? |please )?(?:from now on|from today on|going forward|in (?:the )?future|starting (?:today|now|tomorrow))$|^(?:从现在(?:起|开始)|从今(?:天|往|以)后?(?:起|开始)?|今后|以后|往后)$`)

var hasChanged = regexp.MustCompile(`\b(?:number|e-?mail|address|phone) (?:has |is )?changed$|(?:号码|电话|手机号|邮箱|微信)(?:已经)?(?:换|变|改)了$`)

func sortMarks(marks [][]int) {
	for i := 1; i < len(marks); i++ {
		for k := i; k > 0 && marks[k][0] < marks[k-1][0]; k-- {
			marks[k], marks[k-1] = marks[k-1], marks[k]
		}
	}
}

var (
	enSpeaks = regexp.MustCompile(`^` + enLead + `(?:i|im|ive)\b`)

	enAsks      = regexp.MustCompile(`^(?:(?:and|but|so|or|then|also|well|hey|hi|hello|please|just|ok|okay|anyway|by the way|now|you know)[, ]+)*(?:do|does|did|can|could|would|will|should|shall|is|are|am|was|were|have you|has|had|what|what's|how|how's|why|where|where's|which|who|who's|whom|whose|when|any|isn't|aren't|don't you|doesn't|didn't|won't|can't you|couldn't|have i|am i|do i|tell me|let me know|recommend|suggest|explain|guess|have any)\b`)
	enTag       = regexp.MustCompile(`^(?:right|correct|yes|no|isn't it|aren't i|don't i|didn't i|am i right|wasn't it|is that right|true)\s*\??$`)
	enTellsWhen = regexp.MustCompile(`^(?:(?:and|but|so) )?(?:when|what|where|how|who) (?:i|my|we)\b[^?]*$`)

	zhAsks    = regexp.MustCompile(`什么|怎么|怎样|咋|哪|谁|几[个点次岁天年号月]|多少|多久|多大|为何|是不是|有没有|能不能|可不可以|如何|是否|会不会|要不要|行不行|好不好|对不对|还记得|你记得|吗|(?:呢|么)$`)
	zhNotAsks = regexp.MustCompile(`学习?(?:着)?(?:如何|怎么|怎样)|研究(?:如何|怎么)|没什么|什么都|没怎么|不怎么|多少有|没有什么|哪里哪里|不知道`)
	zhTag     = regexp.MustCompile(`^(?:对吗|是吗|是吧|对吧|对不对|是不是|没错吧|对么|不是吗)\?*$`)
	zhPlea    = regexp.MustCompile(`^(?:好吗|可以吗|行吗|好不好|行不行|可以么|ok吗|谢谢)\?*$`)
	zhToYou   = regexp.MustCompile(`^(?:那|所以|请问|想问|不知道|顺便)?(?:你|您)`)

	enSuppose = regexp.MustCompile(`\b(?:if i (?:were|was|had|could|won|ever|become|became|didn't|don't)|if (?:only|you|we|he|she|they|it|someone|my)|suppose|supposing|imagine|what if|i would(?:n't)? (?:be|have|do|go|buy|live|work)|i'd (?:be|have|do|go|buy|live|work)\b|i wish|hypothetically|let's say|say i'm|in my next life|in the (?:movie|novel|book|story|film|game|dream)|i dreamed|i dreamt|in my dream|for example|as if i|i might|i could have)`)
	zhSuppose = regexp.MustCompile(`如果|假如|假设|假使|要是|万一|倘若|的话|想象一下|下辈子|梦见|梦到|梦里|比如说|打个比方|好像我是|恨不得`)
	enReports = regexp.MustCompile(`\b(?:he|she|they|people|someone|somebody|everyone|everybody|(?:my|a|the|his|her|our) [a-z' -]{2,24}?|[a-z]+ who) (?:(?:once|also|always|just|even|often|then) )?(?:said|says|say|told|tells|thinks|think|thought|claims|claimed|asked|asks|believes|wrote|writes|texted|posted|goes|was like|quoted|replied|complained|mentioned)\b|\bi (?:heard|read|saw) (?:that|somewhere|on|online|an? article)|\baccording to\b|\bthere's a saying|\bthe lyrics\b|\bas they say\b`)
	zhReports = regexp.MustCompile(`(?:他们?|她们?|别人|有人|大家|人家|网上|书里|书上|电影里|小说里|歌词|新闻|文章|主角|主人公|我?(?:的)?(?:朋友|同事|同学|老板|领导|老师|妈妈|妈|母亲|爸爸|爸|父亲|老公|老婆|丈夫|妻子|女朋友|男朋友|女儿|儿子|孩子|室友|邻居|家人|客户|奶奶|爷爷|姐姐|哥哥|弟弟|妹妹))(?:昨天|今天|刚才|总是|经常|老是|曾经|都|也|就|又)*(?:说|讲|告诉|问我|问你|写道|写着|觉得|认为|抱怨|唱|提到|回复)|^[^我你,]{1,3}说|听说|据说|俗话说|常言道|有句话`)
	doctor    = regexp.MustCompile(`\b(?:doctor|dentist|physician|gp|therapist|vet)\b|医生|大夫`)
	zhSelfSay = regexp.MustCompile(`^` + zhLead + `*(?:我|跟你|和你|对你)(?:也|就|真的?|一直|还是|都|总|先|再|要|想|只|个人|自己|刚才|之前|上次|曾经|很|不|没)*(?:跟你|和你|对你|向你)?(?:说|讲|告诉|觉得|认为|提到)|^我(?:想|要|得|可以|来)?(?:跟你|和你|对你|向你)?(?:说|讲|告诉|觉得|认为|提到)`)
)

// markQuestions closes questions and returns the first clause of a question
// that runs to the sentence's end, or -1.
func (t *turn) markQuestions(s sentence, cs []clause, chinese, explicit bool) int {
	m := strings.TrimRight(t.match[s.lo:s.hi], " !.~)")
	asked := strings.HasSuffix(m, "?")
	if len(cs) == 0 {
		return -1
	}
	last := len(cs) - 1
	text := func(i int) string { return strings.Trim(t.match[cs[i].lo:cs[i].hi], " .!~?。") }
	tag := enTag
	if chinese {
		tag = zhTag
	}
	if last > 0 && asked && tag.MatchString(text(last)) || chinese && tag.MatchString(text(last)) {
		for i := range cs {
			cs[i].closed = true
		}
		return 0
	}
	asks := make([]bool, len(cs))
	some := false
	for i := range cs {
		c := text(i)
		if chinese {
			asks[i] = zhAsks.MatchString(c) && !zhNotAsks.MatchString(c) || asked && zhToYou.MatchString(c)
			if !asked && strings.HasSuffix(c, "呢") && !zhAsks.MatchString(strings.TrimSuffix(c, "呢")) {
				asks[i] = false
			}
		} else {
			asks[i] = enAsks.MatchString(c) && !(i < last && enTellsWhen.MatchString(c))
		}
		some = some || asks[i]
	}
	if asked && !explicit && !asks[last] {
		if chinese || !some {
			asks[last] = true
		}
	}
	if explicit {
		// "Can you remember that I'm vegan?" asks for nothing else.
		return -1
	}
	from := -1
	for i := range cs {
		cs[i].closed = asks[i]
		if asks[i] && !chinese {
			// An English question runs on to the end of its sentence.
			for k := i; k <= last; k++ {
				cs[k].closed = true
			}
			return i
		}
	}
	for i := last; i >= 0 && (cs[i].closed || zhPlea.MatchString(text(i))); i-- {
		from = i
	}
	return from
}

// markOthers closes suppositions and reported speech, and notes clauses whose
// subject is somebody else.
func (t *turn) markOthers(cs []clause, chinese, explicit bool) {
	suppose, reports := enSuppose, enReports
	if chinese {
		suppose, reports = zhSuppose, zhReports
	}
	others := false
	supposed := false
	for i := range cs {
		c := strings.TrimSpace(t.match[cs[i].lo:cs[i].hi])
		if suppose.MatchString(c) && !(explicit && saysFromNowOn(c)) {
			supposed = true
		}
		if reports.MatchString(c) && !doctor.MatchString(c) && !(chinese && zhSelfSay.MatchString(c)) {
			for k := i; k < len(cs); k++ {
				cs[k].closed = true
			}
			return
		}
		if supposed && !explicit {
			cs[i].closed = true
		}
		if chinese {
			if subject := zhSubject(c); subject != "" {
				others = subject != "我"
			}
			cs[i].others = others
		}
	}
}

var (
	zhOtherSubject = regexp.MustCompile(`^(?:` + zhLead + `)*(?:你|您|他|她|它|咱|大家|别人|有人|(?:我|我们|我家)?的?(?:` + zhKin + `|朋友|同事|同学|老板|领导|老师|室友|邻居|公司)|我(?:知道|觉得|看|听|想|发现|希望)(?:你|他|她|它|这|那|我))`)
	zhSelfSubject  = regexp.MustCompile(`^(?:` + zhLead + `)*我`)
)

func zhSubject(c string) string {
	switch {
	case zhOtherSubject.MatchString(c):
		return "他"
	case zhSelfSubject.MatchString(c):
		return "我"
	}
	return ""
}

func (t *turn) isQuestion(s sentence) bool {
	cs, _, _ := t.clauses(s, false)
	for _, c := range cs {
		if !c.closed {
			return false
		}
	}
	return true
}
