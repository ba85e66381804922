# Sourced by the other scripts: where caches live, and what this machine can run.
# Sets FORNIX_CACHE, FORNIX_AXE, CHROMIUM (empty if there is none) and the REQUIRE_* that fit.

HOME=${HOME:-$(cd ~ && pwd)}
export HOME
FORNIX_CACHE=${FORNIX_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/fornix}
FORNIX_AXE=${FORNIX_AXE:-$FORNIX_CACHE/node_modules/axe-core/axe.min.js}
export FORNIX_CACHE FORNIX_AXE

# Another user's checkout (a container's mount, say) makes Go's version stamp fail; no test needs the stamp.
case " ${GOFLAGS:-} " in
*" -buildvcs"*) ;;
*) GOFLAGS="${GOFLAGS:+$GOFLAGS }-buildvcs=false" ;;
esac
export GOFLAGS

# The host product of a developer may have set these; a test must not read them.
unset FORNIX_LISTEN FORNIX_DATA FORNIX_PUBLIC_URL FORNIX_TRUSTED_PROXIES FORNIX_SESSION_TTL FORNIX_RETENTION_DAYS FORNIX_LOG_LEVEL

find_chromium() {
	for name in "${CHROMIUM:-}" chromium google-chrome google-chrome-stable chromium-browser; do
		[ -n "$name" ] && command -v "$name" 2>/dev/null && return
	done
	return 0
}

# Only a root Linux with apt can put Chromium there by itself; elsewhere its absence is said and not a failure.
can_install() {
	[ "$(uname -s)" = Linux ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1
}

CHROMIUM=$(find_chromium)
export CHROMIUM
if [ -n "$CHROMIUM" ] && [ -f "$FORNIX_AXE" ]; then
	REQUIRE_CHROMIUM=1
elif can_install; then
	REQUIRE_CHROMIUM=1
fi
[ -z "${REQUIRE_CHROMIUM:-}" ] || export REQUIRE_CHROMIUM
if [ -d ../shared/data ]; then
	REQUIRE_DATA=1
	export REQUIRE_DATA
fi
