package extract

import (
	"regexp"
	"strings"
	"time"
	"unicode/utf8"
)

// When no rule knows a sentence, it is weighed: people say what matters about
// themselves in more ways than rules foresee. What is found so gets little
// importance and confidence, no slot, and the category restricted unless its
// words say more.
const (
	salientImportance = 0.35
	salientConfidence = 0.6
	salientScore      = 2

	maxSalientWords = 22
	maxSalientRunes = 40
)

var (
	enWeighed = regexp.MustCompile(`^` + enLead + `(?:(?P<me>i|we|my [a-z]+ and i)(?:'ve|'m|'re)? (?:am |are |have been |been |also |only |just |still |always |never |usually |mostly |currently )*(?P<verb>[a-z']+)|(?:my|our) (?P<thing>(?:[a-z-]+ ){0,2}?[a-z-]+)(?:'s)? (?:is|are|was|were|has|have|will be|changed|works?|needs?|starts?|ends?|lives?|runs?|prefers?|only|wants?|goes|comes|gets?|can't|doesn't|died|approved|said|owns?|takes?|uses?|speaks?|costs?|expires?)\b)`)
	// Verbs of talking, thinking, feeling and of the talk at hand.
	enTalk = regexp.MustCompile(`^(?:learn|walked|faced|mixed|added|fried|become|became|follow|following|burning|playing|applying|watching|studying|think|thought|feel|felt|feeling|guess|know|knew|see|saw|understand|understood|mean|meant|agree|disagree|hope|hoping|wonder|wondering|believe|wish|suppose|appreciate|thank|try|tried|trying|will|would|could|should|can|may|might|must|shall|need|want|wanted|like|love|hate|enjoy|look|looking|hear|heard|say|said|tell|told|talk|talked|talking|ask|asked|asking|call|calling|called|wait|waiting|get|got|getting|find|found|finding|realize|realized|remember|forget|forgot|clicked|pressed|opened|restarted|checked|have|had|having|do|did|don't|didn't|doesn't|can't|couldn't|won't|wouldn't|haven't|hadn't|am|is|are|was|were|not|sorry|happy|glad|sad|sure|afraid|tired|exhausted|fine|good|ok|okay|well|here|back|ready|done|so|very|really|a|an|the|too|quite|bit|pretty|excited|nervous|worried|confused|bored|stressed|anxious|lonely|upset|angry|down|grateful|honored|interested|curious|surprised|proud|going|about|in|at|on|struggling|considering|thinking|planning|learned|learning|reading|seem|seems|keep|kept|make|made|let|go|went|come|came|take a|give|gave|lack|encountered|experienced|sometimes|often|decided|discovered|noticed|spend|spent|thinking|bet|promise|apologi[sz]e|recommend|suggest|mentioned|shared|share|sharing|chat|chatting|plan|joke|joking|browsing|kidding|should've|enough|alone|lost|busy|free|sick|cold|hungry)$`)
	// Things one has only for the moment of talking.
	enNoThing = regexp.MustCompile(`\b(?:questions?|apolog\w*|bad|mistake|fault|point|guess|pleasure|opinion|mind|mood|problems?|issue|understanding|ideas?|suggestions?|impression|feelings?|thoughts?|reply|life|future|heart|request|message|friends?|friendship|trip|plans?|schedule|condition|job|turn|conversation|chat|body|emotions?|inspiration|experience|skills?|progress|confidence|head|imagination|creativity|writing|learning|stress|values?|time|day|companion|answer|screen|page|browser)\b`)
	enHere    = regexp.MustCompile(`\b(?:you|your|yours|it|this|that|these|those|there|advice|suggestions?|methods?|tips|something|anything|everything|things?|stuff|feel|feeling|feels|idea|stress(?:ed)?|anxious|confused|mood|pressure|companion|ways?|some|them|doubts?|troubles?|news|question|tomorrow we|each other|owe you|the moment|questions|one\b.{0,2}$|interesting|challenging|go now|have to (?:go|leave|rest|run))\b`)
	// Phrases with stable content behind verbs that are mostly talk.
	enStable = regexp.MustCompile(`^` + enLead + `(?:i|we)(?:'ve|'m|'re)? (?:also |only |just |still |always |never )*(?:can't (?:do|swim|drive|cook|read|hear|walk|climb|eat|drink|stand|work|fly|ride|travel|attend|make it|lift|sit|bend|use|come (?:on|in|before|after))\b|can (?:only|play|speak|drive|ride|swim)\b|need (?:a |an |the )?(?:[a-z-]+ )?(?:wide|low|high|extra|large|small|quiet|ground|gluten|vegan|wheel|step|room|seat|shoes|glasses|chair|bed|diet|size|invoice|receipt|visa|parking|ramp|lift|interpreter)\b|get (?:migraines?|headaches?|seasick|carsick|motion sick|hives|up)|have (?:to be|to pick|choir|class|classes|practice|training|lessons|work on|a (?:rule|garden|degree|licen[cs]e|twin|business|lease|contract|standing))|don't (?:drive|smoke|work|speak|read|own|use|have (?:a|any|kids|children|pets|siblings)|celebrate|wear|want (?:calls|emails|marketing))|take (?:a |the |\d)|make (?:a living|candles|jewellery|furniture|films|music)|keep (?:bees|chickens|kosher|a diary|to)|had to (?:sell|leave|quit|move|stop|cancel))|^` + enLead + `(?:i|we)(?:'ve|'m|'re| am| are| have)? (?:also |only |just |still |currently |now )*(?:recovering|moving|celebrating|expecting|away (?:until|from|on)|off (?:work|until|on)|out of (?:the office|town|the country)|not (?:drinking|eating)|on (?:holiday|leave|vacation|antibiotics|medication|a diet)|been a (?:customer|member|client|subscriber|volunteer)|a family of|a couple|the [a-z]+ (?:of|at|for) (?:our|my|the|a) |at [a-z ]+ (?:now|these days))|\bwe (?:move|moved) house\b`)
	enSuits  = regexp.MustCompile(`\b(?:suits?|works?|work) (?:best|better|well)? ?for (?:me|us)\b|\bbest (?:way|time) to (?:reach|contact|call|catch) (?:me|us)\b|\bfor me (?:is|are) (?:best|fine|impossible)\b|^(?:mornings?|evenings?|afternoons?|weekends?|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?) (?:are|is|work|suit)\b.*\b(?:me|us)\b`)

	zhWeighed = regexp.MustCompile(`^` + zhLead + `*(?:我(?:自己|本人|个人|们家?|家|爱人|和.{1,6}?)?|我(?:们)?的(?P<thing>[^,]{1,6}?)(?:是|有|在|叫|要|都|只|换|坏|到期|不))(?P<rest>.*)$`)
	zhTalk    = regexp.MustCompile(`^.{0,3}(?:一定|将会?|会|可以|似乎|能够)|^.{0,4}(?:思考|寻找|过得|闲暇|出去|学习|玩)|^(?:先|在家|也|还|就|都|很|真的?|其实|现在|今天|最近|一直|只是|好像|可能|总|又|已经|刚|非常|特别|有点|有些|比较|实在|确实|先|再|正|在|从来|还是|当然|一定|会|真|又|一下|是|更|才|有时候?|经常|也许|无法|没法|不太|不|没有?|能|能够|可以|来)*(?:觉得|感觉|感到|认为|想|知道|明白|了解|理解|懂|希望|相信|听|说|问|谢|感谢|感激|同意|考虑|试|尝试|等|打电话|打算|点|按|收到|走|办法|确定|清楚|记|忘|看|找|给|让|把|用你|跟你|和你|向你|发现|意识|注意|努力|尽力|尽量|期待|享受|担心|害怕|开心|高兴|难过|累|困|好|行|没事|没问题|同感|建议|推荐|需要|应该|该|得走|愿意|喜欢|聊|陪|帮|请|学到|遇到|面对|解决|发|提|处理|做|去|到|缺乏|忙|饿|冷|热|闷|烦|孤独|失落|迷茫|困惑|焦虑|紧张|放松|努力|进步|继续|选|决定|放弃|坚持|克服|调整|改变|提高|保持|对|那|这|你|他|她|它|打|开始|成为|与|跟|和|被|像|这么|这样|那么|太|睡|有一个|有个|一下|以为|猜|承认|佩服|羡慕|欣赏|支持|尊重|体会|经历|内心|心情|心里|身体|情绪|生活|压力|心|计划|准备|要去|现在要|看了|看到|写了|制定|沉浸|慢慢)`)
	zhHere    = regexp.MustCompile(`聊|人情|再见|晚安|疑惑|兴奋|郁闷|失落|进展|吃力|困难|朋友|灵感|下一次|具体|(?:^|我的)ai|身体|愉快|(?:新技能|新的技能)|心烦|有些|有点|你|您|这|那|它|建议|方法|办法|问题|事情|感觉|感受|心情|情绪|压力|时候|意思|东西|什么|怎么|吧$|应该|道理|主意`)
	zhStable  = regexp.MustCompile(`^` + zhLead + `*我(?:们家?|家)?(?:院子里|阳台上?|楼下|在家)?(?:也|都|现在|目前|从小|平时|周[一二三四五六日天]|上午|下午|晚上|周末|早上|一)*(?:只(?:坐|吃|喝|用|买|穿|看|住|要|收|能|去)|不会|不能|会(?:弹|拉|吹|开|游泳|骑|做|修|画|讲|滑|打)|不(?:行|方便|在|开车|坐|住|用|接|收|加班|戴|养|过)|比较方便|方便|要去.{1,8}(?:排练|上课|训练|开会|值班|接孩子)|坐轮椅|戴|拄|拉|弹|收集|收藏|养|种|教|开|穿|每次|一.{1,6}就|想要.{0,4}(?:靠|带|大|小|低|高|无|双|单)|说.{1,4}[话语]|是(?:我们|一家|.{2,8}的).{2,}|在.{2,12}(?:教|做|拉|弹|兼职|当|打工|实习|值班|负责|开)|要搬|(?:已经)?把.{1,10}(?:卖|写完|退|寄|还|修|丢|做完|交)|没(?:有)?(?:工作|车|房|孩子|驾照|兄弟|姐妹|信用卡)|.{1,10}就(?:没工作|是你们)|.{0,8}(?:吃纯?素|没工作了|结婚))|联系我(?:最好|请|一般)|我.{0,8}(?:岁|宽楦|不耐受|偏头痛|十周年|周年)`)
	zhKinSays = regexp.MustCompile(`^` + zhLead + `*(?:我|我们)(?:家)?的?(?:两个|三个|大|小)?(?:` + zhKin + `|` + zhPet + `|车|房子|号码|手机|电脑|公司|店|邻居)`)
)

// weigh gives the statement of a clause that no rule knows, if it has weight.
func (t *turn) weigh(c clause) (Statement, bool) {
	m := strings.Trim(t.match[c.lo:c.hi], " ,.!?。;~…:")
	score := 0
	if c.chinese {
		score = weighChinese(m)
	} else if c.prefix == "" {
		score = weighEnglish(enOpening.ReplaceAllString(m, ""), t.folded[c.lo:c.hi])
	}
	if score < salientScore {
		return Statement{}, false
	}
	st := Statement{
		Kind: KindHardFact, Layer: LayerSemantic, Category: catRestricted, Polarity: true,
		Importance: salientImportance, Confidence: salientConfidence,
	}
	if pastTense.MatchString(m) || passing.MatchString(m) {
		st.Kind, st.Layer = KindEventFragment, LayerEpisodic
	}
	return st, true
}

// passing marks what holds for a time only.
var passing = regexp.MustCompile(`\b(?:until|tomorrow|tonight|today|next|moving|celebrating)\b|之前|明天|今晚|下周|搬`)

func weighEnglish(m, spelled string) int {
	if len(strings.Fields(m)) > maxSalientWords || len(strings.Fields(m)) < 3 {
		return 0
	}
	if enStable.MatchString(m) || enSuits.MatchString(m) {
		return salientScore
	}
	g := enWeighed.FindStringSubmatch(m)
	if g == nil || enHere.MatchString(m) {
		return 0
	}
	verb, thing := g[enWeighed.SubexpIndex("verb")], g[enWeighed.SubexpIndex("thing")]
	switch {
	case thing != "" && !enNoThing.MatchString(thing):
		return salientScore
	case verb == "" || enTalk.MatchString(verb):
		return 0
	}
	score := 1
	past := strings.HasSuffix(verb, "ed")
	if carriesDetail.MatchString(strings.TrimLeft(spelled, " ,I")) || whenIn(m, someDay) != "" {
		score++
	}
	if !strings.HasSuffix(verb, "ing") && !past {
		score++
	}
	return score
}

// someDay stands for any day: only whether a time is named matters.
var someDay = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func weighChinese(m string) int {
	n := utf8.RuneCountInString(m)
	if n > maxSalientRunes || n < 4 {
		return 0
	}
	if zhHere.MatchString(m) {
		return 0
	}
	if zhStable.MatchString(m) || zhKinSays.MatchString(m) {
		return salientScore
	}
	g := zhWeighed.FindStringSubmatch(m)
	if g == nil {
		return 0
	}
	rest := g[zhWeighed.SubexpIndex("rest")]
	if g[zhWeighed.SubexpIndex("thing")] != "" {
		return salientScore
	}
	if rest == "" || zhTalk.MatchString(rest) {
		return 0
	}
	score := 1
	if zhDetail.MatchString(rest) || whenIn(m, someDay) != "" {
		score++
	}
	return score
}
