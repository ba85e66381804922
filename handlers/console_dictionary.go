package handlers

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"fornix/memory"
	"fornix/policy"
	"fornix/views"
	"fornix/views/ui"
)

// Entry is an attribute key of the dictionary as it is kept.
type Entry struct {
	memory.DictionaryInput
	Updated time.Time
}

// EntryReader reads the dictionary.
type EntryReader interface {
	Entries(ctx context.Context) ([]Entry, error)
	Entry(ctx context.Context, key string) (Entry, error)
}

// EntryStore reads and writes the dictionary.
type EntryStore interface {
	EntryReader
	Put(ctx context.Context, in memory.DictionaryInput) error
}

// Dictionary answers /admin/dictionary.
type Dictionary struct {
	*Pages
	Memory EntryStore
}

const (
	dictionaryPath = "/admin/dictionary"
	// newEntry stands in the address in place of a key.
	newEntry = "new"
)

var entryFields = []string{
	"key", "label_zh", "label_en", "purpose_zh", "purpose_en", "sensitivity", "category", "ttl_days", "lawful_basis", "rule", "bands", "json_schema",
}

// List answers GET /admin/dictionary.
func (h *Dictionary) List(c *gin.Context) error {
	entries, err := h.Memory.Entries(c.Request.Context())
	if err != nil {
		return err
	}
	page := views.ConsoleDictionaryPage{MayWrite: h.mayWrite(c)}
	for _, e := range entries {
		page.Rows = append(page.Rows, toEntryRow(e))
	}
	if page.Chrome, err = h.console(c, dictionaryPath); err != nil {
		return err
	}
	return render(c, http.StatusOK, views.ConsoleDictionary(page))
}

func (h *Dictionary) mayWrite(c *gin.Context) bool {
	return h.may(c, policy.AreaDictionary, policy.ActDictionaryWrite)
}

func toEntryRow(e Entry) views.ConsoleEntryRow {
	row := views.ConsoleEntryRow{
		Key: e.Key, LabelZH: e.LabelZh, LabelEN: e.LabelEn, PurposeZH: e.PurposeZh, PurposeEN: e.PurposeEn, Sensitivity: e.Sensitivity,
		Category: e.Category, LawfulBasis: e.LawfulBasis, Rule: e.Rule,
	}
	if e.TTLDays != nil {
		row.TTLDays = int(*e.TTLDays)
	}
	return row
}

// Form answers GET /admin/dictionary/{key}.
func (h *Dictionary) Form(c *gin.Context) error {
	page, err := h.page(c)
	if err != nil {
		return err
	}
	return render(c, http.StatusOK, views.ConsoleEntry(page))
}

// page is the form with the entry as it is kept, or empty for a new one.
func (h *Dictionary) page(c *gin.Context) (views.ConsoleEntryPage, error) {
	page := views.ConsoleEntryPage{Categories: policy.DataCategories(), MayWrite: h.mayWrite(c)}
	key, err := pathText(c, "key")
	if err != nil {
		return page, err
	}
	if page.New = key == newEntry; page.New {
		page.Form = views.ConsoleEntryForm{Sensitivity: "sealed", Category: policy.CatGeneral, LawfulBasis: "consent", Rule: "allowed"}
	} else {
		entry, err := h.Memory.Entry(c.Request.Context(), key)
		if err != nil {
			return page, err
		}
		page.Form, page.Version = toEntryForm(entry), int(entry.Version)
	}
	page.Chrome, err = h.console(c, dictionaryPath+"/"+url.PathEscape(key))
	return page, err
}

func toEntryForm(e Entry) views.ConsoleEntryForm {
	form := views.ConsoleEntryForm{
		Key: e.Key, LabelZH: e.LabelZh, LabelEN: e.LabelEn, PurposeZH: e.PurposeZh, PurposeEN: e.PurposeEn, Sensitivity: e.Sensitivity,
		Category: e.Category, LawfulBasis: e.LawfulBasis, Rule: e.Rule, JSONSchema: string(e.JSONSchema),
	}
	if e.TTLDays != nil {
		form.TTLDays = strconv.FormatInt(*e.TTLDays, 10)
	}
	if len(e.Bands) > 0 {
		if bands, err := json.Marshal(e.Bands); err == nil {
			form.Bands = string(bands)
		}
	}
	return form
}

// Save answers POST /admin/dictionary/{key}.
func (h *Dictionary) Save(c *gin.Context) error {
	values, err := bindForm(c, append([]string{"version"}, entryFields...)...)
	if err != nil {
		return err
	}
	page, err := h.page(c)
	if err != nil {
		return err
	}
	kept := page.Form
	page.Form = typedEntry(values)
	if !page.New {
		page.Form.Key = kept.Key
	}
	in, faults := toEntryInput(page.Form)
	if !page.New {
		if in.Version, err = strconv.ParseInt(values["version"], 10, 64); err != nil || in.Version < 1 {
			return fault("version", "invalid", "the form has no version; open the page again")
		}
	}
	if err = nil; len(faults) == 0 {
		err = h.Memory.Put(c.Request.Context(), in)
		faults, _ = formFaults(err, entryFields...)
	}
	switch {
	case len(faults) > 0:
		page.Faults, page.Version = faults, int(in.Version)
		return render(c, http.StatusUnprocessableEntity, views.ConsoleEntry(page))
	case memory.CodeOf(err) == memory.CodeConflict:
		return h.conflict(c, page, int(in.Version))
	case err != nil:
		return err
	}
	return h.done(c, flashSaved, dictionaryPath)
}

// conflict shows what somebody else saved meanwhile beside what was typed.
func (h *Dictionary) conflict(c *gin.Context, page views.ConsoleEntryPage, version int) error {
	now, err := h.Memory.Entry(c.Request.Context(), page.Form.Key)
	if err != nil {
		return err
	}
	// A key that is taken isn't new any more: saving again changes that entry.
	page.New, page.Version = false, version
	page.Conflict = &views.ConsoleEntryConflict{Now: toEntryForm(now), Version: int(now.Version), Changed: now.Updated}
	return render(c, http.StatusConflict, views.ConsoleEntry(page))
}

func typedEntry(v map[string]string) views.ConsoleEntryForm {
	return views.ConsoleEntryForm{
		Key: v["key"], LabelZH: v["label_zh"], LabelEN: v["label_en"], PurposeZH: v["purpose_zh"], PurposeEN: v["purpose_en"],
		Sensitivity: v["sensitivity"], Category: v["category"], TTLDays: v["ttl_days"], LawfulBasis: v["lawful_basis"], Rule: v["rule"],
		Bands: v["bands"], JSONSchema: v["json_schema"],
	}
}

// toEntryInput reads an entry as typed; what isn't a number or JSON is a fault.
func toEntryInput(f views.ConsoleEntryForm) (memory.DictionaryInput, ui.Faults) {
	var faults ui.Faults
	bad := func(name string) { faults = append(faults, ui.Fault{Name: name, Code: "invalid"}) }
	in := memory.DictionaryInput{
		Key: strings.TrimSpace(f.Key), LabelZh: strings.TrimSpace(f.LabelZH), LabelEn: strings.TrimSpace(f.LabelEN), PurposeZh: strings.TrimSpace(f.PurposeZH),
		PurposeEn: strings.TrimSpace(f.PurposeEN), Sensitivity: f.Sensitivity, Category: f.Category, LawfulBasis: f.LawfulBasis, Rule: f.Rule,
	}
	if text := strings.TrimSpace(f.TTLDays); text != "" {
		if days, err := strconv.ParseInt(text, 10, 64); err == nil {
			in.TTLDays = &days
		} else {
			bad("ttl_days")
		}
	}
	if text := strings.TrimSpace(f.Bands); text != "" {
		dec := json.NewDecoder(bytes.NewReader([]byte(text)))
		dec.DisallowUnknownFields()
		if !json.Valid([]byte(text)) || dec.Decode(&in.Bands) != nil {
			bad("bands")
		}
	}
	if text := strings.TrimSpace(f.JSONSchema); text != "" {
		if in.JSONSchema = json.RawMessage(text); !json.Valid(in.JSONSchema) {
			in.JSONSchema = nil
			bad("json_schema")
		}
	}
	return in, faults
}
