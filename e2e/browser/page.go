package browser

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/audits"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Widths of the two windows that every page has to fit.
const (
	Phone   = 390
	Desktop = 1280
)

// Options say whose machine a page is on.
type Options struct {
	Language string // Accept-Language; empty: en
	Width    int64  // of the window in CSS pixels; 0: Desktop
	Dark     bool
	NoScript bool
}

// Page is one tab in a profile of its own. Its methods end the test when a step can't
// be done, and collect what the page does wrong until Faults or Check asks.
type Page struct {
	t       *testing.T
	ctx     context.Context
	axe     string
	options Options
	watch   *watch
	base    string
}

// Page opens an empty tab; paths given to Open are appended to base.
func (b *Browser) Page(t *testing.T, base string, o Options) *Page {
	t.Helper()
	if o.Language == "" {
		o.Language = "en"
	}
	if o.Width == 0 {
		o.Width = Desktop
	}
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	p := &Page{t: t, ctx: ctx, axe: b.axe, options: o, base: strings.TrimSuffix(base, "/"), watch: &watch{}}
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("open a tab: %v", err)
	}
	if err := chromedp.Listen(ctx, p.watch.see); err != nil {
		t.Fatalf("listen to the tab: %v", err)
	}
	scheme := "light"
	if o.Dark {
		scheme = "dark"
	}
	p.do("set the tab up",
		chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
			agent, err := cdp.Call(ctx, target, runtime.Evaluate, runtime.EvaluateParams{Expression: "navigator.userAgent", ReturnByValue: new(true)})
			if err != nil {
				return err
			}
			return firstError(
				call(ctx, target, runtime.Enable, cdp.Empty{}),
				call(ctx, target, log.Enable, cdp.Empty{}),
				call(ctx, target, audits.Enable, cdp.Empty{}),
				call(ctx, target, network.Enable, network.EnableParams{}),
				call(ctx, target, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{
					UserAgent: strings.Trim(string(agent.Result.Value), `"`), AcceptLanguage: o.Language,
				}),
				call(ctx, target, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
					Width: o.Width, Height: 844, DeviceScaleFactor: 1, Mobile: o.Width <= Phone,
				}),
				call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
					Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}},
				}),
				call(ctx, target, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: o.NoScript}),
			)
		}))
	return p
}

func call[P, R any](ctx context.Context, target *chromedp.Target, command cdp.Command[P, R], params P) error {
	_, err := cdp.Call(ctx, target, command, params)
	return err
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *Page) do(what string, steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, actionTimeout)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.t.Fatalf("%s: %v", what, err)
	}
}

// navigate does the steps, waits for the page that they lead to and returns its status.
func (p *Page) navigate(what string, steps ...chromedp.Action[chromedp.Void]) int {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, actionTimeout)
	defer cancel()
	response, err := chromedp.RunResponse(ctx, steps...)
	if err != nil {
		p.t.Fatalf("%s: %v (at %s)", what, err, p.address())
	}
	return int(response.Status)
}

// Open loads a path of base, or a whole address, and returns the status.
func (p *Page) Open(path string) int {
	p.t.Helper()
	if strings.HasPrefix(path, "/") {
		path = p.base + path
	}
	return p.navigate("open a page", chromedp.Navigate(path))
}

// Expect lets the next pages answer with one of the statuses without a fault, until the
// next call of Faults or Check: a refused form is what the walk wants to see.
func (p *Page) Expect(statuses ...int) { p.watch.expect(statuses) }

// Click clicks what the selector finds first and stays on the page.
func (p *Page) Click(selector string) {
	p.t.Helper()
	p.do("click "+selector, chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible))
}

// Follow clicks a link or a button that leads to another page, and returns its status.
func (p *Page) Follow(selector string) int {
	p.t.Helper()
	return p.navigate("follow "+selector, chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible))
}

// Fill replaces the text of a field by typing.
func (p *Page) Fill(selector, text string) {
	p.t.Helper()
	css := chromedp.CSS(selector)
	p.do("wait for "+selector, chromedp.WaitVisible(css))
	// Selected and typed over, as a person does it: chromedp's own Clear fails on a textarea.
	Ask[bool](p, fmt.Sprintf(`(e => { e.focus(); e.select(); return true })(document.querySelector(%q))`, selector))
	p.do("fill "+selector, chromedp.KeyEvent(kb.Backspace), chromedp.SendKeys(css, text))
}

// Choose sets the value of a select or of a hidden field.
func (p *Page) Choose(selector, value string) {
	p.t.Helper()
	p.do("choose in "+selector, chromedp.SetValue(chromedp.CSS(selector), value))
}

// SkipBrowserChecks keeps the browser from refusing the form itself, so that the
// server has to.
func (p *Page) SkipBrowserChecks() {
	p.t.Helper()
	Ask[bool](p, `[...document.forms].every(f => { f.noValidate = true; return true })`)
}

// Has says whether the selector finds anything.
func (p *Page) Has(selector string) bool {
	p.t.Helper()
	return p.Count(selector) > 0
}

// Count returns how many elements the selector finds.
func (p *Page) Count(selector string) int {
	p.t.Helper()
	return Ask[int](p, fmt.Sprintf(`document.querySelectorAll(%q).length`, selector))
}

// Text returns the visible text of the first element that the selector finds.
func (p *Page) Text(selector string) string {
	p.t.Helper()
	return Ask[string](p, fmt.Sprintf(`(document.querySelector(%q) ?? {innerText: ""}).innerText`, selector))
}

// Attribute returns an attribute of the first element found; empty if there is none.
func (p *Page) Attribute(selector, name string) string {
	p.t.Helper()
	return Ask[string](p, fmt.Sprintf(`document.querySelector(%q)?.getAttribute(%q) ?? ""`, selector, name))
}

// Path returns path and query of the page's address.
func (p *Page) Path() string {
	p.t.Helper()
	return Ask[string](p, `location.pathname + location.search`)
}

func (p *Page) address() string {
	where, err := chromedp.Run(p.ctx, chromedp.Location())
	if err != nil {
		return "a lost page"
	}
	// A sign-in link's token has no place in a log of tests.
	return bare(where)
}

// Ask evaluates an expression in the page.
func Ask[T any](p *Page, expression string) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, actionTimeout)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("ask the page: %v (at %s)", err, p.address())
	}
	return value
}
