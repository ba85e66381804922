package browser

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/chromedp/chromedp"
)

// settle waits until the page has loaded and had two frames to run what it started.
// Events that Chromium sent before its answer have been seen by then.
func (p *Page) settle() {
	p.t.Helper()
	if p.options.NoScript {
		Ask[string](p, `document.readyState`)
		return
	}
	Ask[bool](p, `new Promise(done => {
		const later = () => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(true))));
		document.readyState === "complete" ? later() : addEventListener("load", later, {once: true});
	})`)
}

// Faults returns what went wrong since the last call: console, exceptions, CSP
// reports, failed requests.
func (p *Page) Faults() []string {
	p.t.Helper()
	p.settle()
	return p.watch.take()
}

// axeRun runs every rule that axe-core has for WCAG 2.0, 2.1 and 2.2 A and AA by its name:
// by tag alone it would leave out those that it has off by default (target-size). Only
// rules that it calls deprecated are left, since no standard asks for them any more.
const axeRun = `(async () => {
	const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"];
	const rules = axe.getRules(tags).filter(r => !r.tags.includes("deprecated")).map(r => r.ruleId);
	const found = await axe.run(document, {runOnly: {type: "rule", values: rules}, resultTypes: ["violations"]});
	return JSON.stringify({ran: rules.length, violations: found.violations});
})()`

// fewestRules guards against an axe-core that runs next to nothing.
const fewestRules = 50

// Axe returns a line for each element that breaks a WCAG 2.2 AA rule. Pages without
// scripts can't be asked: the same page with scripts is.
func (p *Page) Axe() []string {
	p.t.Helper()
	if p.options.NoScript {
		return nil
	}
	p.settle()
	if !Ask[bool](p, `typeof axe === "object"`) {
		Ask[bool](p, p.axe+"\n;true")
	}
	var found struct {
		Ran        int
		Violations []struct {
			ID, Impact, Help string
			Nodes            []struct {
				HTML, FailureSummary string
				Target               []any
			}
		}
	}
	if err := json.Unmarshal([]byte(Ask[string](p, axeRun)), &found); err != nil {
		p.t.Fatalf("read axe-core's result: %v", err)
	}
	if found.Ran < fewestRules {
		p.t.Fatalf("axe-core ran %d rules, at least %d expected", found.Ran, fewestRules)
	}
	var lines []string
	for _, v := range found.Violations {
		for _, n := range v.Nodes {
			lines = append(lines, fmt.Sprintf("axe %s (%s): %s: %v %.200s\n%s", v.ID, v.Impact, v.Help, n.Target, n.HTML, n.FailureSummary))
		}
	}
	return lines
}

// Overflow names the elements that make the page wider than its window.
func (p *Page) Overflow() []string {
	p.t.Helper()
	return Ask[[]string](p, `(() => {
		const root = document.documentElement, limit = root.clientWidth;
		if (root.scrollWidth <= limit) return [];
		const wide = [...document.body.querySelectorAll("*")].filter(e => e.getBoundingClientRect().right > limit + 1);
		return ["page is " + root.scrollWidth + " px wide in a window of " + limit + ": " +
			wide.slice(0, 3).map(e => e.tagName.toLowerCase() + "." + e.className).join(", ")];
	})()`)
}

// Check holds the page as it stands to everything that the harness can see, under a
// name that also names its picture (see Shoot).
func (p *Page) Check(name string) {
	p.t.Helper()
	faults := p.Faults()
	faults = append(faults, p.Axe()...)
	faults = append(faults, p.Overflow()...)
	faults = append(faults, p.Shape()...)
	for _, f := range faults {
		p.t.Errorf("%s (%s): %s", name, p.address(), f)
	}
	p.Shoot(name)
}

// Shape returns what every page of the product owes: a language, a title, one h1.
func (p *Page) Shape() []string {
	p.t.Helper()
	return Ask[[]string](p, `[
		[document.documentElement.lang, "no language"],
		[document.title, "no title"],
		[document.querySelectorAll("h1").length === 1, document.querySelectorAll("h1").length + " h1 elements, want one"],
	].filter(([fine]) => !fine).map(([, fault]) => fault)`)
}

var unfit = regexp.MustCompile(`[^A-Za-z0-9-]+`)

// Shoot keeps a picture of the whole page in $FORNIX_SHOTS; without that it does nothing.
func (p *Page) Shoot(name string) {
	p.t.Helper()
	dir := os.Getenv("FORNIX_SHOTS")
	if dir == "" {
		return
	}
	scheme := "light"
	if p.options.Dark {
		scheme = "dark"
	}
	file := fmt.Sprintf("%s-%s-%d-%s.png", unfit.ReplaceAllString(name, "-"), unfit.ReplaceAllString(p.options.Language, "-"), p.options.Width, scheme)
	picture, err := chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		p.t.Fatalf("take a picture: %v", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		p.t.Fatalf("keep a picture: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, file), picture, 0o644); err != nil {
		p.t.Fatalf("keep a picture: %v", err)
	}
}
