# shellcheck shell=bash
# Holds a running chilapi against its own document, with tools of PyPI in a place of their own. Needs stack.sh. Sourced, never run.

API_CHECK_TOOLS=(schemathesis==4.32.5 openapi-spec-validator==0.9.0)
API_CHECK_TENANTS=(chillin south)
API_CHECK_HOME=$CHIL_ROOT/Tests/Programs/APICheck

# Prints the directory of the tools' programs; installs them when they are not there, or are others.
api_check_programs() {
    local home=${XDG_CACHE_HOME:-$HOME/.cache}/chil/api-check
    if [ "$(cat "$home/tools" 2>/dev/null)" != "${API_CHECK_TOOLS[*]}" ]; then
        have python3 || fail "--api needs python3 with venv: install Debian's python3-venv"
        say "installing ${API_CHECK_TOOLS[*]} into $home"
        rm -rf -- "$home"
        mkdir -p "$home"
        python3 -m venv "$home/venv" >&2 || fail "--api needs python3 with venv: install Debian's python3-venv"
        "$home/venv/bin/pip" install --quiet --disable-pip-version-check "${API_CHECK_TOOLS[@]}" >&2 ||
            fail "--api needs ${API_CHECK_TOOLS[*]} from PyPI (https://pypi.org), which cannot be had: allow the network once, or set PIP_INDEX_URL to a mirror"
        printf '%s' "${API_CHECK_TOOLS[*]}" >"$home/tools"
    fi
    printf '%s\n' "$home/venv/bin"
}

# add_checked_tenant SLUG MOTION: signs in with the stack's issuer, draws by the sketchbook, moves by the service at MOTION, prints at a printer
# that nobody can reach, and may ask as often as it likes.
add_checked_tenant() {
    local client=app.check.$1
    create_tenant run_chiladmin "$1"
    add_client run_chiladmin "$1" "$client"
    set_provider run_chiladmin "$1" "$client"
    run_chiladmin limit set "$1" all all 1000000 --per 1
    add_printer run_chiladmin "$1" "ipp://127.0.0.1:9/ipp/print"
    run_chiladmin generator add "$1" --kind sketchbook
    run_chiladmin motion add "$1" --url "http://$2" --allow-private "$2"
}

# check_api DIRECTORY WORDS…: a stack in it, the document by itself, then every operation of it. 1 when something is wrong.
check_api() {
    local directory=$1 programs slug motion clients=() code=0
    shift
    programs=$(api_check_programs)
    stack_up debug '' 2 yes
    motion=$(start_motion)
    for slug in "${API_CHECK_TENANTS[@]}"; do
        add_checked_tenant "$slug" "$motion" >"$LOG/$slug.log" 2>&1 || {
            log_tail "$LOG/$slug.log"
            fail "the tenant $slug could not be set up"
        }
        clients+=("$slug=app.check.$slug")
    done
    curl -fsS -m 10 -o "$directory/openapi.json" "$(public_url)/openapi.json" || fail "there is no document"
    say '== openapi-spec-validator'
    "$programs/openapi-spec-validator" --schema 3.1 "$directory/openapi.json" >&2 || code=1
    say '== schemathesis'
    (
        cd "$API_CHECK_HOME"
        env CHECK_URL="$(public_url)" CHECK_ADMIN="$CHILADMIN" CHECK_ISSUER="$(issuer_url)" \
            CHECK_ISSUER_KEYS="$(issuer_keys)" CHECK_CLIENT_IDS="${clients[*]}" PYTHONDONTWRITEBYTECODE=1 \
            "$programs/schemathesis" --config-file schemathesis.toml run --url "$(public_url)" "$@" "$directory/openapi.json"
    ) || code=1
    part_runs chilapi || {
        log_tail "$LOG/chilapi.log"
        say 'error: chilapi has ended'
        code=1
    }
    return "$code"
}
