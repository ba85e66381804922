package lexical

import "strings"

// Words of saying. Their subject tells whose turn a question is after: "what did you
// recommend" the assistant's, "I told you" the user's.
var (
	sayingWords = wordSet(`recommend recommended recommending suggest suggested suggesting tell told telling
		mention mentioned mentioning say said saying share shared sharing advise advised introduce introduced
		explain explained describe described give gave given provide provided teach taught answer answered
		propose proposed ask asked`)
	firstPerson    = wordSet("i me my mine")
	secondPerson   = wordSet("you your")
	chineseSayings = []string{"推荐", "告诉", "建议", "介绍", "提到", "提过", "说过", "说了", "分享", "教过", "教我", "提议", "讲过", "问过", "问你"}
	// A pronoun behind one of these is whom it was said to.
	chineseTo = []string{"给", "跟", "和", "向", "对", "为", "告诉", "教", "问"}
)

// askedRole gives the role whose words a question asks for, or "". Without a word
// of saying, a question about "me" alone is after the user's own words.
func askedRole(a analysis) string {
	if role := askedRoleEnglish(a.tokens); role != "" {
		return role
	}
	return askedRoleChinese(a.folded)
}

func askedRoleEnglish(tokens []token) string {
	subject, first, second, found := "", false, false, ""
	for _, t := range tokens {
		switch {
		case firstPerson[t.text]:
			subject, first = SpeakerUser, true
		case secondPerson[t.text]:
			subject, second = SpeakerAssistant, true
		case sayingWords[t.text] && subject != "":
			found = subject
		}
	}
	if found == "" && first && !second {
		return SpeakerUser
	}
	return found
}

func askedRoleChinese(folded string) string {
	found, first, second := "", strings.Contains(folded, "我"), strings.Contains(folded, "你")
	for _, saying := range chineseSayings {
		at := strings.Index(folded, saying)
		if at < 0 {
			continue
		}
		if role := subjectBefore(folded[:at]); role != "" {
			found = role
			break
		}
	}
	if found == "" && first && !second {
		return SpeakerUser
	}
	return found
}

// subjectBefore finds the last pronoun that is not the one spoken to.
func subjectBefore(text string) string {
	for text != "" {
		me, you := strings.LastIndex(text, "我"), strings.LastIndex(text, "你")
		at, role := me, SpeakerUser
		if you > me {
			at, role = you, SpeakerAssistant
		}
		if at < 0 {
			return ""
		}
		text = text[:at]
		if !hasAnySuffix(text, chineseTo) {
			return role
		}
	}
	return ""
}

func hasAnySuffix(text string, suffixes []string) bool {
	for _, suffix := range suffixes {
		if strings.HasSuffix(text, suffix) {
			return true
		}
	}
	return false
}
