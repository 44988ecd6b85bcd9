# shellcheck shell=bash
# Long-running parts of a stack: each a process group of its own, known by a file RUN/NAME.pid that holds
# "PID START" (START: the kernel's start time, so that a number used again is never taken for ours).
# Needs RUN and LOG, the directories. Sourced, never run.

# Kernel ticks since boot at which the process started, empty when there is none. man 5 proc, stat field 22.
start_time() {
    local stat
    stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 0
    # The second field, the command's name in parentheses, may hold spaces.
    stat=${stat##*) }
    # shellcheck disable=SC2086  # split on purpose
    set -- $stat
    # A zombie has ended: its parent has just not asked yet.
    [ "$1" = Z ] || printf '%s' "${20}"
}

# start_part NAME COMMAND…: starts it detached, its output in LOG/NAME.log.
start_part() {
    local name=$1 pid
    shift
    printf -- '--- %s ---\n' "$(date -u +%FT%TZ)" >>"$LOG/$name.log"
    setsid -- "$@" </dev/null >>"$LOG/$name.log" 2>&1 8>&- 9>&- &
    pid=$!
    printf '%s %s\n' "$pid" "$(start_time "$pid")" >"$RUN/$name.pid"
    disown "$pid"
}

# Prints the part's process id; 1 when it does not run.
part_pid() {
    local pid='' started=''
    [ -f "$RUN/$1.pid" ] && read -r pid started <"$RUN/$1.pid" || return 1
    [ -n "$pid" ] && [ -n "$started" ] && [ "$(start_time "$pid")" = "$started" ] || return 1
    printf '%s\n' "$pid"
}

part_runs() { part_pid "$1" >/dev/null; }

# Whether any process of the group is left (zombies aside).
group_runs() {
    local pid
    for pid in $(pgrep -g "$1" 2>/dev/null); do
        [ -z "$(start_time "$pid")" ] || return 0
    done
    return 1
}
group_ended() { ! group_runs "$1"; }

# stop_part NAME SECONDS: TERM, and KILL for the whole group when the time is over or the leader left children.
stop_part() {
    local name=$1 patience=$2 pid
    if pid=$(part_pid "$name"); then
        kill -TERM "$pid" 2>/dev/null || true
        wait_until "$patience" part_ended "$name" || say "$name does not end by itself: killing it"
        kill -KILL -- "-$pid" 2>/dev/null || true
        wait_until 5 group_ended "$pid" || fail "$name (process group $pid) cannot be ended"
    fi
    rm -f "$RUN/$name.pid"
}
part_ended() { ! part_runs "$1"; }

# await_part NAME SECONDS COMMAND…: waits until the command succeeds, and no longer than the part lives.
await_part() {
    local name=$1 patience=$2
    shift 2
    if wait_until "$patience" answers_or_ended "$name" "$@" && part_runs "$name"; then return 0; fi
    if part_runs "$name"; then say "$name did not answer within $patience s"; else say "$name ended while starting"; fi
    log_tail "$LOG/$name.log"
    return 1
}
answers_or_ended() {
    local name=$1
    shift
    "$@" >/dev/null 2>&1 || part_ended "$name"
}

# The end of a log, indented, for an error message.
log_tail() {
    say "the end of $1:"
    tail -n 15 "$1" 2>/dev/null | sed 's/^/    /' >&2 || true
}
