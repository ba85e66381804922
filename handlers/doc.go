// Package handlers answers requests: one resource per file, the API's in api_*.go,
// the pages' in portal_*.go, console_*.go and public_*.go. A handler reads the
// request strictly, calls one service, and answers in JSON, with a page, or by 303.
// It returns what goes wrong; web turns errors into problem+json or a page, and
// registers the routes. Services and accounts are taken through the small
// interfaces that stand beside their handlers.
//
// It imports memory, privacy, policy, views and gin, and no data layer.
package handlers
