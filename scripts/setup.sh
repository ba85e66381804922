#!/bin/sh
# Puts Chromium, a Chinese font and axe-core where the browser tests find them. Safe to
# repeat; what is there stays. Downloads go to the machine's own apt and npm sources.
set -eu
cd "$(dirname "$0")/.."
. scripts/env.sh

axe_version=4.14.1

missing=
[ -n "$CHROMIUM" ] || missing="$missing chromium"
command -v npm >/dev/null 2>&1 || missing="$missing npm"
if can_install; then
	dpkg -s fonts-noto-cjk >/dev/null 2>&1 || missing="$missing fonts-noto-cjk"
	# The race detector is built with cgo.
	command -v gcc >/dev/null 2>&1 || missing="$missing gcc libc6-dev"
	if [ -n "$missing" ]; then
		echo "setup: apt-get install$missing"
		apt-get -qq update
		# shellcheck disable=SC2086 # a list of package names
		DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $missing >/dev/null
	fi
elif [ -n "$missing" ]; then
	echo "setup: not here and not to be installed without root and apt:$missing; the browser tests are left out"
	exit 0
fi

if [ ! -f "$FORNIX_AXE" ] || ! grep -q "\"version\": \"$axe_version\"" "$(dirname "$FORNIX_AXE")/package.json"; then
	echo "setup: npm install axe-core@$axe_version"
	mkdir -p "$FORNIX_CACHE"
	npm install --prefix "$FORNIX_CACHE" --no-save --no-audit --no-fund --ignore-scripts --loglevel=error "axe-core@$axe_version"
fi
[ -f "$FORNIX_AXE" ] || { echo "setup: axe-core isn't at \$FORNIX_AXE after npm install" >&2; exit 1; }
echo "setup: $(find_chromium), axe-core $axe_version"
