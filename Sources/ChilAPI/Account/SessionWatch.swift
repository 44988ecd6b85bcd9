import ChilCore
import ChilDatabase
import ChilLoop
import ChilStore

/// Whether a session lives on while a long answer is made for it: its row is asked for once a second at most. Not `Sendable`.
final class SessionWatch {
    private let session: Session
    private let database: DatabaseClient
    private let loop: EventLoop
    private var seenAt: Int64

    /// As soon as an access token is dead.
    private static let interval = Duration.seconds(1).nanoseconds

    /// - Parameter session: one that has just been seen alive.
    init(_ session: Session, _ database: DatabaseClient, on loop: EventLoop) {
        self.session = session
        self.database = database
        self.loop = loop
        seenAt = loop.monotonicNow
    }

    /// - Parameter isLast: nothing comes after this, so it is asked for whenever that was done last.
    func isLive(isLast: Bool = false) async throws(DatabaseError) -> Bool {
        let now = loop.monotonicNow
        guard isLast || now - seenAt >= Self.interval else { return true }
        let record = try await SessionCheck(session.id, of: session.tenant).first(from: database)
        guard let record, record.user == session.user, record.isLive(at: loop.wallClock) else { return false }
        seenAt = now
        return true
    }
}
