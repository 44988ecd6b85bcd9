# shellcheck shell=bash
# chilapi, chiladmin and the development issuer of a stack. Needs STACK, RUN, LOG, PGHOME, CHILAPI, CHILADMIN and the three
# ports. Sourced, never run.

key_file() { printf '%s/master.key\n' "$STACK"; }
issuer_keys() { printf '%s/issuer\n' "$STACK"; }
public_url() { printf 'http://127.0.0.1:%s\n' "$API_PORT"; }
issuer_url() { printf 'http://127.0.0.1:%s\n' "$ISSUER_PORT"; }

# The master key everything at rest is sealed under: made once, readable by its owner alone.
make_key_file() {
    [ -s "$(key_file)" ] && return 0
    (umask 077 && printf '1:%s\n' "$(openssl rand -hex 32)" >"$(key_file)")
}

# run_chiladmin WORDS…: as the stack's operator.
run_chiladmin() {
    CHIL_DATABASE_URL=$(database_url chil_operator) CHIL_KEY_FILE=$(key_file) CHIL_PUBLIC_URL=$(public_url) \
        CHIL_OPERATOR=${CHIL_OPERATOR:-stack} "$CHILADMIN" "$@"
}

migrate_database() {
    CHIL_DATABASE_URL=$(database_url postgres) "$CHILADMIN" migrate >"$LOG/migrate.log" 2>&1 || {
        log_tail "$LOG/migrate.log"
        fail "the migrations failed"
    }
}

# start_service [LOOPS]: chilapi, until it answers that it is ready. Of the caller's CHIL_ variables it gets those below alone:
# it refuses what it does not know.
SERVICE_SETTINGS_PASSED=' CHIL_SEGMENT CHIL_STATEMENTS CHIL_LISTEN_DATABASE_URL CHIL_LOG CHIL_IMAGE_CACHE_MIB '
start_service() {
    local name settings=()
    for name in "${!CHIL_@}"; do
        [[ $SERVICE_SETTINGS_PASSED == *" $name "* ]] || settings+=(-u "$name")
    done
    settings+=(
        "CHIL_DATABASE_URL=$(database_url chil_service)"
        "CHIL_LISTEN=127.0.0.1:$API_PORT"
        "CHIL_PUBLIC_URL=$(public_url)"
        "CHIL_KEY_FILE=$(key_file)"
    )
    if [ -n "${1:-}" ]; then settings+=("CHIL_LOOPS=$1"); fi
    start_part chilapi env "${settings[@]}" "$CHILAPI"
    await_part chilapi 20 curl -fsS -m 2 -o /dev/null "$(public_url)/readyz" || fail "chilapi did not start"
}

start_issuer() {
    mkdir -p "$(issuer_keys)"
    chmod 700 "$(issuer_keys)"
    start_part issuer "$CHILADMIN" dev issuer --keys "$(issuer_keys)" --listen "127.0.0.1:$ISSUER_PORT" --issuer "$(issuer_url)"
    await_part issuer 10 curl -fsS -m 2 -o /dev/null "$(issuer_url)/.well-known/jwks.json" ||
        fail "the development issuer did not start"
}

# start_motion: a simulated motion service, as a part of the stack; prints HOST:PORT.
start_motion() {
    local port
    lock_ports
    port=$(free_port $((PRINTER_PORT + 1)))
    start_part motion "$CHILADMIN" dev motion --listen "127.0.0.1:$port"
    await_part motion 10 accepts_connections "$port" || fail 'the simulated motion service did not start'
    unlock_ports
    printf '127.0.0.1:%s\n' "$port"
}
