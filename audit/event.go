package audit

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"

	"github.com/google/uuid"
)

// ErrInvalid is wrapped by every refusal of an event that isn't well formed.
var ErrInvalid = errors.New("invalid audit event")

// Event is what a caller records. Action is dotted ("memory.correct"); Object
// names what was acted on by kind and id ("memory:0192…"), never by a value.
// Before, After and Reason go into the sealed payload.
type Event struct {
	Action string
	Object string
	// Subject is the person the event concerns; zero when it concerns none. The
	// payload is then sealed under the tenant's operator key.
	Subject uuid.UUID
	// Epoch is the key generation of the subject.
	Epoch         uint32
	Before, After map[string]any
	Reason        string
}

// Payload is the sealed part of an event. IP and UserAgent stand here when the
// person acted, and in the envelope otherwise.
type Payload struct {
	Before    map[string]any `json:"before,omitempty"`
	After     map[string]any `json:"after,omitempty"`
	Reason    string         `json:"reason,omitempty"`
	IP        string         `json:"ip,omitempty"`
	UserAgent string         `json:"user_agent,omitempty"`
}

// maxObject bounds the object's name; it is shown in tables.
const maxObject = 200

var (
	actionForm = regexp.MustCompile(`^[a-z_]+(\.[a-z_]+)+$`)
	objectForm = regexp.MustCompile(`^[a-z_]+:[A-Za-z0-9_.:-]*$`)
)

// Check refuses an event whose action or object isn't well formed. It is what
// keeps a value out of the envelope: an object is a kind and an id, nothing else.
func (e Event) Check() error {
	switch {
	case !actionForm.MatchString(e.Action):
		return fmt.Errorf("audit: %w: action isn't dotted lower case", ErrInvalid)
	case len(e.Object) > maxObject || !objectForm.MatchString(e.Object):
		return fmt.Errorf("audit: %w: object of %s isn't kind:id", ErrInvalid, e.Action)
	case e.Subject != uuid.Nil && e.Epoch == 0:
		return fmt.Errorf("audit: %w: %s names a subject without its epoch", ErrInvalid, e.Action)
	}
	return nil
}

// Payload builds the part that will be sealed.
func (e Event) Payload(actor Actor, origin Origin) ([]byte, error) {
	p := Payload{Before: e.Before, After: e.After, Reason: e.Reason}
	if actor.Kind == ActorSubject {
		p.IP, p.UserAgent = origin.IP, origin.UserAgent
	}
	raw, err := json.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("audit: encode payload of %s: %w", e.Action, err)
	}
	return raw, nil
}

// DecodePayload reads an opened payload.
func DecodePayload(raw []byte) (Payload, error) {
	var p Payload
	if err := json.Unmarshal(raw, &p); err != nil {
		return Payload{}, fmt.Errorf("audit: decode payload: %w", err)
	}
	return p, nil
}
