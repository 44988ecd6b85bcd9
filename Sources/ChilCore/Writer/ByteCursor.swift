/// Writes into room that was made beforehand, so that an append is a comparison and a copy. Lent by `ByteWriter.append(atMost:)`.
///
/// What does not fit stops the program: a count that was too small never becomes a write beyond the room.
package struct ByteCursor: ~Copyable {
    @usableFromInline let start: UnsafeMutableRawPointer
    @usableFromInline var at: UnsafeMutableRawPointer
    @usableFromInline let end: UnsafeMutableRawPointer

    @inlinable
    init(_ start: UnsafeMutableRawPointer, count: Int) {
        self.start = start
        at = start
        end = start + count
    }

    /// How much is written.
    @inlinable
    package var count: Int { at - start }

    /// Where the next `count` bytes belong; they are to be written wholly.
    @inlinable
    @inline(__always)
    mutating func take(_ count: Int) -> UnsafeMutableRawPointer {
        precondition(count <= end - at, "more bytes than the room that was asked for")
        let start = at
        at += count
        return start
    }

    /// Text of the program itself, as it stands.
    @inlinable
    @inline(__always)
    package mutating func append(_ literal: StaticString) {
        let count = literal.utf8CodeUnitCount
        take(count).copyMemory(from: literal.utf8Start, byteCount: count)
    }

    @inlinable
    @inline(__always)
    package mutating func append(byte: UInt8) {
        take(1).storeBytes(of: byte, as: UInt8.self)
    }

    @inlinable
    @inline(__always)
    package mutating func append(raw: UnsafeRawBufferPointer) {
        guard let start = raw.baseAddress else { return }
        take(raw.count).copyMemory(from: start, byteCount: raw.count)
    }

    @inlinable
    @inline(__always)
    package mutating func append(bytes: [UInt8]) {
        bytes.withUnsafeBytes { append(raw: $0) }
    }

    /// Bytes that this cursor wrote before, once more.
    @inlinable
    @inline(__always)
    package mutating func append(again written: Range<Int>) {
        precondition(written.lowerBound >= 0 && written.upperBound <= count, "only what is written can be repeated")
        let from = start + written.lowerBound
        take(written.count).copyMemory(from: from, byteCount: written.count)
    }
}
