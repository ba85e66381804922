#!/bin/sh
# Says what of the machine the repository's tasks find, and what is left out without it.
cd "$(dirname "$0")/.." || exit 1
. scripts/env.sh
say() { printf '%-12s %s\n' "$1" "$2"; }
say go "$(go env GOVERSION 2>/dev/null || echo 'missing: nothing runs without Go 1.26')"
say gcc "$(command -v gcc || echo 'missing: no race detector')"
say npm "$(command -v npm || echo 'missing: no axe-core, so no browser walks')"
say chromium "${CHROMIUM:-missing: no browser walks}"
say axe-core "$([ -f "$FORNIX_AXE" ] && echo "$FORNIX_AXE" || echo 'missing: ./task setup installs it')"
say data "$([ -d ../shared/data ] && echo ../shared/data || echo 'missing: MemoryBank is left out')"
say cache "$FORNIX_CACHE"
say cores "$(getconf _NPROCESSORS_ONLN)"
