extension BoundValues {
    /// The values of many batches of one statement, parameter by parameter, as arrays in PostgreSQL's binary format (`array_recv`:
    /// dimensions, whether there are nulls, the elements' type, how many, the first index; then each element after its length).
    init(gathering flights: [Flight], as kinds: [ColumnKind]) {
        self.init()
        for (parameter, kind) in kinds.enumerated() {
            let hasNulls = flights.contains { $0.batch.values.spans[parameter].length < 0 }
            var array: [UInt8] = []
            array.reserveCapacity(flights.reduce(20) { $0 + 4 + max(Int($1.batch.values.spans[parameter].length), 0) })
            for number in [1, hasNulls ? 1 : 0, kind.rawValue, Int32(flights.count), 1] {
                Self.append(number, to: &array)
            }
            for flight in flights {
                let value = flight.batch.values.spans[parameter]
                Self.append(value.length, to: &array)
                if value.length > 0 {
                    array.append(contentsOf: flight.batch.values.bytes[value.offset..<value.offset + Int(value.length)])
                }
            }
            append(array)
        }
    }

    private static func append(_ number: Int32, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
