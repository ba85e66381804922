package keys

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/sync/singleflight"
)

// Options configures a Sealer. CacheTTL is at most five minutes.
type Options struct {
	Clock     func() time.Time
	CacheSize int // rings kept open; 4,096 when zero
	CacheTTL  time.Duration
}

const (
	defaultCacheSize = 4096
	maxCacheTTL      = 5 * time.Minute
)

// Sealer opens rings and keeps a bounded number of them for a short time. It is
// safe for concurrent use and holds no lock while it asks the store.
type Sealer struct {
	store Store
	now   func() time.Time
	ttl   time.Duration

	mu    sync.Mutex
	rings *simplelru.LRU[SubjectRef, cached]
	// lingering are rings that left the cache while somebody works with them; a
	// drop must reach them too.
	lingering map[*Ring]struct{}
	tenants   map[string][]byte
	// drops counts Drop calls: a secret that was fetched before one and arrives
	// after it must not enter the cache.
	drops uint64

	flight singleflight.Group
}

type cached struct {
	ring  *Ring
	until time.Time
}

// NewSealer makes a sealer on a store.
func NewSealer(store Store, o Options) *Sealer {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.CacheSize <= 0 {
		o.CacheSize = defaultCacheSize
	}
	if o.CacheTTL <= 0 || o.CacheTTL > maxCacheTTL {
		o.CacheTTL = maxCacheTTL
	}
	s := &Sealer{store: store, now: o.Clock, ttl: o.CacheTTL, lingering: map[*Ring]struct{}{}, tenants: map[string][]byte{}}
	rings, err := simplelru.NewLRU(o.CacheSize, func(_ SubjectRef, c cached) {
		if c.ring.retire(false) {
			s.lingering[c.ring] = struct{}{}
		}
	})
	if err != nil { // only for sizes below one
		panic("keys: cache: " + err.Error())
	}
	s.rings = rings
	return s
}

// Store is the store the sealer works on.
func (s *Sealer) Store() Store { return s.store }

// NewTenant makes a tenant's secret, loads it and returns it wrapped, to be kept
// in the database. A loaded tenant is ErrExists: nothing of it would open under
// another secret.
func (s *Sealer) NewTenant(ctx context.Context, tenant string) ([]byte, error) {
	if key := s.tenantSecret(tenant); key != nil {
		clear(key)
		return nil, fmt.Errorf("keys: new tenant %s: %w", tenant, ErrExists)
	}
	wrapped, err := s.store.WrapTenant(ctx, tenant)
	if err != nil {
		return nil, fmt.Errorf("keys: new tenant: %w", err)
	}
	return wrapped, s.LoadTenant(ctx, tenant, wrapped)
}

// LoadTenant unwraps a tenant's secret and keeps it in memory. Another secret than
// the loaded one drops the tenant's rings.
func (s *Sealer) LoadTenant(ctx context.Context, tenant string, wrapped []byte) error {
	secret, err := s.store.UnwrapTenant(ctx, tenant, wrapped)
	if err != nil {
		return fmt.Errorf("keys: load tenant %s: %w", tenant, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.tenants[tenant]; old != nil && !bytes.Equal(old, secret) {
		s.forgetTenant(tenant)
	}
	s.tenants[tenant] = secret
	return nil
}

// tenantSecret returns a copy, which the caller zeroes; nil when it isn't loaded.
// A copy, because a drop zeroes the original at any moment.
func (s *Sealer) tenantSecret(tenant string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bytes.Clone(s.tenants[tenant])
}

// NewSubject makes the secret of a subject's epoch; ErrExists when there is, or
// was, one.
func (s *Sealer) NewSubject(ctx context.Context, ref SubjectRef) error {
	if err := ref.check(); err != nil {
		return fmt.Errorf("keys: new subject: %w", err)
	}
	if err := s.store.CreateSubject(ctx, ref); err != nil {
		return fmt.Errorf("keys: new subject: %w", err)
	}
	return nil
}

// Ring returns the opened keys of a subject's epoch. Close it.
func (s *Sealer) Ring(ctx context.Context, ref SubjectRef) (*Ring, error) {
	if ref.Subject != operator || ref.Epoch != 0 { // else it is the operator's
		if err := ref.check(); err != nil {
			return nil, fmt.Errorf("keys: ring: %w", err)
		}
	}
	for {
		if r := s.fromCache(ref); r != nil {
			return r, nil
		}
		name := ref.Tenant + "\x00" + ref.Subject.String() + "\x00" + fmt.Sprint(ref.Epoch)
		// The fetch doesn't end with the one caller who happened to start it.
		fetched := s.flight.DoChan(name, func() (any, error) { return nil, s.fetch(context.WithoutCancel(ctx), ref) })
		select {
		case result := <-fetched:
			if result.Err != nil {
				return nil, fmt.Errorf("keys: ring: %w", result.Err)
			}
		case <-ctx.Done():
			return nil, fmt.Errorf("keys: ring: %w", ctx.Err())
		}
	}
}

// OperatorRing returns the keys of what concerns no subject.
func (s *Sealer) OperatorRing(ctx context.Context, tenant string) (*Ring, error) {
	return s.Ring(ctx, SubjectRef{Tenant: tenant})
}

func (s *Sealer) fromCache(ref SubjectRef) *Ring {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.rings.Get(ref)
	if !ok {
		return nil
	}
	if s.now().Before(c.until) && c.ring.retain() {
		return c.ring
	}
	s.rings.Remove(ref)
	return nil
}

// fetch puts the ring into the cache, unless something was dropped meanwhile;
// the caller then asks again and gets what the store says now.
func (s *Sealer) fetch(ctx context.Context, ref SubjectRef) error {
	s.mu.Lock()
	drops, tenantSecret := s.drops, bytes.Clone(s.tenants[ref.Tenant])
	s.mu.Unlock()
	if tenantSecret == nil {
		return ErrNoTenant
	}
	defer clear(tenantSecret)
	secret := make([]byte, 0, 2*keyLen)
	defer clear(secret[:cap(secret)])
	if ref.Subject != operator {
		subject, err := s.store.SubjectSecret(ctx, ref)
		if err != nil {
			return err
		}
		secret = append(secret, subject...)
		clear(subject)
	}
	secret = append(secret, tenantSecret...)
	ring, err := newRing(ref, secret)
	if err != nil {
		return err
	}
	ring.done = s.forgetRing
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.drops != drops {
		ring.retire(true)
		return nil
	}
	if s.rings.Contains(ref) { // Add doesn't call the eviction of a value it replaces
		s.rings.Remove(ref)
	}
	s.rings.Add(ref, cached{ring: ring, until: s.now().Add(s.ttl)})
	return nil
}

// Seal seals one value.
func (s *Sealer) Seal(ctx context.Context, cell Cell, plaintext []byte) (Sealed, error) {
	r, err := s.Ring(ctx, cell.SubjectRef)
	if err != nil {
		return Sealed{}, err
	}
	defer r.Close()
	return r.Seal(cell, plaintext)
}

// Open opens one value.
func (s *Sealer) Open(ctx context.Context, cell Cell, sealed Sealed) ([]byte, error) {
	r, err := s.Ring(ctx, cell.SubjectRef)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.Open(cell, sealed)
}

// tenantKey derives a key from the tenant's secret alone.
func (s *Sealer) tenantKey(tenant, purpose string) ([]byte, error) {
	secret := s.tenantSecret(tenant)
	if secret == nil {
		return nil, fmt.Errorf("keys: %s: %w", purpose, ErrNoTenant)
	}
	defer clear(secret)
	return derive(secret, []byte("tenant"), []byte(tenant), []byte(purpose)), nil
}

// IndexToken finds a value of a tenant again, such as an external id. It leaks
// which rows of the tenant are equal, to whoever reads the database.
func (s *Sealer) IndexToken(tenant, purpose string, text []byte) (Token, error) {
	key, err := s.tenantKey(tenant, "index")
	if err != nil {
		return Token{}, err
	}
	defer clear(key)
	return token(key, purpose, text), nil
}

// ErasureToken is the tombstone's token of an external id.
func (s *Sealer) ErasureToken(tenant string, externalID []byte) (Token, error) {
	key, err := s.tenantKey(tenant, "erasure")
	if err != nil {
		return Token{}, err
	}
	defer clear(key)
	return token(key, "external_id", externalID), nil
}

// Pseudonym names a subject in the audit log, the ledger and receipts: an HMAC
// of the subject's random id, which can't be turned back without the tenant's
// secret.
func (s *Sealer) Pseudonym(tenant string, subject uuid.UUID) (string, error) {
	key, err := s.tenantKey(tenant, "pseudonym")
	if err != nil {
		return "", err
	}
	defer clear(key)
	sum := mac(key, "subject", subject[:])
	return "sub_" + hex.EncodeToString(sum[:12]), nil
}
