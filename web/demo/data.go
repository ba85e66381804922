// Package demo owns the content that `fornix demo` starts with: two tenants with
// their agents, staff, dictionary and people, all of them invented. The content
// lies in data/ as JSON, one file per person, and is written by hand. This part
// reads and judges it, and imports no other package of Fornix.
package demo

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

//go:embed data
var embedded embed.FS

// Sources, in falling order of trust.
const (
	SourceUser     = "user"
	SourceManual   = "manual"
	SourceExternal = "external"
	SourceInferred = "inferred"
)

// Standing of a value or a memory. In the files only StatusPending is written;
// the others follow from the order of values and from Supersedes.
const (
	StatusActive     = "active"
	StatusPending    = "pending"
	StatusSuperseded = "superseded"
)

// Collection rules of a dictionary entry.
const (
	RuleAllowed   = "allowed"
	RuleBanded    = "banded"
	RuleForbidden = "forbidden"
)

// Data is all of the demo's content. Whatever dates it has are days before the
// moment of seeding, so that it never looks old.
type Data struct{ Tenants []Tenant }

// Tenant is one company that uses Fornix.
type Tenant struct {
	ID         string   `json:"id"`
	Name       string   `json:"name"`
	Locale     string   `json:"locale"` // "zh-Hans" or "en"
	Agents     []Agent  `json:"agents"`
	Staff      []Staff  `json:"staff"`
	Dictionary []Entry  `json:"-"` // dictionary.json
	People     []Person `json:"-"` // people/*.json, by external id
}

// Featured is the person whose sign-in link the demo prints. A tenant that was
// loaded has exactly one.
func (t Tenant) Featured() Person {
	for _, p := range t.People {
		if p.Featured {
			return p
		}
	}
	return Person{}
}

// Text is what people read, in both languages.
type Text struct {
	ZH string `json:"zh"`
	EN string `json:"en"`
}

// Agent is a module with an API key. What its grants don't name it may not do,
// and a deny wins over a grant. Module is lower case, as in the policy.
type Agent struct {
	Name   string  `json:"name"`
	Module string  `json:"module"`
	Title  Text    `json:"title"`
	Grants []Grant `json:"grants"`
	Denies []Grant `json:"denies,omitempty"`
}

// Grant is each of the actions on each of the categories: data categories,
// "people", or "attr:" and a key of the dictionary.
type Grant struct {
	Categories []string `json:"categories"`
	Actions    []string `json:"actions"`
}

// Staff is somebody who signs in to the console. The address is of a domain
// reserved for examples, so that no mail can ever arrive.
type Staff struct {
	Name   string   `json:"name"`
	Email  string   `json:"email"`
	Locale string   `json:"locale"`
	Roles  []string `json:"roles"`
}

// Entry is a dictionary entry. Schema is a small part of JSON Schema (see
// checkValue) and describes what is offered: for a banded key the figure, of
// which the name of the band is stored. TTLDays 0 means for ever. LawfulBasis is
// "none" for a forbidden key and no other. Lookup asks for equality look-up.
type Entry struct {
	Key         string          `json:"key"`
	Label       Text            `json:"label"`
	Schema      json.RawMessage `json:"schema"`
	Sensitivity string          `json:"sensitivity"` // "open" or "sealed"
	TTLDays     int             `json:"ttl_days"`
	Category    string          `json:"category"`
	Purpose     Text            `json:"purpose"`
	LawfulBasis string          `json:"lawful_basis"`
	Rule        string          `json:"rule"`
	Bands       []Band          `json:"bands,omitempty"`
	Lookup      bool            `json:"lookup,omitempty"`
}

// Band holds the figures From <= x < To, in the unit that the label names; nil
// is no bound. The bands of an entry are in rising order and leave no gap.
type Band struct {
	Name  string   `json:"name"`
	Label Text     `json:"label"`
	From  *float64 `json:"from,omitempty"`
	To    *float64 `json:"to,omitempty"`
}

// Person is one remembered person. Attributes, Memories and Sessions are in the
// order in which they came about, the oldest first.
type Person struct {
	ExternalID string      `json:"external_id"`
	Name       string      `json:"name"` // for the person who runs the demo
	Locale     string      `json:"locale"`
	Featured   bool        `json:"featured,omitempty"`
	Attributes []Attribute `json:"attributes"`
	Memories   []Memory    `json:"memories"`
	Sessions   []Session   `json:"sessions"`
}

// Attribute is one value of a key. Of several values of a key that aren't
// pending the last is active and each before it superseded. Value of a banded
// key is the name of a band. Source and Confidence are filled in by Load where
// the file omits them, and TTLDays from the dictionary.
type Attribute struct {
	Key        string          `json:"key"`
	Value      json.RawMessage `json:"value"`
	Source     string          `json:"source,omitempty"`
	Confidence float64         `json:"confidence,omitempty"`
	Status     string          `json:"status,omitempty"`
	DaysAgo    int             `json:"days_ago"`
	TTLDays    int             `json:"ttl_days,omitempty"` // 0 = for ever
	Reason     string          `json:"reason,omitempty"`
}

// Memory is one remembered text. Load fills in Layer from Kind, and Source,
// Confidence and Status where the file omits them. Key names the memory inside
// its person, for another one's Supersedes; Session the session that Quote was
// said in. OccurredDaysAgo is when it happened, below 0 for what is still to
// come; ExpiresInDays 0 means that it doesn't expire.
type Memory struct {
	Key             string   `json:"key,omitempty"`
	Content         string   `json:"content"`
	Kind            string   `json:"kind"`
	Layer           string   `json:"layer,omitempty"`
	Category        string   `json:"category"`
	Topic           string   `json:"topic"`
	Slot            string   `json:"slot,omitempty"`
	Source          string   `json:"source,omitempty"`
	Confidence      float64  `json:"confidence,omitempty"`
	Importance      float64  `json:"importance"`
	Status          string   `json:"status,omitempty"`
	Tags            []string `json:"tags,omitempty"`
	Quote           string   `json:"quote,omitempty"`
	Session         string   `json:"session,omitempty"`
	DaysAgo         int      `json:"days_ago"`
	OccurredDaysAgo *int     `json:"occurred_days_ago,omitempty"`
	ExpiresInDays   int      `json:"expires_in_days,omitempty"`
	Supersedes      string   `json:"supersedes,omitempty"`
}

// Session is one conversation with an agent. Key is unique inside its person.
type Session struct {
	Key     string `json:"key"`
	DaysAgo int    `json:"days_ago"`
	Agent   string `json:"agent"`
	Turns   []Turn `json:"turns"`
}

// Turn is one utterance; Role is "user" or "assistant".
type Turn struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// Load reads the built-in content. It is judged as a stranger's would be:
// unknown fields and whatever doesn't fit together are errors that name the
// place, all of them at once.
func Load() (Data, error) {
	root, err := fs.Sub(embedded, "data")
	if err != nil {
		return Data{}, fmt.Errorf("demo: open data: %w", err)
	}
	return load(root)
}

func load(root fs.FS) (Data, error) {
	var d Data
	folders, err := fs.ReadDir(root, ".")
	if err != nil {
		return Data{}, fmt.Errorf("demo: list tenants: %w", err)
	}
	for _, folder := range folders {
		t, err := loadTenant(root, folder.Name())
		if err != nil {
			return Data{}, err
		}
		d.Tenants = append(d.Tenants, t)
	}
	if err := d.complete(); err != nil {
		return Data{}, err
	}
	if err := d.check(); err != nil {
		return Data{}, err
	}
	return d, nil
}

func loadTenant(root fs.FS, folder string) (Tenant, error) {
	var t Tenant
	if err := decode(root, path.Join(folder, "tenant.json"), &t); err != nil {
		return Tenant{}, err
	}
	if t.ID != folder {
		return Tenant{}, fmt.Errorf("demo: %s/tenant.json: the id must be the folder's name", folder)
	}
	if err := decode(root, path.Join(folder, "dictionary.json"), &t.Dictionary); err != nil {
		return Tenant{}, err
	}
	files, err := fs.ReadDir(root, path.Join(folder, "people"))
	if err != nil {
		return Tenant{}, fmt.Errorf("demo: list people: %w", err)
	}
	for _, file := range files {
		var p Person
		name := path.Join(folder, "people", file.Name())
		if err := decode(root, name, &p); err != nil {
			return Tenant{}, err
		}
		if p.ExternalID != strings.TrimSuffix(file.Name(), ".json") {
			return Tenant{}, fmt.Errorf("demo: %s: the external id must be the file's name", name)
		}
		t.People = append(t.People, p)
	}
	return t, nil
}

// decode reads one JSON value and nothing after it into v.
func decode(root fs.FS, name string, v any) error {
	f, err := root.Open(name)
	if err != nil {
		return fmt.Errorf("demo: open data: %w", err)
	}
	defer f.Close()
	d := json.NewDecoder(f)
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("demo: %s: %w", name, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("demo: %s: something follows the JSON value", name)
	}
	return nil
}
