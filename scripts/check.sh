#!/bin/sh
# check.sh STEP… runs the steps, goes on after one that fails, and ends with Go's own
# test lines, a line per step and what this machine had to leave out. Steps: setup lint
# unit race e2e fuzz kill. Exits 1 if any failed.
set -u
cd "$(dirname "$0")/.."
. scripts/env.sh

fuzztime=${FUZZTIME:-10s}
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
trap 'exit 130' INT TERM
results=$logs/results
: >"$results"

# Two packages at a time: the aim is a machine of two cores.
gotest() { go test -p 2 -timeout 30m "$@"; }

# A package that can't even be listed must fail its step and not fall out of it: hence -e.
packages() { go list -e ./... | grep -v "^$(go list -m)/e2e"; }

step_setup() { scripts/setup.sh; }

step_lint() { scripts/lint.sh; }

step_unit() {
	# shellcheck disable=SC2046 # a list of packages
	gotest -v $(packages)
}

step_race() {
	set --
	for name in memory privacy keys audit policy; do
		[ -d "$name" ] && set -- "$@" "./$name/..."
	done
	[ $# -gt 0 ] || return 0
	CGO_ENABLED=1 gotest -race "$@"
}

step_e2e() {
	# What needs Chromium leaves itself out where there is none; canaries and kills need
	# the program alone. One package at a time and never from the cache: each drives a real process.
	go test -p 1 -count=1 -v -timeout 60m ./e2e/...
}

step_fuzz() {
	grep -rlE '^func Fuzz[A-Z]' --include='*_test.go' . | sort >"$logs/fuzz-files"
	failed=0
	while read -r file; do
		for target in $(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$file"); do
			echo "fuzz: $(dirname "$file") $target $fuzztime"
			go test -run '^$' -fuzz "^$target\$" -fuzztime "$fuzztime" "$(dirname "$file")" </dev/null || failed=1
		done
	done <"$logs/fuzz-files"
	return $failed
}

step_kill() {
	# shellcheck disable=SC2046 # a list of packages
	gotest -count=1 -v -run Kill $(packages) ./e2e/kill
}

status=0
for name in "$@"; do
	echo "== $name"
	began=$(date +%s)
	# A pipe would hide the step's own exit code, so the code goes through a file.
	{ "step_$name"; echo $? >"$logs/code"; } 2>&1 | tee "$logs/$name.log" | grep -vE '^ *(=== |--- PASS)|^PASS$'
	code=$(cat "$logs/code")
	[ "$name" = setup ] && . scripts/env.sh
	verdict=ok
	[ "$code" = 0 ] || { verdict=FAILED; status=1; }
	echo "$verdict $name $(($(date +%s) - began))s" >>"$results"
done

echo
echo "== Go's test lines"
for name in "$@"; do
	[ -f "$logs/$name.log" ] && grep -hE '^(--- (PASS|FAIL|SKIP)|ok  |FAIL	|panic:)|no test files' "$logs/$name.log"
done
echo
echo "tests passed $(cat "$logs"/*.log | grep -cE '^ *--- PASS'), failed $(cat "$logs"/*.log | grep -cE '^ *--- FAIL'), skipped $(cat "$logs"/*.log | grep -cE '^ *--- SKIP')"
grep -hE 'left out:' "$logs"/*.log | sort -u
[ -n "${REQUIRE_DATA:-}" ] || echo "left out: MemoryBank (no ../shared/data beside the checkout)"
cat "$results"
exit $status
