internal import CPostgres
import ChilLoop

/// One PostgreSQL connection in libpq's pipeline mode, on a loop. Batches go out as segments and come back in order.
///
/// Not `Sendable`. See "34.5. Pipeline Mode" in PostgreSQL's documentation for the order of results.
final class PipelinedConnection: ReadinessHandler, TurnEnder {
    private enum Segment {
        case preparing(SQL)
        case flight(Flight)
    }

    private let connection: OpaquePointer
    private let loop: EventLoop
    private let configuration: DatabaseConfiguration
    private var registration: Registration?
    private var isWatchingWrites = false
    private var isDirty = false
    private var isOver = false

    private var segments: [Segment] = []
    private var head = 0
    /// Batches sent and not answered.
    private(set) var depth = 0
    /// When the server was last heard, or a segment was sent into an idle connection: monotonic nanoseconds.
    private(set) var lastHeard: Int64 = 0
    private var prepared: [Bool] = []
    private var arguments = ArgumentArrays()
    /// What the server said to a statement that it would not prepare.
    private var preparationFault: DatabaseError?

    var onAnswer: (Flight) -> Void = { _ in }
    /// The connection is gone; the flights were sent and have no answer. Called once.
    var onLoss: (_ unanswered: [(Flight, mayHaveHappened: Bool)]) -> Void = { _ in }

    init(_ handle: LiveHandle, on loop: EventLoop, _ configuration: DatabaseConfiguration) throws(LoopError) {
        connection = handle.pointer
        self.loop = loop
        self.configuration = configuration
        lastHeard = loop.monotonicNow
        do {
            registration = try loop.watch(PQsocket(connection), for: .readable, isLevelTriggered: true, self)
        } catch {
            PQfinish(connection)
            isOver = true
            throw error
        }
    }

    // MARK: Sending

    /// Puts the batch into libpq's buffer; the buffer goes out at the end of the loop's turn.
    func send(_ flight: Flight) {
        if depth == 0 { lastHeard = loop.monotonicNow }
        flight.prepareForSending()
        depth += 1
        if configuration.naming == .named {
            if flight.batch.tenant != nil { prepare(Self.enter) }
            for entry in flight.batch.entries { prepare(entry.sql) }
        }
        let isSent = write(flight.batch)
        segments.append(.flight(flight))
        becomeDirty()
        if !isSent { fail() }
    }

    private func write(_ batch: Batch) -> Bool {
        let isExplicit = configuration.form == .explicit
        if isExplicit, PQsendQueryParams(connection, "BEGIN", 0, nil, nil, nil, nil, 1) == 0 { return false }
        if let tenant = batch.tenant {
            var values = BoundValues()
            values.append(tenant)
            guard execute(Self.enter, values, 0, 1) else { return false }
        }
        for entry in batch.entries {
            guard execute(entry.sql, batch.values, entry.firstValue, entry.valueCount) else { return false }
        }
        if PQpipelineSync(connection) == 0 { return false }
        if isExplicit {
            guard PQsendQueryParams(connection, "COMMIT", 0, nil, nil, nil, nil, 1) != 0 else { return false }
            return PQpipelineSync(connection) != 0
        }
        return true
    }

    private func execute(_ sql: SQL, _ values: BoundValues, _ first: Int, _ count: Int) -> Bool {
        arguments.withPointers(values, first, count) { texts, lengths, formats in
            configuration.naming == .named
                ? PQsendQueryPrepared(connection, sql.name, Int32(count), texts, lengths, formats, 1) != 0
                : PQsendQueryParams(connection, sql.text, Int32(count), nil, texts, lengths, formats, 1) != 0
        }
    }

    /// A Parse with a Sync of its own, so that a later error in a batch cannot undo it.
    private func prepare(_ sql: SQL) {
        if prepared.count <= sql.ordinal {
            prepared.append(contentsOf: repeatElement(false, count: sql.ordinal + 1 - prepared.count))
        }
        guard !prepared[sql.ordinal] else { return }
        prepared[sql.ordinal] = true
        PQsendPrepare(connection, sql.name, sql.text, 0, nil)
        PQpipelineSync(connection)
        segments.append(.preparing(sql))
    }

    private func becomeDirty() {
        guard !isDirty else { return }
        isDirty = true
        loop.atTurnEnd(self)
    }

    func turnEnds() {
        isDirty = false
        flush()
    }

    private func flush() {
        guard !isOver, let registration else { return }
        let state = PQflush(connection)
        if state < 0 { return fail() }
        let mustWatch = state == 1
        if mustWatch != isWatchingWrites {
            isWatchingWrites = mustWatch
            loop.rewatch(registration, for: mustWatch ? [.readable, .writable] : .readable)
        }
    }

    // MARK: Receiving

    func descriptorIsReady(_ readiness: Readiness) {
        guard !isOver else { return }
        if readiness.contains(.writable) { flush() }
        guard !isOver, readiness != .writable else { return }
        lastHeard = loop.monotonicNow
        let isOpen = PQconsumeInput(connection) == 1
        // Even of a connection that has ended: the server's last words may lie in the buffer.
        takeResults()
        if !isOver, !isOpen || PQstatus(connection) == CONNECTION_BAD { fail() }
    }

    private func takeResults() {
        while !isOver, head < segments.count, PQisBusy(connection) == 0 {
            guard let pointer = PQgetResult(connection) else { continue }
            let status = PQresultStatus(pointer)
            if status == PGRES_FATAL_ERROR, PQstatus(connection) == CONNECTION_BAD {
                let hasServerSpoken = PQresultErrorField(pointer, Int32(UInt8(ascii: "C"))) != nil
                PQclear(pointer)
                return fail(hasServerSpoken: hasServerSpoken)
            }
            switch segments[head] {
            case .preparing(let sql): preparationAnswered(sql, status, pointer)
            case .flight(let flight): flightAnswered(flight, status, pointer)
            }
        }
        if head == segments.count {
            segments.removeAll(keepingCapacity: true)
            head = 0
        } else if head > 512 {
            segments.removeFirst(head)
            head = 0
        }
    }

    private func preparationAnswered(_ sql: SQL, _ status: ExecStatusType, _ pointer: OpaquePointer) {
        defer { PQclear(pointer) }
        if status == PGRES_PIPELINE_SYNC {
            head += 1
        } else if status == PGRES_FATAL_ERROR {
            prepared[sql.ordinal] = false
            preparationFault = ServerRefusal.error(pointer)
        }
    }

    private func flightAnswered(_ flight: Flight, _ status: ExecStatusType, _ pointer: OpaquePointer) {
        let isExplicit = configuration.form == .explicit
        switch status {
        case PGRES_PIPELINE_SYNC:
            PQclear(pointer)
            flight.syncs += 1
            if flight.syncs == (isExplicit ? 2 : 1) { answer(flight) }
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
            let leading = (flight.batch.tenant == nil ? 0 : 1) + (isExplicit ? 1 : 0)
            flight.received += 1
            if flight.syncs == 1 {
                // COMMIT of a failed transaction succeeds, with the tag ROLLBACK.
                if flight.refusal == nil, String(cString: PQcmdStatus(pointer)) != "COMMIT" {
                    flight.refusal = DatabaseError(.broken, detail: "COMMIT was answered by a rollback")
                }
                PQclear(pointer)
            } else if flight.received <= leading {
                PQclear(pointer)
            } else {
                flight.sets.append(ResultSet(takingOwnershipOf: pointer))
            }
        case PGRES_FATAL_ERROR:
            defer { PQclear(pointer) }
            guard flight.refusal == nil else { return }
            var error = ServerRefusal.error(pointer)
            if error.sqlState == "26000", let fault = preparationFault { error = fault }
            flight.refusal = error
        default:
            PQclear(pointer)
        }
    }

    private func answer(_ flight: Flight) {
        head += 1
        depth -= 1
        onAnswer(flight)
    }

    /// Lets go of whoever waits past the deadline. The batch goes on; its results are dropped. There is no PQcancel here: it
    /// would hit whichever segment runs by then.
    func abandonLate(at now: Int64) {
        for case .flight(let flight) in segments[head...] where now >= flight.deadline {
            flight.finish(
                flight.batch.access.isReading
                    ? DatabaseError(.timedOut, detail: "no answer within the batch's patience")
                    : DatabaseError(.outcomeUnknown, detail: "no answer within the batch's patience")
            )
        }
    }

    // MARK: Ending

    /// Drops the connection; what was sent and not answered goes to `onLoss`.
    ///
    /// - Parameter hasServerSpoken: the server itself said that it ends the session (57P01): it has ended the batch at the head
    ///   unless that had all its results, and it has run none behind it.
    func fail(hasServerSpoken: Bool = false) {
        guard !isOver else { return }
        close()
        var hasServerSpoken = hasServerSpoken
        var unanswered: [(Flight, mayHaveHappened: Bool)] = []
        for segment in segments[head...] {
            guard case .flight(let flight) = segment else { continue }
            if let state = flight.refusal?.sqlState, SQLStateRule.rule(for: state).decision == .reconnect {
                hasServerSpoken = true
            }
            let isComplete = unanswered.isEmpty && flight.sets.count == flight.batch.entries.count
            unanswered.append((flight, mayHaveHappened: !hasServerSpoken || isComplete))
        }
        segments.removeAll()
        head = 0
        depth = 0
        onLoss(unanswered)
    }

    func close() {
        guard !isOver else { return }
        isOver = true
        if let registration { loop.unwatch(registration) }
        registration = nil
        PQfinish(connection)
    }

    private static let enter = SQL("select chil_enter($1)")
}
