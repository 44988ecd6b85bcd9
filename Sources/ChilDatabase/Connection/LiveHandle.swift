internal import CPostgres
internal import Dispatch
internal import Glibc

/// One connected `PGconn *` on its way from the thread that connected it to the loop that will own it.
///
/// `@unchecked Sendable`: exactly one owner at a time; whoever takes it finishes it.
struct LiveHandle: @unchecked Sendable {
    let pointer: OpaquePointer
    /// A pooler stands between: another process answers than the one that the session began with. Asked for pipelines alone.
    ///
    /// One batch is under way at a time then. PgBouncer 1.18 takes a server for idle at its first ReadyForQuery: if this session is lost
    /// while more are to come, whoever gets that server next gets our answers (tried: `PoisonTests`).
    var isPooled = false

    func discard() {
        PQfinish(pointer)
    }

    /// PQconnectdb blocks (names, SCRAM, .pgpass): it runs on a Dispatch thread.
    static func connect(
        _ url: String,
        pipelined: Bool,
        _ completed: @escaping @Sendable (Result<LiveHandle, ConnectFailure>) -> Void
    ) {
        DispatchQueue.global().async {
            completed(connect(url, pipelined: pipelined))
        }
    }

    static func connect(_ url: String, pipelined: Bool) -> Result<LiveHandle, ConnectFailure> {
        // Defaults first: with `expand_dbname` a value in the string overrides the one given before it.
        let defaults = [
            ("application_name", "chilapi"), ("connect_timeout", "3"), ("keepalives_idle", "10"),
            ("keepalives_interval", "3"), ("keepalives_count", "3"), ("tcp_user_timeout", "10000"),
            ("client_encoding", "UTF8"), ("dbname", DatabaseAddress(url).text),
        ]
        return withCStrings(defaults.map(\.0)) { names in
            withCStrings(defaults.map(\.1)) { values in
                guard let pointer = PQconnectdbParams(names, values, 1) else {
                    return .failure(ConnectFailure(text: "out of memory"))
                }
                guard PQstatus(pointer) == CONNECTION_OK else {
                    let lines = String(cString: PQerrorMessage(pointer)).split(whereSeparator: \.isNewline)
                    let text = lines.joined(separator: "; ")
                    // libpq keeps no SQLSTATE of a connection that was not made; that a password is missing it knows.
                    let isRefused =
                        PQconnectionNeedsPassword(pointer) == 1
                        || PQconnectionUsedPassword(pointer) == 1 && text.contains("password authentication failed")
                    PQfinish(pointer)
                    return .failure(ConnectFailure(text: text, isPasswordRefused: isRefused))
                }
                PQsetNoticeReceiver(pointer, { _, _ in }, nil)
                var isPooled = false
                if pipelined {
                    guard let process = answeringProcess(pointer) else {
                        PQfinish(pointer)
                        return .failure(ConnectFailure(text: "connected, and no answer"))
                    }
                    isPooled = process != PQbackendPID(pointer)
                    PQsetnonblocking(pointer, 1)
                    PQenterPipelineMode(pointer)
                }
                return .success(LiveHandle(pointer: pointer, isPooled: isPooled))
            }
        }
    }

    /// `nil`: no answer within as long as a connection may take.
    private static func answeringProcess(_ connection: OpaquePointer) -> Int32? {
        guard PQsendQuery(connection, "select pg_backend_pid()") == 1 else { return nil }
        while PQisBusy(connection) == 1 {
            var waiting = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 3_000) > 0, PQconsumeInput(connection) == 1 else { return nil }
        }
        var process: Int32?
        while let result = PQgetResult(connection) {
            if PQresultStatus(result) == PGRES_TUPLES_OK { process = Int32(String(cString: PQgetvalue(result, 0, 0))) }
            PQclear(result)
        }
        return process
    }

    private static func withCStrings<Value>(
        _ texts: [String],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value
    ) -> Value {
        let copies = texts.map { text in
            let utf8 = text.utf8CString
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: utf8.count)
            utf8.withUnsafeBufferPointer { copy.initialize(from: $0.baseAddress!, count: utf8.count) }
            return copy
        }
        defer { copies.forEach { $0.deallocate() } }
        let pointers: [UnsafePointer<CChar>?] = copies.map { UnsafePointer($0) } + [nil]
        return pointers.withUnsafeBufferPointer { body($0.baseAddress!) }
    }
}

/// libpq's own words in one line; they name hosts and roles, so they go to the log only. There is no password in them unless the address could
/// not be read (`DatabaseAddress.fault`).
struct ConnectFailure: Error {
    let text: String
    /// The role's password is wrong or missing.
    var isPasswordRefused = false

    var sqlState: String? { isPasswordRefused ? "28P01" : nil }
    var error: DatabaseError { DatabaseError(.unavailable, sqlState: sqlState, detail: text) }
}
