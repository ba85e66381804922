// Package policy decides who may do what.
//
// It owns the vocabulary of categories and actions, the rules and their
// validation, the Casbin model (the truth, and the slow path), the capability
// matrix compiled from it (the fast path, read without locks), the default
// roles and modules, and the needs that routes declare.
//
// It imports Casbin and the standard library and no package of Fornix; rules
// are kept by whoever implements [RuleStore] (package models).
//
// # How it fails
//
// What no rule allows is denied, and a deny rule wins over every allow rule. A
// reload that fails keeps the policy in force and is reported by [Engine.Status];
// when the policy hasn't been confirmed for Options.MaxStale, staff may no longer
// change, open or erase anything ([IsAdminAction]). Without any rule the engine
// doesn't start, and a running one denies everything and says so.
//
// # Who is asked about
//
// Rules know users (staff) and agents. A person in the portal is admitted by
// [Self] and reaches only rows of their own, which is a query scope and not a
// rule; background jobs act for whoever queued them and are not asked again. So
// [Engine.Can] is false for principals of kind subject and system.
package policy
