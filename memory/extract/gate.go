package extract

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// Reasons of the recall gate.
const (
	GateEmpty      = "empty"
	GateWeather    = "weather"
	GateClock      = "clock"
	GateGreeting   = "greeting"
	GateThanks     = "thanks"
	GateArithmetic = "arithmetic"
	GateTranslate  = "translation"
	GateKnowledge  = "general_knowledge"
	GateJoke       = "small_talk"
	GatePersonal   = "personal" // speaks of the person or of earlier talk
	GateInDoubt    = "in_doubt" // nothing says that it can go without
)

// maxGated is the longest question, in characters, that can be told to need no
// memory; longer ones say more than one thing.
const maxGated = 80

var (
	gatePersonal = regexp.MustCompile(`\b(?:i|i'm|i've|i'd|i'll|me|my|mine|myself|we|us|our|ours|again|usual|usually|last time|before|remember|earlier|previous(?:ly)?|still|favou?rite)\b|我|咱|俺|上次|之前|以前|还是|老样子|照旧|记得|再来|又`)

	// severalQuestions: the second one may be about the person.
	severalQuestions = regexp.MustCompile(`\b(?:and|but|also)\b|并且|然后|顺便|另外`)

	gateRules = []struct {
		why string
		re  *regexp.Regexp
	}{
		{GateWeather, regexp.MustCompile(`^(?:(?:hi|hello|hey|please|so|and|can you tell what|do you know what|what's|what is|what will|how's|how is|how will|tell)[, ]*)*(?:the )?(?:weather|temperature|forecast|is it (?:going to )?(?:rain|snow|sunny|cold|hot|raining|snowing)|will it (?:rain|snow|be (?:hot|cold|sunny)))(?: be)?(?: (?:like|going to be like|forecast))?(?: (?:today|tomorrow|tonight|now|outside|this (?:week|weekend|morning|afternoon|evening)|on [a-z]+day|in [a-z .]{2,30}))*$|^(?:请问|那)?(?:今天|明天|后天|现在|外面|这周末?|周末|今晚|明早)?[\p{Han}]{0,6}(?:天气|气温|温度)(?:预报)?(?:怎么样|如何|好吗|好不好|多少度?|是多少|怎样|热吗|冷吗)?(?:啊|呢|呀)?$|^(?:今天|明天|后天|周末|外面)?[\p{Han}]{0,4}(?:会不会|会|有没有|在)?(?:下雨|下雪|冷|热)(?:吗|不|么|没)?$`)},
		{GateClock, regexp.MustCompile(`^(?:please )?(?:what(?:'s| is)? (?:the )?(?:time|date|day|year)(?: is it)?(?: (?:today|now|right now|in [a-z ]{2,20}))*|what time is it(?: (?:now|in [a-z ]{2,20}))?|what day is (?:it|today)(?: today)?|what's today's date|what is today's date)$|^(?:请问)?(?:现在|今天)?(?:是)?(?:几点了?钟?|几点钟了?|几号|星期几|周几|几月几号|什么日子|哪一?天|哪年)(?:了|啊|呢)?$`)},
		{GateGreeting, regexp.MustCompile(`^(?:hi|hello|hey|good (?:morning|afternoon|evening|night)|bye|goodbye|see you(?: later| tomorrow)?|how are you(?: doing)?(?: today)?|nice to meet you)(?: there| everyone| friend| bot)?$|^(?:你好|您好|嗨|哈喽|早上好|下午好|晚上好|早安|晚安|早|再见|拜拜|明天见|在吗|在不在|你好吗)(?:啊|呀|哦)?$`)},
		{GateThanks, regexp.MustCompile(`^(?:ok(?:ay)?[, ]*)?(?:thanks?(?: you)?(?: (?:so|very) much| a lot)?|thx|ok|okay|great|got it|cool|nice|perfect|sounds good|you're welcome|no problem)$|^(?:好的?[, ]*)?(?:谢谢(?:你|您)?|多谢|感谢|好的|好|行|嗯+|明白了?|知道了|收到|不客气|没问题|太好了)(?:啊|哦|了)?$`)},
		{GateArithmetic, regexp.MustCompile(`^(?:what(?:'s| is)|calculate|compute|how much is|计算|算一下)? ?[\d\s+\-*/x×÷().,%^=]*\d[\d\s+\-*/x×÷().,%^]*(?:=|等于(?:多少|几)|是多少)?$`)},
		{GateTranslate, regexp.MustCompile(`^(?:please )?translate ["'“].{1,60}["'”] (?:in)?to [a-z]+$|^how do you say .{1,40} in [a-z]+$|^(?:请)?(?:把)?["“].{1,40}["”](?:翻译成?|用)[\p{Han}]{1,4}(?:怎么说)?$|^["“]?[a-z ]{1,40}["”]?(?:是什么意思|用中文怎么说)$`)},
		{GateKnowledge, regexp.MustCompile(`^(?:what(?:'s| is)|who (?:is|was|wrote|invented|discovered|painted)|when (?:was|did)|where is|how (?:tall|far|big|old|deep|long|high) is) (?:the )?(?:capital|population|area|height|distance|boiling point|speed of|square root|currency|largest|biggest|smallest|longest|highest|tallest|president|author|meaning of the word|formula|chemical|moon|sun|earth|mount|eiffel|great wall)\b[a-z' ]{0,50}$|^[\p{Han}]{1,8}的(?:首都|人口|面积|国土面积|首府|货币|最高峰)(?:是)?(?:哪里|哪|多少|什么|哪座城市)?$|^(?:世界上|中国)?最(?:高|长|大|深|小)的[\p{Han}]{1,6}是(?:什么|哪个|哪座|哪条)?$`)},
		{GateJoke, regexp.MustCompile(`^(?:please )?(?:tell (?:a|another) joke|flip a coin|roll a dice|sing a song)$|^(?:给?讲|说)个(?:笑话|故事)(?:吧|呗)?$`)},
	}
)

// RecallGate says whether a question needs the person's memories, and why. It
// lets a question go without only where it is plainly about the world; in doubt
// the answer is need.
func RecallGate(query string) (need bool, why string) {
	q := strings.ToLower(strings.TrimSpace(simplify(foldText(query))))
	q = strings.TrimRight(q, " .!?。~…")
	if q == "" {
		return false, GateEmpty
	}
	if gatePersonal.MatchString(strings.ReplaceAll(q, "tell me", "tell")) {
		return true, GatePersonal
	}
	if utf8.RuneCountInString(q) > maxGated {
		return true, GateInDoubt
	}
	q = strings.ReplaceAll(q, "tell me", "tell")
	if severalQuestions.MatchString(q) {
		return true, GateInDoubt
	}
	for _, r := range gateRules {
		if r.re.MatchString(q) {
			return false, r.why
		}
	}
	return true, GateInDoubt
}

func foldText(s string) string {
	return strings.Map(foldRune, strings.ToValidUTF8(s, " "))
}
