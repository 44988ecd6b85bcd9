/// The two forms of an ECDSA signature over P-256: r‖s in 64 bytes (RFC 7518 §3.4), and DER, which OpenSSL speaks.
enum ES256Signature {
    static let byteCount = 64
    /// A sequence of two integers of 33 bytes.
    static let derBytesMax = 72

    /// The order n of P-256 (FIPS 186-4, D.1.2.3).
    private static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]

    /// Writes the DER form and returns its length; nil unless there are 64 bytes with 1 ≤ r, s < n.
    static func writeDER(of raw: UnsafeRawBufferPointer, into out: UnsafeMutableBufferPointer<UInt8>) -> Int? {
        guard raw.count == byteCount else { return nil }
        let r = UnsafeRawBufferPointer(rebasing: raw[..<32])
        let s = UnsafeRawBufferPointer(rebasing: raw[32...])
        guard isInRange(r), isInRange(s) else { return nil }
        out[0] = 0x30
        let end = writeInteger(s, into: out, at: writeInteger(r, into: out, at: 2))
        out[1] = UInt8(end - 2)
        return end
    }

    /// r‖s of a DER signature that OpenSSL wrote; nil if it is none.
    static func raw(fromDER der: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard der.count >= 2, der[0] == 0x30, Int(der[1]) == der.count - 2 else { return nil }
        var raw = [UInt8](repeating: 0, count: byteCount)
        var at = 2
        for end in [32, 64] {
            guard at + 2 <= der.count, der[at] == 0x02 else { return nil }
            var count = Int(der[at + 1])
            at += 2
            guard count > 0, at + count <= der.count else { return nil }
            if der[at] == 0 {
                at += 1
                count -= 1
            }
            guard count <= 32 else { return nil }
            for index in 0..<count { raw[end - count + index] = der[at + index] }
            at += count
        }
        return at == der.count ? raw : nil
    }

    private static func isInRange(_ number: UnsafeRawBufferPointer) -> Bool {
        guard number.contains(where: { $0 != 0 }) else { return false }
        for index in 0..<32 where number[index] != order[index] { return number[index] < order[index] }
        return false
    }

    private static func writeInteger(
        _ number: UnsafeRawBufferPointer,
        into out: UnsafeMutableBufferPointer<UInt8>,
        at start: Int
    ) -> Int {
        var first = 0
        while first < 31, number[first] == 0 { first += 1 }
        let needsZero = number[first] >= 0x80
        out[start] = 0x02
        out[start + 1] = UInt8(32 - first + (needsZero ? 1 : 0))
        var at = start + 2
        if needsZero {
            out[at] = 0
            at += 1
        }
        for index in first..<32 {
            out[at] = number[index]
            at += 1
        }
        return at
    }
}
