package i18n

import (
	"context"
	"strings"
	"testing"
	"time"
)

func TestMatchPicksTheLanguageOfTheHeader(t *testing.T) {
	t.Parallel()
	tests := []struct {
		header string
		want   Locale
	}{
		{"", En},
		{"zh-CN,zh;q=0.9,en;q=0.8", ZhHans},
		{"zh-TW", ZhHans},
		{"en-GB,zh;q=0.9", En},
		{"en;q=0.5, zh;q=0.7", ZhHans},
		{"de,fr;q=0.9", En},
		{"de,zh;q=0.1", ZhHans},
		{"ZH-hans", ZhHans},
		{"en;q=0, zh;q=0.1", ZhHans},
		{"zh;q=0", En},
		{"zh;q=NaN", En},
		{"zh;q=7", En},
		{"zh;q=-1", En},
		{"zh;q=,,;;", En},
		{"zhx", En},
		{strings.Repeat("x,", 300) + "zh", En},
	}
	for _, tt := range tests {
		if got := Match(tt.header); got != tt.want {
			t.Errorf("Match(%.40q) = %s, want %s", tt.header, got, tt.want)
		}
	}
}

func TestParseTakesExactTagsAlone(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]bool{"zh-Hans": true, "en": true, "zh": false, "": false, "EN": false, "en\n": false} {
		if _, ok := Parse(tag); ok != want {
			t.Errorf("Parse(%q) is %v, want %v", tag, ok, want)
		}
	}
}

func TestFillPutsValuesInOnce(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text  string
		pairs []any
		want  string
	}{
		{"{n} left", []any{"n", 3}, "3 left"},
		{"{a} and {b}", []any{"a", "{b}", "b", "{a}"}, "{b} and {a}"},
		{"{a} and {a}", []any{"a", "x"}, "x and x"},
		{"{a}", nil, "{a}"},
		{"{a}", []any{"a"}, "{a}"},
	}
	for _, tt := range tests {
		if got := fill(tt.text, tt.pairs); got != tt.want {
			t.Errorf("fill(%q, %v) = %q, want %q", tt.text, tt.pairs, got, tt.want)
		}
	}
}

func TestTextsOfAContext(t *testing.T) {
	t.Parallel()
	en, zh := With(context.Background(), En), With(context.Background(), ZhHans)
	tests := []struct{ name, got, want string }{
		{"an unset language is the default", T(context.Background(), "common.cancel"), T(With(context.Background(), Default), "common.cancel")},
		{"Chinese", T(zh, "common.cancel"), "取消"},
		{"a missing text shows its key", T(en, "no.such"), "⟦no.such⟧"},
		{"one", N(en, "portal.access.count", 1), "1 thing was handed out"},
		{"none is other", N(en, "portal.access.count", 0), "0 things were handed out"},
		{"many with groups", N(en, "portal.access.count", 12345), "12,345 things were handed out"},
		{"a known word", Word(en, "portal.role.", "admin"), "administrator"},
		{"an unknown word stays", Word(zh, "portal.role.", "pilot"), "pilot"},
		{"an English list", List(en, []string{"a", "b"}), "a, b"},
		{"a Chinese list", List(zh, []string{"a", "b"}), "a、b"},
		{"a negative number", Number(en, -1234567), "-1,234,567"},
		{"a small number", Number(en, 100), "100"},
		{"zero", Number(en, 0), "0"},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, tt.got, tt.want)
		}
	}
}

func TestTimesFollowLanguageAndZone(t *testing.T) {
	t.Parallel()
	late := time.Date(2026, 5, 12, 23, 3, 0, 0, time.UTC)
	en, zh := With(context.Background(), En), With(context.Background(), ZhHans)
	shanghai := WithZone(zh, time.FixedZone("CST", 8*3600))
	tests := []struct{ name, got, want string }{
		{"an English day", Date(en, late), "12 May 2026"},
		{"a Chinese day", Date(zh, late), "2026年5月12日"},
		{"a day in a zone further east", Date(shanghai, late), "2026年5月13日"},
		{"an English moment", Moment(en, late), "12 May 2026, 23:03 UTC"},
		{"a Chinese moment in its zone", Moment(shanghai, late), "2026年5月13日 07:03 CST"},
		{"no zone is UTC", Date(WithZone(en, nil), late), "12 May 2026"},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, tt.got, tt.want)
		}
	}
}
