package lexical

import (
	"strings"
	"testing"
)

func TestNormalize(t *testing.T) {
	t.Parallel()
	same := [][2]string{
		{"I live in Oslo.", "  i LIVE in  oslo"}, {"Ｉ like tea!", "I like tea"}, {"我 喜欢茶。", "我喜欢茶"},
		{"It costs 1,000", "it costs 1000"}, {"Anna’s dog", "anna's dog"}, {"**bold** `tea`", "bold tea"},
	}
	for _, pair := range same {
		if Normalize(pair[0]) != Normalize(pair[1]) {
			t.Errorf("%q and %q have two keys", Normalize(pair[0]), Normalize(pair[1]))
		}
	}
	different := [][2]string{
		{"7.5", "75"}, {"7.5", "7 5"}, {"7:30", "730"}, {"-5", "5"}, {"5%", "5"}, {"$5", "€5"}, {"C", "C++"}, {"C++", "C#"},
		{"1/2", "12"}, {"不，要", "不要"}, {"I like tea?", "I like tea"}, {"👍", "👎"}, {"we're", "were"}, {"1,000,0", "10000"},
	}
	for _, pair := range different {
		if Normalize(pair[0]) == Normalize(pair[1]) {
			t.Errorf("%q and %q have the key %q", pair[0], pair[1], Normalize(pair[0]))
		}
	}
}

func TestLongTexts(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("tea and coffee with milk ", maxTextBytes/20)
	if !Restates(long, long+".") {
		t.Error("a long text does not restate itself")
	}
	if Restates(long+"one", long+"two") || !Distinct(long+"one", long+"two") || Normalize(long+"one") == Normalize(long+"two") {
		t.Error("long texts that differ at the end are taken for one")
	}
}

func TestRestates(t *testing.T) {
	t.Parallel()
	for _, pair := range restatedPairs {
		t.Run("the same: "+pair[0]+" | "+pair[1], func(t *testing.T) {
			t.Parallel()
			if !Restates(pair[0], pair[1]) || !Restates(pair[1], pair[0]) {
				t.Errorf("want a restatement, got similarity %.2f, distinct %v, units %v | %v",
					Similarity(pair[0], pair[1]), Distinct(pair[0], pair[1]), StatementOf(pair[0]).words(), StatementOf(pair[1]).words())
			}
		})
	}
	for _, pair := range distinctPairs {
		t.Run("not the same: "+pair[0]+" | "+pair[1], func(t *testing.T) {
			t.Parallel()
			if !Distinct(pair[0], pair[1]) || !Distinct(pair[1], pair[0]) {
				t.Errorf("want distinct, got similarity %.2f, units %v | %v",
					Similarity(pair[0], pair[1]), StatementOf(pair[0]).words(), StatementOf(pair[1]).words())
			}
		})
	}
	for _, pair := range morePairs {
		t.Run("says more: "+pair[0]+" | "+pair[1], func(t *testing.T) {
			t.Parallel()
			if Restates(pair[0], pair[1]) || Restates(pair[1], pair[0]) {
				t.Errorf("want no restatement, got similarity %.2f", Similarity(pair[0], pair[1]))
			}
		})
	}
}

var restatedPairs = [][2]string{
	{"I'm allergic to peanuts", "I am allergic to peanuts."},
	{"I'm allergic to peanuts", "Please remember that I am allergic to peanuts"},
	{"I have a peanut allergy", "I'm allergic to peanuts"},
	{"I live in Shanghai", "I'm living in Shanghai now"},
	{"I live in Shanghai.", "I currently reside in Shanghai"},
	{"My favourite colour is blue", "Blue is my favorite color"},
	{"I like green tea", "I really like green tea!"},
	{"I work at Google as an engineer", "I'm an engineer working at Google"},
	{"I don't eat pork", "I do not eat pork"},
	{"I can't swim", "I cannot swim"},
	{"My daughter is seven years old", "My daughter is 7 years old"},
	{"The meeting is at 7pm", "the meeting is at 7 PM"},
	{"The user likes jazz", "I like jazz"},
	{"ＣＡＦＥ ｌａｔｔｅ please", "cafe latte, please"},
	{"I have two cats", "I have 2 cats."},
	{"我对花生过敏", "我对花生过敏。"},
	{"我对花生过敏", "请记住，我对花生过敏"},
	{"我喜欢喝绿茶", "我非常喜欢喝绿茶！"},
	{"我喜欢喝绿茶", "我爱喝绿茶"},
	{"我住在上海", "我现在居住在上海"},
	{"我不吃香菜", "我是不吃香菜的"},
	{"我星期三要开会", "我周三要开会"},
	{"我有两只猫", "我有2只猫"},
	{"我的生日是5月2日", "我的生日是5月2号"},
	{"我每天跑步", "我天天跑步"},
	{"我的妈妈是医生", "我母亲是大夫"},
	{"用户喜欢爬山", "我喜欢爬山"},
	{"我明天要开会", "明天我要开会"},
	{"我最喜欢的颜色是蓝色", "蓝色是我最喜欢的颜色"},
}

var distinctPairs = [][2]string{
	{"I'm allergic to peanuts", "I'm not allergic to peanuts"},
	{"I'm allergic to peanuts", "I am no longer allergic to peanuts"},
	{"I'm allergic to peanuts", "My wife is allergic to peanuts"},
	{"I'm allergic to peanuts", "I'm allergic to walnuts"},
	{"The meeting is at 7 pm", "The meeting is at 8 pm"},
	{"The meeting is at 7 pm", "The meeting is at 7 am"},
	{"The meeting is at 7:30", "The meeting is at 7:15"},
	{"My rent is 1,200 euros", "My rent is 1,300 euros"},
	{"I live in Berlin with my wife and two kids", "I live in Paris with my wife and two kids"},
	{"I live in Berlin with my wife and two kids", "I live in Berlin with my wife and three kids"},
	{"I flew from Berlin to Paris", "I flew from Paris to Berlin"},
	{"I prefer tea over coffee", "I prefer coffee over tea"},
	{"I like tea but not coffee", "I like coffee but not tea"},
	{"I don't like tea but I like coffee", "I like tea but I don't like coffee"},
	{"Tom introduced Anna", "Anna introduced Tom"},
	{"Tom is Anna's brother", "Anna is Tom's brother"},
	{"I lived in Berlin", "I live in Berlin"},
	{"I was a teacher", "I am a teacher"},
	{"I will move to Berlin", "I move to Berlin"},
	{"I used to smoke", "I smoke"},
	{"I always drink coffee", "I never drink coffee"},
	{"He likes chess", "She likes chess"},
	{"He likes chess", "I like chess"},
	{"My appointment is on Monday", "My appointment is on Tuesday"},
	{"The trip starts on May 2nd", "The trip starts on May 3rd"},
	{"I might buy a car", "I buy a car"},
	{"Do I like jazz?", "I like jazz"},
	{"I like jazz and my sister is called Mia", "I like jazz and my sister is called Lea"},
	{"I can eat dairy", "I can't eat dairy"},
	{"I love my job", "I hate my job"},
	{"I never said I don't like tea", "I said I don't like tea"},
	{"I like my boss", "My boss likes me"},
	{"I owe Tom money", "Tom owes me money"},
	{"I am the teacher's son", "The teacher is my son"},
	{"My sister is in Rome and my brother is in Oslo", "My brother is in Rome and my sister is in Oslo"},
	{"It was -5 degrees", "It was 5 degrees"},
	{"My share is 5%", "My share is 5"},
	{"I am a C developer", "I am a C++ developer"},
	{"I am a C++ developer", "I am a C# developer"},
	{"I take 5 mg of it", "I take 5 g of it"},
	{"My phone is 138-0000-1111", "My phone is 138-0000-1112"},
	{"Turn the heating on at night", "Turn the heating off at night"},
	{"我喜欢", "我不喜欢"},
	{"我是老师的儿子", "老师是我的儿子"},
	{"我欠小王钱", "小王欠我钱"},
	{"我不得不去", "我不去"},
	{"我戒烟了", "我抽烟"},
	{"我每周三健身", "我每周三次健身"},
	{"我无糖尿病", "我有糖尿病"},
	{"我喜欢喝茶", "我不喜欢喝茶"},
	{"我对花生过敏", "我对花生不过敏"},
	{"我对花生过敏", "我妈妈对花生过敏"},
	{"我对花生过敏", "我对核桃过敏"},
	{"我住在北京", "我住在上海"},
	{"我晚上7点开会", "我晚上8点开会"},
	{"我晚上七点开会", "我早上七点开会"},
	{"我有两只猫", "我有三只猫"},
	{"我的生日是5月2日", "我的生日是5月3日"},
	{"我周三去医院", "我周四去医院"},
	{"我从北京搬到上海", "我从上海搬到北京"},
	{"我比他高", "他比我高"},
	{"我以前抽烟", "我抽烟"},
	{"我可能会换工作", "我换工作"},
	{"他喜欢下棋", "她喜欢下棋"},
	{"我没有孩子", "我有孩子"},
	{"我喜欢茶不喜欢咖啡", "我喜欢咖啡不喜欢茶"},
	{"我喜欢爵士乐吗？", "我喜欢爵士乐"},
	{"我去年结婚", "我今年结婚"},
}

// morePairs are not contradictions, but one says something the other does not.
var morePairs = [][2]string{
	{"I'm allergic to peanuts", "I'm allergic to peanuts and shellfish"},
	{"I like coffee", "I like coffee in the morning"},
	{"I play tennis", "I play football and tennis"},
	{"我喜欢喝茶", "我喜欢喝绿茶"},
	{"我对花生过敏", "我对花生和海鲜过敏"},
	{"我会弹钢琴", "我会弹钢琴和吉他"},
	{"小明喜欢小红", "小红喜欢小明"},
}
