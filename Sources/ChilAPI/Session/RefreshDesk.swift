import ChilAuth
import ChilCore
import ChilDatabase
import ChilStore

/// Refreshes that are under way on a loop. One token that is sent many times at once is decided once, and all get that answer: it is
/// the one that they would get one after another (`chil_refresh`), and a crowd does not queue for its session's row. Not `Sendable`.
final class RefreshDesk {
    private struct Key: Hashable {
        let tenant: TenantID
        let session: SessionID
        let counter: UInt32
    }

    private final class Turn {
        var waiters: [UnsafeContinuation<Void, Never>] = []
        var outcome: Result<SessionRefresh.Outcome, any Error>?
    }

    private let database: DatabaseClient
    private var turns: [Key: Turn] = [:]

    init(_ database: DatabaseClient) {
        self.database = database
    }

    /// - Parameters:
    ///   - refresh: of that token, which is genuine.
    ///   - tell: what is told if the token turns out to be reused.
    func outcome(
        of refresh: SessionRefresh,
        _ token: RefreshToken,
        then tell: SessionReuseTell?
    ) async throws -> SessionRefresh.Outcome {
        let key = Key(tenant: token.tenant, session: token.session, counter: token.counter)
        if let turn = turns[key] {
            await withUnsafeContinuation { turn.waiters.append($0) }
            if let outcome = turn.outcome { return try outcome.get() }
        }
        let turn = Turn()
        turns[key] = turn
        let outcome: Result<SessionRefresh.Outcome, any Error>
        do {
            outcome = .success(try await refresh.answer(from: database, then: tell))
        } catch {
            outcome = .failure(error)
        }
        turns[key] = nil
        turn.outcome = outcome
        for waiter in turn.waiters { waiter.resume() }
        return try outcome.get()
    }
}
