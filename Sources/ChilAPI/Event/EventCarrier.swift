import ChilAuth
import ChilCore
import ChilCrypto
import ChilDatabase
import ChilLoop
import ChilStore

/// Acts on what providers have told. Not `Sendable`. PostgreSQL decides, in one step: what is seen of an event is all of it or nothing.
final class EventCarrier {
    private let loop: EventLoop
    private let shared: SharedState
    private let database: DatabaseClient

    init(_ shared: SharedState, _ database: DatabaseClient, on loop: EventLoop) {
        self.shared = shared
        self.database = database
        self.loop = loop
    }

    func work(on item: WorkItem) async throws {
        do {
            let receipt = SHA256.digest(of: try SecureRandom.bytes(32)).bytes
            let apply = ProviderEventApply(item, receipt: receipt, pepper: shared.subjects.pepper, at: loop.wallClock)
            let answer =
                try await item.attempts < Self.ordinaryAttempts ? apply.answer(from: database) : patiently(apply)
            shared.log.write(
                .info,
                "provider event",
                [
                    ("tenant", "\(item.tenant.rawValue)"), ("event", "\(item.subject)"),
                    ("outcome", answer.outcome.rawValue),
                ]
            )
        } catch {
            // Sooner than the lease ends; if PostgreSQL is away, then when it ends.
            _ = try? await WorkPostpone(item, by: Self.pause(after: item.attempts)).run(on: database)
            throw error
        }
    }

    /// The end of a very large account takes PostgreSQL longer than other batches may: on a connection of its own.
    private func patiently(_ apply: ProviderEventApply) async throws -> ProviderEventApply.Row {
        let client = DatabaseClient(shared.configuration.database.patient(AccountDelete.patience), on: loop)
        client.open()
        defer { client.close() }
        return try await apply.answer(from: client, patience: AccountDelete.patience)
    }

    private static let ordinaryAttempts: Int32 = 3

    /// 2 s, then twice as long each time, up to 5 min.
    private static func pause(after attempts: Int32) -> Duration {
        min(.seconds(300), .seconds(2) * (1 << min(max(attempts - 1, 0), 8)))
    }
}
