package browser

import (
	"fmt"
	"slices"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// maxTabs bounds a walk through a page that never lets go of the focus.
const maxTabs = 400

// mostStops is how often Tab may stay in one control.
const mostStops = 12

// outside is the number of a focus that is on no element of the page.
const outside = -1

// numberControls gives every control that Tab should stop at a number, and returns
// their names. One radio button stands for its group, as the browser has it.
const numberControls = `(() => {
	const groups = new Set();
	const controls = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")].filter(e => {
		if (e.disabled || e.type === "hidden" || e.tabIndex < 0 || !e.checkVisibility({visibilityProperty: true})) return false;
		if (e.type !== "radio") return true;
		const group = (e.form?.action ?? "") + " " + e.name;
		return !groups.has(group) && groups.add(group);
	});
	window.fornixWalk = new Map(controls.map((e, i) => [e, i]));
	scrollTo(0, 0);
	document.activeElement?.blur();
	return controls.map(e => e.tagName.toLowerCase() + " " + (e.name || e.getAttribute("href") || e.innerText || e.id).trim().slice(0, 60));
})()`

// whereFocusIs describes the focused element: its number, and what is wrong with it.
const whereFocusIs = `(() => {
	const e = document.activeElement;
	if (!e || e === document.body || e === document.documentElement) return {at: -1, name: "", fault: ""};
	const name = e.tagName.toLowerCase() + " " + (e.name || e.getAttribute("href") || e.innerText || e.id).trim().slice(0, 60);
	let at = window.fornixWalk.get(e) ?? -2;
	if (at === -2 && e.type === "radio") at = [...window.fornixWalk.keys()].findIndex(o => o.type === "radio" && o.name === e.name && o.form === e.form);
	const box = e.getBoundingClientRect(), style = getComputedStyle(e);
	const outlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
	let fault = "";
	if (box.width < 1 || box.height < 1) fault = "is focused and has no size";
	else if (box.bottom <= 0 || box.top >= innerHeight || box.right <= 0 || box.left >= innerWidth) fault = "is focused outside the window";
	else if (!outlined && style.boxShadow === "none") fault = "shows no focus";
	else {
		const x = Math.min(Math.max(box.left + Math.min(box.width / 2, 20), 1), innerWidth - 1);
		const y = Math.min(Math.max(box.top + Math.min(box.height / 2, 12), 1), innerHeight - 1);
		const over = document.elementFromPoint(x, y);
		if (over && over !== e && !e.contains(over) && !over.contains(e)) fault = "is focused under " + over.tagName.toLowerCase() + "." + over.className;
	}
	return {at, name, fault};
})()`

// TabWalk presses Tab from where the page begins until the focus has been everywhere, and
// returns a line for each control that it doesn't reach or where the focus can't be seen.
// It needs scripts.
func (p *Page) TabWalk() []string {
	p.t.Helper()
	p.settle()
	controls := Ask[[]string](p, numberControls)
	reached := make([]bool, len(controls))
	var faults []string
	left, before := false, outside
	for range maxTabs {
		if !slices.Contains(reached, false) {
			break
		}
		p.do("press Tab", chromedp.KeyEvent(kb.Tab))
		focus := Ask[struct {
			At    int    `json:"at"`
			Name  string `json:"name"`
			Fault string `json:"fault"`
		}](p, whereFocusIs)
		// Inside a date the focus is drawn by the browser, on the part and not on the field.
		if focus.Fault != "" && (focus.At != before || focus.At < 0) {
			faults = append(faults, fmt.Sprintf("keyboard: %s %s", focus.Name, focus.Fault))
		}
		if focus.At >= 0 {
			// A date has a stop for each of its parts: still there is no second time.
			if focus.At != before && reached[focus.At] {
				break // the whole way round
			}
			reached[focus.At] = true
		} else if focus.At == outside {
			// A page that took the focus itself (an error summary) begins in its middle, so the
			// way may leave the page once and come in again at the top.
			if left {
				break
			}
			left = true
		}
		before = focus.At
	}
	for i, name := range controls {
		if !reached[i] {
			faults = append(faults, fmt.Sprintf("keyboard: Tab never reaches %s", name))
		}
	}
	return faults
}

// CheckKeyboard fails the test on what TabWalk finds.
func (p *Page) CheckKeyboard(name string) {
	p.t.Helper()
	for _, fault := range p.TabWalk() {
		p.t.Errorf("%s (%s): %s", name, p.address(), fault)
	}
}
