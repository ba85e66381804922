// Package ui owns the components that pages are built of: buttons, fields, tables,
// badges, cards, dialogs, empty states. Components know no page and no business
// word; texts that belong to a page come in translated, texts that belong to the
// component come from views/i18n ("common.…", "error.…").
//
// All work without JavaScript. Where a script makes one nicer, the component
// carries a data-* attribute that a module of static/js looks for.
package ui
