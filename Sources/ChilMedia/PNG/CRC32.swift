/// The checksum of PNG chunks (PNG §5.5, Annex D; polynomial 0xEDB88320), eight bytes a turn.
struct CRC32: Sendable {
    private var register: UInt32 = 0xFFFF_FFFF

    var value: UInt32 { ~register }

    /// Eight tables of 256: table n is the effect of a byte that has n bytes behind it.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var remainder = UInt32(byte)
            for _ in 0..<8 { remainder = remainder & 1 == 1 ? 0xEDB8_8320 ^ (remainder >> 1) : remainder >> 1 }
            tables[byte] = remainder
        }
        for index in 256..<tables.count {
            let before = tables[index - 256]
            tables[index] = (before >> 8) ^ tables[Int(before & 0xFF)]
        }
        return tables
    }()

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var crc = register
        Self.tables.withUnsafeBufferPointer { table in
            var at = 0
            let end = bytes.count
            while end - at >= 8 {
                let low = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)) ^ crc
                let high = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self))
                let first = table[1792 + Int(low & 0xFF)] ^ table[1536 + Int((low >> 8) & 0xFF)]
                let second = table[1280 + Int((low >> 16) & 0xFF)] ^ table[1024 + Int(low >> 24)]
                let third = table[768 + Int(high & 0xFF)] ^ table[512 + Int((high >> 8) & 0xFF)]
                let fourth = table[256 + Int((high >> 16) & 0xFF)] ^ table[Int(high >> 24)]
                crc = first ^ second ^ third ^ fourth
                at += 8
            }
            while at < end {
                crc = (crc >> 8) ^ table[Int((crc ^ UInt32(bytes[at])) & 0xFF)]
                at += 1
            }
        }
        register = crc
    }
}
