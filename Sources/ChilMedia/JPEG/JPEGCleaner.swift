import Glibc

/// Takes all segments out of a JPEG that a decoder does not need for its pixels and their colours (ITU-T T.81 Annex B): EXIF and its maker
/// notes, XMP, IPTC, comments, previews, and all that stands behind the end. Of EXIF the orientation alone stays, so that the picture is
/// shown as it was.
enum JPEGCleaner {
    /// - Returns: `nil` if all of it stays.
    static func kept(of bytes: UnsafeRawBufferPointer, orientation: ImageOrientation) throws(ImageFault) -> [UInt8]? {
        var walk = JPEGWalk(of: bytes, orientation: orientation)
        try walk.run()
        return walk.parts.finish()
    }
}

private struct JPEGWalk {
    var parts: KeptBytes
    private let bytes: UnsafeRawBufferPointer
    private let orientation: ImageOrientation
    private var hasJFIF = false
    private var hasEXIF = false
    private var profileByteCount = 0

    init(of bytes: UnsafeRawBufferPointer, orientation: ImageOrientation) {
        self.bytes = bytes
        self.orientation = orientation
        parts = KeptBytes(of: bytes)
    }

    mutating func run() throws(ImageFault) {
        guard bytes.count >= 2 else { throw .truncated }
        parts.keep(0..<2)
        var at = 2
        while true {
            guard at < bytes.count else { throw .truncated }
            guard bytes[at] == 0xFF else { throw .damaged(.marker) }
            guard at + 1 < bytes.count else { throw .truncated }
            switch bytes[at + 1] {
            case 0xFF: at += 1
            case 0xD9:
                parts.keep(at..<at + 2)
                return
            case let code where 0xC0...0xFE ~= code && !(0xD0...0xD8 ~= code):
                let end = try endOfSegment(at)
                take(code, at..<end)
                at = code == 0xDA ? try pixels(from: end) : end
            default: throw .damaged(.marker)
            }
        }
    }

    private func endOfSegment(_ start: Int) throws(ImageFault) -> Int {
        guard start + 4 <= bytes.count else { throw .truncated }
        let length = Int(bytes[start + 2]) << 8 | Int(bytes[start + 3])
        guard length >= 2 else { throw .damaged(.segmentLength) }
        guard start + 2 + length <= bytes.count else { throw .truncated }
        return start + 2 + length
    }

    /// Keeps the coded pixels; where they end a marker stands.
    private mutating func pixels(from start: Int) throws(ImageFault) -> Int {
        var at = start
        while true {
            guard at < bytes.count, let found = memchr(bytes.baseAddress! + at, 0xFF, bytes.count - at) else {
                throw .truncated
            }
            let lead = bytes.baseAddress!.distance(to: UnsafeRawPointer(found))
            guard lead + 1 < bytes.count else { throw .truncated }
            switch bytes[lead + 1] {
            case 0x00, 0xD0...0xD7: at = lead + 2
            case 0xFF: at = lead + 1
            default:
                parts.keep(start..<lead)
                return lead
            }
        }
    }

    private mutating func take(_ code: UInt8, _ segment: Range<Int>) {
        let body = UnsafeRawBufferPointer(rebasing: bytes[(segment.lowerBound + 4)..<segment.upperBound])
        switch code {
        // Frames, scans, tables, and how often a decoder begins anew.
        case 0xC0...0xCF, 0xDA, 0xDB, 0xDD: parts.keep(segment)
        case 0xE0 where body.starts(with: "JFIF".utf8): takeJFIF(body, segment)
        case 0xE1 where body.starts(with: "Exif\0\0".utf8): takeEXIF()
        case 0xE2 where body.starts(with: "ICC_PROFILE\0".utf8): takeProfile(segment)
        case 0xEE where body.count >= Self.adobeByteCount && body.starts(with: "Adobe".utf8):
            if body.count == Self.adobeByteCount {
                parts.keep(segment)
            } else {
                parts.put([0xFF, 0xEE, 0, UInt8(Self.adobeByteCount + 2)] + body.prefix(Self.adobeByteCount))
            }
        default: break
        }
    }

    /// Its preview goes (JFIF 1.02: thirteenth and fourteenth byte are the preview's sides).
    private mutating func takeJFIF(_ body: UnsafeRawBufferPointer, _ segment: Range<Int>) {
        guard !hasJFIF else { return }
        hasJFIF = true
        if body.count == Self.jfifByteCount, body[12] == 0, body[13] == 0 { return parts.keep(segment) }
        let head = body.count >= Self.jfifByteCount ? Array(body.prefix(12)) : Self.plainJFIF
        parts.put([0xFF, 0xE0, 0, UInt8(Self.jfifByteCount + 2)] + head + [0, 0])
    }

    private mutating func takeEXIF() {
        if !hasEXIF, orientation != .upright { parts.put(orientation.segment) }
        hasEXIF = true
    }

    /// A piece of the colour profile. Pieces that are too many go: what is left of such a profile is none.
    private mutating func takeProfile(_ segment: Range<Int>) {
        profileByteCount += segment.count
        if profileByteCount <= Self.profileByteCountMax { parts.keep(segment) }
    }

    private static let jfifByteCount = 14
    /// Those of printing presses have a few megabytes.
    private static let profileByteCountMax = 4 << 20
    /// Version 1.2, no unit, square pixels.
    private static let plainJFIF: [UInt8] = Array("JFIF\0".utf8) + [1, 2, 0, 0, 1, 0, 1]
    private static let adobeByteCount = 12
}

extension ImageOrientation {
    /// An APP1 segment that says this and nothing else (EXIF 2.32 §4.5, §4.6.4): big endian, one entry, no next directory.
    fileprivate var segment: [UInt8] {
        [0xFF, 0xE1, 0, 34] + Array("Exif\0\0".utf8) + [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1]
            + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, rawValue, 0, 0] + [0, 0, 0, 0]
    }
}
