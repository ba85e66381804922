#!/bin/sh
# gofmt, go vet, and whether each *_templ.go is what templ makes of its .templ file.
set -eu
cd "$(dirname "$0")/.."
. scripts/env.sh
failed=0

unformatted=$(find . -name '*.go' ! -name '*_templ.go' ! -path './.git/*' ! -path '*/node_modules/*' -exec gofmt -l {} +)
if [ -n "$unformatted" ]; then
	echo "lint: run gofmt -w on:" && echo "$unformatted"
	failed=1
fi

go vet ./... || failed=1

# templ writes file names as seen from where it ran; from views/ or from here is all the same.
unplaced() { [ ! -f "$1" ] || sed 's/FileName: `[^`]*`/FileName/' "$1"; }

# Generated apart from the checkout: a check must not change what it checks.
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
find . -name '*.templ' ! -path './.git/*' ! -path '*/node_modules/*' >"$fresh/list"
while read -r file; do
	mkdir -p "$fresh/$(dirname "$file")"
	cp "$file" "$fresh/$file"
done <"$fresh/list"
if [ -s "$fresh/list" ]; then
	cp go.mod go.sum "$fresh/"
	go tool templ generate -path "$fresh" >"$fresh/log" 2>&1 || { cat "$fresh/log"; exit 1; }
	while read -r file; do
		made=${file%.templ}_templ.go
		[ "$(unplaced "$made")" = "$(unplaced "$fresh/$made")" ] || { echo "lint: $made is stale: run ./task generate"; failed=1; }
	done <"$fresh/list"
fi
find . -name '*_templ.go' ! -path './.git/*' | while read -r made; do
	[ -f "${made%_templ.go}.templ" ] || echo "lint: $made has no .templ file"
done >"$fresh/orphans"
if [ -s "$fresh/orphans" ]; then
	cat "$fresh/orphans"
	failed=1
fi
exit $failed
