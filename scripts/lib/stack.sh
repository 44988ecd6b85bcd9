# shellcheck shell=bash
# A whole stack in one directory: the order its parts start and stop in. Sourced by scripts/stack and scripts/demo, never run.

# shellcheck source=scripts/lib/base.sh
. "$(dirname "${BASH_SOURCE[0]}")/base.sh"
for room in packages ports process state build postgres printer service tenant; do
    # shellcheck source=/dev/null
    . "$CHIL_ROOT/scripts/lib/$room.sh"
done
unset room

STACK_PORT_FIRST=8080

# open_stack DIR: from here on the functions speak of this stack. Makes nothing.
open_stack() {
    STACK=$(realpath -m -- "$1")
    RUN=$STACK/run
    LOG=$STACK/log
    PGHOME=$(state_value postgres)
    API_PORT=$(state_value api_port)
    ISSUER_PORT=$(state_value issuer_port)
    PRINTER_PORT=$(state_value printer_port)
    CHILAPI=$(built_command "$(state_value config)" chilapi)
    CHILADMIN=$(built_command "$(state_value config)" chiladmin)
}

# One command at a time on one stack (descriptor 9).
lock_stack() {
    exec 9>"$STACK/lock"
    flock -w 120 9 || fail "another command is at work on $STACK"
}

# stack_up CONFIG PORT LOOPS BARE: PORT and LOOPS may be empty; what already runs is left as it is.
stack_up() {
    local config=$1 port=$2 loops=$3 bare=$4 printer=''
    mkdir -p "$STACK" "$RUN" "$LOG"
    chmod 711 "$STACK"
    lock_stack
    keep_state config "$config"
    if [ -z "$PGHOME" ] || [ ! -d "$PGHOME" ]; then
        keep_state postgres "$(place_postgres "$STACK")"
    fi
    open_stack "$STACK"
    lock_ports
    choose_ports "$port"
    make_key_file
    start_postgres
    migrate_database
    part_runs issuer || start_issuer
    part_runs printer || start_printer "$PRINTER_PORT" || say "the stack goes on without a printer"
    part_runs chilapi || start_service "$loops"
    unlock_ports
    if part_runs printer; then printer=$(printer_uri "$PRINTER_PORT"); fi
    if [ "$bare" != yes ]; then provision_demo_tenant "$printer"; fi
}

# A stack keeps its ports over down and up where they are still free; a port that was asked for is that or an error.
choose_ports() {
    local wanted=$1
    part_runs chilapi || [ -n "$wanted" ] || is_port_free "${API_PORT:-0}" || API_PORT=''
    if part_runs chilapi; then
        [ -z "$wanted" ] || [ "$wanted" = "$API_PORT" ] || fail "this stack already runs on port $API_PORT: scripts/stack down first"
    elif [ -n "$wanted" ]; then
        is_port_free "$wanted" || fail "port $wanted is taken: choose another with --port"
        API_PORT=$wanted
    else
        API_PORT=${API_PORT:-$(free_port "$STACK_PORT_FIRST")}
    fi
    part_runs issuer || ISSUER_PORT=$(free_port $((API_PORT + 1)))
    part_runs printer || PRINTER_PORT=$(free_port $((ISSUER_PORT + 1)))
    keep_state api_port "$API_PORT"
    keep_state issuer_port "$ISSUER_PORT"
    keep_state printer_port "$PRINTER_PORT"
}

# Ends every part, in the order in which they need each other, also after a crash of any of them.
stack_down() {
    [ -d "$STACK" ] || return 0
    lock_stack
    # chilapi finishes what it is doing: 30 s by contract, and a little more.
    stop_part chilapi 35
    stop_part issuer 5
    stop_part motion 3
    stop_printer
    if [ -n "$PGHOME" ]; then stop_postgres; fi
}

# Removes the stack's files, the database among them.
stack_purge() {
    if [ -n "$PGHOME" ]; then rm -rf -- "$PGHOME"; fi
    rm -rf -- "$STACK"
}

# Prints a line per part; 1 when one of them does not run.
stack_status() {
    local part pid all=0
    if pid=$(postgres_pid); then
        printf '%-10s running  pid %-8s %s/socket\n' postgres "$pid" "$PGHOME"
    else
        printf '%-10s down\n' postgres && all=1
    fi
    for part in chilapi issuer printer; do
        if pid=$(part_pid "$part"); then
            printf '%-10s running  pid %-8s %s\n' "$part" "$pid" "$(part_address "$part")"
        else
            printf '%-10s down\n' "$part" && all=1
        fi
    done
    return "$all"
}

part_address() {
    case $1 in
        chilapi) public_url ;;
        issuer) issuer_url ;;
        printer) printer_uri "$PRINTER_PORT" ;;
    esac
}

# Prints NAME=VALUE lines, quoted for the shell.
stack_env() {
    local printer='' name
    [ -n "$API_PORT" ] || fail "there is no stack in $STACK: scripts/stack up first"
    if part_runs printer; then printer=$(printer_uri "$PRINTER_PORT"); fi
    local -A values=(
        [CHIL_URL]=$(public_url)/$DEMO_TENANT
        [CHIL_PUBLIC_URL]=$(public_url)
        [CHIL_ISSUER_URL]=$(issuer_url)
        [CHIL_ISSUER_KEYS]=$(issuer_keys)
        [CHIL_CLIENT_ID]=$DEMO_CLIENT_ID
        [CHIL_DATABASE_URL]=$(database_url chil_operator)
        [CHIL_SERVICE_DATABASE_URL]=$(database_url chil_service)
        [CHIL_ADMIN_DATABASE_URL]=$(database_url postgres)
        [CHIL_PRINTER_URI]=$printer
        [CHIL_SPOOL]=$STACK/spool
        [CHIL_KEY_FILE]=$(key_file)
        [CHIL_API_PID]=$(part_pid chilapi || true)
        [CHILAPI]=$CHILAPI
        [CHILADMIN]=$CHILADMIN
    )
    for name in "${!values[@]}"; do printf '%s=%q\n' "$name" "${values[$name]}"; done | sort
}
