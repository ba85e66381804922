package memory

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"fornix/audit"
	"fornix/keys"
	"fornix/models"
)

// maxExternalID bounds a host product's id of a person, in bytes.
const maxExternalID = 512

// Person is a subject opened for one operation: the row and its keys. Close it.
type Person struct {
	models.Subject
	Ring *keys.Ring
}

// Close gives the keys back.
func (p *Person) Close() { p.Ring.Close() }

// cell names a cell of one of the person's rows.
func (p *Person) cell(table, column string, row uuid.UUID) keys.Cell {
	return keys.Cell{SubjectRef: p.Ref(), Table: table, Column: column, Row: row}
}

// Seal seals a value for a cell of the person.
func (p *Person) Seal(table, column string, row uuid.UUID, value []byte) (keys.Sealed, error) {
	return p.Ring.Seal(p.cell(table, column, row), value)
}

// Open opens a cell of the person.
func (p *Person) Open(table, column string, row uuid.UUID, sealed keys.Sealed) ([]byte, error) {
	return p.Ring.Open(p.cell(table, column, row), sealed)
}

// SealJSON seals v as JSON.
func (p *Person) SealJSON(table, column string, row uuid.UUID, v any) (keys.Sealed, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return keys.Sealed{}, err
	}
	return p.Seal(table, column, row, raw)
}

// OpenJSON opens a cell sealed by SealJSON into v.
func (p *Person) OpenJSON(table, column string, row uuid.UUID, sealed keys.Sealed, v any) error {
	raw, err := p.Open(table, column, row, sealed)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, v)
}

// CheckExternalID refuses an id that can't name a person.
func CheckExternalID(external string) error {
	field := func(code, text string) error { return Invalid(Field{Name: "subject", Code: code, Text: text}) }
	switch {
	case strings.TrimSpace(external) == "":
		return field("required", "name the person by your product's id")
	case len(external) > maxExternalID:
		return field("too_long", "at most 512 bytes")
	case !utf8.ValidString(external) || strings.ContainsRune(external, 0):
		return field("invalid", "must be valid UTF-8 without NUL")
	}
	return nil
}

// FindPerson opens the person with this external id. One that isn't there, or is
// being erased, is not found.
func (s *Service) FindPerson(ctx context.Context, external string) (*Person, error) {
	if err := CheckExternalID(external); err != nil {
		return nil, err
	}
	token, err := s.sealer.IndexToken(models.TenantFrom(ctx), "external_id", []byte(external))
	if err != nil {
		return nil, Wrap("find person", err)
	}
	entry, err := s.db.DirectoryEntry(ctx, token)
	if err != nil {
		return nil, Wrap("find person", err)
	}
	return s.OpenPerson(ctx, entry.ID)
}

// OpenPerson opens the person by the subject's own id.
func (s *Service) OpenPerson(ctx context.Context, subject uuid.UUID) (*Person, error) {
	row, err := s.db.Subject(ctx, subject)
	if err != nil {
		return nil, Wrap("open person", err)
	}
	if row.Status != models.SubjectActive {
		// From the moment of the request on, nothing of the person is served.
		return nil, NotFound()
	}
	ring, err := s.sealer.Ring(ctx, row.Ref())
	if err != nil {
		return nil, Wrap("open person", err)
	}
	return &Person{Subject: row, Ring: ring}, nil
}

// EnsurePerson opens the person with this external id and makes it on first use.
// Someone who returns after a wipe is a new person with a new epoch (R9).
func (s *Service) EnsurePerson(ctx context.Context, external, locale string) (*Person, error) {
	for range 2 {
		p, err := s.FindPerson(ctx, external)
		if err == nil || CodeOf(err) != CodeNotFound {
			return p, err
		}
		err = s.makePerson(ctx, external, locale)
		if err != nil && !errors.Is(err, models.ErrDuplicate) { // a duplicate: somebody else just made it
			return nil, Wrap("make person", err)
		}
	}
	// There is an entry that can't be opened: it is being erased.
	return nil, Fail(CodeGone, "error.erasing", "this person is being erased; try again when it is done")
}

func (s *Service) makePerson(ctx context.Context, external, locale string) error {
	tenant := models.TenantFrom(ctx)
	token, err := s.sealer.IndexToken(tenant, "external_id", []byte(external))
	if err != nil {
		return err
	}
	erased, err := s.sealer.ErasureToken(tenant, []byte(external))
	if err != nil {
		return err
	}
	last, err := s.db.LastErasedEpoch(ctx, erased)
	if err != nil {
		return err
	}
	if _, err := s.db.DirectoryEntry(ctx, token); err == nil {
		return models.ErrDuplicate
	}
	now := models.At(s.now())
	row := models.Subject{
		TenantID: models.TenantID(tenant), SubjectID: models.NewID(), Epoch: last + 1, Status: models.SubjectActive,
		Locale: locale, CreatedAt: now, UpdatedAt: now, Version: 1,
	}
	if row.Locale == "" {
		row.Locale = "en"
	}
	if row.Pseudonym, err = s.sealer.Pseudonym(tenant, row.SubjectID); err != nil {
		return err
	}
	// The secret comes before the row: a secret without a row is harmless, a row
	// without a secret would be a fault of the key store.
	if err := s.sealer.NewSubject(ctx, row.Ref()); err != nil {
		return err
	}
	if row.ExternalID, err = s.sealer.Seal(ctx, keys.Cell{SubjectRef: row.Ref(), Table: row.TableName(), Column: "external_id", Row: row.SubjectID}, []byte(external)); err != nil {
		return err
	}
	return s.db.InTx(ctx, func(ctx context.Context, tx *models.Tx) error {
		if err := models.Insert(ctx, tx, models.DirectoryEntry{ID: row.SubjectID, ExternalToken: token}); err != nil {
			return err
		}
		if err := models.Insert(ctx, tx, row); err != nil {
			return err
		}
		return tx.Record(ctx, audit.Event{Action: "subject.create", Object: "subject:" + row.Pseudonym, Subject: row.SubjectID, Epoch: row.Epoch})
	})
}

// Write runs fn in a transaction, after making sure that the person is still the
// one that was opened: alive and of the same epoch. A job, batch or request that
// is older than a wipe writes nothing (R9).
func (s *Service) Write(ctx context.Context, p *Person, fn func(ctx context.Context, tx *models.Tx) error) error {
	return s.db.InTx(ctx, func(ctx context.Context, tx *models.Tx) error {
		if err := s.db.CheckEpoch(ctx, p.Ref()); err != nil {
			return Wrap("write", err)
		}
		return fn(ctx, tx)
	})
}
