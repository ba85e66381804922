package policy

import (
	"errors"
	"fmt"
	"strings"
)

const (
	maxTenantLen = 40
	maxModuleLen = 40
	maxRoleLen   = 64
	maxKeyLen    = 64
	maxIDLen     = 128
	maxReasonLen = 2000
	// maxChange bounds a batch so that one transaction stays short.
	maxChange = 2000
	// maxHops is how many role links are followed from a subject; Casbin's role
	// manager is given the same number.
	maxHops = 10
)

// checkSyntax refuses a rule whose fields aren't well formed. It is asked on
// every load too: dropping a malformed row instead could drop a deny rule and
// open what it closes. A comma can't pass, since Casbin joins fields with it.
func checkSyntax(r Rule) error {
	if !isTenant(r.Dom) {
		return invalid("tenant", r.Dom)
	}
	switch r.Ptype {
	case PtypePolicy:
		switch {
		case !isSubject(r.Sub):
			return invalid("subject", r.Sub)
		case r.Mod != Any && !isModule(r.Mod):
			return invalid("module", r.Mod)
		case r.Cat != Any && !isAttrCategory(r.Cat) && !isWord(r.Cat):
			return invalid("category", r.Cat)
		case r.Act != Any && !isWord(r.Act):
			return invalid("action", r.Act)
		case r.Eft != EffectAllow && r.Eft != EffectDeny:
			return invalid("effect", r.Eft)
		}
	case PtypeLink:
		switch {
		case !isSubject(r.Sub):
			return invalid("subject", r.Sub)
		case !isRole(r.Mod):
			return invalid("role", r.Mod)
		case r.Sub == r.Mod:
			return fmt.Errorf("%w: role %q can't be linked to itself", ErrInvalid, r.Mod)
		case r.Cat != "" || r.Act != "" || r.Eft != "":
			return fmt.Errorf("%w: a g rule has a subject, a role and a tenant only", ErrInvalid)
		}
	default:
		return invalid("type", r.Ptype)
	}
	return nil
}

// checkRule is checkSyntax and the vocabulary: what a new rule must meet.
func checkRule(r Rule) error {
	if err := checkSyntax(r); err != nil || r.Ptype == PtypeLink {
		return err
	}
	switch {
	case r.Cat != Any && !isKnownCategory(r.Cat):
		return fmt.Errorf("%w: unknown category %q", ErrInvalid, r.Cat)
	case r.Act != Any && !isKnownAction(r.Act):
		return fmt.Errorf("%w: unknown action %q", ErrInvalid, r.Act)
	case r.Cat != Any && r.Act != Any && !MakesSense(r.Cat, r.Act):
		return fmt.Errorf("%w: action %q has no meaning on category %q", ErrInvalid, r.Act, r.Cat)
	}
	return nil
}

// checkChange judges a whole batch against the rules in force. Any fault refuses
// all of it; every fault is named, with its place in the batch.
func checkChange(current []Rule, c Change) error {
	if len(c.Add)+len(c.Remove) == 0 {
		return fmt.Errorf("%w: the change holds no rule", ErrInvalid)
	}
	if len(c.Add)+len(c.Remove) > maxChange {
		return fmt.Errorf("%w: more than %d rules in one change", ErrInvalid, maxChange)
	}
	if len(c.Reason) > maxReasonLen {
		return fmt.Errorf("%w: the reason is longer than %d bytes", ErrInvalid, maxReasonLen)
	}
	tenant := c.Tenant()
	next := make(map[Rule]bool, len(current)+len(c.Add))
	for _, r := range current {
		next[r] = true
	}
	var faults []error
	fault := func(list string, i int, err error) {
		faults = append(faults, fmt.Errorf("%s[%d]: %w", list, i, err))
	}
	removed := make(map[Rule]bool, len(c.Remove))
	for i, r := range c.Remove {
		switch {
		case r.Dom != tenant:
			fault("remove", i, fmt.Errorf("%w: rules of two tenants in one change", ErrInvalid))
		case removed[r]:
			fault("remove", i, fmt.Errorf("%w: duplicate in the change: %s", ErrInvalid, r))
		case !next[r]:
			fault("remove", i, fmt.Errorf("%w: no such rule: %s", ErrInvalid, r))
		}
		removed[r] = true
		delete(next, r)
	}
	for i, r := range c.Add {
		switch err := checkRule(r); {
		case err != nil:
			fault("add", i, err)
			continue
		case r.Dom != tenant:
			fault("add", i, fmt.Errorf("%w: rules of two tenants in one change", ErrInvalid))
		case removed[r]:
			fault("add", i, fmt.Errorf("%w: both added and removed: %s", ErrInvalid, r))
		case next[r]:
			fault("add", i, fmt.Errorf("%w: duplicate: %s", ErrInvalid, r))
		}
		next[r] = true
	}
	if len(faults) > 0 {
		return errors.Join(faults...)
	}
	return checkWhole(next, tenant)
}

// checkWhole judges what the policy would be after a change.
func checkWhole(next map[Rule]bool, tenant string) error {
	links := map[string][]string{}
	hasPolicy := false
	for r := range next {
		switch {
		case r.Ptype == PtypePolicy:
			hasPolicy = true
		case r.Dom == tenant:
			links[r.Sub] = append(links[r.Sub], r.Mod)
		}
	}
	if !hasPolicy {
		// Fornix wouldn't start again on such a store.
		return fmt.Errorf("%w: the change would remove the last rule", ErrInvalid)
	}
	for sub := range links {
		// Following one hop more than is honoured finds both a circle and a
		// chain whose end would silently count for nothing.
		level := []string{sub}
		for hop := 0; hop <= maxHops; hop++ {
			seen := map[string]bool{}
			var above []string
			for _, s := range level {
				for _, role := range links[s] {
					if !seen[role] {
						seen[role] = true
						above = append(above, role)
					}
				}
			}
			level = above
		}
		if len(level) > 0 {
			return fmt.Errorf("%w: role links above %q are a circle or more than %d deep", ErrInvalid, sub, maxHops)
		}
	}
	return nil
}

func invalid(field, value string) error {
	const shown = 60
	if len(value) > shown {
		value = value[:shown] + "…"
	}
	return fmt.Errorf("%w: malformed %s %q", ErrInvalid, field, value)
}

func isKnownAction(act string) bool { _, ok := actionIndex[act]; return ok }

func isKnownCategory(cat string) bool {
	if _, ok := categoryIndex[cat]; ok {
		return true
	}
	return isAttrCategory(cat)
}

func isTenant(s string) bool { return isPlain(s, maxTenantLen, "-") }
func isModule(s string) bool { return isPlain(s, maxModuleLen, "-_") }
func isWord(s string) bool   { return isPlain(s, maxKeyLen, "._-") }

// isName tells whether s may be an attribute key in a rule.
func isName(s string, limit int) bool { return isPlain(s, limit, "._-") }

func isRole(s string) bool {
	name, ok := strings.CutPrefix(s, "role:")
	return ok && isPlain(name, maxRoleLen, "._-")
}

func isSubject(s string) bool {
	kind, id, ok := strings.Cut(s, ":")
	if !ok {
		return false
	}
	switch kind {
	case "role":
		return isRole(s)
	case string(KindUser), string(KindAgent):
		return isID(id)
	}
	return false
}

func isID(s string) bool {
	if s == "" || len(s) > maxIDLen {
		return false
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; (c < 'A' || c > 'Z') && !isPlainByte(c, "._-@") {
			return false
		}
	}
	return true
}

// isPlain allows lower-case letters, digits and the extra bytes; no upper case,
// so that two spellings can't pass as two rules.
func isPlain(s string, limit int, extra string) bool {
	if s == "" || len(s) > limit {
		return false
	}
	for i := 0; i < len(s); i++ {
		if !isPlainByte(s[i], extra) {
			return false
		}
	}
	return true
}

func isPlainByte(c byte, extra string) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || strings.IndexByte(extra, c) >= 0
}
