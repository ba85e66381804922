// Package account owns the staff's accounts: who they are (sealed), how they sign
// in (argon2id password, or a link that works once), their sessions and the
// step-up before what is grave. It knows nothing of HTTP: tokens come in and go
// out as strings, and web puts them into cookies and addresses.
//
// A token is "prefix_tenant.secret": the tenant says where to look, and the
// database holds SHA-256 of the whole. It is shown once.
//
// What people in the portal do to sign in is memory's.
package account
