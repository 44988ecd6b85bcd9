/// Takes all chunks out of a PNG that a decoder does not need for its pixels and their colours: `eXIf`, the texts, the time, what is
/// private, and the frames of an animation (PNG third edition, §11.3, §12). What has one length stays with that length alone, once, and
/// before the pixels, where alone it means something.
enum PNGCleaner {
    private static let signatureByteCount = 8
    /// Length, name and checksum.
    private static let frameByteCount = 12

    /// What stays once, if it has this length (§11.3.2, §11.3.4).
    private static let lengths: [(chunk: PNGChunk, bytes: ClosedRange<Int>)] = [
        (.gamma, 4...4), (.chromaticities, 32...32), (.standardColours, 1...1), (.significantBits, 1...4),
        (.pixelSize, 9...9),
    ]

    /// - Returns: `nil` if all of it stays.
    static func kept(of bytes: UnsafeRawBufferPointer) throws(ImageFault) -> [UInt8]? {
        var parts = KeptBytes(of: bytes)
        guard bytes.count >= signatureByteCount else { throw .truncated }
        parts.keep(0..<signatureByteCount)
        var at = signatureByteCount
        /// What may stay still, a bit each: of `lengths`, and then the profile.
        var open: UInt8 = 0b11_1111
        let profileBit: UInt8 = 0b10_0000
        while true {
            guard bytes.count - at >= frameByteCount else { throw .truncated }
            let length = number(bytes, at)
            let name = PNGChunk(number: UInt32(number(bytes, at + 4)))
            guard bytes.count - at - frameByteCount >= length else { throw .truncated }
            let next = at + frameByteCount + length
            switch name {
            // The probe has judged them.
            case .header, .palette, .pixels, .end, .transparency: parts.keep(at..<next)
            case .profile where open & profileBit != 0:
                let body = at + 8..<next - 4
                if let data = ColourProfile.data(of: UnsafeRawBufferPointer(rebasing: bytes[body])) {
                    open &= ~profileBit
                    if bytes[body].starts(with: ColourProfile.head) {
                        parts.keep(at..<next)
                    } else {
                        parts.put(ColourProfile.chunk(data))
                    }
                }
            default:
                guard open != 0, let place = lengths.firstIndex(where: { $0.chunk == name }) else { break }
                guard lengths[place].bytes.contains(length), open & 1 << place != 0 else { break }
                open &= ~(1 << place)
                parts.keep(at..<next)
            }
            if name == .pixels { open = 0 }
            if name == .end { return parts.finish() }
            at = next
        }
    }

    private static func number(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> Int {
        Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)))
    }
}

/// What `iCCP` holds (PNG §11.3.2.3): a name of at most 79 bytes, which is nobody's business, a zero, the method 0, and the profile, deflated.
private enum ColourProfile {
    /// Of the deflated profile. A screen's has some hundred bytes, the largest for screens that are usual some ten thousand.
    static let byteCountMax = 64 << 10
    private static let nameByteCountMax = 79

    /// The name that every profile gets, and the method.
    static let head = Array("icc".utf8) + [0, 0]

    /// `nil`: it is no profile, or too large for one.
    static func data(of body: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard let end = body.prefix(nameByteCountMax + 1).firstIndex(of: 0), end > 0, body.count >= end + 4,
            body[end + 1] == 0
        else {
            return nil
        }
        let data = UnsafeRawBufferPointer(rebasing: body[(end + 2)...])
        // RFC 1950 §2.2: method 8, and check bits.
        guard data.count <= byteCountMax, data[0] & 0x0F == 8, (Int(data[0]) << 8 | Int(data[1])) % 31 == 0 else {
            return nil
        }
        return data
    }

    static func chunk(_ data: UnsafeRawBufferPointer) -> [UInt8] {
        let named = Array("iCCP".utf8) + head + data
        var crc = CRC32()
        named.withUnsafeBytes { crc.add($0) }
        func bytes(of number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian, Array.init) }
        return bytes(of: UInt32(named.count - 4)) + named + bytes(of: crc.value)
    }
}
