package views

import (
	"context"
	"time"

	"fornix/views/i18n"
)

// sourceSentence says in a sentence where something comes from. An agent's name is
// told where one wrote it.
func sourceSentence(ctx context.Context, why Why) string {
	key := "portal.source." + why.Source
	if why.Agent != "" && i18n.Has(ctx, key+".agent") {
		return i18n.T(ctx, key+".agent", "agent", why.Agent)
	}
	return i18n.Word(ctx, "portal.source.", why.Source)
}

// aboutLength keeps the names of buttons short for those who hear them.
const aboutLength = 60

func short(text string) string {
	runes := []rune(text)
	if len(runes) <= aboutLength {
		return text
	}
	return string(runes[:aboutLength]) + "…"
}

// storeName is the plain name of a store, as the wipe page, the progress page and
// the receipt show it.
func storeName(ctx context.Context, store string) string {
	return i18n.Word(ctx, "public.store.", store)
}

// backupSentence says when backups lose what is erased without its key (R12).
func backupSentence(ctx context.Context, until time.Time) string {
	if until.IsZero() {
		return i18n.T(ctx, "portal.delete.backups")
	}
	return i18n.T(ctx, "portal.delete.backups.until", "date", i18n.Date(ctx, until))
}

// accessor names who looked: an agent by its name, staff by role alone.
func accessor(ctx context.Context, r PortalAccessRow) string {
	if r.Staff {
		return i18n.T(ctx, "portal.access.staff", "role", i18n.Word(ctx, "portal.role.", r.Who))
	}
	return r.Who
}

// erasureWord folds the states of an erasure into what its page says: under way,
// partly done, done. An unknown state is never shown as done.
func erasureWord(state string) string {
	switch state {
	case "complete", "partial":
		return state
	}
	return "running"
}
