# shellcheck shell=bash
# What the tests need besides. Sourced, never run.

CHIL_TEST_PACKAGES=(pgbouncer)

ensure_test_packages() {
    local fresh=no
    [ "${CHIL_SKIP_PACKAGES:-0}" != 1 ] || return 0
    [ -n "$(missing_packages "${CHIL_TEST_PACKAGES[@]}")" ] && fresh=yes
    install_packages "${CHIL_TEST_PACKAGES[@]}"
    # Debian starts what it installs; the tests run a PgBouncer of their own, each for a moment.
    if [ "$fresh" = yes ] && is_root && have systemctl; then
        systemctl disable --now pgbouncer >/dev/null 2>&1 || true
    fi
}
