// Package browser drives Chromium as a person would and reports what a page does
// wrong: console errors, exceptions, reports against the content security policy,
// requests that fail, violations of WCAG 2.2 AA as axe-core finds them, controls
// that the keyboard can't reach or whose focus can't be seen, and pages wider than
// their window.
//
// It knows nothing of Fornix and imports none of its packages: a page is looked at
// from outside, with its security policy in force. What the harness itself needs
// runs through the developer tools, which that policy doesn't bind.
//
// Chromium is $CHROMIUM or found on the path, axe-core is the file $FORNIX_AXE;
// scripts/setup.sh puts both there.
package browser
