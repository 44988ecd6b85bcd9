# shellcheck shell=bash
# The Debian packages that ChilAPI is built, run and tested with. Sourced, never run.

# build:  libssl-dev libpq-dev pkg-config, what the Swift toolchain links with, and what its own programs load (libncurses6, libsqlite3-0)
# run:    postgresql-15 (the stack's own cluster), cups-ipp-utils and dbus-daemon (the printer)
#         graphicsmagick, poppler-utils (pictures and PDF pages are read by programs of their own)
# show:   curl jq openssl file procps for the scripts
# test:   pgbouncer; poppler-utils again (printed pages are drawn and looked at). What tests alone need is in test-packages.sh.
CHIL_PACKAGES=(
    binutils ca-certificates curl cups-ipp-utils dbus-daemon file git graphicsmagick jq libc6-dev libncurses6 libpq-dev libsqlite3-0 libssl-dev
    libstdc++-12-dev openssl pgbouncer pkg-config poppler-utils postgresql-15 procps tzdata util-linux zlib1g-dev
)

# Prints those of the packages that are not installed, one a line.
missing_packages() {
    local package state
    for package in "$@"; do
        state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
        [ "$state" = installed ] || printf '%s\n' "$package"
    done
}

# Installs what is missing of the packages named, and touches nothing when all are there.
install_packages() {
    have dpkg-query || fail "these scripts install Debian packages; on another system install what $CHIL_ROOT/scripts/lib/packages.sh lists and set CHIL_SKIP_PACKAGES=1"
    local missing=()
    mapfile -t missing < <(missing_packages "$@")
    [ "${#missing[@]}" -gt 0 ] || return 0

    local as_root=()
    if ! is_root; then
        have sudo && sudo -n true 2>/dev/null && as_root=(sudo -n)
        if [ "${#as_root[@]}" = 0 ] && have sudo && [ -t 0 ]; then as_root=(sudo); fi
        [ "${#as_root[@]}" -gt 0 ] || fail "missing packages; run as root: apt-get install --no-install-recommends ${missing[*]}"
    fi
    say "installing: ${missing[*]}"
    without_clusters "${as_root[@]}"
    "${as_root[@]}" apt-get -qq update >&2
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get -qq install -y --no-install-recommends "${missing[@]}" >&2 </dev/null ||
        fail "apt-get could not install: ${missing[*]}"
}

# Debian's package would create and start a system-wide cluster, which nobody here uses.
without_clusters() {
    [ -e /etc/postgresql-common/createcluster.conf ] && return 0
    "$@" mkdir -p /etc/postgresql-common
    printf 'create_main_cluster = false\n' | "$@" tee /etc/postgresql-common/createcluster.conf >/dev/null
}

# What all scripts call first. The toolchain is not a Debian package: it is looked for, not installed.
ensure_packages() {
    [ "${CHIL_SKIP_PACKAGES:-0}" = 1 ] || install_packages "${CHIL_PACKAGES[@]}"
}

ensure_toolchain() {
    have swift || fail "no swift in PATH: install Swift 6.3 or later (swift.org/install), then run this again"
}
