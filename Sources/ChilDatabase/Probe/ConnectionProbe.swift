internal import CPostgres

/// What stands behind a database address, found by asking: PostgreSQL itself or a pooler, and what that keeps for a session.
///
/// Connections are opened for the question alone. Nothing is written but two prepared statements of a random name, which go with
/// their session; a pooler that does not know them keeps them until it closes its connection to the server.
package struct ConnectionProbe: Sendable {
    package struct Findings: Sendable, Equatable {
        /// Another server process answers than the one that the session was told of when it began: a pooler stands between, and what
        /// is said to one session (LISTEN) may be another's.
        package var isPooled: Bool
        /// Two sessions may prepare different statements by one name, and each finds its own: PostgreSQL itself, PgBouncer from 1.21
        /// with `max_prepared_statements`, any pooler by session.
        package var keepsPreparedStatements: Bool
        /// `chil_enter` is the one for Citus: rows of a tenant may lie on another machine, where an implicit transaction is none.
        package var isDistributed: Bool
    }

    private let url: String

    package init(of url: String) {
        self.url = url
    }

    /// Blocks: names, TLS, passwords; up to three seconds a connection. `nil`: nobody answers there, or not in a way that tells.
    package func findings() -> Findings? {
        guard let first = open() else { return nil }
        defer { PQfinish(first) }
        guard let process = Self.value(first, "select pg_backend_pid()::text") else { return nil }
        let isPooled = process != String(PQbackendPID(first))
        var keepsPreparedStatements = true
        if isPooled {
            guard let second = open() else { return nil }
            defer { PQfinish(second) }
            keepsPreparedStatements = Self.keepsPreparedStatements(first, second)
            // A connection that was lost meanwhile says nothing of statements.
            guard PQstatus(first) == CONNECTION_OK, PQstatus(second) == CONNECTION_OK else { return nil }
        }
        let language = Self.value(
            first,
            """
            select l.lanname from pg_catalog.pg_proc p join pg_catalog.pg_language l on l.oid = p.prolang
             where p.proname = 'chil_enter' and p.pronamespace = 'public'::regnamespace
            """
        )
        return Findings(
            isPooled: isPooled,
            keepsPreparedStatements: keepsPreparedStatements,
            isDistributed: language == "plpgsql"
        )
    }

    /// A pooler that does not tell sessions' statements apart hands both to the same server most of the time: it takes the connection
    /// that was given back last. So it is tried a few times.
    private static func keepsPreparedStatements(_ first: OpaquePointer, _ second: OpaquePointer) -> Bool {
        for _ in 0..<roundsMax {
            let name = "chil_probe_" + String(UInt64.random(in: 0...UInt64.max), radix: 16)
            guard isDone(PQprepare(first, name, "select 'first'", 0, nil)),
                isDone(PQprepare(second, name, "select 'second'", 0, nil)),
                text(PQexecPrepared(first, name, 0, nil, nil, nil, 0)) == "first",
                text(PQexecPrepared(second, name, 0, nil, nil, nil, 0)) == "second",
                text(PQexecPrepared(first, name, 0, nil, nil, nil, 0)) == "first"
            else { return false }
        }
        return true
    }

    private func open() -> OpaquePointer? {
        guard case .success(let handle) = LiveHandle.connect(url, pipelined: false) else { return nil }
        return handle.pointer
    }

    private static func value(_ connection: OpaquePointer, _ sql: String) -> String? {
        text(PQexecParams(connection, sql, 0, nil, nil, nil, nil, 0))
    }

    /// The first value of a result, which is freed.
    private static func text(_ result: OpaquePointer?) -> String? {
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_TUPLES_OK, PQntuples(result) > 0 else { return nil }
        return String(cString: PQgetvalue(result, 0, 0))
    }

    private static func isDone(_ result: OpaquePointer?) -> Bool {
        defer { PQclear(result) }
        return PQresultStatus(result) == PGRES_COMMAND_OK
    }

    private static let roundsMax = 8
}
