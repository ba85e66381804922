#!/bin/sh
# Go's benchmarks once each, then the time from `go run . demo` to its first page: cold
# (empty build cache and data folder) and warm (both there).
set -eu
cd "$(dirname "$0")/.."
. scripts/env.sh
go test -p 1 -run '^$' -bench . -benchtime "${BENCHTIME:-1s}" ./...
go test -count=1 -v -timeout 20m ./e2e/start
