package keys

import "github.com/google/uuid"

// Drop makes the rings of one generation unusable in this process, those in use
// too. A fetch that is under way ends after it with nothing.
func (s *Sealer) Drop(ref SubjectRef) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(func(r SubjectRef) bool { return r == ref })
}

// DropSubject is Drop of all epochs of a subject.
func (s *Sealer) DropSubject(tenant string, subject uuid.UUID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(func(r SubjectRef) bool { return r.Tenant == tenant && r.Subject == subject })
}

// DropTenant forgets a tenant's secret and all its rings.
func (s *Sealer) DropTenant(tenant string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgetTenant(tenant)
}

// forgetTenant wants the lock.
func (s *Sealer) forgetTenant(tenant string) {
	clear(s.tenants[tenant])
	delete(s.tenants, tenant)
	s.drop(func(r SubjectRef) bool { return r.Tenant == tenant })
}

// drop wants the lock.
func (s *Sealer) drop(matches func(SubjectRef) bool) {
	s.drops++
	for _, ref := range s.rings.Keys() {
		if !matches(ref) {
			continue
		}
		if c, ok := s.rings.Peek(ref); ok {
			c.ring.retire(true)
		}
		s.rings.Remove(ref)
	}
	for ring := range s.lingering {
		if matches(ring.ref) {
			ring.retire(true)
			delete(s.lingering, ring)
		}
	}
}

// forgetRing hears that the last user of a ring that left the cache is done.
func (s *Sealer) forgetRing(r *Ring) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.lingering, r)
}
