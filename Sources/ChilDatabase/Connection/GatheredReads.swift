/// Reads that wait for the end of the turn, to be sent as one statement with those of their kind.
struct GatheredReads {
    struct Line {
        let sql: SQL
        var flights: [Flight]
    }

    private var lines: [Line] = []

    var isEmpty: Bool { lines.isEmpty }
    var flights: [Flight] { lines.flatMap(\.flights) }

    mutating func append(_ flight: Flight, as sql: SQL) {
        if let index = lines.lastIndex(where: { $0.sql == sql }), lines[index].flights.count < Self.lineMax {
            lines[index].flights.append(flight)
        } else {
            lines.append(Line(sql: sql, flights: [flight]))
        }
    }

    mutating func popFirst() -> Line? { lines.isEmpty ? nil : lines.removeFirst() }

    mutating func removeAll() { lines.removeAll() }

    /// Nobody of a statement is answered before it is done, and more of them in it spare next to nothing.
    private static let lineMax = 32
}
