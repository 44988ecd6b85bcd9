import ChilCore
import ChilDatabase
import ChilHTTP
import ChilLoop
import ChilStore

/// A loop's listeners: wakes those whom something concerns, and looks after all of them.
///
/// `@unchecked Sendable`: made and used on one loop.
final class LiveDesk: @unchecked Sendable {
    enum Look {
        case page([UserEvent], readAt: Timestamp)
        /// The session has ended, or the tenant is not served.
        case over
        /// The database could not be asked.
        case away
    }

    private let loop: EventLoop
    private let database: DatabaseClient
    private let freshness: NotificationFreshness
    private let tenants: TenantCache
    private let people: LivePeople
    private var listeners: [ObjectIdentifier: LiveListener] = [:]
    private var room = TenantRoom(placesMax: 4_096, placesOfTenantMax: 2_048)
    private var due: [LiveListener] = []
    private var underWay = 0
    private var waiter: UnsafeContinuation<Void, Never>?
    private var isTicking = false
    private var isStopping = false

    /// - Parameter people: of all loops of the process.
    init(
        on loop: EventLoop,
        _ database: DatabaseClient,
        _ freshness: NotificationFreshness,
        _ tenants: TenantCache,
        _ people: LivePeople
    ) {
        self.loop = loop
        self.database = database
        self.freshness = freshness
        self.tenants = tenants
        self.people = people
    }

    var now: Int64 { loop.monotonicNow }

    /// A stream for the session.
    ///
    /// - Parameter last: the number of the last event that the client has had, if it names one.
    /// - Throws: `Problem.tooManyListeners` where the person has as many as one may have, `Problem.overloaded` where the loop has.
    func listener(for session: Session, _ slug: String, last: [UInt8]?, at now: Timestamp) throws(Problem)
        -> LiveListener
    {
        let person = Person(tenant: session.tenant, user: session.user)
        guard !isStopping, room.take(for: person.tenant) else { throw .overloaded }
        guard people.enter(person) else {
            room.giveBack(of: person.tenant)
            throw .tooManyListeners
        }
        return LiveListener(session, slug, at: LivePlace(last: last, at: now), self)
    }

    func enter(_ listener: LiveListener) {
        listeners[ObjectIdentifier(listener)] = listener
        startTicking()
        if isStopping { listener.end() }
    }

    /// It is over.
    func leave(_ listener: LiveListener) {
        listeners[ObjectIdentifier(listener)] = nil
        people.leave(listener.person)
        room.giveBack(of: listener.session.tenant)
    }

    func page(for listener: LiveListener, after: UserEventID) async -> Look {
        let session = listener.session
        do {
            let tenant = try await tenants.tenant(listener.slug)
            guard tenant.id == session.tenant, !tenant.isSuspended, tenant.keys.verifies(session.keyID) else {
                return .over
            }
            let moment = loop.wallClock
            let page = UserEventPage(
                of: session.user,
                in: session.tenant,
                after: after,
                countMax: LiveMemory.pageMax
            )
            guard let events = try await LiveLook(page, with: session.id).run(on: database, at: moment) else {
                return .over
            }
            return .page(events, readAt: moment)
        } catch is Problem {
            return .over
        } catch {
            return .away
        }
    }

    // MARK: Looking

    /// Looks after those who are in the queue, until `stop()`.
    func run() async {
        let loop = loop
        await withDiscardingTaskGroup { group in
            while let listener = await next() {
                group.addTask(executorPreference: loop) { await self.serve(listener) }
            }
        }
    }

    func queue(_ listener: LiveListener) {
        due.append(listener)
        wake()
    }

    private func serve(_ listener: LiveListener) async {
        await listener.serve()
        underWay -= 1
        wake()
    }

    private func next() async -> LiveListener? {
        while !isStopping {
            if underWay < Self.underWayMax, !due.isEmpty {
                underWay += 1
                return due.removeFirst()
            }
            await withUnsafeContinuation { continuation in
                if isStopping || underWay < Self.underWayMax && !due.isEmpty {
                    continuation.resume()
                } else {
                    waiter = continuation
                }
            }
        }
        return nil
    }

    private func wake() {
        waiter?.resume()
        waiter = nil
    }

    // MARK: News

    func look(_ people: Set<Person>) {
        for listener in listeners.values where people.contains(listener.person) { listener.look() }
    }

    func look(of session: SessionID, in tenant: TenantID) {
        for listener in listeners.values where listener.session.id == session && listener.session.tenant == tenant {
            listener.look()
        }
    }

    func look(of tenant: TenantID) {
        for listener in listeners.values where listener.session.tenant == tenant { listener.look() }
    }

    func lookAll() {
        for listener in listeners.values { listener.look() }
    }

    /// Ends all streams: their clients come again, to another service.
    func stop() {
        isStopping = true
        due = []
        wake()
        for listener in Array(listeners.values) { listener.end() }
    }

    // MARK: Time

    private func startTicking() {
        guard !isTicking else { return }
        isTicking = true
        loop.every(Self.tickInterval) { [weak self] in
            guard let self, !listeners.isEmpty else {
                self?.isTicking = false
                return false
            }
            let now = loop.monotonicNow
            for listener in Array(listeners.values) {
                listener.tick(at: now) { [freshness] in freshness.vouches(for: $0, at: now) }
            }
            return true
        }
    }

    private static let tickInterval = Duration.seconds(1)
    private static let underWayMax = 32
}
