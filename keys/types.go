package keys

import (
	"encoding/binary"
	"fmt"
	"regexp"

	"github.com/google/uuid"
)

// SubjectRef names one generation of a subject's key.
type SubjectRef struct {
	Tenant  string
	Subject uuid.UUID
	Epoch   uint32
}

// tenantForm keeps a tenant's name from meaning anything to a file system or URL.
var tenantForm = regexp.MustCompile(`^[a-z0-9-]{1,40}$`)

// check holds a reference to what a store takes.
func (r SubjectRef) check() error {
	switch {
	case !tenantForm.MatchString(r.Tenant):
		return fmt.Errorf("%w: tenant name", ErrInvalid)
	case r.Subject == operator:
		return fmt.Errorf("%w: no subject", ErrInvalid)
	case r.Epoch == 0:
		return fmt.Errorf("%w: epoch zero", ErrInvalid)
	}
	return nil
}

// operator stands where a subject's id would, in what concerns no subject.
var operator = uuid.Nil

// Cell names the one place a sealed value may stand in. It always comes from the
// query, never from the row that is opened.
type Cell struct {
	SubjectRef
	Table, Column string
	Row           uuid.UUID
}

// OperatorCell names a cell that concerns no subject; it is sealed under the
// tenant's operator key.
func OperatorCell(tenant, table, column string, row uuid.UUID) Cell {
	return Cell{SubjectRef: SubjectRef{Tenant: tenant}, Table: table, Column: column, Row: row}
}

// schemaVersion enters the AAD; a value sealed for another meaning of the cells
// doesn't open.
const (
	product       = "fornix"
	schemaVersion = "1"
)

// aad is the additional data of a cell: each field with its length before it, so
// no two cells share an encoding.
func (c Cell) aad() []byte {
	var epoch [4]byte
	binary.BigEndian.PutUint32(epoch[:], c.Epoch)
	b := make([]byte, 0, 160)
	b = appendField(b, []byte(product))
	b = appendField(b, []byte(schemaVersion))
	b = appendField(b, []byte(c.Tenant))
	b = appendField(b, c.Subject[:])
	b = appendField(b, []byte(c.Table))
	b = appendField(b, []byte(c.Column))
	b = appendField(b, c.Row[:])
	return appendField(b, epoch[:])
}

func appendField(b, field []byte) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(len(field)))
	return append(b, field...)
}
