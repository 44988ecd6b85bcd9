internal import CPostgres
package import ChilLoop
internal import Synchronization

/// What this process's view of notifications is worth: something while the LISTEN connection's heartbeat is answered, and only for
/// what was read after that connection had begun to listen. All moments are monotonic nanoseconds.
package final class NotificationFreshness: Sendable {
    private let freshUntil = Atomic<Int64>(0)
    private let listeningSince = Atomic<Int64>(.max)

    package init() {}

    /// Whether a change of what was read at `moment` would have been heard by now.
    package func vouches(for moment: Int64, at now: Int64) -> Bool {
        freshUntil.load(ordering: .acquiring) > now && listeningSince.load(ordering: .relaxed) < moment
    }

    /// What was announced up to `moment` may have been missed.
    func begin(at moment: Int64) {
        listeningSince.store(moment, ordering: .relaxed)
    }

    func extend(until moment: Int64) {
        freshUntil.store(moment, ordering: .releasing)
    }
}

/// The LISTEN connection of a process: one, on one loop, direct (not through a transaction-pooling PgBouncer).
///
/// A question every 100 ms is its heartbeat: PostgreSQL hands notifications over before it answers, so an answered beat proves that
/// whatever was committed before the beat was sent has been heard. What is asked is the number of the process that answers: if it is
/// not the one that the session began with, a pooler has lent us another, which listens to nothing. Not `Sendable`.
package final class NotificationListener: ReadinessHandler {
    private let url: String
    private let channel: String
    private let loop: EventLoop
    private let freshness: NotificationFreshness
    private let received: (String) -> Void
    private let reconnected: () -> Void
    private let heardOfConnecting: (String?) -> Void
    private var connection: OpaquePointer?
    private var registration: Registration?
    private var backoff = Backoff()
    private var isClosed = false
    private var beatSent: Int64 = 0
    private var isBeating = false
    /// LISTEN has been answered.
    private var isListening = false
    private var hasBeaten = false

    /// - Parameters:
    ///   - channel: an identifier of lower-case letters.
    ///   - received: the payload of each notification.
    ///   - reconnected: called once LISTEN is in force (again): what was announced meanwhile is lost, so forget what is cached.
    ///   - heardOfConnecting: that a connection was opened (`nil`), or why not.
    package init(
        url: String,
        channel: String,
        on loop: EventLoop,
        freshness: NotificationFreshness,
        received: @escaping (String) -> Void,
        reconnected: @escaping () -> Void,
        heardOfConnecting: @escaping (_ failure: String?) -> Void = { _ in }
    ) {
        precondition(channel.utf8.allSatisfy { (0x61...0x7a).contains($0) }, "a channel is lower-case letters")
        self.url = url
        self.channel = channel
        self.loop = loop
        self.freshness = freshness
        self.received = received
        self.reconnected = reconnected
        self.heardOfConnecting = heardOfConnecting
    }

    package func open() {
        connect()
        loop.every(Self.beatInterval) { [weak self] in
            guard let self, !isClosed else { return false }
            beat()
            return true
        }
    }

    package func close() {
        isClosed = true
        drop()
    }

    private func connect() {
        let box = LoopBound(self)
        let loop = loop
        LiveHandle.connect(url, pipelined: false) { result in
            loop.post { box.value?.connected(result) }
        }
    }

    private func connected(_ result: Result<LiveHandle, ConnectFailure>) {
        guard case .success(let handle) = result, !isClosed else {
            switch result {
            case .success(let handle): handle.discard()
            case .failure(let failure): heardOfConnecting(failure.text)
            }
            return retry()
        }
        heardOfConnecting(nil)
        PQsetnonblocking(handle.pointer, 1)
        guard PQsendQuery(handle.pointer, "listen \(channel)") == 1,
            let registration = try? loop.watch(PQsocket(handle.pointer), for: .readable, isLevelTriggered: true, self)
        else {
            handle.discard()
            return retry()
        }
        connection = handle.pointer
        self.registration = registration
        isBeating = true
        beatSent = loop.monotonicNow
        PQflush(handle.pointer)
    }

    private func retry() {
        guard !isClosed else { return }
        loop.after(backoff.next()) { [weak self] in
            if let self, !isClosed { connect() }
        }
    }

    private func beat() {
        guard let connection else { return }
        if isBeating {
            if loop.monotonicNow - beatSent > Self.silenceMax.nanoseconds { lose() }
            return
        }
        isBeating = true
        beatSent = loop.monotonicNow
        if !hasBeaten {
            // LISTEN was in force before this moment; what was read earlier may have changed without a word.
            hasBeaten = true
            freshness.begin(at: beatSent)
        }
        if PQsendQuery(connection, "select pg_backend_pid()") != 1 { return lose() }
        PQflush(connection)
    }

    package func descriptorIsReady(_ readiness: Readiness) {
        guard let connection else { return }
        guard PQconsumeInput(connection) == 1 else { return lose() }
        defer { takeNotifications() }
        while PQisBusy(connection) == 0 {
            guard let result = PQgetResult(connection) else {
                takeNotifications()
                if isBeating { beatAnswered() }
                return
            }
            let status = PQresultStatus(result)
            let isAnotherProcess =
                status == PGRES_TUPLES_OK
                && Int32(String(cString: PQgetvalue(result, 0, 0))) != PQbackendPID(connection)
            PQclear(result)
            if status == PGRES_FATAL_ERROR || isAnotherProcess { return lose() }
        }
    }

    private func takeNotifications() {
        while let connection, let notification = PQnotifies(connection) {
            let payload = String(cString: notification.pointee.extra)
            PQfreemem(notification)
            received(payload)
        }
    }

    private func beatAnswered() {
        isBeating = false
        guard isListening else {
            isListening = true
            return reconnected()
        }
        backoff.reset()
        freshness.extend(until: beatSent + Self.freshFor.nanoseconds)
    }

    private func lose() {
        drop()
        retry()
    }

    private func drop() {
        freshness.extend(until: 0)
        if let registration { loop.unwatch(registration) }
        registration = nil
        if let connection { PQfinish(connection) }
        connection = nil
        isBeating = false
        isListening = false
        hasBeaten = false
    }

    private static let beatInterval = Duration.milliseconds(100)
    private static let freshFor = Duration.milliseconds(300)
    private static let silenceMax = Duration.seconds(2)
}
