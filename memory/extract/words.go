package extract

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxSlot is the longest object that still names something, in characters;
// "people who talk loudly in the library on weekends" names no slot.
const maxSlot = 24

// sameThing brings the words of both languages, and the spellings of one, to
// one key, so that a correction in the other language meets its slot.
var sameThing = map[string]string{
	"colour": "color", "颜色": "color", "movie": "movie", "film": "movie", "电影": "movie", "片子": "movie",
	"song": "song", "歌": "song", "歌曲": "song", "音乐": "music", "singer": "singer", "歌手": "singer", "书": "book", "书籍": "book",
	"食物": "food", "菜": "dish", "dish": "dish", "美食": "food", "水果": "fruit", "季节": "season", "城市": "city",
	"运动": "sport", "sport": "sport", "饮料": "drink", "beverage": "drink", "动物": "animal", "作家": "author", "writer": "author", "演员": "actor",
	"颜": "color", "游戏": "game", "乐队": "band", "球队": "team", "餐厅": "restaurant", "节日": "holiday", "画家": "painter", "小说": "novel",
	"花生": "peanut", "海鲜": "seafood", "虾": "shrimp", "螃蟹": "crab", "牛奶": "milk", "奶制品": "dairy", "乳糖": "lactose", "鸡蛋": "egg",
	"坚果": "nut", "花粉": "pollen", "猫毛": "cat", "猫": "cat", "狗毛": "dog", "狗": "dog", "青霉素": "penicillin", "尘螨": "dust_mite", "芒果": "mango",
	"小麦": "wheat", "麸质": "gluten", "大豆": "soy", "酒精": "alcohol", "头孢": "cephalosporin", "阿司匹林": "aspirin", "蜂蜜": "honey", "贝类": "shellfish",
	"糖尿病": "diabetes", "高血压": "hypertension", "high_blood_pressure": "hypertension", "哮喘": "asthma", "抑郁症": "depression", "失眠": "insomnia",
	"偏头痛": "migraine", "胃炎": "gastritis", "咖啡": "coffee", "茶": "tea", "喝咖啡": "coffee", "喝茶": "tea", "香菜": "coriander", "cilantro": "coriander",
	"肉": "meat", "猪肉": "pork", "牛肉": "beef", "羊肉": "lamb", "辣": "spicy_food", "辣的": "spicy_food", "酒": "alcohol", "鱼": "fish", "糖": "sugar",
	"妻子": "wife", "老婆": "wife", "太太": "wife", "媳妇": "wife", "丈夫": "husband", "老公": "husband", "先生": "husband", "儿子": "son", "女儿": "daughter",
	"男朋友": "boyfriend", "女朋友": "girlfriend", "妈妈": "mother", "母亲": "mother", "mom": "mother", "mum": "mother", "爸爸": "father", "父亲": "father", "dad": "father",
	"哥哥": "brother", "弟弟": "brother", "姐姐": "sister", "妹妹": "sister", "小狗": "dog", "小猫": "cat", "puppy": "dog", "kitten": "cat",
}

var slotArticle = regexp.MustCompile(`^(?:the|a|an|my|our|any|some|all|all kinds of|eating|drinking|most|raw|certain|going to|to) `)

// canonical is the form in which values are compared: lower case, one space, no
// article.
func canonical(s string) string {
	s = strings.Join(strings.Fields(strings.ToLower(simplify(s))), " ")
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSpace(r) })
}

// slotKey makes the last part of a slot's name from what a person called it;
// empty when they named several things, or told a story.
func slotKey(s string) string {
	s = canonical(s)
	for {
		cut := slotArticle.ReplaceAllString(s, "")
		if cut == s {
			break
		}
		s = cut
	}
	if s == "" || utf8.RuneCountInString(s) > maxSlot || strings.ContainsAny(s, ",、()") ||
		strings.Contains(s, " and ") || strings.Contains(s, " or ") {
		return ""
	}
	hanzi := hasHan(s)
	if hanzi && (utf8.RuneCountInString(s) > 10 || strings.ContainsAny(s, "和跟与及或")) {
		return ""
	}
	if !hanzi {
		s = singular(s)
	}
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			return r
		case r == ' ' || r == '-' || r == '_':
			return '_'
		}
		return -1
	}, s)
	s = strings.Trim(s, "_")
	if same, ok := sameThing[s]; ok {
		return same
	}
	return s
}

// Words that keep their -ie: "movies" is no "movy".
var endsInIe = regexp.MustCompile(`(?:mov|cook|zomb|self|smooth|hood|vegg|brown|calor|p|t|gen|rook)ies$`)

func singular(s string) string {
	switch {
	case len(s) < 4 || strings.HasSuffix(s, "ss") || strings.HasSuffix(s, "us") || strings.HasSuffix(s, "is") || strings.HasSuffix(s, "es") && strings.HasSuffix(s, "etes"):
		return s
	case endsInIe.MatchString(s):
		return s[:len(s)-1]
	case strings.HasSuffix(s, "ies") && len(s) > 5:
		return s[:len(s)-3] + "y"
	case strings.HasSuffix(s, "oes") || strings.HasSuffix(s, "ches") || strings.HasSuffix(s, "shes"):
		return s[:len(s)-2]
	case strings.HasSuffix(s, "s"):
		return s[:len(s)-1]
	}
	return s
}

func hasHan(s string) bool {
	for _, r := range s {
		if r >= 0x2E80 && unicode.Is(unicode.Han, r) {
			return true
		}
	}
	return false
}

var notNames = regexp.MustCompile(`(?i)^(?:i|me|ok|okay|sorry|fine|good|great|well|sure|here|back|home|happy|sad|tired|busy|bored|sick|new|done|ready|free|late|lost|single|married|vegan|vegetarian|american|british|english|german|french|chinese|japanese|korean|indian|canadian|australian|italian|spanish|russian|dutch|polish|mexican|brazilian|swedish|christian|muslim|buddhist|jewish|catholic|hindu|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|october|november|december|not .*|so .*|very .*|from .*|in .*|just .*|really .*|a|an|the|a .*|an .*|the .*|my .*|ai|cto|ceo|cfo)$`)

// looksLikeName holds for one or two words written as names are.
func looksLikeName(v string) bool {
	if notNames.MatchString(v) {
		return false
	}
	words := strings.Fields(v)
	if len(words) == 0 || len(words) > 2 {
		return false
	}
	for _, w := range words {
		r, _ := utf8.DecodeRuneInString(w)
		if !unicode.IsUpper(r) && !hasHan(w) {
			return false
		}
	}
	return true
}

var notChineseName = regexp.MustCompile(`^(?:做|了|他|她|你|我|醒|车|外卖|人|不|什么|这|那|一|真|谁|个|很|太|新|好|老|学生|医生|老师|护士|男|女|吃|来|认真|开玩笑|想|要|在|单身|已婚|独生|左撇|素食|单亲|南方|北方|本地|外地|基督|穆斯林|[\p{Han}]{0,2}(?:人|师|员|生|的|座|迷|控|族|子|党)$)`)

// looksChineseName keeps "我是王峰" and drops "我是护士".
func looksChineseName(v string) bool {
	return v != "" && !notChineseName.MatchString(strings.ToLower(simplify(v)))
}

var (
	vagueObject   = regexp.MustCompile(enVague)
	vagueThing    = regexp.MustCompile(`(?i)^(?:an? |some |many |a lot of |really |very |such |so |good |great |few |couple |of |new |interesting |important |valuable |useful |fun |nice |little |bit |different |beautiful )*(?:problems?|questions?|things?|time|times|day|days|feelings?|ideas?|advice|suggestions?|people|stuff|troubles?|experiences?|mood|thoughts?|conversation|chat|stress|emotions?|insights?|knowledge|rest|sleep|look|break|lunch|dinner|breakfast|talk|information|difficulty|difficulties|methods?|help|tips|fun|success|setbacks?|challenges?)\b`)
	carriesDetail = regexp.MustCompile(`[A-Z]|\d|["“《_]|\b(?:new|first|park|museum|movie|film|book|novel|concert|restaurant|gym|beach|mountain|library|exhibition|course|class|dress|camera|car|house|dog|cat|wedding|exam|interview|marathon|dish|cake|recipe|chicken|fish|guitar|piano|painting|hospital|doctor|theater|theatre|festival|party|game|match|photo|photos|pool|store|shop|shopping|trip|award|prize|job|university|school|degree|volunteer|lake|farm|market|zoo|temple|city|village|country|test|exams?|licen[cs]e|tooth|blood|parents|mother|father|sister|brother|friends?|husband|wife|boyfriend|girlfriend|boss|colleague|garden|series|show|song|album|bike|phone|laptop|pizza|soup|noodles|pasta|bread|steak|jacket|shoes|coat|tent|boots|backpack|shirt|ticket|flight|hotel)\b`)
)

var placeName = regexp.MustCompile(`\b[A-Z][a-z]{2,}`)

// namesPlace keeps "I was in Kyoto" and drops "I was in a hurry".
func namesPlace(v string) bool { return placeName.MatchString(v) }

// errandTo opens "(went) to see a film".
var errandTo = regexp.MustCompile(`^(?:out )?(?:to see|to watch|to hear|to buy|to get|for) `)

// worthKeeping tells an event with something in it from talk about moods.
func worthKeeping(v string) bool {
	v = errandTo.ReplaceAllString(v, "")
	return !vagueObject.MatchString(strings.ToLower(v)) && !vagueThing.MatchString(v) && carriesDetail.MatchString(v)
}

// Words that say what a statement is about. The first that occurs names the
// topic; sensitive ones come first and set the category as well.
var subjects = []struct {
	re       *regexp.Regexp
	topic    string
	category string
	// over: the category wins over what the rule said.
	over bool
}{
	{regexp.MustCompile(`\b(?:password|passport|ssn|social security|pin code|card number|cvv|passcode)\b|密码|护照|身份证|银行卡|社保号|验证码`), "secret", catRestricted, true},
	{regexp.MustCompile(`\b(?:allerg\w*|diabet\w*|asthma|cancer|hospital|surgery|medication|medicine|depress(?:ion|ed)|therap(?:y|ist)|diagnos\w*|pregnan\w*|blood pressure|injur\w*|insomnia|doctor|dentist|migraines?|disease|symptoms?|illness)\b|过敏|糖尿病|高血压|哮喘|癌|住院|手术|吃药|服药|抑郁|怀孕|确诊|受伤|失眠|医院|医生|体检|病了|生病|胃|骨折|头痛|头疼`), "health", catHealth, true},
	{regexp.MustCompile(`\b(?:salary|income|mortgage|loan|debt|savings|budget|invest\w*|bank account|pension|credit card)\b|工资|月薪|年薪|房贷|车贷|贷款|欠款|存款|预算|理财|股票|基金|收入|信用卡`), "money", catFinance, true},
	{regexp.MustCompile(`\b(?:my|our) (?:[a-z]+ )?` + enKin + `\b|` + zhKin), "family", catFamily, false},
	{regexp.MustCompile(`\b(?:dogs?|cats?|puppy|kitten|pets?|hamster|parrot)\b|宠物|小狗|小猫|养猫|养狗|猫咪|狗狗`), "pet", "", false},
	{regexp.MustCompile(`\b(?:trip|travel\w*|flight|hotel|vacation|holiday|visit(?:ed|ing)?|beach|mountains?|abroad)\b|旅游|旅行|出差|航班|酒店|度假|机票|景点|爬山|海边`), "travel", "", false},
	{regexp.MustCompile(`\b(?:cook\w*|food|dish(?:es)?|restaurant|recipe|eat(?:ing)?|cuisine|coffee|tea|wine|beer|cake|baking|meat|sushi|pizza|breakfast|dinner|lunch|vegetables?|fruits?)\b|做菜|菜|美食|餐厅|吃|喝|火锅|烘焙|咖啡|茶|水果|料理|蛋糕`), "food", "", false},
	{regexp.MustCompile(`\b(?:movies?|films?|tv|series|documentar(?:y|ies)|cinema|actor|anime)\b|电影|电视剧|纪录片|动漫|影院|片子|演员`), "film", "", false},
	{regexp.MustCompile(`\b(?:music|songs?|guitar|piano|violin|concert|sing(?:ing|er)?|band|album|jazz|drums)\b|音乐|歌|吉他|钢琴|小提琴|演唱会|唱|乐队|乐器`), "music", "", false},
	{regexp.MustCompile(`\b(?:books?|novels?|reading|read|poetry|author|library)\b|书|小说|阅读|诗|作家|图书馆`), "book", "", false},
	{regexp.MustCompile(`\b(?:run(?:ning)?|swim(?:ming)?|gym|yoga|football|soccer|basketball|badminton|tennis|hik(?:e|ing)|cycling|marathon|fitness|workout|work out|exercise|sports?|ski(?:ing)?|climbing|dance|dancing|boxing)\b|跑步|游泳|健身|瑜伽|足球|篮球|羽毛球|网球|徒步|骑行|马拉松|运动|滑雪|跳舞|舞蹈`), "sport", "", false},
	{regexp.MustCompile(`\b(?:game|games|gaming|chess|video games?|board games?)\b|游戏|下棋|桌游|打牌`), "game", "", false},
	{regexp.MustCompile(`\b(?:paint(?:ing|ed)?|draw(?:ing)?|photo\w*|art|exhibition|museum|sculpture|calligraphy|pottery)\b|画|摄影|拍照|展览|博物馆|书法|陶艺|艺术`), "art", "", false},
	{regexp.MustCompile(`\b(?:bought|shopping|clothes|dress|shoes|shirt|jacket|brand)\b|买|购物|衣服|裙子|鞋|品牌`), "shopping", "", false},
	{regexp.MustCompile(`\b(?:python|english|french|spanish|german|japanese|chinese|course|class|exam|university|college|school|degree|study(?:ing)?|learn(?:ing)?)\b|英语|日语|法语|课程|考试|大学|学校|考研|专业|学习|学位`), "study", "", false},
	{regexp.MustCompile(`\b(?:work|job|boss|colleagues?|company|project|career|promotion|interview|office|clients?)\b|工作|老板|同事|公司|项目|职业|升职|面试|上班|客户|加班`), "work", catWork, false},
}

// classify fills in what a statement is about, from its sentence.
func classify(st *Statement, m string) {
	for _, s := range subjects {
		if !s.re.MatchString(m) {
			continue
		}
		if s.category != "" && (s.over && st.Category != catRestricted && st.Category != catContact ||
			st.Category == catExperience || st.Category == catRestricted && st.Topic == "" && st.Kind != KindProcedure) {
			st.Category = s.category
		}
		if st.Topic == "" || st.Topic == "event" || st.Topic == "pursuit" || st.Topic == "plan" || st.Topic == "habit" || st.Topic == "past" {
			st.Topic = s.topic
		}
		break
	}
	if st.Topic != "" {
		st.Tags = append(st.Tags, st.Topic)
	}
	st.Tags = distinct(st.Tags)
}

func distinct(in []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, s := range in {
		if s != "" && !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}
