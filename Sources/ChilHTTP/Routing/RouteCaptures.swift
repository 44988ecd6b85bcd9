/// The segments of a path that stand for a pattern's braces, in their order, as ranges of the head's bytes.
package struct RouteCaptures: Equatable, Sendable {
    static let countMax = 4

    package private(set) var count = 0
    private var first = Extent.empty
    private var second = Extent.empty
    private var third = Extent.empty
    private var fourth = Extent.empty

    package init() {}

    mutating func append(_ start: Int, _ end: Int) {
        let extent = Extent(start, end)
        switch count {
        case 0: first = extent
        case 1: second = extent
        case 2: third = extent
        default: fourth = extent
        }
        count += 1
    }

    package subscript(index: Int) -> Range<Int> {
        precondition(index < count, "the pattern has fewer captures")
        switch index {
        case 0: return first.range
        case 1: return second.range
        case 2: return third.range
        default: return fourth.range
        }
    }

    /// The bytes of a segment, still percent-encoded.
    package func bytes(_ index: Int, of head: RequestHead) -> ArraySlice<UInt8> { head.bytes[self[index]] }

    /// The segment decoded; nil if that is no UTF-8.
    package func text(_ index: Int, of head: RequestHead) -> String? {
        let segment = bytes(index, of: head)
        // Nearly all stand there as they are meant.
        let isPlain = segment.withUnsafeBytes { $0.allSatisfy { $0 < 0x80 && $0 != ASCII.percent } }
        if isPlain { return segment.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
        return PercentCoding.decode(segment).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// The segment as a positive number, written with digits alone and without leading zeros: one spelling for each row.
    package func number(_ index: Int, of head: RequestHead) -> Int64? {
        let digits = bytes(index, of: head)
        guard 1...19 ~= digits.count, digits.first != ASCII.zero else { return nil }
        var number: Int64 = 0
        for digit in digits {
            guard ASCII.isDigit(digit) else { return nil }
            let (scaled, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, carried) = scaled.addingReportingOverflow(Int64(digit &- ASCII.zero))
            guard !overflow, !carried else { return nil }
            number = sum
        }
        return number
    }
}
