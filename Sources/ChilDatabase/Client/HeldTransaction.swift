internal import CPostgres
import ChilCore
internal import Dispatch

/// One transaction, on a connection of its own, that any number of batches go into: they are kept together, or none of them is.
///
/// For `chiladmin`, whose commands are several batches: what is interrupted has not happened, and what is only tried is rolled back. A
/// batch that fails leaves those before it as they are. Nothing is opened before the first batch.
package final class HeldTransaction: Sendable {
    private let session: Locked<HeldSession>
    private let queue = DispatchQueue(label: "chil.transaction")

    package init(url: String) {
        session = Locked(HeldSession(url: url))
    }

    func run(_ batch: Batch, patience: Duration) async throws(DatabaseError) -> BatchResult {
        if batch.entersAnother {
            throw DatabaseError(.forbidden, detail: "a statement names another tenant than its batch: correct it")
        }
        return try await onQueue { session throws(DatabaseError) in try session.run(batch, patience) }
    }

    /// Keeps what the batches did. Nothing to do where there was none.
    package func commit() async throws(DatabaseError) {
        try await onQueue { session throws(DatabaseError) in try session.commit() }
    }

    /// Drops the connection: what was not committed has not happened.
    package func close() async {
        try? await onQueue { session throws(DatabaseError) in session.close() }
    }

    /// libpq waits on a thread that nobody else needs.
    private func onQueue<Answer: Sendable>(
        _ body: @escaping @Sendable (inout HeldSession) throws(DatabaseError) -> Answer
    ) async throws(DatabaseError) -> Answer {
        // By a lock rather than by the continuation, as `DatabaseScript` does.
        let outcome = Locked<Result<Answer, DatabaseError>?>(nil)
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            queue.async { [session] in
                let answer = session.withLock { session -> Result<Answer, DatabaseError> in
                    do throws(DatabaseError) { return .success(try body(&session)) } catch { return .failure(error) }
                }
                outcome.withLock { $0 = answer }
                continuation.resume()
            }
        }
        guard let answer = outcome.withLock({ $0 }) else { preconditionFailure("the queue has answered") }
        return try answer.get()
    }
}
