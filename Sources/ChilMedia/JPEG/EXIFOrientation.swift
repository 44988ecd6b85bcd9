extension ImageOrientation {
    /// The orientation in an APP1 segment's first bytes (EXIF 2.32 §4.5: `Exif`, then a TIFF header and directory 0).
    ///
    /// Anything odd is `upright`: cameras write much that is wrong, and a picture shown sideways is no reason to refuse it.
    init(exif bytes: [UInt8]) {
        self = Self.tag(in: bytes) ?? .upright
    }

    private static func tag(in bytes: [UInt8]) -> Self? {
        let start = 6
        guard bytes.count >= start + 8, bytes.starts(with: Array("Exif\0\0".utf8)) else { return nil }
        let isLittle: Bool
        switch (bytes[start], bytes[start + 1]) {
        case (0x49, 0x49): isLittle = true
        case (0x4D, 0x4D): isLittle = false
        default: return nil
        }
        func number(at offset: Int, count: Int) -> Int? {
            guard offset >= 0, start + offset + count <= bytes.count else { return nil }
            let piece = bytes[(start + offset)..<(start + offset + count)]
            return isLittle ? piece.reversed().reduce(0) { $0 << 8 | Int($1) } : piece.reduce(0) { $0 << 8 | Int($1) }
        }
        guard number(at: 2, count: 2) == 42, let directory = number(at: 4, count: 4),
            let entryCount = number(at: directory, count: 2)
        else { return nil }
        for entry in 0..<entryCount {
            let offset = directory + 2 + entry * 12
            guard let tag = number(at: offset, count: 2) else { return nil }
            guard tag == 0x0112 else { continue }
            guard number(at: offset + 2, count: 2) == 3, let value = number(at: offset + 8, count: 2) else {
                return nil
            }
            return Self(rawValue: UInt8(truncatingIfNeeded: value))
        }
        return nil
    }
}
