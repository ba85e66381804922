package policy

// Need is what a route asks of its caller; the table in web/routes.go gives one
// to every route. The zero Need admits nobody, so a route without an entry is
// closed.
type Need struct {
	// Module is ModuleConsole for staff, Any for the agents of every module, or
	// one module's name. It is empty for Public, Self and Staff.
	Module string
	// Category and Action are what the policy is asked about.
	Category, Action string
	// Reason says why a route is open to everybody; it stands in the golden file.
	Reason string

	door door
}

// door is who is let in without, or before, a rule is asked.
type door string

const (
	doorPublic door = "public"
	doorSelf   door = "self"
	doorStaff  door = "staff"
	doorRule   door = "rule"    // a rule on Category and Action decides
	doorRows   door = "by-rows" // the service decides row by row
)

// Public admits everybody, signed in or not, for the reason given.
func Public(reason string) Need { return Need{door: doorPublic, Reason: reason} }

// Self admits a person in the portal, who then reaches their own rows alone. The
// action names what they do there; see SelfActions.
func Self(action string) Need { return Need{door: doorSelf, Action: action} }

// Staff admits every signed-in user to what is their own: signing out, language,
// password, the step-up.
func Staff(action string) Need { return Need{door: doorStaff, Action: action} }

// Console asks that a user may do the action on the category.
func Console(category, action string) Need {
	return Need{door: doorRule, Module: ModuleConsole, Category: category, Action: action}
}

// Agent asks that an agent may, in its own module, do the action on the category.
func Agent(category, action string) Need {
	return Need{door: doorRule, Module: Any, Category: category, Action: action}
}

// AgentIn is Agent for the agents of one module alone.
func AgentIn(module, category, action string) Need {
	return Need{door: doorRule, Module: module, Category: category, Action: action}
}

// AgentByRows admits every agent of a tenant to a route on which the service
// decides by the category of each row (recall, remember, attributes): an agent
// without a grant gets nothing there, and the attempt is recorded.
func AgentByRows(action string) Need {
	return Need{door: doorRows, Module: Any, Action: action}
}

// String is the need as it stands in the route table's golden file.
func (n Need) String() string {
	switch n.door {
	case doorPublic:
		return "public: " + n.Reason
	case doorSelf, doorStaff:
		return string(n.door) + " " + n.Action
	case doorRows:
		return n.Module + " by rows " + n.Action
	case doorRule:
		return n.Module + " " + n.Category + " " + n.Action
	}
	return "nobody"
}

// IsPublic tells whether the route is open to everybody.
func (n Need) IsPublic() bool { return n.door == doorPublic }

// Valid tells whether the need can be met at all: an open one with its reason or
// a known action, or an action that makes sense on its category.
func (n Need) Valid() bool {
	switch n.door {
	case doorPublic:
		return n.Reason != ""
	case doorSelf:
		return isSelfAction(n.Action)
	case doorStaff:
		return isStaffAction(n.Action)
	case doorRows:
		return n.hasModule() && isKnownAction(n.Action)
	case doorRule:
		return n.hasModule() && MakesSense(n.Category, n.Action)
	}
	return false
}

// hasModule is false for what AgentIn was given wrongly, too.
func (n Need) hasModule() bool { return n.Module == Any || isModule(n.Module) }

// Admits tells whether the principal meets the need. Pass the zero Principal
// for a caller who isn't signed in.
func (e *Engine) Admits(p Principal, n Need) bool {
	if !n.Valid() {
		return false
	}
	switch n.door {
	case doorPublic:
		return true
	case doorSelf:
		return p.Kind == KindSubject && p.Subject != "" && p.Tenant != ""
	case doorStaff:
		return p.Kind == KindUser && p.ID != "" && p.Tenant != ""
	case doorRows:
		return n.admitsModule(p) && p.ID != "" && p.Tenant != ""
	case doorRule:
		return n.admitsModule(p) && e.Can(p, n.Category, n.Action)
	}
	return false
}

// admitsModule keeps staff and agents to their own routes, so that a session of
// the console can't be used on the API, nor a key in the console, whatever the
// rules grant.
func (n Need) admitsModule(p Principal) bool {
	mod := p.module()
	switch n.Module {
	case ModuleConsole:
		return p.Kind == KindUser
	case Any:
		return p.Kind == KindAgent && mod != ""
	}
	return p.Kind == KindAgent && mod == n.Module
}
