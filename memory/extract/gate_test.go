package extract

import (
	"strings"
	"testing"
)

func TestRecallGate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		query string
		need  bool
		why   string
	}{
		{"What's the weather?", false, GateWeather},
		{"what is the weather like today", false, GateWeather},
		{"Will it rain tomorrow?", false, GateWeather},
		{"今天天气怎么样？", false, GateWeather},
		{"明天北京天气如何", false, GateWeather},
		{"外面下雨了吗", true, GateInDoubt},
		{"What time is it?", false, GateClock},
		{"现在几点了？", false, GateClock},
		{"Hello!", false, GateGreeting},
		{"你好", false, GateGreeting},
		{"Thanks!", false, GateThanks},
		{"谢谢你", false, GateThanks},
		{"12 * 7 = ?", false, GateArithmetic},
		{"what is 12*7", false, GateArithmetic},
		{"What is the capital of Peru?", false, GateKnowledge},
		{"秘鲁的首都是哪里？", false, GateKnowledge},
		{"tell me a joke", false, GateJoke},
		{`translate "good morning" into French`, false, GateTranslate},
		{"", false, GateEmpty},
		{" \n", false, GateEmpty},

		{"What's the weather like where I live?", true, GatePersonal},
		{"我家那边天气怎么样？", true, GatePersonal},
		{"What is my wife's name?", true, GatePersonal},
		{"the usual, please", true, GatePersonal},
		{"老样子", true, GatePersonal},
		{"上次推荐的餐厅叫什么？", true, GatePersonal},
		{"Recommend a restaurant.", true, GateInDoubt},
		{"推荐一家餐厅", true, GateInDoubt},
		{"Is the weather good for hiking with the kids?", true, GateInDoubt},
		{"What is the capital of Peru and which hotel suits best there?", true, GateInDoubt},
		{strings.Repeat("what's the weather ", 5000), true, GateInDoubt},
	} {
		need, why := RecallGate(c.query)
		if need != c.need || why != c.why {
			t.Errorf("%.60q: need %v (%s), want %v (%s)", c.query, need, why, c.need, c.why)
		}
	}
}
