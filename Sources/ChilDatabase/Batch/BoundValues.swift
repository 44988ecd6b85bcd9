package import ChilCore

/// The values of a batch's statements in PostgreSQL's binary format, one after another in one buffer.
///
/// Each `append` is the next `$n` of the statement being added. Integers are `bigint` (`int8`) unless the name says otherwise.
package struct BoundValues: Sendable {
    /// Where a value lies in `bytes`; `length` -1 is SQL's NULL.
    struct Span: Sendable {
        let offset: Int
        let length: Int32
    }

    private(set) var bytes: [UInt8] = []
    private(set) var spans: [Span] = []

    init() {
        bytes.reserveCapacity(Self.usualBytes)
        spans.reserveCapacity(Self.usualCount)
    }

    package mutating func append(_ number: Int64) {
        appendBigEndian(UInt64(bitPattern: number))
    }

    package mutating func append(_ number: Int64?) {
        guard let number else { return appendNull() }
        append(number)
    }

    /// An `int4` (`integer`).
    package mutating func append(int32 number: Int32) {
        let offset = bytes.count
        for shift in stride(from: 24, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> Int32(shift)))
        }
        spans.append(Span(offset: offset, length: 4))
    }

    package mutating func append<Kind>(_ identifier: Identifier<Kind>) {
        append(identifier.rawValue)
    }

    package mutating func append<Kind>(_ identifier: Identifier<Kind>?) {
        append(identifier?.rawValue)
    }

    package mutating func append(_ flag: Bool) {
        spans.append(Span(offset: bytes.count, length: 1))
        bytes.append(flag ? 1 : 0)
    }

    /// A `timestamptz`.
    package mutating func append(_ moment: Timestamp) {
        append(moment.microseconds - Self.postgresEpochMicroseconds)
    }

    package mutating func append(_ moment: Timestamp?) {
        guard let moment else { return appendNull() }
        append(moment)
    }

    /// A `text`. PostgreSQL cannot store U+0000: text that has one is refused with SQLSTATE 22021, so check it before.
    package mutating func append(_ text: String) {
        let offset = bytes.count
        bytes.append(contentsOf: text.utf8)
        spans.append(Span(offset: offset, length: Int32(bytes.count - offset)))
    }

    package mutating func append(_ text: String?) {
        guard let text else { return appendNull() }
        append(text)
    }

    /// A `bytea`, or text that is already UTF-8.
    package mutating func append(_ raw: [UInt8]) {
        spans.append(Span(offset: bytes.count, length: Int32(raw.count)))
        bytes.append(contentsOf: raw)
    }

    package mutating func append(_ raw: [UInt8]?) {
        guard let raw else { return appendNull() }
        append(raw)
    }

    /// A `bytea` that need not be copied into an array first.
    package mutating func append(_ raw: UnsafeRawBufferPointer) {
        spans.append(Span(offset: bytes.count, length: Int32(raw.count)))
        bytes.append(contentsOf: raw)
    }

    /// An `int4[]`.
    package mutating func append(int32s numbers: [Int32]) {
        append(array: numbers.count, of: Self.integer) { index, bytes in
            withUnsafeBytes(of: numbers[index].bigEndian) { bytes.append(contentsOf: $0) }
        }
    }

    /// An `int8[]`.
    package mutating func append(int64s numbers: [Int64]) {
        append(array: numbers.count, of: Self.bigInteger) { index, bytes in
            withUnsafeBytes(of: numbers[index].bigEndian) { bytes.append(contentsOf: $0) }
        }
    }

    /// A `bytea[]`.
    package mutating func append(raws: [[UInt8]]) {
        append(array: raws.count, of: Self.bytea) { index, bytes in bytes.append(contentsOf: raws[index]) }
    }

    /// PostgreSQL's `array_recv`: dimensions, whether there are nulls, the elements' type, the length, the first index; then each element
    /// with its length.
    private mutating func append(array count: Int, of type: Int32, _ element: (Int, inout [UInt8]) -> Void) {
        func append(_ number: Int32, to bytes: inout [UInt8]) {
            withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
        }
        var array: [UInt8] = []
        array.reserveCapacity(20 + 24 * count)
        for number in [count == 0 ? 0 : 1, 0, type] { append(number, to: &array) }
        if count > 0 { for number in [Int32(count), 1] { append(number, to: &array) } }
        for index in 0..<count {
            let start = array.count
            append(0, to: &array)
            element(index, &array)
            let length = Int32(array.count - start - 4)
            withUnsafeBytes(of: length.bigEndian) { array.replaceSubrange(start..<start + 4, with: $0) }
        }
        self.append(array)
    }

    /// Of `pg_type`.
    private static let bigInteger: Int32 = 20
    private static let integer: Int32 = 23
    private static let bytea: Int32 = 17

    /// Each is eight bytes long and none is null.
    var areNumbers: Bool { spans.allSatisfy { $0.length == 8 } }

    /// The `bigint` at a place; `nil` for what is none.
    func number(_ place: Int) -> Int64? {
        guard place < spans.count, spans[place].length == 8 else { return nil }
        return bytes.withUnsafeBytes {
            Int64(bigEndian: $0.loadUnaligned(fromByteOffset: spans[place].offset, as: Int64.self))
        }
    }

    package mutating func appendNull() {
        spans.append(Span(offset: 0, length: -1))
    }

    /// Of the statement with the most parameters, a sign-in.
    private static let usualBytes = 512
    private static let usualCount = 32

    /// 2000-01-01T00:00:00Z, from which PostgreSQL counts.
    static let postgresEpochMicroseconds: Int64 = 946_684_800_000_000

    private mutating func appendBigEndian(_ number: UInt64) {
        let offset = bytes.count
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
        spans.append(Span(offset: offset, length: 8))
    }
}
