/// A range of bytes of a head, in four bytes: heads are at most 65,535 bytes.
struct Extent: Equatable, Sendable {
    static let empty = Extent(0, 0)

    let start: UInt16
    let end: UInt16

    @inline(__always)
    init(_ start: Int, _ end: Int) {
        self.start = UInt16(truncatingIfNeeded: start)
        self.end = UInt16(truncatingIfNeeded: end)
    }

    @inline(__always) var range: Range<Int> { Int(start)..<Int(end) }
    @inline(__always) var count: Int { Int(end) - Int(start) }

    @inline(__always)
    func of(_ base: UnsafePointer<UInt8>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base + Int(start), count: count)
    }
}

/// Where one field line's name and value stand in the head; the value without the white space around it.
struct FieldLine: Equatable, Sendable {
    let name: Extent
    let value: Extent
    let known: KnownField
}
