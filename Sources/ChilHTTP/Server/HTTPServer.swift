import ChilCore
import ChilLoop
internal import Glibc

/// One loop's share of a listening socket: its connections and what they have in common. Not `Sendable`.
final class HTTPServer: ReadinessHandler {
    let loop: EventLoop
    let limits: ServerLimits
    let handler: any RequestHandler
    private let listener: Listener
    private let balance: LoopBalance
    private let door: TLSDoor?
    private var registration: Registration?
    private var accepted: [Accepted] = []
    private var acceptWaiter: UnsafeContinuation<Void, Never>?
    private var connections: [ObjectIdentifier: HTTPConnection] = [:]
    /// Those of answers that go on.
    private var held: [ObjectIdentifier: HeldConnection] = [:]
    /// All that has a descriptor.
    private var count: Int { connections.count + held.count + accepted.count }
    private(set) var isStopping = false
    private var isAccepting = false
    private var hasToldDone = false

    /// Where sockets are read into: one buffer for the loop, since what is kept is copied out before the next read.
    let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    private(set) var dateField = DateField()

    /// A connection on its way to the loop that will serve it.
    struct Accepted: Sendable {
        let descriptor: Int32
        let peer: SocketAddress?

        func close() { Glibc.close(descriptor) }
    }

    init(
        _ listener: Listener,
        _ limits: ServerLimits,
        _ handler: any RequestHandler,
        _ balance: LoopBalance,
        _ door: TLSDoor?,
        on loop: EventLoop
    ) {
        self.door = door
        self.listener = listener
        self.limits = limits
        self.handler = handler
        self.balance = balance
        self.loop = loop
        dateField.update(at: loop.wallClock)
    }

    deinit {
        input.deallocate()
    }

    func open() throws(LoopError) {
        balance.join(self)
        try startAccepting()
        loop.every(Self.sweepInterval) { [weak self] in
            guard let self else { return false }
            sweep()
            return true
        }
    }

    // MARK: Accepting

    private func startAccepting() throws(LoopError) {
        guard !isAccepting, !isStopping else { return }
        registration = try loop.watch(
            listener.descriptor,
            for: .readable,
            isLevelTriggered: true,
            isExclusive: true,
            self
        )
        isAccepting = true
    }

    private func pauseAccepting() {
        guard isAccepting, let registration else { return }
        loop.unwatch(registration)
        self.registration = nil
        isAccepting = false
    }

    func descriptorIsReady(_ readiness: Readiness) {
        for _ in 0..<Self.acceptsPerTurn {
            guard count < limits.connectionsMax else { return pauseAccepting() }
            switch listener.accept() {
            case .connection(let descriptor, let peer):
                balance.place(Accepted(descriptor: descriptor, peer: peer), seenBy: self)
            case .noneWaiting: return
            case .exhausted: return pauseAccepting()
            }
        }
    }

    /// Takes a connection over, from this loop's accept or another's.
    func take(_ connection: Accepted) {
        accepted.append(connection)
        acceptWaiter?.resume()
        acceptWaiter = nil
    }

    /// The next connection to serve; `nil` when the server stops.
    func nextConnection() async -> Accepted? {
        while accepted.isEmpty {
            if isStopping { return nil }
            await withUnsafeContinuation { continuation in
                if !accepted.isEmpty || isStopping { continuation.resume() } else { acceptWaiter = continuation }
            }
        }
        return accepted.removeFirst()
    }

    func serve(_ accepted: Accepted) async {
        let seal: StreamSeal?
        do {
            seal = try door?.newSeal()
        } catch {
            // Out of memory: this client is let go, the others stay.
            accepted.close()
            balance.leave(self)
            return
        }
        guard let stream = try? ByteStream(takingOwnershipOf: accepted.descriptor, on: loop, seal: seal) else {
            balance.leave(self)
            return
        }
        let connection = HTTPConnection(stream, accepted.peer, self)
        connections[ObjectIdentifier(connection)] = connection
        let isDone = await connection.serve()
        connections[ObjectIdentifier(connection)] = nil
        if isDone { balance.leave(self) }
        if isStopping { tellIfDone() }
    }

    /// Keeps a connection whose answer goes on, until it ends.
    func hold(_ stream: ByteStream, isChunked: Bool) -> HeldConnection {
        let name = ObjectIdentifier(stream)
        let connection = HeldConnection(stream, isChunked: isChunked, patience: limits.writePatience) { [weak self] in
            guard let self else { return }
            held[name] = nil
            balance.leave(self)
            if isStopping { tellIfDone() }
        }
        held[name] = connection
        return connection
    }

    // MARK: Stopping

    /// Takes what waits in the kernel's queue, then no more. Running requests go on; idle connections get a moment in which a
    /// request that is already under way is still answered.
    func stop() {
        guard !isStopping else { return }
        if isAccepting { descriptorIsReady(.readable) }
        isStopping = true
        pauseAccepting()
        acceptWaiter?.resume()
        acceptWaiter = nil
        loop.after(limits.idleGrace) { [weak self] in
            self?.endIdleConnections()
        }
        loop.after(limits.stopPatience) { [weak self] in
            guard let self else { return }
            for connection in connections.values { connection.stream.close() }
            for connection in held.values { connection.close() }
        }
    }

    /// Once nothing is connected any more the handler may let go of what its requests needed.
    private func tellIfDone() {
        guard isStopping, count == 0, !hasToldDone else { return }
        hasToldDone = true
        handler.requestsAreDone()
    }

    private func endIdleConnections() {
        tellIfDone()
        for connection in connections.values where !connection.isBusy { connection.stream.interruptReader() }
    }

    // MARK: Time

    private func sweep() {
        let now = loop.monotonicNow
        dateField.update(at: loop.wallClock)
        for connection in connections.values { connection.stream.sweep(at: now) }
        if !isAccepting, !isStopping, count < limits.connectionsMax {
            try? startAccepting()
        }
    }

    private static let sweepInterval = Duration.milliseconds(250)
    private static let acceptsPerTurn = 16
}
