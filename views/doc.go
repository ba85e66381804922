// Package views owns the pages of Fornix: their structs, which hold only what is
// shown (plain Go types), and the templ components that render them. A page is
// a function of its struct: PortalHome(PortalHomePage) templ.Component. Language
// and time zone come from the context (views/i18n). It imports static, views/ui,
// views/i18n, templ and the standard library alone.
//
// Pages, where they are and what their forms send:
//
//	page            address                                  form fields
//	Landing         GET  /
//	SignIn          GET, POST /signin                        email, password, back
//	SignInLink      GET  /signin/link?token=…; POST          token
//	SignedOut       after POST /signout
//	ErrorView       any
//	Receipt         GET  /receipts/{id}
//	(every page)    POST /locale                             locale, back
//	PortalHome      GET  /me
//	PortalCorrect   GET, POST /me/memories/{id}/correct      content, version
//	                GET, POST /me/attributes/{key}/correct   value, version
//	PortalDelete    GET, POST /me/memories/{id}/delete       -
//	                GET, POST /me/attributes/{key}/delete    -
//	                GET, POST /me/turns/{id}/delete          -
//	PortalTurns     GET  /me/turns?cursor=
//	PortalAccess    GET  /me/access?cursor=
//	PortalWipe      GET, POST /me/wipe                       confirm (see ConfirmsWipe)
//	PortalErasure   GET  /me/erasure/{id}?token=…
//
// The pages of the console stand in console_*.go. Forms are shown again with
// their faults and 422, with both versions and 409 on a conflict; a success answers
// 303 to a page with a Flash. Frame.Path of a page that a POST shows again is the
// address of its GET, since the language switch leads there.
package views
