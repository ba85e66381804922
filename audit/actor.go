package audit

import "context"

// Kinds of actors.
const (
	ActorAgent   = "agent"
	ActorUser    = "user"
	ActorSubject = "subject"
	ActorSystem  = "system"
)

// Actor is who does something. ID is an agent's or a user's id, a subject's
// pseudonym, or the name of the program's own task.
type Actor struct {
	Kind, ID, Role string
}

// System is the program itself, doing the named task.
func System(task string) Actor { return Actor{Kind: ActorSystem, ID: task} }

// Origin says where a request came from. IP is taken from trusted proxies only.
type Origin struct {
	IP, UserAgent, RequestID string
}

type actorKey struct{}
type originKey struct{}

// WithActor returns a context in which actor acts.
func WithActor(ctx context.Context, actor Actor) context.Context {
	return context.WithValue(ctx, actorKey{}, actor)
}

// ActorFrom returns who acts in ctx; false when nobody was named.
func ActorFrom(ctx context.Context) (Actor, bool) {
	actor, ok := ctx.Value(actorKey{}).(Actor)
	return actor, ok
}

// WithOrigin returns a context that carries where the request came from.
func WithOrigin(ctx context.Context, origin Origin) context.Context {
	return context.WithValue(ctx, originKey{}, origin)
}

// OriginFrom returns the origin of ctx; it is zero for the program's own work.
func OriginFrom(ctx context.Context) Origin {
	origin, _ := ctx.Value(originKey{}).(Origin)
	return origin
}
