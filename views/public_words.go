package views

import (
	"context"

	"fornix/views/i18n"
)

// linkTitle names where a sign-in link leads, and of whom where that is known.
func linkTitle(ctx context.Context, p SignInLinkPage) string {
	key := "public.link.console"
	if p.Portal {
		key = "public.link.portal"
	}
	if p.Tenant != "" {
		return i18n.T(ctx, key+".of", "tenant", p.Tenant)
	}
	return i18n.T(ctx, key)
}

// summary is the receipt in one sentence.
func (p ReceiptPage) summary(ctx context.Context) string {
	rows := 0
	for _, s := range p.Stores {
		rows += s.Before - s.Left
	}
	switch {
	case p.Partial:
		return i18n.T(ctx, "public.receipt.summary.partial", "n", i18n.Number(ctx, rows))
	case p.Scope == "all":
		return i18n.T(ctx, "public.receipt.summary.all", "n", i18n.Number(ctx, rows), "date", i18n.Date(ctx, p.Executed))
	}
	return i18n.T(ctx, "public.receipt.summary.rows", "n", i18n.Number(ctx, rows), "date", i18n.Date(ctx, p.Executed))
}
