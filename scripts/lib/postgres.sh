# shellcheck shell=bash
# A private PostgreSQL 15 cluster: own data directory, reachable by one socket only, never the system's.
# Needs PGHOME, a directory given by `place_postgres`: data/ socket/ server.log in it. Sourced, never run.

CHIL_DATABASE=chil
# The address of a Unix socket has 108 bytes (man 7 unix); the file in the directory is named .s.PGSQL.5432.
SOCKET_DIRECTORY_BYTES_MAX=90

# Prints the directory with the server's programs: Debian keeps them out of PATH.
postgres_bin() {
    local directory
    for directory in /usr/lib/postgresql/15/bin "$(dirname "$(command -v pg_ctl 2>/dev/null || echo /none/x)")"; do
        [ -x "$directory/initdb" ] && { printf '%s\n' "$directory"; return 0; }
    done
    fail "PostgreSQL 15 is not installed: run scripts/install-packages"
}

# PostgreSQL refuses to run as root: there it runs as the package's user, else as whoever starts it.
as_postgres() {
    if is_root; then
        (cd / && setpriv --reuid=postgres --regid=postgres --init-groups --reset-env -- "$@")
    else
        "$@"
    fi
}

# place_postgres DIR: prints the cluster's directory. That is DIR/postgres, or a short one elsewhere where the path is too
# long for a socket or the database's user may not pass through it (a clone below /root, say).
place_postgres() {
    local wanted=$1/postgres place
    mkdir -p "$wanted"
    if is_root; then chown postgres: "$wanted"; fi
    chmod 700 "$wanted"
    if [ "$(printf '%s' "$wanted/socket" | wc -c)" -le "$SOCKET_DIRECTORY_BYTES_MAX" ] &&
        as_postgres test -w "$wanted" 2>/dev/null; then
        printf '%s\n' "$wanted"
        return 0
    fi
    rmdir "$wanted"
    place=$(mktemp -d /var/tmp/chil-XXXXXXXX)
    if is_root; then chown postgres: "$place"; fi
    printf '%s\n' "$place"
}

# Makes the cluster where there is none and starts it. Everyone who can enter the socket's directory (mode 0700) is
# trusted: the directory is the wall, and there is no other way in.
#   start_postgres [LINES]   LINES: more for its configuration
start_postgres() {
    local bin
    bin=$(postgres_bin)
    if [ ! -s "$PGHOME/data/PG_VERSION" ]; then
        as_postgres "$bin/initdb" -D "$PGHOME/data" -U postgres -E UTF8 --locale=C.UTF-8 \
            --auth-local=trust --auth-host=reject >/dev/null || fail "initdb failed in $PGHOME/data"
        as_postgres mkdir -p -m 0700 "$PGHOME/socket"
        as_postgres tee -a "$PGHOME/data/postgresql.conf" >/dev/null <<CONF
listen_addresses = ''
unix_socket_directories = '${PGHOME//\'/\'\'}/socket'
unix_socket_permissions = 0700
port = 5432
max_connections = 1500
shared_buffers = 512MB
max_wal_size = 2GB
checkpoint_timeout = 15min
log_line_prefix = '%m [%p] %u '
log_min_duration_statement = 1000
log_parameter_max_length = 0
log_parameter_max_length_on_error = 0
${1:-}
CONF
    fi
    if ! postgres_runs; then
        clear_crash
        as_postgres "$bin/pg_ctl" -D "$PGHOME/data" -l "$PGHOME/server.log" -w -t 60 start </dev/null >/dev/null 8>&- 9>&- || {
            log_tail "$PGHOME/server.log"
            fail "PostgreSQL did not start in $PGHOME"
        }
    fi
    if [ -z "$(psql_admin -d postgres -tAc "select 1 from pg_database where datname = '$CHIL_DATABASE'")" ]; then
        psql_admin -d postgres -qc "create database $CHIL_DATABASE"
    fi
}

# After a crash the number in the old lock files may look alive (a zombie, another program): PostgreSQL would refuse to
# start. They are removed once no process works in the data directory any more.
clear_crash() {
    [ -f "$PGHOME/data/postmaster.pid" ] || return 0
    wait_until 10 cluster_ended || fail "processes of a crashed PostgreSQL still work in $PGHOME/data; end them first"
    rm -f "$PGHOME/data/postmaster.pid" "$PGHOME/socket/.s.PGSQL.5432" "$PGHOME/socket/.s.PGSQL.5432.lock"
}

# Prints the processes of the cluster: all of them, and they alone, have its data directory as their working directory.
cluster_processes() {
    local directory process
    directory=$(realpath -- "$PGHOME/data")
    for process in /proc/[0-9]*; do
        [ "$(readlink "$process/cwd" 2>/dev/null)" != "$directory" ] || printf '%s\n' "${process#/proc/}"
    done
}
cluster_ended() { [ -z "$(cluster_processes)" ]; }

postgres_pid() {
    local pid
    pid=$(head -n 1 "$PGHOME/data/postmaster.pid" 2>/dev/null) || return 1
    # A number left by a crash may be someone else's by now.
    [[ $pid =~ ^[0-9]+$ ]] && grep -zqxF -- "$PGHOME/data" "/proc/$pid/cmdline" 2>/dev/null || return 1
    printf '%s\n' "$pid"
}
postgres_runs() { postgres_pid >/dev/null; }

# Ends the cluster: fast, then immediate, then by force. Also what a crash left of it.
stop_postgres() {
    local bin mode
    if postgres_runs; then
        bin=$(postgres_bin)
        for mode in fast immediate; do
            as_postgres "$bin/pg_ctl" -D "$PGHOME/data" -m "$mode" -w -t 30 stop >/dev/null 2>&1 && break
        done
    fi
    wait_until 5 cluster_ended && return 0
    cluster_processes | xargs -r kill -KILL
    wait_until 5 cluster_ended || fail "PostgreSQL in $PGHOME cannot be ended"
}

# database_url ROLE: the address of the database on the private socket.
database_url() {
    printf 'postgresql:///%s?host=%s&port=5432&user=%s\n' "$CHIL_DATABASE" "$(uri_path "$PGHOME/socket")" "$1"
}

# psql as the cluster's administrator.
psql_admin() {
    PGHOST=$PGHOME/socket PGPORT=5432 PGUSER=postgres psql -X -v ON_ERROR_STOP=1 "$@"
}
