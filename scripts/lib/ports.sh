# shellcheck shell=bash
# Free TCP ports on this machine. Sourced, never run.

# Prints the ports in state LISTEN (0A), one a line. man 5 proc, /proc/net/tcp.
listening_ports() {
    local address state
    # shellcheck disable=SC2034  # the first and third columns are only skipped
    cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | while read -r slot address peer state _; do
        [ "$state" = 0A ] && printf '%d\n' "0x${address##*:}"
    done | sort -un
}

# is_port_free PORT
is_port_free() {
    local taken
    taken=$(listening_ports)
    ! grep -qx "$1" <<<"$taken"
}

# free_port FROM: the first free port from there on.
free_port() {
    local taken port=$1
    taken=$(listening_ports)
    while grep -qx "$port" <<<"$taken"; do port=$((port + 1)); done
    [ "$port" -le 65535 ] || fail "no free port from $1 on"
    printf '%s\n' "$port"
}

# accepts_connections PORT: something answers on 127.0.0.1.
accepts_connections() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# Stacks that start at the same time choose their ports one after another: the lock is held (descriptor 8)
# from the choice until all of them listen.
lock_ports() {
    exec 8>>"${TMPDIR:-/tmp}/chil-ports.$(id -u).lock"
    flock -w 120 8 || fail "another stack has been starting for two minutes; stop it first"
}
unlock_ports() { exec 8>&-; }
