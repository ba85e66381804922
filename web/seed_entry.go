package web

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"strings"

	"fornix/audit"
	"fornix/memory"
	"fornix/models"
	"fornix/web/demo"
)

// dictionaryInput is an entry of the demo's dictionary as the service takes it.
func dictionaryInput(e demo.Entry) memory.DictionaryInput {
	in := memory.DictionaryInput{
		Key: e.Key, LabelZh: e.Label.ZH, LabelEn: e.Label.EN, JSONSchema: e.Schema, Sensitivity: e.Sensitivity,
		PurposeZh: e.Purpose.ZH, PurposeEn: e.Purpose.EN, LawfulBasis: e.LawfulBasis, Rule: e.Rule, Category: e.Category,
	}
	if e.TTLDays > 0 {
		days := int64(e.TTLDays)
		in.TTLDays = &days
	}
	for _, b := range e.Bands {
		in.Bands = append(in.Bands, memory.Band{Name: b.Name, Label: memory.BandLabel{Zh: b.Label.ZH, En: b.Label.EN}, From: b.From, To: b.To})
	}
	return in
}

// rotateKey gives an agent of the tenant of the context another API key and
// returns it; the old one is void at once.
func (s *services) rotateKey(ctx context.Context, name string) (string, error) {
	row, err := s.db.AgentByName(ctx, name)
	if err != nil {
		return "", memory.Wrap("rotate key", err)
	}
	raw := make([]byte, 20)
	_, _ = rand.Read(raw) // never fails: crypto/rand ends the program instead
	prefix := "fx_" + models.TenantFrom(ctx) + "_"
	key := prefix + strings.ToLower(base32.StdEncoding.EncodeToString(raw))
	hash := sha256.Sum256([]byte(key))
	row.KeyHash, row.KeyPrefix = hash[:], key[:len(prefix)+6]
	err = s.db.InTx(ctx, func(ctx context.Context, tx *models.Tx) error {
		if err := models.Update(ctx, tx, &row); err != nil {
			return err
		}
		return tx.Record(ctx, audit.Event{Action: "agent.rotate_key", Object: "agent:" + row.ID.String()})
	})
	return key, memory.Wrap("rotate key", err)
}
