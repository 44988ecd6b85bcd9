internal import CPostgres
import ChilCore
internal import Dispatch

/// Several statements as text, by the simple query protocol, on a connection of its own: migrations and roles.
package struct DatabaseScript: Sendable {
    private let url: String

    package init(url: String) {
        self.url = url
    }

    /// Runs the text as one implicit transaction, unless it has its own `begin` and `commit`. Blocks a Dispatch thread.
    package func runScript(_ sql: String) async throws(DatabaseError) {
        let url = url
        // By a lock rather than by the continuation: its hand-over between threads is inside the runtime, where the thread
        // sanitizer cannot follow it.
        let failure = Locked<DatabaseError?>(nil)
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            DispatchQueue.global().async {
                let outcome = Self.execute(sql, url)
                failure.withLock { $0 = outcome }
                continuation.resume()
            }
        }
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    private static func execute(_ sql: String, _ url: String) -> DatabaseError? {
        switch LiveHandle.connect(url, pipelined: false) {
        case .failure(let failure):
            return failure.error
        case .success(let handle):
            defer { handle.discard() }
            guard let result = PQexec(handle.pointer, sql) else {
                return DatabaseError(.unavailable, detail: String(cString: PQerrorMessage(handle.pointer)))
            }
            defer { PQclear(result) }
            let status = PQresultStatus(result)
            guard status != PGRES_COMMAND_OK, status != PGRES_TUPLES_OK, status != PGRES_EMPTY_QUERY else { return nil }
            return ServerRefusal.error(result)
        }
    }
}
