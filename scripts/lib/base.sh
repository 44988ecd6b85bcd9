# shellcheck shell=bash
# What every script here starts with: strict mode, the project's root, words for the person, bounded waiting.
# Sourced, never run.

set -euo pipefail

# shellcheck disable=SC2034  # for those who source this
CHIL_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)

# Talk goes to stderr: stdout belongs to whoever asked for a value.
say() { printf '%s\n' "$*" >&2; }

# Ends the script. The text says what to do next.
fail() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

is_root() { [ "$(id -u)" = 0 ]; }

# require_value OPTION VALUES-LEFT: an option that wants a value has one.
require_value() { [ "$2" -ge 2 ] || usage_error "$1 needs a value"; }

usage_error() {
    printf 'error: %s (see --help)\n' "$*" >&2
    exit 64
}

# require_port OPTION VALUE
require_port() {
    if [[ $2 =~ ^[1-9][0-9]{0,4}$ ]] && [ "$2" -le 65500 ]; then return 0; fi
    usage_error "$1: '$2' is no port (1 to 65500)"
}

# wait_until SECONDS COMMAND…: repeats the command every 50 ms until it succeeds; 1 when the time is over.
wait_until() {
    local deadline=$((SECONDS + $1))
    shift
    until "$@"; do
        [ "$SECONDS" -lt "$deadline" ] || return 1
        sleep 0.05
    done
}

# The usage text of a script: the comment block below its first line.
print_help() { awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$1"; }

# Percent-encodes a path for a URI; slashes stay.
uri_path() {
    local LC_ALL=C text=$1 out='' i c
    for ((i = 0; i < ${#text}; i++)); do
        c=${text:i:1}
        case $c in
            [A-Za-z0-9/._~-]) out+=$c ;;
            *) printf -v c '%%%02X' "'$c" && out+=${c/FFFFFFFFFFFFFF/} ;;
        esac
    done
    printf '%s' "$out"
}
