/// Which format the first bytes of a file announce. Names sent along (extension, Content-Type) are never believed.
enum ImageSignature: Equatable {
    case png, jpeg, foreign(ImageFault.ForeignFormat), unknown

    /// Enough to find `<svg` behind a short XML declaration; no PNG or JPEG is as short.
    static let byteCountMax = 64

    init(_ head: [UInt8]) {
        self = .unknown
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if head.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if let format = Self.boxed(head) ?? Self.magic(head) ?? Self.markup(head) {
            self = .foreign(format)
        }
    }

    /// ISO base media files (ISO/IEC 14496-12 §4.3): the brand stands behind `ftyp`.
    private static func boxed(_ head: [UInt8]) -> ImageFault.ForeignFormat? {
        guard head.count >= 12, head[4..<8].elementsEqual("ftyp".utf8) else { return nil }
        switch String(decoding: head[8..<12], as: UTF8.self) {
        case "avif", "avis": return .avif
        case "heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1": return .heic
        default: return nil
        }
    }

    private static func magic(_ head: [UInt8]) -> ImageFault.ForeignFormat? {
        let table: [(ImageFault.ForeignFormat, [UInt8])] = [
            (.gif, Array("GIF8".utf8)),
            (.tiff, [0x49, 0x49, 0x2A, 0x00]),
            (.tiff, [0x4D, 0x4D, 0x00, 0x2A]),
            (.bmp, Array("BM".utf8)),
            (.icon, [0x00, 0x00, 0x01, 0x00]),
            (.photoshop, Array("8BPS".utf8)),
            (.pdf, Array("%PDF".utf8)),
            (.jpeg2000, [0x00, 0x00, 0x00, 0x0C, 0x6A, 0x50, 0x20, 0x20]),
            (.jpeg2000, [0xFF, 0x4F, 0xFF, 0x51]),
            (.jpegXL, [0x00, 0x00, 0x00, 0x0C, 0x4A, 0x58, 0x4C, 0x20]),
            (.jpegXL, [0xFF, 0x0A]),
        ]
        if head.count >= 12, head.starts(with: Array("RIFF".utf8)), head[8..<12].elementsEqual("WEBP".utf8) {
            return .webP
        }
        return table.first { head.starts(with: $0.1) }?.0
    }

    private static func markup(_ head: [UInt8]) -> ImageFault.ForeignFormat? {
        let blanks: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF]
        let text = head.drop { blanks.contains($0) }
        guard text.first == UInt8(ascii: "<") else { return nil }
        return String(decoding: text, as: UTF8.self).lowercased().contains("<svg") ? .svg : .markup
    }
}
