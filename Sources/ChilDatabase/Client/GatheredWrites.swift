import ChilCore

/// Writes that wait for the end of the turn, or for a group before them, to be sent as one statement with those of their kind.
struct GatheredWrites {
    private struct Line {
        let sql: SQL
        var queue = FairQueue()
    }

    private var lines: [Line] = []
    private var next = 0
    /// Tenants of which a write failed alone after it had made its group fail, until when: monotonic nanoseconds.
    private var suspects: [Int64: Int64] = [:]

    private(set) var count = 0

    func count(of tenant: Int64) -> Int {
        lines.reduce(0) { $0 + $1.queue.count(of: tenant) }
    }

    /// The statement that the flight may go in with others; `nil` if it goes alone.
    func statement(for flight: Flight, at now: Int64) -> SQL? {
        guard flight.batch.access == .write, !flight.mustGoAlone, let sql = flight.batch.gathered,
            flight.batch.values.bytes.count <= Self.bytesMax
        else { return nil }
        if let tenant = flight.batch.tenant, let end = suspects[tenant.rawValue], now < end { return nil }
        return sql
    }

    mutating func append(_ flight: Flight, as sql: SQL) {
        let place: Int
        if let known = lines.firstIndex(where: { $0.sql == sql }) {
            place = known
        } else {
            place = lines.count
            lines.append(Line(sql: sql))
        }
        lines[place].queue.append(flight)
        count += 1
    }

    /// Up to `groupMax` of one kind, tenants in turn, kinds in turn. Empty when none waits.
    mutating func popGroup() -> (sql: SQL, flights: [Flight])? {
        for step in lines.indices {
            let place = (next + step) % lines.count
            guard lines[place].queue.count > 0 else { continue }
            next = place + 1
            var flights: [Flight] = []
            flights.reserveCapacity(Self.groupMax)
            while flights.count < Self.groupMax, let flight = lines[place].queue.popFirst() { flights.append(flight) }
            count -= flights.count
            return (lines[place].sql, flights)
        }
        return nil
    }

    /// Takes out all that answer true.
    mutating func removeAll(where isOver: (Flight) -> Bool) -> [Flight] {
        var removed: [Flight] = []
        for place in lines.indices { removed += lines[place].queue.removeAll(where: isOver) }
        count -= removed.count
        return removed
    }

    /// A flight has failed, alone. If it was in a group before, its tenant's writes go alone for a while: what held it up may hold up
    /// the next, and shall not be others' trouble.
    mutating func failed(_ flight: Flight, at now: Int64) {
        guard flight.mustGoAlone, flight.batch.access == .write, let tenant = flight.batch.tenant else { return }
        if suspects.count >= Self.suspectsMax { suspects = suspects.filter { now < $0.value } }
        if suspects.count < Self.suspectsMax { suspects[tenant.rawValue] = now + Self.suspicion }
    }

    /// Nobody of a group is answered before it is committed.
    private static let groupMax = 16
    /// Of one write: larger ones would be copied once more for nothing.
    private static let bytesMax = 8_192
    private static let suspicion: Int64 = 10_000_000_000
    private static let suspectsMax = 1_024
}
