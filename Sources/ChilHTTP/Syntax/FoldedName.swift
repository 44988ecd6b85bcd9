/// Comparing case-insensitive ASCII words without making a lower-case copy.
enum FoldedName {
    /// Whether the `count` bytes at `name` are `literal`, which must be lower-case, in any case.
    ///
    /// Bytes are compared after `| 0x20`: exact if `literal` is made of `a-z 0-9 -` and the bytes are token characters, which
    /// is why the machines check the grammar first.
    @inline(__always)
    static func isToken(_ name: UnsafePointer<UInt8>, _ count: Int, _ literal: StaticString) -> Bool {
        guard count == literal.utf8CodeUnitCount else { return false }
        let expected = literal.utf8Start
        var index = 0
        while index &+ 8 <= count {
            guard word(name, index) | 0x2020_2020_2020_2020 == word(expected, index) | 0x2020_2020_2020_2020 else {
                return false
            }
            index &+= 8
        }
        while index < count {
            guard name[index] | 0x20 == expected[index] | 0x20 else { return false }
            index &+= 1
        }
        return true
    }

    /// Whether `bytes`, whatever they are, spell `literal` (lower-case ASCII) in any case.
    static func isWord(_ bytes: UnsafeRawBufferPointer, _ literal: StaticString) -> Bool {
        guard bytes.count == literal.utf8CodeUnitCount else { return false }
        for index in 0..<bytes.count where ASCII.lowered(bytes[index]) != literal.utf8Start[index] { return false }
        return true
    }

    static func isWord(_ bytes: ArraySlice<UInt8>, _ literal: StaticString) -> Bool {
        bytes.withUnsafeBytes { isWord($0, literal) }
    }

    @inline(__always)
    private static func word(_ start: UnsafePointer<UInt8>, _ offset: Int) -> UInt64 {
        UnsafeRawPointer(start).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
}
