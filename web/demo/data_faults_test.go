package demo

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"
)

const (
	featuredFile = "northwind/people/nw-2001.json"
	tenantFile   = "northwind/tenant.json"
	dictFile     = "northwind/dictionary.json"
)

// Each case spoils one thing in the files; the answer must name the fault.
func TestLoad_RefusesSpoiltFiles(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, old, new, want string }{
		"an unknown field":               {featuredFile, `"locale"`, `"place": 1, "locale"`, `unknown field "place"`},
		"an unknown field of a memory":   {featuredFile, `"topic": "job"`, `"topic": "job", "mood": "good"`, `unknown field "mood"`},
		"something after the value":      {featuredFile, "\n}\n", "\n}\n{}", "something follows"},
		"an id that isn't the folder":    {tenantFile, `"id": "northwind"`, `"id": "southwind"`, "the folder's name"},
		"an id that isn't the file":      {featuredFile, `"nw-2001"`, `"nw-1"`, "the file's name"},
		"a derived status":               {featuredFile, `"topic": "job"`, `"topic": "job", "status": "active"`, `status "active" isn't written`},
		"a status of no meaning":         {featuredFile, `"status": "pending"`, `"status": "maybe"`, `status "maybe" isn't written`},
		"an inference without figure":    {featuredFile, `"confidence": 0.7, `, ``, "the confidence isn't above 0"},
		"an inference without reason":    {featuredFile, `, "reason": "6 of the last 7 chats began after seven in the evening"`, ``, "needs its reason"},
		"two tenants with one address":   {tenantFile, "ben.osei@", "alice.marlowe@", "the e-mail address stands twice"},
		"an address that could exist":    {tenantFile, "ben.osei@northwind.example", "ben.osei@northwind.com", "under .example"},
		"a role nobody knows":            {tenantFile, `"auditor"`, `"watcher"`, `unknown role "watcher"`},
		"a category nobody knows":        {featuredFile, `"category": "health"`, `"category": "humour"`, `unknown category "humour"`},
		"a grant on an unknown category": {tenantFile, `"restricted"`, `"secret"`, `unknown category "secret"`},
		"a grant on an unknown key":      {tenantFile, `"attr:internal_notes"`, `"attr:gossip"`, `unknown category "attr:gossip"`},
		"a grant without a meaning":      {tenantFile, `"turn.write"`, `"subject.wipe"`, `"subject.wipe" has no meaning on "turns"`},
		"an agent nobody knows":          {featuredFile, `"agent": "sales"`, `"agent": "spy"`, `unknown agent "spy"`},
		"a role in a turn":               {featuredFile, `"role": "assistant"`, `"role": "system"`, `unknown role "system"`},
		"a key of no dictionary":         {featuredFile, `"key": "phone"`, `"key": "shoe_colour"`, "no such key"},
		"a value of a forbidden key":     {featuredFile, `"key": "phone"`, `"key": "home_address"`, "a forbidden key has no value"},
		"an amount for a band":           {"northwind/people/nw-2002.json", `"over_1500"`, `1700`, "the name of a band"},
		"a value of another type":        {featuredFile, `"value": 39.5`, `"value": "39.5"`, "isn't of type number"},
		"a value out of range":           {featuredFile, `"value": 39.5`, `"value": 395`, "out of range"},
		"a choice that isn't one":        {featuredFile, `"value": "app"`, `"value": "pigeon"`, "isn't one of the choices"},
		"a value after its TTL":          {featuredFile, `"value": "app"`, `"value": "app", "ttl_days": 7`, "outlived its TTL"},
		"a quote nobody said":            {featuredFile, `"quote": "I teach eight-year-olds"`, `"quote": "I teach cats"`, "nobody said the quote"},
		"a quote of the assistant":       {featuredFile, `"quote": "I teach eight-year-olds"`, `"quote": "short days"`, "nobody said the quote"},
		"a quote of no session":          {featuredFile, `"session": "s1"`, `"session": "s9"`, `no session "s9"`},
		"a session in another order":     {featuredFile, `"key": "s4", "days_ago": 5`, `"key": "s4", "days_ago": 50`, "older than the one before"},
		"a reference to no memory":       {featuredFile, `"supersedes": "size38"`, `"supersedes": "size37"`, `"size37", which isn't before it`},
		"two active values of a slot":    {featuredFile, `, "supersedes": "size38"`, ``, "holds two active memories"},
		"a superseder of another slot":   {featuredFile, `"slot": "shoe_size", "importance": 0.9`, `"slot": "boots", "importance": 0.9`, "another slot or category"},
		"an event that ends too early":   {featuredFile, `"expires_in_days": 70`, `"expires_in_days": 7`, "expires before it occurs"},
		"a day of a fact":                {featuredFile, `"slot": "job", `, `"slot": "job", "occurred_days_ago": 3, `, "only an event"},
		"what was said, pending":         {featuredFile, `"topic": "job"`, `"topic": "job", "status": "pending"`, "waits for review"},
		"a second featured person":       {"northwind/people/nw-2002.json", `"locale": "en",`, `"locale": "en", "featured": true,`, "2 people are featured"},
		"a label in one language":        {dictFile, `"en": "Preferred name"`, `"en": " "`, "the label lacks a language"},
		"a purpose in one language":      {dictFile, `"zh": "知道怎么称呼您"`, `"zh": ""`, "the purpose lacks a language"},
		"a basis nobody knows":           {dictFile, `"consent"`, `"curiosity"`, `unknown lawful basis "curiosity"`},
		"a rule nobody knows":            {dictFile, `"allowed"`, `"tolerated"`, `unknown rule "tolerated"`},
		"a gap between bands":            {dictFile, `"from": 200,`, `"from": 250,`, "where the one before ends"},
		"a band open at both ends":       {dictFile, `"from": 1500`, `"from": 1500, "to": 9000`, "only the last band is open above"},
		"an unknown keyword of a schema": {dictFile, `"maxLength": 40`, `"maximumLength": 40`, `unknown field "maximumLength"`},
		"an unknown type of a schema":    {dictFile, `"type": "integer"`, `"type": "int"`, `unknown type "int"`},
		"a broken pattern":               {dictFile, `"^[^@`, `"^([^@`, "error parsing regexp"},
		"a key twice":                    {dictFile, `"key": "email"`, `"key": "phone"`, "the key stands twice"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := copyOf(t)
			before := string(files[c.file].Data)
			after := strings.Replace(before, c.old, c.new, 1)
			if after == before {
				t.Fatalf("%s holds no %s to spoil", c.file, c.old)
			}
			files[c.file] = &fstest.MapFile{Data: []byte(after)}
			_, err := load(files)
			if err == nil {
				t.Fatal("loaded without an error")
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %q doesn't hold %q", err, c.want)
			}
		})
	}
}

func TestLoad_NamesEveryFaultAtOnce(t *testing.T) {
	t.Parallel()
	files := copyOf(t)
	text := strings.NewReplacer(`"agent": "sales"`, `"agent": "spy"`, `"kind": "procedure"`, `"kind": "rumour"`).
		Replace(string(files[featuredFile].Data))
	files[featuredFile] = &fstest.MapFile{Data: []byte(text)}
	_, err := load(files)
	if err == nil {
		t.Fatal("loaded without an error")
	}
	for _, want := range []string{"nw-2001", `unknown agent "spy"`, `unknown kind "rumour"`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q doesn't hold %q", err, want)
		}
	}
}

func TestLoad_RefusesAnEmptyFolder(t *testing.T) {
	t.Parallel()
	if _, err := load(fstest.MapFS{}); err == nil {
		t.Error("loaded nothing without an error")
	}
}

func TestSchema_JudgesValues(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		schema, value string
		fits          bool
	}{
		"a text of the longest length":  {`{"type":"string","maxLength":2}`, `"北风"`, true},
		"a text that is too long":       {`{"type":"string","maxLength":2}`, `"北风起"`, false},
		"a text that is too short":      {`{"type":"string","minLength":1}`, `""`, false},
		"a whole number":                {`{"type":"integer"}`, `3`, true},
		"a broken whole number":         {`{"type":"integer"}`, `3.5`, false},
		"the least number":              {`{"type":"number","minimum":0}`, `0`, true},
		"a number below the least":      {`{"type":"number","minimum":0}`, `-0.1`, false},
		"null":                          {`{"type":"string"}`, `null`, false},
		"an object":                     {`{"type":"string"}`, `{}`, false},
		"a list of texts":               {`{"type":"array","items":{"type":"string"}}`, `["a","b"]`, true},
		"a list with a number":          {`{"type":"array","items":{"type":"string"}}`, `["a",1]`, false},
		"a list with the same text":     {`{"type":"array","items":{"type":"string"},"uniqueItems":true}`, `["a","a"]`, false},
		"a list without enough of them": {`{"type":"array","items":{"type":"string"},"minItems":1}`, `[]`, false},
		"a list with too many":          {`{"type":"array","items":{"type":"string"},"maxItems":1}`, `["a","b"]`, false},
		"what isn't JSON":               {`{"type":"string"}`, `a`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := parseSchema(json.RawMessage(c.schema))
			if err != nil {
				t.Fatal(err)
			}
			if err := s.checkValue(json.RawMessage(c.value)); (err == nil) != c.fits {
				t.Errorf("error %v, want fits=%t", err, c.fits)
			}
		})
	}
}
