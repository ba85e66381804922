package handlers

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"fornix/memory"
)

// pathText reads a part of the address, percent-decoded. Gin decodes it by the
// rules of queries, under which a plus is a space: an id with a plus would name
// another person.
func pathText(c *gin.Context, name string) (string, error) {
	pattern := strings.Split(c.FullPath(), "/")
	parts := strings.Split(c.Request.URL.EscapedPath(), "/")
	i := slices.Index(pattern, ":"+name)
	if i < 0 || len(parts) != len(pattern) {
		return "", memory.NotFound()
	}
	text, err := url.PathUnescape(parts[i])
	if err != nil || !clean(text) {
		return "", fault(name, "invalid", "must be percent-encoded UTF-8 without NUL")
	}
	return text, nil
}

// clean tells whether a text can be kept at all.
func clean(text string) bool { return utf8.ValidString(text) && !strings.ContainsRune(text, 0) }

// bindQuery reads the query, which may hold these names, each once.
func bindQuery(c *gin.Context, names ...string) (map[string]string, error) {
	return readQuery(c, false, names)
}

// pageQuery is bindQuery for pages, to which mail programs and link trackers add
// parameters of their own: those are ignored.
func pageQuery(c *gin.Context, names ...string) (map[string]string, error) {
	return readQuery(c, true, names)
}

func readQuery(c *gin.Context, others bool, names []string) (map[string]string, error) {
	values, err := url.ParseQuery(c.Request.URL.RawQuery)
	if err != nil {
		return nil, fault("query", "invalid", "the query is not percent-encoded as it should be")
	}
	query := map[string]string{}
	var faults []memory.Field
	for name, given := range values {
		switch known := slices.Contains(names, name); {
		case !known && others:
		case !known:
			faults = append(faults, memory.Field{Name: shown(name), Code: "unknown", Text: "isn't a parameter of this call"})
		case len(given) > 1:
			faults = append(faults, memory.Field{Name: name, Code: "invalid", Text: "is given twice"})
		case !clean(given[0]):
			faults = append(faults, memory.Field{Name: name, Code: "invalid", Text: "must be valid UTF-8 without NUL"})
		default:
			query[name] = given[0]
		}
	}
	if len(faults) > 0 {
		slices.SortFunc(faults, func(a, b memory.Field) int { return strings.Compare(a.Name, b.Name) })
		return nil, memory.Invalid(faults...)
	}
	return query, nil
}
