# shellcheck shell=bash
# What a stack remembers about itself: STACK/state, lines of NAME=VALUE that are read, never executed. Sourced, never run.

# state_value NAME: prints the value, nothing when there is none.
state_value() {
    local line value=''
    [ -f "$STACK/state" ] || return 0
    while IFS= read -r line; do
        if [ "${line%%=*}" = "$1" ]; then value=${line#*=}; fi
    done <"$STACK/state"
    printf '%s' "$value"
}

# keep_state NAME VALUE: replaces the value, whole or not at all.
keep_state() {
    {
        if [ -f "$STACK/state" ]; then grep -v "^$1=" "$STACK/state" || true; fi
        printf '%s=%s\n' "$1" "$2"
    } >"$STACK/state.new"
    mv -f "$STACK/state.new" "$STACK/state"
}
