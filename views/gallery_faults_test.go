package views

import (
	"strings"
	"testing"

	"fornix/views/i18n"
)

// The gallery's checks are worth something only if each goes red.
func TestPageFaultsAreFound(t *testing.T) {
	t.Parallel()
	frame := func(body string) string {
		return `<!doctype html><html lang="en"><head><title>t</title></head><body><h1>a</h1>` + body + `</body></html>`
	}
	if faults := pageFaults(frame(""), i18n.En); len(faults) > 0 {
		t.Fatalf("a sound page has faults: %v", faults)
	}
	tests := []struct{ name, page, want string }{
		{"a missing doctype", strings.TrimPrefix(frame(""), "<!doctype html>"), "doctype"},
		{"the wrong language", strings.Replace(frame(""), `lang="en"`, `lang="zh-Hans"`, 1), "lang"},
		{"two h1", frame("<h1>b</h1>"), "2 h1"},
		{"no title", strings.Replace(frame(""), "<title>t</title>", "", 1), "title"},
		{"a missing text", frame("⟦a.b⟧"), "a.b"},
		{"a style attribute", frame(`<p style="color:red">`), "style"},
		{"a handler attribute", frame(`<p onclick="x()">`), "onclick"},
		{"an inline script", frame(`<script>x()</script>`), "script"},
		{"an image", frame(`<img src="/x">`), "<img>"},
		{"an id twice", frame(`<p id="a"><p id="a">`), "2 times"},
		{"a label for nothing", frame(`<label for="b">x</label>`), "isn't there"},
		{"an input without label", frame(`<input id="a" name="a">`), "without a label"},
		{"a link away", frame(`<a href="//evil.example">x</a>`), "leads away"},
		{"a link with a scheme", frame(`<a href="javascript:x()">x</a>`), "leads away"},
		{"a link to a missing part", frame(`<a href="#no">x</a>`), "isn't there"},
		{"a link without words", frame(`<a href="/x"> </a>`), "without a name"},
		{"a heading too deep", frame(`<h3>x</h3>`), "follows level 1"},
		{"a table without caption", frame(`<table><tr><td>x</table>`), "caption"},
		{"a th without scope", frame(`<table><caption>c</caption><tr><th>x</table>`), "scope"},
		{"a form without method", frame(`<form action="/x"><button>x</button></form>`), "method"},
		{"a form without button", frame(`<form method="post" action="/x"></form>`), "without a button"},
		{"a time in words alone", frame(`<time>yesterday</time>`), "absolute"},
	}
	for _, tt := range tests {
		t.Run(tt.name+" is found", func(t *testing.T) {
			t.Parallel()
			if got := strings.Join(pageFaults(tt.page, i18n.En), "; "); !strings.Contains(got, tt.want) {
				t.Errorf("faults: %q, want one about %q", got, tt.want)
			}
		})
	}
}

func TestLanguageFaultsAreFound(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, page string
		locale     i18n.Locale
		want       string
	}{
		{"an open placeholder", "<p>{n} left", i18n.En, "{n}"},
		{"Chinese on an English page", "<p>您好", i18n.En, "Chinese on"},
		{"English on a Chinese page", "<p>hello", i18n.ZhHans, "no Chinese"},
		{"nothing in the switch's own name", `<p>hello<b lang="zh-Hans">中文</b>`, i18n.En, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name+" is found", func(t *testing.T) {
			t.Parallel()
			got := strings.Join(languageFaults(tt.page, tt.locale), "; ")
			if (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
				t.Errorf("faults: %q, want %q", got, tt.want)
			}
		})
	}
}
