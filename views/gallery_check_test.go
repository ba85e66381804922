package views

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"fornix/views/i18n"
)

// pageFaults says everything that is wrong with a page, whatever its words are.
func pageFaults(page string, l i18n.Locale) []string {
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		return []string{err.Error()}
	}
	c := &checker{ids: map[string]int{}, labelled: map[string]bool{}}
	c.collect(root)
	c.visit(root)
	if !strings.HasPrefix(strings.ToLower(page), "<!doctype html>") {
		c.fault("no doctype")
	}
	if c.lang != string(l) {
		c.fault("lang is %q, not %q", c.lang, l)
	}
	if c.h1 != 1 {
		c.fault("%d h1", c.h1)
	}
	if c.title == "" {
		c.fault("no title")
	}
	if strings.Contains(page, "⟦") {
		c.fault("a text is missing: %s", regexp.MustCompile(`⟦[^⟧]*⟧`).FindString(page))
	}
	return c.faults
}

// languageFaults says what speaks the wrong language on a page with benign words,
// which are English: Chinese on an English page but in the language switch, none on
// a Chinese one, and placeholders that nobody filled.
func languageFaults(page string, l i18n.Locale) []string {
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		return []string{err.Error()}
	}
	var faults []string
	text := textOf(root, func(n *html.Node) bool { return attribute(n, "lang") != "" && n.DataAtom != atom.Html })
	if open := regexp.MustCompile(`\{[a-z_]+\}`).FindString(text); open != "" {
		faults = append(faults, "nobody filled "+open)
	}
	han := strings.IndexFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
	if l == i18n.En && han >= 0 {
		faults = append(faults, fmt.Sprintf("Chinese on an English page: %.40q", text[han:]))
	}
	if l == i18n.ZhHans && han < 0 {
		faults = append(faults, "no Chinese on a Chinese page")
	}
	return faults
}

type checker struct {
	faults   []string
	ids      map[string]int
	labelled map[string]bool // ids that a label names
	lang     string
	title    string
	h1       int
	heading  int // level of the last heading
}

func (c *checker) fault(format string, args ...any) {
	c.faults = append(c.faults, fmt.Sprintf(format, args...))
}

func (c *checker) collect(n *html.Node) {
	for d := range n.Descendants() {
		if id := attribute(d, "id"); id != "" {
			c.ids[id]++
		}
		if d.DataAtom == atom.Label {
			c.labelled[attribute(d, "for")] = true
		}
	}
	for id, times := range c.ids {
		if times > 1 {
			c.fault("id %q stands %d times", id, times)
		}
	}
}

func (c *checker) visit(root *html.Node) {
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		c.attributes(n)
		c.element(n)
	}
}

func (c *checker) attributes(n *html.Node) {
	for _, a := range n.Attr {
		switch {
		case a.Key == "style", strings.HasPrefix(a.Key, "on"):
			c.fault("<%s> has %s", n.Data, a.Key)
		case a.Key == "tabindex" && a.Val != "0" && a.Val != "-1":
			c.fault("<%s> has tabindex %s", n.Data, a.Val)
		case a.Key == "href" || a.Key == "src" || a.Key == "action":
			if !ours(a.Val) {
				c.fault("<%s> leads away: %s=%.60q", n.Data, a.Key, a.Val)
			}
			if target, found := strings.CutPrefix(a.Val, "#"); found && c.ids[target] == 0 {
				c.fault("<%s> leads to #%s, which isn't there", n.Data, target)
			}
		case a.Key == "for" || a.Key == "data-copy" || a.Key == "data-dialog" || a.Key == "aria-describedby" || a.Key == "aria-labelledby" || a.Key == "aria-controls":
			for id := range strings.FieldsSeq(a.Val) {
				if c.ids[id] == 0 {
					c.fault("<%s> names %s=%q, which isn't there", n.Data, a.Key, id)
				}
			}
		}
	}
}

// ours says whether an address stays on our server.
func ours(address string) bool {
	if strings.ContainsAny(address, "\\\t\r\n") || strings.HasPrefix(address, "//") {
		return false
	}
	return address == "" || strings.HasPrefix(address, "/") || strings.HasPrefix(address, "#") || strings.HasPrefix(address, "?")
}

func (c *checker) element(n *html.Node) {
	switch n.DataAtom {
	case atom.Html:
		c.lang = attribute(n, "lang")
	case atom.Title:
		c.title = strings.TrimSpace(textOf(n, nil))
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		c.headings(n)
	case atom.Script:
		if attribute(n, "src") == "" || attribute(n, "type") != "module" || n.FirstChild != nil {
			c.fault("a script of the page's own")
		}
	case atom.Style, atom.Iframe, atom.Img, atom.Object, atom.Embed, atom.Base:
		c.fault("a <%s>", n.Data)
	case atom.Input, atom.Select, atom.Textarea:
		c.control(n)
	case atom.Button, atom.A:
		if strings.TrimSpace(textOf(n, nil)) == "" && attribute(n, "aria-label") == "" {
			c.fault("a <%s> without a name", n.Data)
		}
		if n.DataAtom == atom.A && attribute(n, "href") == "" {
			c.fault("a link to nowhere: %.40q", textOf(n, nil))
		}
	case atom.Form:
		c.form(n)
	case atom.Table:
		if n.FirstChild == nil || first(n, atom.Caption) == nil {
			c.fault("a table without a caption")
		}
	case atom.Th:
		if attribute(n, "scope") == "" {
			c.fault("a th without a scope")
		}
	case atom.Time:
		if attribute(n, "datetime") == "" {
			c.fault("a time without its absolute time")
		}
	}
}

func (c *checker) headings(n *html.Node) {
	level := int(n.Data[1] - '0')
	// The error summary stands before the h1, since it takes the focus first.
	if level > c.heading+1 && !inside(n, "summary") {
		c.fault("<%s> follows level %d", n.Data, c.heading)
	}
	if !inside(n, "summary") {
		c.heading = level
	}
	if level == 1 {
		c.h1++
	}
	if strings.TrimSpace(textOf(n, nil)) == "" {
		c.fault("an empty <%s>", n.Data)
	}
}

func (c *checker) control(n *html.Node) {
	if attribute(n, "type") == "hidden" {
		return
	}
	wrapped := false
	for p := n.Parent; p != nil; p = p.Parent {
		wrapped = wrapped || p.DataAtom == atom.Label
	}
	if !wrapped && !c.labelled[attribute(n, "id")] && attribute(n, "aria-label") == "" && attribute(n, "aria-labelledby") == "" {
		c.fault("<%s name=%q> without a label", n.Data, attribute(n, "name"))
	}
	if attribute(n, "name") == "" && attribute(n, "type") != "submit" {
		c.fault("a <%s> without a name sends nothing", n.Data)
	}
}

func (c *checker) form(n *html.Node) {
	switch attribute(n, "method") {
	case "dialog":
	case "post", "get":
		if !strings.HasPrefix(attribute(n, "action"), "/") {
			c.fault("a form without an address")
		}
	default:
		c.fault("a form without a method")
	}
	if b := first(n, atom.Button); b == nil {
		c.fault("a form without a button")
	}
}

func first(n *html.Node, tag atom.Atom) *html.Node {
	for d := range n.Descendants() {
		if d.DataAtom == tag {
			return d
		}
	}
	return nil
}

func inside(n *html.Node, class string) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		for name := range strings.FieldsSeq(attribute(p, "class")) {
			if name == class {
				return true
			}
		}
	}
	return false
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// textOf is the text of a node without what skip names.
func textOf(n *html.Node, skip func(*html.Node) bool) string {
	if skip != nil && skip(n) {
		return ""
	}
	if n.Type == html.TextNode {
		return n.Data
	}
	var out strings.Builder
	for c := range n.ChildNodes() {
		out.WriteString(textOf(c, skip))
	}
	return out.String()
}
