package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
)

// policyHeader is the strict policy of the product, so that the harness is shown to
// work under it.
const policyHeader = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

var chromium *Browser

// TestMain starts one Chromium for all tests. Without one the tests can't say anything;
// that is a failure where REQUIRE_CHROMIUM is set and else is said.
func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "fornix-browser-")
		if err != nil {
			fmt.Println(err)
			return 1
		}
		defer os.RemoveAll(dir)
		if chromium, err = Start(dir); err != nil {
			fmt.Println("left out: browser harness:", err)
			if os.Getenv("REQUIRE_CHROMIUM") != "" {
				return 1
			}
			return 0
		}
		defer chromium.Close()
		return m.Run()
	}())
}

const sheet = `body { color: #222; background: #fff } a, button, input { min-block-size: 28px; display: inline-block }
a:focus, button:focus, input:focus { outline: 3px solid #00f } .wide { inline-size: 2000px } .faint { color: #ddd }
.tiny { min-block-size: 0; block-size: 10px; inline-size: 10px; padding: 0; border: 0; background: #eee; color: #222 } .bare:focus { outline: none } .lid { position: fixed; inset: 0; background: #fff }
@media (prefers-color-scheme: dark) { body { color: #eee; background: #111 } }`

const scripts = `
if (document.querySelector("#shout")) console.error("told to shout");
if (document.querySelector("#throw")) throw new Error("told to throw");
if (document.querySelector("#inject")) document.querySelector("#inject").innerHTML = "<b>x</b>";
document.querySelector("#took")?.focus();
if (document.querySelector("#trap")) document.querySelector("#trap").addEventListener("keydown", e => { if (e.key === "Tab") e.preventDefault(); });
document.querySelector("#ran")?.append("scripts ran");`

// serve serves a page with the given body at /, and what pages need.
func serve(t *testing.T, body string) string {
	t.Helper()
	mux := http.NewServeMux()
	page := func(w http.ResponseWriter, status int, body string) {
		w.Header().Set("Content-Security-Policy", policyHeader)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(status)
		fmt.Fprintf(w, `<!doctype html><html lang="en"><head><title>A page</title><meta name="viewport" content="width=device-width, initial-scale=1">`+
			`<link rel="icon" href="data:,"><link rel="stylesheet" href="/a.css"><script type="module" src="/a.js"></script></head><body><main><h1>A page</h1>%s</main></body></html>`, body)
	}
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		page(w, http.StatusOK, strings.ReplaceAll(body, "ACCEPT", r.Header.Get("Accept-Language")))
	})
	mux.HandleFunc("POST /form", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("word") == "" {
			page(w, http.StatusUnprocessableEntity, `<p id="refused">No word</p>`)
			return
		}
		http.Redirect(w, r, "/done?word="+r.FormValue("word"), http.StatusSeeOther)
	})
	mux.HandleFunc("GET /done", func(w http.ResponseWriter, r *http.Request) {
		page(w, http.StatusOK, `<p id="word">`+r.FormValue("word")+`</p>`)
	})
	mux.HandleFunc("GET /a.css", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/css")
		fmt.Fprint(w, sheet)
	})
	mux.HandleFunc("GET /a.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, scripts)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// TestPageFaults shows each thing that the harness looks for going red on a page that
// has it, and a page without any staying green.
func TestPageFaults(t *testing.T) {
	t.Parallel()
	const form = `<form method="post" action="/form"><label for="word">Word</label> <input id="word" name="word"> <button>Send</button></form><p><a href="/done">Done</a></p>`
	faults := func(p *Page) []string { return p.Faults() }
	axe := func(p *Page) []string { return p.Axe() }
	overflow := func(p *Page) []string { return p.Overflow() }
	shape := func(p *Page) []string { return p.Shape() }
	walk := func(p *Page) []string { return p.TabWalk() }
	all := func(p *Page) []string { return slices.Concat(faults(p), axe(p), overflow(p), shape(p), walk(p)) }
	for claim, c := range map[string]struct {
		body string
		ask  func(*Page) []string
		want string // a part of one of the lines; empty: no line at all
	}{
		"a good page has no fault":                 {form, all, ""},
		"a console error is a fault":               {`<p id="shout">x</p>`, faults, "told to shout"},
		"an exception is a fault":                  {`<p id="throw">x</p>`, faults, "told to throw"},
		"an inline script is reported":             {`<script>document.title = "x"</script>`, faults, "CSP report: script-src"},
		"an inline style is reported":              {`<p style="color:red">x</p>`, faults, "CSP report: style-src"},
		"an untrusted sink is reported":            {`<p id="inject">x</p>`, faults, "CSP report: require-trusted-types-for"},
		"a missing picture is a fault":             {`<img src="/none.png" alt="">`, faults, "answer 404"},
		"another server is a fault":                {`<img src="http://127.0.0.1:9/x.png" alt="">`, faults, "CSP report: img-src"},
		"an input without a label is found":        {`<input name="x">`, axe, "axe label"},
		"faint text is found":                      {`<p class="faint">Can you read this?</p>`, axe, "axe color-contrast"},
		"small targets are found":                  {`<div><button class="tiny">a</button><button class="tiny">b</button></div>`, axe, "axe target-size"},
		"a wide page is found":                     {`<p class="wide">x</p>`, overflow, "px wide"},
		"a second h1 is found":                     {`<h1>Again</h1>`, shape, "2 h1 elements"},
		"a control without focus is found":         {`<button class="bare">a</button>`, walk, "shows no focus"},
		"a covered control is found":               {`<button>a</button><div class="lid"></div>`, walk, "is focused under div.lid"},
		"a trap for the keyboard is found":         {`<button id="trap">a</button><button name="after">b</button>`, walk, "never reaches button after"},
		"a page that took the focus is gone round": {`<button>a</button><div tabindex="-1" id="took"></div><button>b</button>`, walk, ""},
		"a date has stops of its own":              {`<p><label>From <input type="date" name="from"></label></p><button>b</button>`, walk, ""},
		"a radio group is one stop of the way":     {`<p><label><input type="radio" name="r"> a</label><label><input type="radio" name="r"> b</label></p>`, walk, ""},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			p := chromium.Page(t, serve(t, c.body), Options{})
			p.Open("/")
			got := c.ask(p)
			switch {
			case c.want == "" && len(got) > 0:
				t.Errorf("faults %q, want none", got)
			case c.want != "" && !slices.ContainsFunc(got, func(line string) bool { return strings.Contains(line, c.want) }):
				t.Errorf("faults %q, want one with %q", got, c.want)
			}
		})
	}
}

func TestPage(t *testing.T) {
	t.Parallel()
	const body = `<p id="language">ACCEPT</p><p id="ran"></p><form method="post" action="/form"><label for="word">Word</label> <input id="word" name="word"> <button>Send</button></form>`
	t.Run("a form is filled and sent with and without scripts", func(t *testing.T) {
		t.Parallel()
		for _, noScript := range []bool{false, true} {
			p := chromium.Page(t, serve(t, body), Options{NoScript: noScript})
			p.Open("/")
			if got := p.Has("#ran:empty"); got != noScript {
				t.Errorf("without scripts %v: nothing ran is %v", noScript, got)
			}
			p.Fill("#word", "hello")
			if status := p.Follow("button"); status != http.StatusOK {
				t.Errorf("sent form: status %d", status)
			}
			if got := p.Text("#word"); got != "hello" {
				t.Errorf("word %q", got)
			}
			if got := p.Path(); got != "/done?word=hello" {
				t.Errorf("path %q", got)
			}
			if got := p.Faults(); len(got) > 0 {
				t.Errorf("faults %q", got)
			}
		}
	})
	t.Run("a refused form is a fault unless expected", func(t *testing.T) {
		t.Parallel()
		p := chromium.Page(t, serve(t, body), Options{})
		for _, expected := range []bool{false, true} {
			p.Open("/")
			if expected {
				p.Expect(http.StatusUnprocessableEntity)
			}
			if status := p.Follow("button"); status != http.StatusUnprocessableEntity || !p.Has("#refused") {
				t.Errorf("status %d at %s", status, p.Path())
			}
			if got := p.Faults(); (len(got) == 0) != expected {
				t.Errorf("expected %v: faults %q", expected, got)
			}
		}
	})
	t.Run("language, width and colours are the machine's", func(t *testing.T) {
		t.Parallel()
		p := chromium.Page(t, serve(t, body), Options{Language: "zh-CN", Width: Phone, Dark: true})
		p.Open("/")
		if got := p.Text("#language"); !strings.HasPrefix(got, "zh-CN") {
			t.Errorf("Accept-Language %q", got)
		}
		if got := Ask[int](p, "innerWidth"); got != Phone {
			t.Errorf("width %d", got)
		}
		if !Ask[bool](p, `matchMedia("(prefers-color-scheme: dark)").matches`) {
			t.Error("not dark")
		}
	})
	t.Run("pages share no profile", func(t *testing.T) {
		t.Parallel()
		base := serve(t, body)
		first, second := chromium.Page(t, base, Options{}), chromium.Page(t, base, Options{})
		first.Open("/")
		second.Open("/")
		Ask[bool](first, `(document.cookie = "a=b", true)`)
		if got := Ask[string](second, "document.cookie"); got != "" {
			t.Errorf("cookies %q", got)
		}
	})
}
