internal import CPostgres
import ChilCore
internal import Glibc

/// The connection of a `HeldTransaction`: libpq's calls, one after another.
struct HeldSession {
    private let url: String
    private var handle: LiveHandle?
    private var arguments = ArgumentArrays()
    /// Whatever comes after a lost connection would begin a second transaction.
    private var isOver = false

    init(url: String) {
        self.url = url
    }

    /// Each batch has a savepoint, so that its failure is its own, and enters its tenant or none.
    mutating func run(_ batch: Batch, _ patience: Duration) throws(DatabaseError) -> BatchResult {
        let deadline = Self.now + patience.nanoseconds
        try open()
        _ = try ask("savepoint chil_batch", until: deadline)
        do {
            _ = try ask("select set_config('chil.tenant', '', true)", until: deadline)
            if batch.mustEnter, let tenant = batch.tenant {
                var values = BoundValues()
                values.append(tenant)
                _ = try ask("select chil_enter($1)", values, until: deadline)
            }
            var sets: [ResultSet] = []
            for entry in batch.entries {
                sets.append(try ask(entry.sql.text, batch.values, entry.values, until: deadline))
            }
            _ = try ask("release savepoint chil_batch", until: deadline)
            return BatchResult(sets: sets)
        } catch {
            if !isOver {
                _ = try? ask("rollback to savepoint chil_batch", until: Self.now + Self.endPatience)
                _ = try? ask("release savepoint chil_batch", until: Self.now + Self.endPatience)
            }
            throw error
        }
    }

    mutating func commit() throws(DatabaseError) {
        guard handle != nil else {
            if isOver { throw lost("before the commit: nothing was done") }
            return
        }
        defer { close() }
        let answer: ResultSet
        do {
            answer = try ask("commit", until: Self.now + Self.endPatience)
        } catch {
            // Without the server's word nobody knows.
            throw error.sqlState == nil
                ? DatabaseError(.outcomeUnknown, detail: "the connection was lost after the commit was sent")
                : error.atCommit
        }
        guard String(cString: PQcmdStatus(answer.pointer)) == "COMMIT" else {
            throw DatabaseError(.broken, detail: "COMMIT was answered by a rollback")
        }
    }

    mutating func close() {
        handle?.discard()
        handle = nil
        isOver = true
    }

    private mutating func open() throws(DatabaseError) {
        guard !isOver else { throw lost("before: nothing was done") }
        guard handle == nil else { return }
        switch LiveHandle.connect(url, pipelined: false) {
        case .failure(let failure): throw failure.error
        case .success(let connected): handle = connected
        }
        _ = try ask("begin", until: Self.now + Self.endPatience)
    }

    /// - Parameter places: which of the values are its own; `nil`: all.
    private mutating func ask(
        _ sql: String,
        _ values: BoundValues = BoundValues(),
        _ places: Range<Int>? = nil,
        until deadline: Int64
    ) throws(DatabaseError) -> ResultSet {
        guard let connection = handle?.pointer else { throw lost("before: nothing was done") }
        let places = places ?? values.spans.indices
        let isSent = arguments.withPointers(values, places) { texts, lengths, formats in
            PQsendQueryParams(connection, sql, Int32(places.count), nil, texts, lengths, formats, 1) == 1
        }
        guard isSent else { throw lose() }
        while PQisBusy(connection) == 1 {
            let left = (deadline - Self.now) / 1_000_000
            guard left > 0 else {
                close()
                throw DatabaseError(.timedOut, detail: "no answer within the batch's patience")
            }
            var waiting = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
            let count = poll(&waiting, 1, Int32(clamping: left))
            guard count >= 0 || errno == EINTR else { throw lose() }
            guard count <= 0 || PQconsumeInput(connection) == 1 else { throw lose() }
        }
        var last: ResultSet?
        var refusal: DatabaseError?
        while let pointer = PQgetResult(connection) {
            let status = PQresultStatus(pointer)
            if status != PGRES_TUPLES_OK, status != PGRES_COMMAND_OK, refusal == nil {
                refusal = ServerRefusal.error(pointer)
            }
            last = ResultSet(takingOwnershipOf: pointer)
        }
        if PQstatus(connection) == CONNECTION_BAD {
            close()
            throw refusal ?? lost("before it answered: nothing was done")
        }
        if let refusal { throw refusal }
        guard let last else { throw lose() }
        return last
    }

    private mutating func lose() -> DatabaseError {
        close()
        return lost("before it answered: nothing was done")
    }

    private func lost(_ when: String) -> DatabaseError {
        DatabaseError(.unavailable, detail: "the connection was lost \(when)")
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Of statements that have nothing to wait for, in nanoseconds.
    private static let endPatience: Int64 = 10_000_000_000
}
