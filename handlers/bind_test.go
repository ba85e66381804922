package handlers

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/google/go-cmp/cmp"

	"fornix/memory"
)

func TestBodiesAreReadStrictly(t *testing.T) {
	t.Parallel()
	memories := func(c *gin.Context) error { return bindJSON(c, &memory.RememberInput{}) }
	messages := func(c *gin.Context) error { return bindJSON(c, &memory.MessagesInput{}) }
	attribute := func(c *gin.Context) error { return bindJSON(c, &memory.AttributeInput{}) }
	for name, c := range map[string]struct {
		handle func(*gin.Context) error
		body   string
		want   []string
	}{
		"no body":                         {memories, ``, []string{"body required"}},
		"blank body":                      {memories, ` `, []string{"body required"}},
		"not JSON":                        {memories, `subject=a`, []string{"body invalid"}},
		"cut short":                       {memories, `{"subject":"a"`, []string{"body invalid"}},
		"a list":                          {memories, `[]`, []string{"body invalid"}},
		"null":                            {memories, `null`, []string{"body invalid"}},
		"data after the object":           {memories, `{"subject":"a"} {}`, []string{"body invalid"}},
		"a bracket after the object":      {memories, `{"subject":"a"}]`, []string{"body invalid"}},
		"unknown field":                   {memories, `{"subjct":"a"}`, []string{"subjct unknown"}},
		"unknown field with an object":    {memories, `{"extra":{"a":[1,{"b":null}]}}`, []string{"extra unknown"}},
		"a name in other case":            {memories, `{"Subject":"a"}`, []string{"Subject unknown"}},
		"a name given twice":              {memories, `{"subject":"a","subject":"b"}`, []string{"subject invalid"}},
		"words as a name":                 {memories, `{"my card is 4111":1}`, []string{"(a name) unknown"}},
		"number for a text":               {memories, `{"content":5}`, []string{"content invalid"}},
		"text for a number":               {memories, `{"confidence":"high"}`, []string{"confidence invalid"}},
		"a number past all bounds":        {memories, `{"confidence":1e999}`, []string{"confidence invalid"}},
		"true for a text":                 {memories, `{"content":true}`, []string{"content invalid"}},
		"an object for a text":            {memories, `{"content":{"a":1}}`, []string{"content invalid"}},
		"a list for a text":               {memories, `{"content":["a"]}`, []string{"content invalid"}},
		"a text for a list":               {memories, `{"tags":"a"}`, []string{"tags invalid"}},
		"a number in a list of texts":     {memories, `{"tags":["a",1]}`, []string{"tags[1] invalid"}},
		"an object for a time":            {memories, `{"expire_at":{}}`, []string{"expire_at invalid"}},
		"a day for a time":                {memories, `{"expire_at":"2026-01-31"}`, []string{"expire_at invalid"}},
		"a fraction for a whole number":   {attribute, `{"version":1.5}`, []string{"version invalid"}},
		"NUL as escape":                   {memories, `{"content":"a\u0000b"}`, []string{"content invalid"}},
		"NUL in a free value":             {attribute, `{"value":{"a":["\u0000"]}}`, []string{"value.a[0] invalid"}},
		"NUL in a free value's name":      {attribute, `{"value":{"\u0000":1}}`, []string{"value invalid"}},
		"bytes that aren't UTF-8":         {memories, "{\"content\":\"a\xffb\"}", []string{"content invalid"}},
		"half a surrogate pair":           {memories, `{"content":"\ud83d"}`, []string{"content invalid"}},
		"the other half":                  {memories, `{"content":"\ude00"}`, []string{"content invalid"}},
		"a high half before something":    {memories, `{"content":"\ud83d\u0041"}`, []string{"content invalid"}},
		"every bad field is named":        {memories, `{"content":1,"x":2,"tags":3}`, []string{"content invalid", "x unknown", "tags invalid"}},
		"a field deep inside":             {messages, `{"messages":[{"role":"user"},{"rol":"user","content":3}]}`, []string{"messages[1].rol unknown", "messages[1].content invalid"}},
		"a number for a list of messages": {messages, `{"messages":3}`, []string{"messages invalid"}},
		"nested without end":              {attribute, `{"value":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`, []string{"value" + strings.Repeat("[0]", 32) + " invalid"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := send(c.handle, http.MethodPost, "/x", "/x", c.body)
			if diff := cmp.Diff(c.want, faultsOf(t, err)); diff != "" {
				t.Error(diff)
			}
			for _, value := range []string{"4111", "high", "2026-01-31"} {
				if strings.Contains(strings.ReplaceAll(err.Error(), "2026-01-31T09", ""), value) {
					t.Errorf("the error holds what was sent: %v", err)
				}
			}
		})
	}
}

func TestGoodBodiesAreTaken(t *testing.T) {
	t.Parallel()
	var in memory.RememberInput
	body := "{\"subject\":\"a\\/b\",\"content\":\"\\ud83d\\ude00 \\\\u0000 \\n\",\"confidence\":0.5,\"tags\":[\"x\"],\"expire_at\":\"2026-01-31T09:30:00+08:00\",\"topic\":null}\n "
	if _, err := send(func(c *gin.Context) error { return bindJSON(c, &in) }, http.MethodPost, "/x", "/x", body); err != nil {
		t.Fatal(err)
	}
	if in.Subject != "a/b" || in.Content != "😀 \\u0000 \n" || *in.Confidence != 0.5 || in.Tags[0] != "x" || in.ExpireAt.UTC().Hour() != 1 {
		t.Errorf("input = %+v", in)
	}
	var value memory.AttributeInput
	if _, err := send(func(c *gin.Context) error { return bindJSON(c, &value) }, http.MethodPost, "/x", "/x", `{"value":{"a":[1,true,null,"é"]},"ttl_days":3}`); err != nil {
		t.Fatal(err)
	}
	if string(value.Value) != `{"a":[1,true,null,"é"]}` || *value.TTLDays != 3 {
		t.Errorf("input = %+v", value)
	}
}

func TestIdsInAddresses(t *testing.T) {
	t.Parallel()
	for target, want := range map[string]string{
		"/s/plain/a":             "plain",
		"/s/a+b/a":               "a+b",
		"/s/a+b%2Fc/a":           "a+b/c", // gin alone reads "a b/c"
		"/s/a%2Bb%20c/a":         "a+b c",
		"/s/%E7%8E%8B%2F%25/a":   "王/%",
		"/s/%2e%2e/a":            "..",
		"/s/a%3Fkeys%3Db/a":      "a?keys=b",
		"/s/%F0%9F%98%80%23x/a?": "😀#x",
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			var got string
			_, err := send(func(c *gin.Context) (err error) { got, err = pathText(c, "subject"); return err }, http.MethodGet, "/s/:subject/a", target, "")
			if err != nil || got != want {
				t.Errorf("id = %q, error %v, want %q", got, err, want)
			}
		})
	}
	for name, target := range map[string]string{"NUL": "/s/a%00b/a", "not UTF-8": "/s/%ff/a"} {
		t.Run(name+" is refused", func(t *testing.T) {
			t.Parallel()
			_, err := send(func(c *gin.Context) error { _, err := pathText(c, "subject"); return err }, http.MethodGet, "/s/:subject/a", target, "")
			if diff := cmp.Diff([]string{"subject invalid"}, faultsOf(t, err)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestQueriesAreReadStrictly(t *testing.T) {
	t.Parallel()
	read := func(c *gin.Context) error { _, err := bindQuery(c, "keys", "q"); return err }
	for query, want := range map[string][]string{
		"keys=a&other=b":     {"other unknown"},
		"keys=a&keys=b":      {"keys invalid"},
		"keys=%00":           {"keys invalid"},
		"q=%ff&keys=a&b=1":   {"b unknown", "q invalid"},
		"keys=%zz":           {"query invalid"},
		"Anna%20Smith=4&q=x": {"(a name) unknown"},
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			_, err := send(read, http.MethodGet, "/x", "/x?"+query, "")
			if diff := cmp.Diff(want, faultsOf(t, err)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
