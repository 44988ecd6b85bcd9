internal import CPostgres
import ChilCore
import ChilLoop

/// One PostgreSQL connection in libpq's pipeline mode, on a loop. Batches go out as segments and come back in order.
///
/// Not `Sendable`. See "34.5. Pipeline Mode" in PostgreSQL's documentation for the order of results.
final class PipelinedConnection: ReadinessHandler, TurnEnder {
    private let connection: OpaquePointer
    /// Through a pooler one batch is under way at a time. PgBouncer 1.18 takes a server for idle at its first ReadyForQuery: if this session
    /// is lost while more are to come, whoever gets that server next gets our answers (tried: `PoisonTests`).
    let isPooled: Bool
    private let loop: EventLoop
    private let configuration: DatabaseConfiguration
    private var registration: Registration?
    private var isWatchingWrites = false
    private var isDirty = false
    private var isOver = false
    private var isGroupOpen = false  // reading batches were sent and their Sync was not
    private var gathering = GatheredReads()
    /// Shared Syncs sent and not answered.
    private var groupsInFlight = 0
    private var segments = SegmentQueue()
    /// Batches sent and not answered.
    private(set) var depth = 0
    /// Groups of writes sent and not answered.
    private(set) var writeGroups = 0
    /// When the server was last heard, or a segment was sent into an idle connection: monotonic nanoseconds.
    private(set) var lastHeard: Int64 = 0
    private var prepared = PreparedStatements()
    private var arguments = ArgumentArrays()
    /// What the server said to a statement that it would not prepare.
    private var preparationFault: DatabaseError?

    var onAnswer: (Flight) -> Void = { _ in }
    /// The connection is gone; the flights were sent and have no answer. Called once.
    var onLoss: (_ unanswered: [(Flight, mayHaveHappened: Bool)]) -> Void = { _ in }

    init(_ handle: LiveHandle, on loop: EventLoop, _ configuration: DatabaseConfiguration) throws(LoopError) {
        connection = handle.pointer
        isPooled = handle.isPooled
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

    /// Puts the batch into libpq's buffer; the buffer goes out at the end of the loop's turn. Tenants' reads of one turn share a Sync,
    /// which spares PostgreSQL a transaction each, and those of one kind even a statement. If one of them fails, the others are sent
    /// again alone, so that nobody's error is anybody else's. A batch that writes has its own, or its group's.
    func send(_ flight: Flight) {
        if depth == 0 { lastHeard = loop.monotonicNow }
        flight.prepareForSending()
        depth += 1
        becomeDirty()
        // A read of a group is answered before its Sync is: the next would be under way with it.
        let isGrouped = configuration.form == .implicit && !isPooled && flight.mayShareSync
        if isGrouped, let sql = flight.batch.gathered {
            gathering.append(flight, as: sql)
        } else if !put(flight, isGrouped: isGrouped) {
            fail()
        }
    }

    func send(_ group: WriteGroup) {
        if depth == 0 { lastHeard = loop.monotonicNow }
        for flight in group.flights { flight.prepareForSending() }
        depth += group.flights.count
        writeGroups += 1
        becomeDirty()
        var isSent = endGroup()
        if isSent, configuration.naming == .named { prepare(group.sql) }
        isSent = isSent && execute(group.sql, group.values) && PQpipelineSync(connection) != 0
        segments.append(.written(group))
        if !isSent { fail() }
    }

    private func put(_ flight: Flight, isGrouped: Bool) -> Bool {
        var isSent = isGroupOpen && (!isGrouped || mustPrepare(flight.batch)) ? endGroup() : true
        if isSent {
            if configuration.naming == .named { prepare(flight.batch) }
            isSent = write(flight.batch, isGrouped: isGrouped)
        }
        segments.append(isGrouped ? .together(flight) : .alone(flight))
        isGroupOpen = isGrouped
        return isSent
    }

    private func put(_ line: GatheredReads.Line) -> Bool {
        if line.flights.count == 1 { return put(line.flights[0], isGrouped: true) }
        let mustPrepare = configuration.naming == .named && !prepared.contains(line.sql)
        var isSent = isGroupOpen && mustPrepare ? endGroup() : true
        if isSent {
            if mustPrepare { prepare(line.sql) }
            isSent = execute(line.sql, BoundValues(gathering: line.flights, as: line.sql.arrays))
        }
        segments.append(.gathered(line.flights))
        isGroupOpen = true
        return isSent
    }

    private func write(_ batch: Batch, isGrouped: Bool) -> Bool {
        let isExplicit = configuration.form == .explicit
        if isExplicit, PQsendQueryParams(connection, "BEGIN", 0, nil, nil, nil, nil, 1) == 0 { return false }
        if batch.mustEnter, let tenant = batch.tenant, !enter(tenant.rawValue) { return false }
        for entry in batch.entries {
            guard execute(entry.sql, batch.values, entry.values) else { return false }
        }
        if isGrouped { return true }
        if PQpipelineSync(connection) == 0 { return false }
        return !isExplicit
            || PQsendQueryParams(connection, "COMMIT", 0, nil, nil, nil, nil, 1) != 0 && PQpipelineSync(connection) != 0
    }

    private func endGroup() -> Bool {
        guard isGroupOpen else { return true }
        isGroupOpen = false
        groupsInFlight += 1
        segments.append(.groupEnd)
        return PQpipelineSync(connection) != 0
    }

    private func enter(_ tenant: Int64) -> Bool {
        withUnsafeBytes(of: tenant.bigEndian) { value in
            var text: UnsafePointer<CChar>? = value.baseAddress?.assumingMemoryBound(to: CChar.self)
            var length: Int32 = 8
            var format: Int32 = 1
            return configuration.naming == .named
                ? PQsendQueryPrepared(connection, Self.enter.name, 1, &text, &length, &format, 1) != 0
                : PQsendQueryParams(connection, Self.enter.text, 1, nil, &text, &length, &format, 1) != 0
        }
    }

    /// - Parameter places: which of the values are its own; `nil`: all.
    private func execute(_ sql: SQL, _ values: BoundValues, _ places: Range<Int>? = nil) -> Bool {
        let places = places ?? values.spans.indices
        let count = Int32(places.count)
        return arguments.withPointers(values, places) { texts, lengths, formats in
            configuration.naming == .named
                ? PQsendQueryPrepared(connection, sql.name, count, texts, lengths, formats, 1) != 0
                : PQsendQueryParams(connection, sql.text, count, nil, texts, lengths, formats, 1) != 0
        }
    }

    private func mustPrepare(_ batch: Batch) -> Bool {
        configuration.naming == .named
            && (batch.mustEnter && !prepared.contains(Self.enter)
                || !batch.entries.allSatisfy { prepared.contains($0.sql) })
    }

    private func prepare(_ batch: Batch) {
        if batch.mustEnter { prepare(Self.enter) }
        for entry in batch.entries { prepare(entry.sql) }
    }

    /// A Parse with a Sync of its own, so that a later error in a batch cannot undo it.
    private func prepare(_ sql: SQL) {
        guard !prepared.contains(sql) else { return }
        prepared.insert(sql)
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
        // Within the turn the connection may have ended: then there is no PGconn any more.
        guard !isOver else { return }
        // What waits here meanwhile becomes a larger group, and PostgreSQL has enough to do.
        while groupsInFlight < Self.groupsInFlightMax, let line = gathering.popFirst() {
            if !put(line) { return fail() }
        }
        if !endGroup() { return fail() }
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
        var isStatementOver = false
        while !isOver, let segment = segments.first, PQisBusy(connection) == 0 {
            guard let pointer = PQgetResult(connection) else {
                // One NULL ends a statement's results. After a second one libpq has nothing more, and never will: it has lost the
                // connection without a result that says so, and what was sent stays unanswered.
                if isStatementOver { return fail() }
                isStatementOver = true
                continue
            }
            isStatementOver = false
            let status = PQresultStatus(pointer)
            if status == PGRES_FATAL_ERROR, PQstatus(connection) == CONNECTION_BAD {
                let hasServerSpoken = PQresultErrorField(pointer, Int32(UInt8(ascii: "C"))) != nil
                PQclear(pointer)
                return fail(hasServerSpoken: hasServerSpoken)
            }
            switch segment {
            case .preparing(let sql): preparationAnswered(sql, status, pointer)
            case .alone(let flight): answeredAlone(flight, status, pointer)
            case .together(let flight): answeredTogether(flight, status, pointer)
            case .gathered(let flights): answeredGathered(flights, status, pointer)
            case .written(let group): answeredWritten(group, status, pointer)
            case .groupEnd:
                // Only a failing commit says more than the Sync itself, and these batches have nothing to commit.
                PQclear(pointer)
                if status == PGRES_PIPELINE_SYNC {
                    segments.removeFirst()
                    groupsInFlight -= 1
                    if !gathering.isEmpty { becomeDirty() }
                }
            }
        }
    }

    private func preparationAnswered(_ sql: SQL, _ status: ExecStatusType, _ pointer: OpaquePointer) {
        defer { PQclear(pointer) }
        if status == PGRES_PIPELINE_SYNC {
            segments.removeFirst()
        } else if status == PGRES_FATAL_ERROR {
            prepared.remove(sql)
            preparationFault = ServerRefusal.error(pointer)
        }
    }

    private func answeredAlone(_ flight: Flight, _ status: ExecStatusType, _ pointer: OpaquePointer) {
        let isExplicit = configuration.form == .explicit
        switch status {
        case PGRES_PIPELINE_SYNC:
            PQclear(pointer)
            flight.syncs += 1
            if flight.syncs == (isExplicit ? 2 : 1) { answer(flight) }
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
            guard flight.syncs == 1 else { return take(pointer, for: flight) }
            // COMMIT of a failed transaction succeeds, with the tag ROLLBACK.
            if flight.refusal == nil, String(cString: PQcmdStatus(pointer)) != "COMMIT" {
                flight.refusal = DatabaseError(.broken, detail: "COMMIT was answered by a rollback")
            }
            PQclear(pointer)
        case PGRES_FATAL_ERROR: refuse(flight, pointer)
        default: PQclear(pointer)
        }
    }

    /// What is read is right as soon as it is here, so the answer does not wait for the Sync.
    private func answeredTogether(_ flight: Flight, _ status: ExecStatusType, _ pointer: OpaquePointer) {
        switch status {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK: take(pointer, for: flight)
        case PGRES_FATAL_ERROR:
            refuse(flight, pointer)
            flight.received += 1
        default:
            // Behind another's error.
            PQclear(pointer)
            flight.received += 1
            flight.wasSkipped = true
        }
        if flight.received == flight.leadingCount(configuration.form) + flight.batch.entries.count { answer(flight) }
    }

    /// Each gets its share. Without one, for an error of any of them or of one before, each is sent again alone.
    private func answeredGathered(_ flights: [Flight], _ status: ExecStatusType, _ pointer: OpaquePointer) {
        let set = ResultSet(takingOwnershipOf: pointer)
        let shares = status == PGRES_TUPLES_OK ? set.shares(among: flights.count) : nil
        segments.removeFirst()
        depth -= flights.count
        for (index, flight) in flights.enumerated() {
            if let shares { flight.sets.append(shares[index]) } else { flight.wasSkipped = true }
            onAnswer(flight)
        }
    }

    /// What is written is right only when it is committed, so each waits for the Sync.
    private func answeredWritten(_ group: WriteGroup, _ status: ExecStatusType, _ pointer: OpaquePointer) {
        if status == PGRES_TUPLES_OK { return group.take(ResultSet(takingOwnershipOf: pointer)) }
        if status == PGRES_FATAL_ERROR { group.refuse(refusal(pointer)) }
        PQclear(pointer)
        guard status == PGRES_PIPELINE_SYNC else { return }
        segments.removeFirst()
        depth -= group.flights.count
        writeGroups -= 1
        for flight in group.flights { onAnswer(flight) }
    }

    /// Keeps the result, unless it is that of `BEGIN` or `chil_enter`.
    private func take(_ pointer: OpaquePointer, for flight: Flight) {
        flight.received += 1
        if flight.received <= flight.leadingCount(configuration.form) {
            PQclear(pointer)
        } else {
            flight.sets.append(ResultSet(takingOwnershipOf: pointer))
        }
    }

    private func refuse(_ flight: Flight, _ pointer: OpaquePointer) {
        defer { PQclear(pointer) }
        guard flight.refusal == nil else { return }
        var error = refusal(pointer)
        // The COMMIT itself failed: behind Citus another machine may have committed its part.
        if flight.syncs == 1, configuration.form == .explicit, !flight.batch.access.isReading { error = error.atCommit }
        flight.refusal = error
    }

    private func refusal(_ pointer: OpaquePointer) -> DatabaseError {
        let error = ServerRefusal.error(pointer)
        return error.sqlState == "26000" ? preparationFault ?? error : error
    }

    private func answer(_ flight: Flight) {
        segments.removeFirst()
        depth -= 1
        onAnswer(flight)
    }

    /// Lets go of whoever waits past the deadline. The batch goes on; its results are dropped. There is no PQcancel here: it
    /// would hit whichever segment runs by then.
    func abandonLate(at now: Int64) {
        for flight in unansweredFlights where now >= flight.deadline {
            flight.finish(
                flight.batch.access.isReading
                    ? DatabaseError(.timedOut, detail: "no answer within the batch's patience")
                    : DatabaseError(.outcomeUnknown, detail: "no answer within the batch's patience")
            )
        }
    }

    private var unansweredFlights: [Flight] { segments.flights + gathering.flights }

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
        let first = segments.firstFlights
        for flight in unansweredFlights {
            if let state = flight.refusal?.sqlState, SQLStateRule.rule(for: state).decision == .reconnect {
                hasServerSpoken = true
            }
            let isComplete = unanswered.count < first.count && flight.sets.count == flight.batch.entries.count
            unanswered.append((flight, mayHaveHappened: !hasServerSpoken || isComplete))
        }
        segments.removeAll()
        gathering.removeAll()
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
    /// One that PostgreSQL runs and one that it finds when it is done.
    private static let groupsInFlightMax = 2
}
