/// Words of the format (APPNOTE.TXT 6.3.10).
enum ZIPFormat {
    static let localHeader: UInt32 = 0x0403_4b50
    static let descriptor: UInt32 = 0x0807_4b50
    static let centralHeader: UInt32 = 0x0201_4b50
    static let end: UInt32 = 0x0605_4b50
    static let end64: UInt32 = 0x0606_4b50
    static let end64Locator: UInt32 = 0x0706_4b50
    static let zip64Extra: UInt16 = 0x0001

    /// 2.0, and 4.5 for ZIP64 (4.4.3).
    static let needed: UInt16 = 20
    static let neededForZIP64: UInt16 = 45
    static let madeByUnix: UInt16 = 3 << 8 | 45
    /// Bit 3: sizes and check value stand behind the entry. Bit 11: names are UTF-8.
    static let sizesBehindAndUTF8: UInt16 = 1 << 3 | 1 << 11
    /// A regular file, for its owner to read and write (stat(2)), in the upper half.
    static let plainFile: UInt32 = 0o100600 << 16

    /// From here a value stands in the ZIP64 extra instead.
    static let max32 = UInt64(UInt32.max)
    static let max16 = UInt64(UInt16.max)
}

/// Bytes, the least significant first.
struct LittleEndian {
    private(set) var bytes: [UInt8] = []

    mutating func append<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(text: String) {
        bytes.append(contentsOf: text.utf8)
    }
}
