import ChilCore

/// Waiting batches, one queue per tenant, taken in turn: a tenant that sends much waits behind itself.
struct FairQueue {
    private struct Line {
        var flights: [Flight] = []
        var head = 0
        var count: Int { flights.count - head }
    }

    private var lines: [Int64: Line] = [:]
    private var turns: [Int64] = []
    private var turnHead = 0
    private(set) var count = 0

    func count(of tenant: Int64) -> Int {
        lines[tenant]?.count ?? 0
    }

    mutating func append(_ flight: Flight) {
        let tenant = flight.batch.tenant?.rawValue ?? 0
        if lines[tenant] == nil { turns.append(tenant) }
        lines[tenant, default: Line()].flights.append(flight)
        count += 1
    }

    mutating func popFirst() -> Flight? {
        while turnHead < turns.count {
            let tenant = turns[turnHead]
            turnHead += 1
            guard var line = lines.removeValue(forKey: tenant) else { continue }
            let flight = line.flights[line.head]
            line.head += 1
            count -= 1
            if line.count > 0 {
                if line.head > 64 {
                    line.flights.removeFirst(line.head)
                    line.head = 0
                }
                lines[tenant] = line
                turns.append(tenant)
            }
            if turnHead > 256 {
                turns.removeFirst(turnHead)
                turnHead = 0
            }
            return flight
        }
        return nil
    }

    /// Takes out all that answer true.
    mutating func removeAll(where isOver: (Flight) -> Bool) -> [Flight] {
        guard count > 0 else { return [] }
        var removed: [Flight] = []
        for tenant in Array(lines.keys) {
            guard var line = lines[tenant] else { continue }
            let waiting = line.flights[line.head...]
            guard waiting.contains(where: isOver) else { continue }
            removed.append(contentsOf: waiting.filter(isOver))
            line.flights = waiting.filter { !isOver($0) }
            line.head = 0
            lines[tenant] = line.flights.isEmpty ? nil : line
        }
        count -= removed.count
        turns = turns[turnHead...].filter { lines[$0] != nil }
        turnHead = 0
        return removed
    }
}
