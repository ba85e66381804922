package policy

import "context"

// Kind says what sort of actor a principal is.
type Kind string

const (
	KindAgent   Kind = "agent"   // a module with an API key
	KindUser    Kind = "user"    // staff in the console
	KindSubject Kind = "subject" // the person remembered, in the portal
	KindSystem  Kind = "system"  // the program's own work
)

// Principal is the actor of a request.
type Principal struct {
	Kind   Kind
	ID     string
	Tenant string
	// Module is an agent's module; rules are written per module.
	Module string
	Name   string
	// Roles is for showing and for the audit log. Decisions never read it: a
	// user's roles are g rules of the store, so a role that was taken away is
	// gone with the next policy version, whatever a session still carries.
	Roles []string
	// Subject is the uuid of the person when Kind is KindSubject.
	Subject string
}

type contextKey struct{}

// With returns a context that carries the principal.
func With(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, contextKey{}, p)
}

// From returns the principal of the context; false when nobody is signed in.
func From(ctx context.Context) (Principal, bool) {
	p, ok := ctx.Value(contextKey{}).(Principal)
	return p, ok
}

// module is the module a principal acts in: agents in their own, users in the
// console. It is empty, which matches nothing, for everybody else and for an
// agent that claims the console.
func (p *Principal) module() string {
	switch p.Kind {
	case KindUser:
		return ModuleConsole
	case KindAgent:
		if p.Module == ModuleConsole || p.Module == Any {
			return ""
		}
		return p.Module
	default:
		return ""
	}
}
