internal import CPostgres
internal import Dispatch

/// One connected `PGconn *` on its way from the thread that connected it to the loop that will own it.
///
/// `@unchecked Sendable`: exactly one owner at a time; whoever takes it finishes it.
struct LiveHandle: @unchecked Sendable {
    let pointer: OpaquePointer

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
        let isURI = url.hasPrefix("postgres://") || url.hasPrefix("postgresql://")
        // Defaults first: with `expand_dbname` a value in the string overrides the one given before it.
        let defaults = [
            ("application_name", "chilapi"), ("connect_timeout", "3"), ("keepalives_idle", "10"),
            ("keepalives_interval", "3"), ("keepalives_count", "3"), ("tcp_user_timeout", "10000"),
            ("client_encoding", "UTF8"), ("dbname", isURI || url.contains("=") ? url : "dbname=\(url)"),
        ]
        return withCStrings(defaults.map(\.0)) { names in
            withCStrings(defaults.map(\.1)) { values in
                guard let pointer = PQconnectdbParams(names, values, 1) else {
                    return .failure(ConnectFailure(text: "out of memory"))
                }
                guard PQstatus(pointer) == CONNECTION_OK else {
                    let text = String(cString: PQerrorMessage(pointer))
                    PQfinish(pointer)
                    return .failure(ConnectFailure(text: text))
                }
                PQsetNoticeReceiver(pointer, { _, _ in }, nil)
                if pipelined {
                    PQsetnonblocking(pointer, 1)
                    PQenterPipelineMode(pointer)
                }
                return .success(LiveHandle(pointer: pointer))
            }
        }
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

/// libpq's own words; they name hosts and roles, so they go to the log only.
struct ConnectFailure: Error {
    let text: String
}
