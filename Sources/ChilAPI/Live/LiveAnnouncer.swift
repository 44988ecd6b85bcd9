import ChilCore
import ChilDatabase
import ChilLoop
import ChilStore

/// Tells all services whose events were written, by one NOTIFY for what came within 20 ms: NOTIFY takes a lock that serialises commits. Not
/// `Sendable`; one per loop.
final class LiveAnnouncer {
    private let loop: EventLoop
    private let database: DatabaseClient
    private var people: Set<Person> = []

    init(on loop: EventLoop, _ database: DatabaseClient) {
        self.loop = loop
        self.database = database
    }

    /// Call when what was written is committed.
    func happened(to user: UserID, in tenant: TenantID) {
        if people.isEmpty { loop.after(Self.pause) { [weak self] in self?.announce() } }
        people.insert(Person(tenant: tenant, user: user))
    }

    private func announce() {
        var batch = Batch(.write, of: nil)
        batch.add(Notify.live(people.lazy.map { ($0.tenant, $0.user) }))
        people.removeAll(keepingCapacity: true)
        // If it is lost, the listeners' own looks find what was written a moment later.
        database.post(batch)
    }

    private static let pause = Duration.milliseconds(20)
}
