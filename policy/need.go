package policy

// Need is what a route asks of its caller. The zero Need admits nobody, so that
// a route without an entry is closed.
type Need struct{ Cat, Act string }

// Needs that no rule decides. Their words are no categories, so a rule can
// never be written about them.
const (
	openPublic = "public"
	openSelf   = "self"
	openStaff  = "staff"
	openAgent  = "agent"
)

var (
	// Public admits everybody, signed in or not.
	Public = Need{Cat: openPublic}
	// Self admits a person in the portal, who then reaches their own rows alone.
	Self = Need{Cat: openSelf}
	// Staff admits every signed-in user to what is their own: signing out,
	// language, password.
	Staff = Need{Cat: openStaff}
)

// ByCategory admits every agent of a tenant to a route on which the service
// decides by the category of each row (recall, remember, attributes): an agent
// without a grant gets nothing there, and the attempt is recorded.
func ByCategory(act string) Need { return Need{Cat: openAgent, Act: act} }

// String is the need as it stands in the route table's golden file.
func (n Need) String() string {
	switch n {
	case Public, Self, Staff:
		return n.Cat
	case Need{}:
		return "nobody"
	}
	return n.Cat + " " + n.Act
}

// IsPublic tells whether the route is open to everybody.
func (n Need) IsPublic() bool { return n == Public }

// Valid tells whether the need can be met at all: an open one, or an action that
// makes sense on its category.
func (n Need) Valid() bool {
	switch n {
	case Public, Self, Staff:
		return true
	}
	if n.Cat == openAgent {
		_, known := actionIndex[n.Act]
		return known
	}
	return MakesSense(n.Cat, n.Act)
}

// Admits tells whether the principal meets the need. Pass the zero Principal
// for a caller who isn't signed in.
func (e *Engine) Admits(p Principal, n Need) bool {
	if !n.Valid() {
		return false
	}
	switch {
	case n == Public:
		return true
	case n == Self:
		return p.Kind == KindSubject && p.Subject != "" && p.Tenant != ""
	case n == Staff:
		return p.Kind == KindUser && p.ID != "" && p.Tenant != ""
	case n.Cat == openAgent:
		return p.Kind == KindAgent && p.ID != "" && p.Tenant != ""
	}
	return e.Can(p, n.Cat, n.Act)
}
