package extract

import (
	"regexp"
	"strings"
)

var (
	enForget = regexp.MustCompile(`^(?:(?:hi|hello|hey|ok|okay|oh|well|and|so|also|but|now|actually|sorry|wait|no)[,.! ]+)*(?:(?:can|could|would|will) you (?:please |kindly )?|please |i(?:'d| would) like you to |i want you to |you (?:should|must|can) )?(?:(?:forget|erase|delete|remove|wipe|clear)\b|(?:don't|do not|stop|never) (?:remember|remembering|store|storing|save|saving|keep|keeping|record|recording)\b)`)
	// enForgetsUs asks for an object that we hold; "delete the old files" doesn't.
	enForgetsUs = regexp.MustCompile(`\b(?:forget|don't remember|do not remember|stop remembering|never remember)\s+(?:that|what|about|everything|all|my|the fact|this|anything|i\b|me\b|where|who|when)|\b(?:that i|what i|about me|about my|my (?:memor|data|profile|information|history|record)|you (?:know|remember|have|stored|saved)|your memory|i told you|i said|i (?:just )?mentioned|me from|this|that)\b`)
	enForgetNot = regexp.MustCompile(`\bforget (?:it|about it)\b[ .!,]*$|\bforget (?:about )?(?:the (?:weather|past)|work|him|her|them|worries|my (?:worries|troubles|keys|problems))|\bnever forget\b|\b(?:files?|folder|app|e-?mail|photo|row|line|code|cache|cart)\b`)
	enAll       = regexp.MustCompile(`\b(?:everything|all (?:of )?(?:my|the|your)?\s*(?:memor|data|information|history|you)|anything|all about me|forget me\b|(?:wipe|erase|delete|clear|remove) (?:all )?my (?:memor|data|profile|history|information|record)\w*\s*[.!]*$)`)
	enWhat      = regexp.MustCompile(`(?:forget|erase|delete|remove|wipe|clear|remember(?:ing)?|stor(?:e|ing)|sav(?:e|ing)|keep(?:ing)?|record(?:ing)?)\s+(?:(?:what|everything|anything|all)(?: of)?(?: that)? (?:i|you) (?:just )?(?:said|told you|mentioned|know|remember|have|stored|saved) (?:about|on|regarding) |(?:everything|anything|all) (?:about|on|regarding) |about |the fact that |that |what you (?:know|remember|have|stored|saved) (?:about|on) )?(.+)$`)
	pronounOnly = regexp.MustCompile(`^(?:that|this|it|what i (?:just )?(?:said|told you|mentioned)|这个|这些|这件事|刚才说的(?:话)?|我刚才说的(?:话)?|刚刚说的(?:话)?|我刚说的(?:话)?)$`)

	zhForget    = regexp.MustCompile(`^(?:` + `(?:你好|嗨|那|算了|等等|对了|嗯|好|不|哦|还有|其实)[,。!]?)*(?:请你?|麻烦你?|能不能|可以|帮我|你|把|能|我(?:想|要)(?:让)?你?)*(?:(?:忘记|忘掉|忘了|删除|删掉|清除|清空|抹掉|擦除)|(?:不要|别|不用|不许|停止)(?:再)?(?:记住|记录|记得|保存|存储|储存|记着|记下))`)
	zhForgetBa  = regexp.MustCompile(`把(.{1,40}?)(?:都|全部|全|给我|给)*(?:忘记|忘掉|忘了|删除|删掉|删了|清除|清空|抹掉)`)
	zhForgetsUs = regexp.MustCompile(`我|关于|你(?:知道|记得|记住|保存|存)|记忆|这|刚|那件`)
	zhForgetNot = regexp.MustCompile(`忘了吧$|忘了带|忘记带|别忘|不要忘|忘不|我(?:总是|经常|老|又|差点)?(?:忘了|忘记|忘掉)[^你]|文件|照片|邮件|订单|购物车|代码|烦恼|过去的|难忘`)
	zhAll       = regexp.MustCompile(`所有|一切|全部|关于我的(?:记忆|信息|资料|数据)?[都全]|我的(?:记忆|数据|资料|信息|记录)(?:吧|了)?[。!]*$|清空`)
	zhWhat      = regexp.MustCompile(`(?:忘记|忘掉|忘了|删除|删掉|清除|清空|抹掉|擦除|记住|记录|记得|保存|存储|储存|记着|记下)(?:你?(?:知道|记得|记住|保存|存)的?)?(?:关于|有关)?(.+)$`)
)

// forget reads a wish to have something forgotten. Talk of forgetting keys,
// and "never forget", are none.
func (t *turn) forget(s sentence) (*ForgetRequest, bool) {
	m := t.match[s.lo:s.hi]
	if !forgetCue.MatchString(m) {
		return nil, false
	}
	trimmed := strings.TrimRight(m, " .!?。~")
	var lo, hi int
	all := false
	if loc := zhForgetBa.FindStringSubmatchIndex(m); loc != nil && !zhForgetNot.MatchString(trimmed) && zhForgetsUs.MatchString(m) {
		lo, hi, all = loc[2], loc[3], zhAll.MatchString(m)
	} else if zhForget.MatchString(m) && zhForgetsUs.MatchString(m) && !zhForgetNot.MatchString(trimmed) {
		all = zhAll.MatchString(m)
		lo, hi = group(zhWhat, m)
	} else if enForget.MatchString(m) && enForgetsUs.MatchString(m) && !enForgetNot.MatchString(trimmed) {
		all = enAll.MatchString(m)
		lo, hi = group(enWhat, m)
	} else {
		return nil, false
	}
	if hostile.MatchString(m) {
		return nil, false
	}
	f := &ForgetRequest{All: all, Quote: t.words(s.lo, s.hi)}
	what := strings.TrimRight(t.words(s.lo+lo, s.lo+hi), ".!?。！？ 吧了")
	if pronounOnly.MatchString(strings.ToLower(what)) {
		what = ""
	}
	// "Everything about my job" is a part, "everything about me" is the whole.
	if all && partOfAll.MatchString(m) {
		f.All = false
	}
	if !f.All {
		f.What = what
	}
	return f, true
}

// forgetCue spares most sentences the patterns.
var forgetCue = regexp.MustCompile(`forget|delete|erase|remove|wipe|clear|remember|stor|sav|keep|record|忘|删|清|抹|擦|记|存`)

var partOfAll = regexp.MustCompile(`\b(?:everything|anything|all)\b.{0,40}\b(?:about|on|regarding) (?:my|the|our) [a-z]|关于我的?(?:工作|家庭|家人|孩子|健康|病|收入|感情|公司|电话|地址|住址|父母|老公|老婆|女儿|儿子|前任|前男友|前女友)`)

func group(re *regexp.Regexp, m string) (lo, hi int) {
	if loc := re.FindStringSubmatchIndex(m); loc != nil {
		return loc[2], loc[3]
	}
	return 0, 0
}
