// Package browser owns the way our browser tests look at a page: it finds and starts
// Chromium, opens pages as a person would have them (language, width, dark, without
// scripts), and collects what a person would never report: console errors, reports of
// the content security policy, requests that failed or left the server, axe's
// violations, focus that can't be seen or reached. It knows nothing of Fornix.
package browser
