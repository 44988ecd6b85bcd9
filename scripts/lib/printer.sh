# shellcheck shell=bash
# One real IPP printer without paper: ippeveprinter from cups-ipp-utils. Needs STACK, RUN, LOG. Sourced, never run.

# ippeveprinter ends without a system bus to announce itself on, even when told not to announce. It gets a bus of its own,
# with nobody else on it: no daemon of the machine is needed, started or told of the printer, and any user may do this.
start_bus() {
    local directory
    directory=$(bus_directory)
    cat >"$directory/bus.conf" <<CONF
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <listen>unix:path=$directory/bus</listen>
  <auth>EXTERNAL</auth>
  <policy context="default"><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/></policy>
</busconfig>
CONF
    rm -f "$directory/bus"
    start_part bus dbus-daemon --config-file="$directory/bus.conf" --nofork --nopidfile --nosyslog
    await_part bus 10 test -S "$directory/bus"
}

# The bus's socket lies beside the database's rules: a short path that needs no escaping.
bus_directory() {
    local directory
    directory=$(state_value bus_directory)
    if [ -z "$directory" ] || [ ! -d "$directory" ]; then
        directory=$(mktemp -d "${TMPDIR:-/tmp}/chil-bus-XXXXXX")
        keep_state bus_directory "$directory"
    fi
    printf '%s\n' "$directory"
}

# start_printer PORT: the printer and its bus. Documents stay in STACK/spool.
start_printer() {
    local port=$1
    if ! have ippeveprinter || ! have dbus-daemon; then
        say "no printer: ippeveprinter or dbus-daemon is missing (run scripts/install-packages); going on without"
        return 1
    fi
    mkdir -p "$STACK/spool"
    part_runs bus || start_bus || return 1
    # A loopback name and no -r: seen on this machine alone. -s 10,5 makes it a colour printer.
    DBUS_SYSTEM_BUS_ADDRESS="unix:path=$(bus_directory)/bus" start_part printer \
        ippeveprinter -v -p "$port" -n localhost -r off -s 10,5 -f application/pdf,image/jpeg,image/png \
        -d "$STACK/spool" -k -c "$CHIL_ROOT/scripts/lib/finish-job" "ChilAPI stack"
    await_part printer 10 accepts_connections "$port" || {
        stop_printer
        return 1
    }
}

stop_printer() {
    local directory
    stop_part printer 3
    stop_part bus 3
    directory=$(state_value bus_directory)
    if [ -n "$directory" ]; then rm -rf -- "$directory"; fi
}

printer_uri() { printf 'ipp://localhost:%s/ipp/print\n' "$1"; }
