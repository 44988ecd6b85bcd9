/// Writes the bytes of a head into room that was made beforehand: an append is a comparison and a copy, where an array's is a call of a
/// hundred instructions, fifteen times an answer. What does not fit stops the program.
///
/// `ByteCursor` does the same for bodies. It is another module's, so none of its calls is inlined here, and a head is many short ones.
struct FieldCursor {
    /// Digits and sign of the longest number.
    static let decimalBytesMax = 20

    private(set) var at: UnsafeMutableRawPointer
    private let end: UnsafeMutableRawPointer

    /// - Parameter room: valid as long as the cursor is used.
    init(_ room: UnsafeMutableRawPointer, count: Int) {
        at = room
        end = room + count
    }

    private mutating func take(_ count: Int) -> UnsafeMutableRawPointer {
        precondition(count <= end - at, "more bytes than the room that was asked for")
        let start = at
        at += count
        return start
    }

    mutating func put(_ text: StaticString) {
        let count = text.utf8CodeUnitCount
        take(count).copyMemory(from: text.utf8Start, byteCount: count)
    }

    mutating func put(_ byte: UInt8) {
        take(1).storeBytes(of: byte, as: UInt8.self)
    }

    mutating func put(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        take(bytes.count).copyMemory(from: start, byteCount: bytes.count)
    }

    mutating func put(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { put($0) }
    }

    /// A field's value. Bytes that cannot stand in one (controls, so CR and LF) become `?`.
    mutating func put(value: UnsafeRawBufferPointer) {
        let start = at
        put(value)
        // Mostly there is nothing to do: look before anything is written again.
        var isClean = true
        for byte in value { isClean = isClean && Self.canStand(byte) }
        if isClean { return }
        for index in 0..<value.count where !Self.canStand(value[index]) {
            start.storeBytes(of: UInt8(ascii: "?"), toByteOffset: index, as: UInt8.self)
        }
    }

    private static func canStand(_ byte: UInt8) -> Bool {
        (byte >= 0x20 || byte == 0x09) && byte != 0x7f
    }

    mutating func put(decimal number: Int64) {
        if number < 0 { put(UInt8(ascii: "-")) }
        var rest = number.magnitude
        var count = 1
        while rest >= 10 {
            rest /= 10
            count += 1
        }
        let start = take(count)
        rest = number.magnitude
        for index in stride(from: count - 1, through: 0, by: -1) {
            start.storeBytes(of: UInt8(ascii: "0") + UInt8(rest % 10), toByteOffset: index, as: UInt8.self)
            rest /= 10
        }
    }
}

extension [UInt8] {
    /// What `body` writes; there is room for `capacity` bytes.
    init(atMost capacity: Int, _ body: (inout FieldCursor) -> Void) {
        self.init(unsafeUninitializedCapacity: capacity) { room, count in
            guard let start = UnsafeMutableRawPointer(room.baseAddress) else { return }
            var cursor = FieldCursor(start, count: capacity)
            body(&cursor)
            count = cursor.at - start
        }
    }
}
