package memory

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"fornix/audit"
	"fornix/models"
	"fornix/policy"
)

// Rules of the dictionary.
const (
	RuleAllowed   = "allowed"
	RuleBanded    = "banded"    // the figure is never kept, only the band it falls into
	RuleForbidden = "forbidden" // never kept
)

// attributeKey is the form of a key, as the policy knows it.
var attributeKey = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)

var lawfulBases = []string{"consent", "contract", "legal_obligation", "vital_interests", "public_task", "legitimate_interests", "none"}

// DictionaryInput describes an attribute key. Version is 0 for a new one, and
// the version that was read for a change.
type DictionaryInput struct {
	Key         string          `json:"key"`
	LabelZh     string          `json:"label_zh"`
	LabelEn     string          `json:"label_en"`
	JSONSchema  json.RawMessage `json:"json_schema"`
	Sensitivity string          `json:"sensitivity"`
	TTLDays     *int64          `json:"ttl_days"` // nil: for ever
	PurposeZh   string          `json:"purpose_zh"`
	PurposeEn   string          `json:"purpose_en"`
	LawfulBasis string          `json:"lawful_basis"`
	Rule        string          `json:"rule"`
	Bands       []Band          `json:"bands"`
	Category    string          `json:"category"`
	Version     int64           `json:"version"`
}

// Band holds the figures From <= x < To; nil is no bound. The bands of an entry
// rise and leave no gap, or a figure could only be kept as it is.
type Band struct {
	Name  string    `json:"name"`
	Label BandLabel `json:"label"`
	From  *float64  `json:"from,omitempty"`
	To    *float64  `json:"to,omitempty"`
}

// BandLabel is what people read.
type BandLabel struct {
	Zh string `json:"zh"`
	En string `json:"en"`
}

// Dictionary lists the entries, by key, for whoever may read the dictionary. To
// the person it isn't shown as a whole.
func (s *Service) Dictionary(ctx context.Context) ([]models.AttributeDef, error) {
	ctx, p, err := s.actor(ctx)
	if err != nil {
		return nil, err
	}
	if !s.mayDo(p, policy.AreaDictionary, policy.ActDictionaryRead) {
		return nil, Forbidden()
	}
	defs, err := s.db.AttributeDefs(ctx)
	return defs, Wrap("dictionary", err)
}

// DictionaryEntry reads one entry.
func (s *Service) DictionaryEntry(ctx context.Context, key string) (models.AttributeDef, error) {
	ctx, p, err := s.actor(ctx)
	if err != nil {
		return models.AttributeDef{}, err
	}
	if !s.mayDo(p, policy.AreaDictionary, policy.ActDictionaryRead) {
		return models.AttributeDef{}, Forbidden()
	}
	def, err := s.db.AttributeDef(ctx, key)
	return def, Wrap("dictionary", err)
}

// PutDictionaryEntry writes an entry. Values kept already stay as they are; the
// entry's category decides from now on who may read them.
func (s *Service) PutDictionaryEntry(ctx context.Context, in DictionaryInput) (models.AttributeDef, error) {
	ctx, p, err := s.actor(ctx)
	if err != nil {
		return models.AttributeDef{}, err
	}
	if !s.mayDo(p, policy.AreaDictionary, policy.ActDictionaryWrite) {
		return models.AttributeDef{}, Forbidden()
	}
	if len(in.JSONSchema) == 0 {
		in.JSONSchema = json.RawMessage(`{}`)
	}
	if err := in.check(); err != nil {
		return models.AttributeDef{}, err
	}
	bands, err := json.Marshal(slices.Concat([]Band{}, in.Bands))
	if err != nil {
		return models.AttributeDef{}, Wrap("dictionary", err)
	}
	now := models.At(s.now())
	row := models.AttributeDef{
		ID: models.NewID(), Key: in.Key, LabelZh: in.LabelZh, LabelEn: in.LabelEn, JSONSchema: string(in.JSONSchema), Sensitivity: in.Sensitivity,
		TTLDays: in.TTLDays, PurposeZh: in.PurposeZh, PurposeEn: in.PurposeEn, LawfulBasis: in.LawfulBasis, Rule: in.Rule,
		Bands: string(bands), Category: in.Category, CreatedAt: now, UpdatedAt: now, Version: 1,
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx *models.Tx) error {
		old, err := s.db.AttributeDef(ctx, in.Key)
		switch {
		case models.IsNotFound(err) && in.Version == 0:
			err = models.Insert(ctx, tx, row)
		case err == nil && in.Version == old.Version:
			row.TenantID, row.ID, row.CreatedAt, row.Version = old.TenantID, old.ID, old.CreatedAt, old.Version
			err = models.Update(ctx, tx, &row)
		case err == nil || models.IsNotFound(err):
			return &Error{Code: CodeConflict, Key: "error.conflict", Text: "it was changed meanwhile; read it again", Current: old.Version}
		}
		if err != nil {
			return err
		}
		return tx.Record(ctx, audit.Event{
			Action: "dictionary.write", Object: "dictionary:" + row.Key,
			Before: map[string]any{"version": old.Version, "rule": old.Rule, "category": old.Category},
			After:  map[string]any{"version": row.Version, "rule": row.Rule, "category": row.Category},
		})
	})
	return row, Wrap("dictionary", err)
}

func (in DictionaryInput) check() error {
	var f faults
	if !attributeKey.MatchString(in.Key) {
		f.add("key", "invalid", "a-z, 0-9 and _, at most 64, a letter first")
	}
	if in.Key == "new" {
		f.add("key", "invalid", "new is the address of the form for a new entry")
	}
	f.text("label_zh", in.LabelZh, maxLabel)
	f.text("label_en", in.LabelEn, maxLabel)
	f.text("purpose_zh", in.PurposeZh, maxName)
	f.text("purpose_en", in.PurposeEn, maxName)
	if in.Sensitivity != "open" && in.Sensitivity != "sealed" {
		f.add("sensitivity", "unknown", "open or sealed")
	}
	if in.TTLDays != nil && (*in.TTLDays < 1 || *in.TTLDays > maxTTLDays) {
		f.add("ttl_days", "out_of_range", "1 to 36500, or none")
	}
	if !slices.Contains(lawfulBases, in.LawfulBasis) || in.LawfulBasis == "none" && in.Rule != RuleForbidden {
		f.add("lawful_basis", "unknown", "one of "+strings.Join(lawfulBases, ", "))
	}
	if !policy.IsDataCategory(in.Category) || in.Category == policy.CatTurns {
		f.add("category", "unknown", "no category of the policy")
	}
	if _, err := parseSchema(in.JSONSchema); err != nil {
		f.add("json_schema", "invalid", err.Error())
	}
	switch in.Rule {
	case RuleBanded:
		checkBands(&f, in.Bands)
	case RuleAllowed, RuleForbidden:
		if len(in.Bands) > 0 {
			f.add("bands", "forbidden", "only a banded key has bands")
		}
	default:
		f.add("rule", "unknown", "allowed, banded or forbidden")
	}
	return f.err()
}

func checkBands(f *faults, bands []Band) {
	if len(bands) < 2 {
		f.add("bands", "required", "two at least")
		return
	}
	names := map[string]bool{}
	for i, b := range bands {
		at := fmt.Sprintf("bands[%d]", i)
		f.text(at+".name", b.Name, maxTag)
		if names[b.Name] {
			f.add(at+".name", "invalid", "is there twice")
		}
		names[b.Name] = true
		if (b.From == nil) != (i == 0) || (b.To == nil) != (i == len(bands)-1) {
			f.add(at, "invalid", "the first band is open below, the last above, no other")
			return
		}
		if i > 0 && *b.From != *bands[i-1].To || b.From != nil && b.To != nil && *b.From >= *b.To {
			f.add(at, "invalid", "bands rise and leave no gap")
			return
		}
	}
}

// bandOf finds the band of a value: a figure, a text that holds one, or the name
// of a band itself.
func bandOf(def models.AttributeDef, value json.RawMessage) (string, error) {
	var bands []Band
	if err := json.Unmarshal([]byte(def.Bands), &bands); err != nil {
		return "", fmt.Errorf("bands of %s: %w", def.Key, err)
	}
	var name string
	if json.Unmarshal(value, &name) == nil {
		for _, b := range bands {
			if b.Name == name {
				return name, nil
			}
		}
	}
	x, ok := figureOf(value)
	if !ok {
		return "", fmt.Errorf("no figure for %s", def.Key)
	}
	for _, b := range bands {
		if (b.From == nil || x >= *b.From) && (b.To == nil || x < *b.To) {
			return b.Name, nil
		}
	}
	return "", fmt.Errorf("no band of %s holds the figure", def.Key)
}

var figures = regexp.MustCompile(`-?[0-9][0-9,，_ ]*(?:\.[0-9]+)?(?:\s*(?:[kK]\b|万|千|[mM]\b))?`)

// figureOf reads the one figure of a value. A text with two figures has none: it
// can't be said which is meant.
func figureOf(value json.RawMessage) (float64, bool) {
	var x float64
	if json.Unmarshal(value, &x) == nil {
		return x, !math.IsNaN(x) && !math.IsInf(x, 0)
	}
	var text string
	if json.Unmarshal(value, &text) != nil {
		return 0, false
	}
	found := figures.FindAllString(text, 2)
	if len(found) != 1 {
		return 0, false
	}
	scale := 1.0
	digits := strings.TrimRightFunc(found[0], func(r rune) bool {
		switch r {
		case 'k', 'K', '千':
			scale = 1e3
		case 'm', 'M':
			scale = 1e6
		case '万':
			scale = 1e4
		default:
			return r == ' '
		}
		return true
	})
	digits = strings.NewReplacer(",", "", "，", "", "_", "", " ", "").Replace(digits)
	if json.Unmarshal([]byte(digits), &x) != nil {
		return 0, false
	}
	return x * scale, true
}

// mayDo asks about an area of the product.
func (s *Service) mayDo(p policy.Principal, area, act string) bool {
	return p.Kind == policy.KindSystem || s.policy.Can(p, area, act)
}
