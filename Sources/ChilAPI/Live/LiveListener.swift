import ChilCore
import ChilHTTP
import ChilLoop
import ChilStore

/// Somebody's open stream: what it has had, and when it is looked after.
///
/// It has no task of its own, which would cost more than all else of it.
/// `@unchecked Sendable`: made and used on one loop.
final class LiveListener: ConnectionHolder, @unchecked Sendable {
    let session: Session
    let slug: String
    private unowned let desk: LiveDesk
    private var memory: LiveMemory
    private var greeting: [UInt8]
    private var connection: HeldConnection?
    private var isOver = false
    /// In the desk's queue, or being looked after.
    private var isQueued = false
    private var isLookDue = false
    /// Monotonic nanoseconds: of the last look, and of the last bytes.
    private var lookedAt: Int64
    private var spokeAt: Int64

    init(_ session: Session, _ slug: String, at place: LivePlace, _ desk: LiveDesk) {
        self.session = session
        self.slug = slug
        self.desk = desk
        memory = LiveMemory(from: place.moment)
        greeting = LiveText.greeting(place.id, isGap: place.isGap)
        lookedAt = desk.now
        spokeAt = lookedAt
    }

    deinit {
        // The client may have gone before its answer's head was written.
        if !isOver { desk.leave(self) }
    }

    var person: Person { Person(tenant: session.tenant, user: session.user) }

    func hold(_ connection: HeldConnection) {
        self.connection = connection
        connection.gone = { [self] in
            self.connection = nil
            isOver = true
            desk.leave(self)
        }
        desk.enter(self)
        speak(greeting)
        greeting = []
        look()
    }

    /// What is new shall be sent.
    func look() {
        isLookDue = true
        guard !isQueued, connection?.isClear == true else { return }
        isQueued = true
        desk.queue(self)
    }

    func end() {
        connection?.end()
    }

    /// Sends what is new, for as long as there is something and the client takes it.
    func serve() async {
        while isLookDue, let clear = connection?.isClear, clear {
            isLookDue = false
            lookedAt = desk.now
            switch await desk.page(for: self, after: memory.nextPage) {
            case .over: end()
            // The next look finds what this one missed.
            case .away: break
            case .page(let page, let moment):
                let news = memory.take(page, readAt: moment)
                if memory.isPaging { isLookDue = true }
                if !news.isEmpty { speak(LiveText.bytes(news)) }
            }
        }
        isQueued = false
    }

    /// - Parameter isHeard: whether all that was announced since a moment was heard here.
    func tick(at now: Int64, isHeard: (Int64) -> Bool) {
        connection?.tick(at: now)
        if now - spokeAt >= Self.beatInterval { speak(LiveText.beat) }
        let interval = isHeard(lookedAt) ? Self.heardInterval : Self.unheardInterval
        if isLookDue || now - lookedAt >= interval { look() }
    }

    private func speak(_ bytes: [UInt8]) {
        spokeAt = desk.now
        connection?.send(bytes)
    }

    /// Proxies close what is silent for a minute, many for half of one.
    private static let beatInterval = Duration.seconds(15).nanoseconds
    /// In case an announcement was never sent: the service that wrote the event was killed before.
    private static let heardInterval = Duration.seconds(15).nanoseconds
    private static let unheardInterval = Duration.seconds(2).nanoseconds
}
