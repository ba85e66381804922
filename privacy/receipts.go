package privacy

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"fornix/keys"
	"fornix/memory"
	"fornix/models"
)

// ReceiptBody is what is signed: the JSON text, byte for byte. It holds counts,
// times and a pseudonym, nothing of the person.
type ReceiptBody struct {
	Version     int              `json:"version"`
	ReceiptID   string           `json:"receipt_id"`
	ErasureID   string           `json:"erasure_id"`
	Tenant      string           `json:"tenant"`
	Subject     string           `json:"subject_pseudonym"`
	Scope       string           `json:"scope"`
	RequestedBy string           `json:"requested_by"`
	RequestedAt time.Time        `json:"requested_at"`
	ExecutedAt  time.Time        `json:"executed_at"`
	Deleted     map[string]int64 `json:"deleted"`    // store → rows
	Remaining   map[string]int64 `json:"found_left"` // store → rows found when reading back
	Key         *ReceiptKey      `json:"key,omitempty"`
	Kept        []string         `json:"kept"`
	// Backups is key_destroyed (sealed values in old backups can't be opened) or
	// horizon (they leave with the backups, and a restore erases again).
	Backups string `json:"backups"`
}

// ReceiptKey says that the person's secret is destroyed.
type ReceiptKey struct {
	Epoch     uint32 `json:"epoch"`
	LedgerSeq uint64 `json:"ledger_seq"`
	Destroyed bool   `json:"destroyed"`
}

// Rules about backups on a receipt.
const (
	BackupsKeyDestroyed = "key_destroyed"
	BackupsHorizon      = "horizon"
)

// keptAfterWipe names what stays, as the receipt and the pages list it.
var keptAfterWipe = []string{"tombstone", "request_and_receipt", "audit_envelopes", "ledger"}

// receipt builds and signs the receipt of an erasure.
func (s *Service) receipt(ctx context.Context, e models.Erasure) (models.Receipt, error) {
	store := s.sealer.Store()
	// The id is all that is needed to read the receipt: it is random throughout.
	r := models.Receipt{ID: uuid.New(), ErasureID: e.ID, IssuedAt: models.At(s.now())}
	body := ReceiptBody{
		Version: 1, ReceiptID: r.ID.String(), ErasureID: e.ID.String(), Tenant: models.TenantFrom(ctx), Subject: e.Pseudonym, Scope: e.Scope,
		RequestedBy: e.RequestedBy, RequestedAt: e.RequestedAt.Time(), ExecutedAt: r.IssuedAt.Time(),
		Deleted: decodeCounts(e.Counts), Remaining: decodeCounts(e.Remaining), Kept: keptAfterWipe, Backups: BackupsHorizon,
	}
	if e.Scope == keys.ScopeAll {
		entry, err := store.AppendLedger(ctx, keys.Entry{Tenant: body.Tenant, Pseudonym: e.Pseudonym, Epoch: e.Epoch, Scope: keys.ScopeAll})
		if err != nil {
			return r, err
		}
		body.Backups, body.Key = BackupsKeyDestroyed, &ReceiptKey{Epoch: e.Epoch, LedgerSeq: entry.Seq, Destroyed: true}
	}
	raw, err := json.Marshal(body)
	if err != nil {
		return r, fmt.Errorf("encode receipt: %w", err)
	}
	r.Body = string(raw)
	if r.Signature, err = store.Sign(ctx, signedMessage(raw)); err != nil {
		return r, err
	}
	r.PublicKey, err = store.PublicKey(ctx)
	return r, err
}

// signedMessage keeps a receipt's signature from meaning anything else.
func signedMessage(body []byte) []byte { return append([]byte("fornix-receipt-1\x00"), body...) }

// VerifyReceipt checks a receipt's body against its signature. Whoever verifies
// must have the public key from elsewhere than the receipt.
func VerifyReceipt(body, signature []byte, key ed25519.PublicKey) error {
	if len(key) != ed25519.PublicKeySize || !ed25519.Verify(key, signedMessage(body), signature) {
		return errors.New("privacy: receipt's signature doesn't fit")
	}
	return nil
}

// ReceiptView is a receipt as anyone may read it.
type ReceiptView struct {
	ReceiptBody
	Body, Signature, PublicKey string
}

// Receipt reads a receipt by its id alone.
func (s *Service) Receipt(ctx context.Context, id string) (ReceiptView, error) {
	parsed, err := uuid.Parse(id)
	if err != nil {
		return ReceiptView{}, memory.NotFound()
	}
	r, err := s.db.Receipt(ctx, parsed)
	if err != nil {
		return ReceiptView{}, memory.Wrap("privacy: receipt", err)
	}
	view := ReceiptView{Body: r.Body, Signature: base64.StdEncoding.EncodeToString(r.Signature), PublicKey: base64.StdEncoding.EncodeToString(r.PublicKey)}
	if err := json.Unmarshal([]byte(r.Body), &view.ReceiptBody); err != nil {
		return ReceiptView{}, fmt.Errorf("privacy: receipt: %w", err)
	}
	return view, nil
}

// ErasureView is the progress of an erasure.
type ErasureView struct {
	ErasureID   string           `json:"erasure_id"`
	Subject     string           `json:"subject_pseudonym"`
	Scope       string           `json:"scope"`
	State       string           `json:"state"`
	RequestedAt time.Time        `json:"requested_at"`
	CompletedAt *time.Time       `json:"completed_at,omitempty"`
	Stores      []StoreView      `json:"stores"`
	Remaining   map[string]int64 `json:"remaining,omitempty"`
	ReceiptID   string           `json:"receipt_id,omitempty"`
}

// StoreView says how many rows of a store went.
type StoreView struct {
	Name    string `json:"name"`
	Deleted int64  `json:"deleted"`
}

// Erasure reads the progress of an erasure of the actor's tenant.
func (s *Service) Erasure(ctx context.Context, id string) (ErasureView, error) {
	ctx, p, err := s.actor(ctx)
	if err != nil {
		return ErasureView{}, err
	}
	if !s.canSeeErasures(p) {
		return ErasureView{}, memory.Forbidden()
	}
	parsed, err := uuid.Parse(id)
	if err != nil {
		return ErasureView{}, memory.NotFound()
	}
	e, err := s.db.Erasure(ctx, parsed)
	if err != nil {
		return ErasureView{}, memory.Wrap("privacy: erasure", err)
	}
	return s.erasureView(e), nil
}

// ErasureByToken reads the progress for the person who asked, whose sign-in went
// with the wipe.
func (s *Service) ErasureByToken(ctx context.Context, id, token string) (ErasureView, error) {
	parsed, err := uuid.Parse(id)
	raw, tokenErr := base64.RawURLEncoding.DecodeString(token)
	if err != nil || tokenErr != nil {
		return ErasureView{}, memory.NotFound()
	}
	e, err := s.db.ErasureAnywhere(ctx, parsed)
	if err != nil {
		return ErasureView{}, memory.Wrap("privacy: erasure", err)
	}
	if sum := sha256.Sum256(raw); subtle.ConstantTimeCompare(sum[:], e.ProgressHash) != 1 {
		return ErasureView{}, memory.NotFound()
	}
	return s.erasureView(e), nil
}

func (s *Service) erasureView(e models.Erasure) ErasureView {
	v := ErasureView{
		ErasureID: e.ID.String(), Subject: e.Pseudonym, Scope: e.Scope, State: e.State,
		RequestedAt: e.RequestedAt.Time(), CompletedAt: e.CompletedAt.MaybeTime(), Remaining: decodeCounts(e.Remaining),
	}
	for _, name := range sortedNames(decodeCounts(e.Counts)) {
		v.Stores = append(v.Stores, StoreView{Name: name, Deleted: decodeCounts(e.Counts)[name]})
	}
	if e.ReceiptID != nil {
		v.ReceiptID = e.ReceiptID.String()
	}
	return v
}
