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

extension GatheredReads.Line {
    /// The flights' values, parameter by parameter, as arrays of `bigint` (PostgreSQL's `array_recv`: dimensions, whether there are
    /// nulls, the elements' type, the length, the first index; then each element with its length).
    var values: BoundValues {
        var values = BoundValues()
        for parameter in flights[0].batch.values.spans.indices {
            var array: [UInt8] = []
            array.reserveCapacity(20 + 12 * flights.count)
            for number in [1, 0, Self.bigint, Int32(flights.count), 1] { Self.append(number, to: &array) }
            for flight in flights {
                let number = flight.batch.values.spans[parameter]
                Self.append(8, to: &array)
                array.append(contentsOf: flight.batch.values.bytes[number.offset..<number.offset + 8])
            }
            values.append(array)
        }
        return values
    }

    /// `pg_type`'s number of `int8`.
    private static let bigint: Int32 = 20

    private static func append(_ number: Int32, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
