# shellcheck shell=bash
# What the tests need besides. Sourced, never run.

# nginx-light: a proxy before the service. cups-filters, zbar-tools: what others make of our pages and marks. cups-daemon: a queue to print to.
CHIL_TEST_PACKAGES=(cups-daemon cups-filters nginx-light pgbouncer python3-venv zbar-tools)

# A real S3 server that checks signatures, in Python; kept from run to run.
CHIL_S3_SERVER=${XDG_CACHE_HOME:-$HOME/.cache}/chilapi/moto-5.2.5

# Names its Python to the tests. Without it, and without a way to PyPI, the suites that need it say that they are skipped.
ensure_s3_server() {
    if [ ! -x "$CHIL_S3_SERVER/bin/moto_server" ] && [ "${CHIL_SKIP_PACKAGES:-0}" != 1 ]; then
        rm -rf "$CHIL_S3_SERVER"
        if ! { python3 -m venv "$CHIL_S3_SERVER" && "$CHIL_S3_SERVER/bin/pip" install -q 'moto[server,s3,iam]==5.2.5'; } >&2; then
            rm -rf "$CHIL_S3_SERVER"
            say "no S3 server from PyPI: its tests are skipped"
        fi
    fi
    if [ -x "$CHIL_S3_SERVER/bin/moto_server" ]; then
        export CHIL_TEST_S3_PYTHON=$CHIL_S3_SERVER/bin/python
    fi
}

# Somebody else's client of Epson Connect, in Python; kept from run to run.
CHIL_EPSON_CLIENT=${XDG_CACHE_HOME:-$HOME/.cache}/chilapi/epson-connect-0.2.3

# Names its Python to the tests. Without it, and without a way to PyPI, the suite that needs it says that it is skipped.
ensure_epson_client() {
    if [ ! -e "$CHIL_EPSON_CLIENT/ready" ] && [ "${CHIL_SKIP_PACKAGES:-0}" != 1 ]; then
        rm -rf "$CHIL_EPSON_CLIENT"
        if { python3 -m venv "$CHIL_EPSON_CLIENT" && "$CHIL_EPSON_CLIENT/bin/pip" install -q 'epson-connect==0.2.3'; } >&2; then
            : >"$CHIL_EPSON_CLIENT/ready"
        else
            rm -rf "$CHIL_EPSON_CLIENT"
            say "no client of Epson Connect from PyPI: its tests are skipped"
        fi
    fi
    if [ -e "$CHIL_EPSON_CLIENT/ready" ]; then
        export CHIL_TEST_EPSON_PYTHON=$CHIL_EPSON_CLIENT/bin/python
    fi
}

ensure_test_packages() {
    local fresh=no
    [ "${CHIL_SKIP_PACKAGES:-0}" != 1 ] || return 0
    [ -n "$(missing_packages "${CHIL_TEST_PACKAGES[@]}")" ] && fresh=yes
    install_packages "${CHIL_TEST_PACKAGES[@]}"
    # Debian starts what it installs; the tests run a cupsd, an nginx and a PgBouncer of their own, each for a moment.
    if [ "$fresh" = yes ] && is_root && have systemctl; then
        systemctl disable --now cups.service cups.socket cups.path nginx pgbouncer >/dev/null 2>&1 || true
    fi
}
