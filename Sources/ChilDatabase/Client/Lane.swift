import ChilCore
import ChilLoop

/// The connections of one kind of access, and what waits for them.
///
/// Not `Sendable`: it lives on its loop.
final class Lane: TurnEnder {
    private let url: String
    private let loop: EventLoop
    private let configuration: DatabaseConfiguration
    private let connectionsAtStart: Int
    private let connectionsMax: Int
    private let depthMax: Int

    private var connections: [PipelinedConnection] = []
    private var connecting = 0
    private var backoff = Backoff()
    private var queue = FairQueue()
    private var gathering = GatheredWrites()
    private var isDirty = false
    /// A present key is in flight; its list waits for it.
    private var contended: [Batch.ContentionKey: [Flight]] = [:]
    private var parked = 0
    private var parkedOfTenant: [Int64: Int] = [:]
    private var isClosed = false
    /// When the last connection was lost, or the lane was opened: monotonic nanoseconds. 0 while there is one.
    private(set) var awaySince: Int64
    private var lastConnectFailure = ConnectFailure(text: "it has not answered")

    /// - Parameters:
    ///   - connections: how many are opened at the start, and to how many it grows while all are busy.
    ///   - depth: batches sent and not answered, per connection.
    init(_ configuration: DatabaseConfiguration, connections: ClosedRange<Int>, depth: Int, on loop: EventLoop) {
        url = configuration.url
        self.loop = loop
        self.configuration = configuration
        connectionsAtStart = connections.lowerBound
        connectionsMax = connections.upperBound
        depthMax = depth
        awaySince = loop.monotonicNow
    }

    deinit {
        for connection in connections { connection.close() }
    }

    var isConnected: Bool { !connections.isEmpty }
    var waitingCount: Int { queue.count + gathering.count + parked }

    func open() {
        for _ in 0..<connectionsAtStart { connectOne() }
    }

    func close() {
        isClosed = true
        // What was sent is given up as lost: nobody waits for an answer that cannot come.
        for connection in connections { connection.fail() }
        let error = DatabaseError(.unavailable, detail: "the service is stopping")
        let waiting = queue.removeAll { _ in true } + gathering.removeAll { _ in true }
        for flight in waiting { flight.finish(error) }
        for flight in contended.values.joined() { flight.finish(error) }
        contended = [:]
        parked = 0
        parkedOfTenant = [:]
    }

    // MARK: Taking batches

    /// Sends the flight now or lets it wait. Refuses by finishing it.
    func submit(_ flight: Flight) {
        if isClosed { return flight.finish(DatabaseError(.unavailable, detail: "the service is stopping")) }
        if waitingCount >= configuration.queueMax
            || (waitingCount > 0
                && waitingCount(of: flight.batch.tenant?.rawValue ?? 0) >= configuration.queuePerTenantMax)
        {
            return flight.finish(
                DatabaseError(.overloaded, detail: "\(waitingCount) batches wait: raise capacity or lower the load")
            )
        }
        if let key = flight.batch.contention {
            if contended[key] != nil {
                contended[key]?.append(flight)
                park(1, of: key.tenant)
                return
            }
            contended[key] = []
        }
        enqueue(flight)
    }

    /// Of one tenant, in the queue and behind its own contended rows.
    private func waitingCount(of tenant: Int64) -> Int {
        queue.count(of: tenant) + gathering.count(of: tenant) + parkedOfTenant[tenant, default: 0]
    }

    private func park(_ change: Int, of tenant: Int64) {
        parked += change
        let count = parkedOfTenant[tenant, default: 0] + change
        parkedOfTenant[tenant] = count == 0 ? nil : count
    }

    private func enqueue(_ flight: Flight) {
        if configuration.form == .implicit, let sql = gathering.statement(for: flight, at: loop.monotonicNow) {
            gathering.append(flight, as: sql)
            becomeDirty()
        } else if queue.count == 0, let connection = leastLoaded() {
            if connection.depth > 0 { grow() }
            connection.send(flight)
        } else {
            queue.append(flight)
            if isPooled { grow() }
        }
    }

    /// Connections to a pooler carry one batch each and cost PostgreSQL nothing: there are more of them.
    private var isPooled: Bool { connections.contains(where: \.isPooled) }

    /// One at a time: whether it helped is seen before the next.
    private func grow() {
        let most = isPooled ? max(connectionsMax, configuration.pooledConnectionsMax) : connectionsMax
        guard connecting == 0, connections.count < most, !isClosed else { return }
        connectOne()
    }

    private func pump() {
        if gathering.count > 0 { becomeDirty() }
        while queue.count > 0, let connection = leastLoaded() {
            guard let flight = queue.popFirst() else { return }
            // Whoever waited for it has gone: nothing was sent, nothing happens.
            if flight.stage == .done {
                release(flight)
            } else {
                connection.send(flight)
            }
        }
    }

    private func becomeDirty() {
        guard !isDirty else { return }
        isDirty = true
        loop.atTurnEnd(self)
    }

    func turnEnds() {
        isDirty = false
        // What waits meanwhile becomes a larger group, and PostgreSQL has enough to do.
        while connections.reduce(0, { $0 + $1.writeGroups }) < Self.writeGroupsMax, let connection = leastLoaded(),
            let (sql, waiting) = gathering.popGroup()
        {
            let flights = waiting.filter { $0.stage != .done }
            for flight in waiting where flight.stage == .done { release(flight) }
            if connection.depth > 0 { grow() }
            if flights.count > 1 {
                connection.send(WriteGroup(flights, as: sql))
            } else if let flight = flights.first {
                connection.send(flight)
            }
        }
        if isPooled, gathering.count > 0 { grow() }
    }

    private func leastLoaded() -> PipelinedConnection? {
        var best: PipelinedConnection?
        for connection in connections where connection.depth < (connection.isPooled ? 1 : depthMax) {
            if best == nil || connection.depth < best!.depth { best = connection }
        }
        return best
    }

    private func release(_ flight: Flight) {
        guard let key = flight.batch.contention, var waiting = contended[key] else { return }
        while !waiting.isEmpty {
            let next = waiting.removeFirst()
            park(-1, of: key.tenant)
            if next.stage == .done { continue }
            contended[key] = waiting
            return enqueue(next)
        }
        contended[key] = nil
    }

    // MARK: Answers

    private func answered(_ flight: Flight) {
        if let refusal = flight.refusal {
            refused(flight, refusal)
        } else if flight.wasSkipped, flight.stage != .done {
            flight.mustGoAlone = true
            flight.attempts = 0
            flight.stage = .waiting
            enqueue(flight)
        } else {
            flight.finish(nil)
            release(flight)
        }
        pump()
    }

    private func refused(_ flight: Flight, _ refusal: DatabaseError) {
        gathering.failed(flight, at: loop.monotonicNow)
        let decision = refusal.sqlState.map { SQLStateRule.rule(for: $0).decision }
        if decision == .retry, flight.batch.isRepeatable, flight.attempts <= configuration.retriesMax,
            flight.stage != .done
        {
            flight.stage = .waiting
            flight.mustGoAlone = true
            let pause = Duration.milliseconds(5 * flight.attempts + Int.random(in: 0..<10))
            loop.after(pause) { [weak self] in self?.enqueue(flight) }
            return
        }
        if decision == .reconnect {
            return unanswered(flight, mayHaveHappened: flight.sets.count == flight.batch.entries.count)
        }
        flight.finish(refusal)
        release(flight)
    }

    private func lost(_ connection: PipelinedConnection, _ flights: [(Flight, mayHaveHappened: Bool)]) {
        connections.removeAll { $0 === connection }
        if connections.isEmpty, awaySince == 0 { awaySince = loop.monotonicNow }
        for (flight, mayHaveHappened) in flights { unanswered(flight, mayHaveHappened: mayHaveHappened) }
        if !isClosed, connections.count + connecting < connectionsAtStart { connectOne() }
        pump()
    }

    /// Reads are sent again once. A write is not: it has happened, perhaps, unless the server ended it before its last result.
    private func unanswered(_ flight: Flight, mayHaveHappened: Bool) {
        if flight.batch.access.isReading, flight.resends == 0, flight.stage != .done {
            flight.resends = 1
            flight.stage = .waiting
            return queue.append(flight)
        }
        flight.finish(
            !flight.batch.access.isReading && mayHaveHappened
                ? DatabaseError(.outcomeUnknown, detail: "the connection was lost after the batch was sent")
                : DatabaseError(.unavailable, detail: "the connection was lost before the batch was done")
        )
        release(flight)
    }

    // MARK: Time

    /// Called a few times a second.
    func sweep(at now: Int64) {
        for connection in connections where connection.depth > 0 {
            if now - connection.lastHeard > configuration.silenceMax.nanoseconds { connection.fail() }
        }
        let isAway = awaySince != 0
        let patience = configuration.availabilityWait.nanoseconds
        func isOver(_ flight: Flight) -> Bool {
            now >= flight.deadline || (isAway && now - max(flight.begun, awaySince) > patience)
        }
        let error = DatabaseError(
            isAway ? .unavailable : .overloaded,
            sqlState: isAway ? lastConnectFailure.sqlState : nil,
            detail: isAway
                ? "no connection to PostgreSQL: \(lastConnectFailure.text)" : "no turn within the batch's patience"
        )
        for flight in queue.removeAll(where: isOver) + gathering.removeAll(where: isOver) {
            flight.finish(error)
            release(flight)
        }
        for (key, waiting) in contended where waiting.contains(where: isOver) {
            for flight in waiting where isOver(flight) { flight.finish(error) }
            let rest = waiting.filter { $0.stage != .done }
            park(rest.count - waiting.count, of: key.tenant)
            contended[key] = rest
        }
        for connection in connections { connection.abandonLate(at: now) }
    }

    // MARK: Connecting

    private func connectOne() {
        connecting += 1
        let loop = loop
        let box = LoopBound(self)
        LiveHandle.connect(url, pipelined: true) { result in
            loop.post { box.value?.connected(result) }
        }
    }

    private func connected(_ result: Result<LiveHandle, ConnectFailure>) {
        connecting -= 1
        guard !isClosed else {
            if case .success(let handle) = result { handle.discard() }
            return
        }
        do {
            let connection = try PipelinedConnection(result.get(), on: loop, configuration)
            connection.onAnswer = { [weak self] in self?.answered($0) }
            connection.onLoss = { [weak self, unowned connection] in self?.lost(connection, $0) }
            connections.append(connection)
            awaySince = 0
            backoff.reset()
            configuration.heardOfConnecting(nil)
            pump()
        } catch {
            lastConnectFailure = error as? ConnectFailure ?? ConnectFailure(text: "\(error)")
            configuration.heardOfConnecting(lastConnectFailure.text)
            loop.after(backoff.next()) { [weak self] in
                if let self, !isClosed, connections.count + connecting < connectionsAtStart { connectOne() }
            }
        }
    }

    /// One that PostgreSQL runs and one that it finds when it is done.
    private static let writeGroupsMax = 2
}
