/// Gathers an answer's bytes in one array, without a `String` or a closure per byte.
///
/// The array is kept as long as its room, so that an append is a bounds check and a copy. What of it is not written yet holds
/// anything: it is never shown, and never zeroed in vain.
package struct ByteWriter: Sendable {
    @usableFromInline var storage: [UInt8]
    /// How much of `storage` is written.
    @usableFromInline var used = 0

    /// A writer that takes `capacity` bytes before it moves.
    package init(capacity: Int = 512) {
        storage = Self.room(capacity)
    }

    /// A copy of what was written so far; `finish` and `withBytes` do not copy.
    package var bytes: [UInt8] { Array(storage[..<used]) }

    /// What was written so far, which must be UTF-8.
    package var text: String { String(decoding: storage[..<used], as: UTF8.self) }

    @inlinable
    package var count: Int { used }

    /// What was written; the writer is empty then, and without room.
    package mutating func finish() -> [UInt8] {
        var bytes: [UInt8] = []
        swap(&bytes, &storage)
        bytes.removeLast(bytes.count - used)
        used = 0
        return bytes
    }

    /// Lends what was written so far.
    @inlinable
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try storage.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<used])) }
    }

    /// Forgets what was written and keeps the room.
    @inlinable
    package mutating func removeAll() {
        used = 0
    }

    /// Makes room for `count` more bytes at once.
    @inlinable
    package mutating func reserve(_ count: Int) {
        if used + count > storage.count { grow(by: count) }
    }

    /// Text of the program itself, as it stands.
    @inlinable
    package mutating func append(_ literal: StaticString) {
        append(raw: UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    @inlinable
    package mutating func append(byte: UInt8) {
        reserve(1)
        storage[used] = byte
        used += 1
    }

    @inlinable
    package mutating func append(bytes: [UInt8]) {
        bytes.withUnsafeBytes { append(raw: $0) }
    }

    @inlinable
    package mutating func append(raw: UnsafeRawBufferPointer) {
        reserve(raw.count)
        storage.withUnsafeMutableBytes { room in
            UnsafeMutableRawBufferPointer(rebasing: room[used...]).copyMemory(from: raw)
        }
        used += raw.count
    }

    /// A text as it stands: nothing is escaped.
    package mutating func append(unescaped text: String) {
        var text = text
        text.withUTF8 { append(raw: UnsafeRawBufferPointer($0)) }
    }

    /// Overwrites bytes that were written before, for a length known only later.
    package mutating func replace(at offset: Int, with bytes: [UInt8]) {
        precondition(offset + bytes.count <= used, "only what is written can be replaced")
        for (index, byte) in bytes.enumerated() { storage[offset + index] = byte }
    }

    /// Lends a cursor over room for `count` more bytes; what it has written is appended.
    @inlinable
    @inline(__always)
    package mutating func append(atMost count: Int, _ body: (inout ByteCursor) throws -> Void) rethrows {
        reserve(count)
        let before = used
        used = try storage.withUnsafeMutableBytes { room throws in
            guard let start = room.baseAddress else { return before }
            var cursor = ByteCursor(start + before, count: count)
            try body(&cursor)
            return before + cursor.count
        }
    }

    @usableFromInline
    mutating func grow(by count: Int) {
        var larger = Self.room(max(used + count, storage.count * 2, 64))
        larger.withUnsafeMutableBytes { room in
            storage.withUnsafeBytes { room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<used])) }
        }
        storage = larger
    }

    private static func room(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { _, initialized in initialized = count }
    }
}
