import ChilCore
import ChilDatabase
import ChilHTTP
import ChilLoop
import ChilStore

/// What PostgreSQL announces, told to every loop of the process.
///
/// `@unchecked Sendable`: the listener is made and used on one loop.
final class News: @unchecked Sendable {
    private let shared: SharedState
    private let servers: [HTTPLoop]
    private var listener: NotificationListener?

    init(_ shared: SharedState, _ servers: [HTTPLoop]) {
        self.shared = shared
        self.servers = servers
    }

    /// On the loop that shall listen. Where nobody listens nothing vouches for what is kept: sessions are asked for with every request,
    /// tenants every second, work is looked for.
    func open(on loop: EventLoop) {
        guard let url = shared.configuration.listenDatabaseURL else { return }
        let listener = NotificationListener(
            url: url,
            channel: Notify.channel,
            on: loop,
            freshness: shared.freshness,
            received: { [self] in heard($0) },
            reconnected: { [self] in tell(.everything) },
            heardOfConnecting: { [shared] in shared.listening.heard($0) }
        )
        self.listener = listener
        listener.open()
    }

    private func heard(_ payload: String) {
        switch Announcement(payload) {
        case .change(let change): tell(change)
        case .work:
            shared.work.ring()
            shared.pictures.ring()
            shared.scans.ring()
        case .drawing(let place): shared.drawings.ring(place)
        // A newer release may announce what this one does not know.
        case nil: break
        }
    }

    private func tell(_ change: Change) {
        for server in servers {
            server.withHandler { ($0 as? APIService)?.heard(change) }
        }
    }
}

/// Something that a loop may have kept is different now.
enum Change: Sendable, Equatable {
    case tenant(TenantID)
    case session(SessionID, of: TenantID)
    case user(UserID, in: TenantID)
    /// Something happened to what they have.
    case events(of: Set<Person>)
    case allEvents
    /// Announcements may have been missed.
    case everything
}

extension APIService {
    func heard(_ change: Change) {
        switch change {
        case .tenant(let tenant):
            tenants.forget(tenant)
            requestLeases.changed(tenant)
            live.look(of: tenant)
        case .session(let session, let tenant):
            sessions.sessionEnded(session, of: tenant, at: loop.monotonicNow)
            live.look(of: session, in: tenant)
        case .user(let user, let tenant):
            sessions.sessionsEnded(of: user, in: tenant, at: loop.monotonicNow)
            live.look([Person(tenant: tenant, user: user)])
        case .events(let people): live.look(people)
        case .allEvents: live.lookAll()
        case .everything:
            shared.drawings.ringAll()
            tenants.forgetAll()
            requestLeases.changed(nil)
            sessions.forgetAll(at: loop.monotonicNow)
            live.lookAll()
        }
    }
}
