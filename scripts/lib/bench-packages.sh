# shellcheck shell=bash
# What the measurements need besides. Sourced, never run.

CHIL_BENCH_PACKAGES=(nginx-light python3 wrk)

ensure_bench_packages() {
    local fresh=no
    [ "${CHIL_SKIP_PACKAGES:-0}" != 1 ] || return 0
    [ -n "$(missing_packages nginx-light)" ] && fresh=yes
    install_packages "${CHIL_BENCH_PACKAGES[@]}"
    # Debian starts what it installs; the measurements run an nginx of their own, and only for a moment.
    if [ "$fresh" = yes ] && is_root && have systemctl; then
        systemctl disable --now nginx >/dev/null 2>&1 || true
    fi
}
