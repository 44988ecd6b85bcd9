/// Takes all chunks out of a PNG that a decoder does not need for its pixels and their colours: `eXIf`, the texts, the time, what is
/// private, and the frames of an animation (PNG third edition, §11.3, §12).
enum PNGCleaner {
    private static let signatureByteCount = 8
    /// Length, name and checksum.
    private static let frameByteCount = 12

    private static let end = name("IEND")
    private static let kept = [
        "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "sBIT", "pHYs",
    ].map(name)

    /// - Returns: `nil` if all of it stays.
    static func kept(of bytes: UnsafeRawBufferPointer) throws(ImageFault) -> [UInt8]? {
        var parts = KeptBytes(of: bytes)
        guard bytes.count >= signatureByteCount else { throw .truncated }
        parts.keep(0..<signatureByteCount)
        var at = signatureByteCount
        while true {
            guard bytes.count - at >= frameByteCount else { throw .truncated }
            let length = number(bytes, at)
            let name = number(bytes, at + 4)
            guard bytes.count - at - frameByteCount >= length else { throw .truncated }
            let next = at + frameByteCount + length
            if kept.contains(name) { parts.keep(at..<next) }
            if name == end { return parts.finish() }
            at = next
        }
    }

    private static func number(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> Int {
        Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)))
    }

    private static func name(_ text: StaticString) -> Int {
        (0..<4).reduce(0) { $0 << 8 | Int(text.utf8Start[$1]) }
    }
}
