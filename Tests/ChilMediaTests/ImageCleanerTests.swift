import ChilMedia
import ChilMediaTestSupport
import Foundation
import Testing

/// A picture with something in it that must not stay, and what must be left.
struct CleanRow: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let cleaned: [UInt8]

    init(_ name: String, _ bytes: [UInt8], _ cleaned: [UInt8]) {
        (self.name, self.bytes, self.cleaned) = (name, bytes, cleaned)
    }

    var testDescription: String { name }

    static let secret = Array("N 37.5665 E 126.9780".utf8)
    static let all = JPEGCleanRows.all + PNGCleanRows.all
}

enum JPEGCleanRows {
    private static let secret = CleanRow.secret
    private static let jfif: [UInt8] = Array("JFIF\0".utf8) + [1, 2, 0, 0, 1, 0, 1, 0, 0]
    private static let icc = JPEGMaker.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + Array("display".utf8))

    /// 64 KiB with the marker.
    private static let piece = JPEGMaker.segment(
        0xE2,
        Array("ICC_PROFILE\0".utf8) + [1, 1] + [UInt8](repeating: 0x61, count: 65_518)
    )

    /// Puts segments in after the start.
    private static func with(_ segments: [UInt8], _ change: (inout JPEGMaker) -> Void = { _ in }) -> [UInt8] {
        var maker = JPEGRows.plain
        maker.extraSegments = segments
        change(&maker)
        return maker.file()
    }

    private static func goes(_ name: String, _ code: UInt8, _ head: String) -> CleanRow {
        CleanRow(name, with(JPEGMaker.segment(code, Array(head.utf8) + secret)), JPEGRows.plain.file())
    }

    /// EXIF as a phone writes it: orientation and GPS in directory 0, the rest behind.
    private static func exif(_ orientation: UInt8) -> [UInt8] {
        var maker = JPEGRows.plain
        maker.orientation = orientation
        let own = maker.file()
        let length = Int(own[4]) << 8 | Int(own[5])
        return JPEGMaker.segment(0xE1, Array(own[6..<4 + length]) + Array("Apple iOS\0".utf8) + secret)
    }

    static func minimal(_ orientation: UInt8) -> [UInt8] {
        var maker = JPEGRows.plain
        (maker.orientation, maker.isLittleEndian) = (orientation, false)
        return maker.file()
    }

    /// Another maker's progressive file, with a comment before each of its scans.
    private static func betweenScans() -> CleanRow {
        let plain = Array(Data(base64Encoded: SampleFile.progressiveJPEG)!)
        let clean = (try? ImageCleaner.cleaned(plain, ImageProbe.facts(of: plain))) ?? []
        var bytes = plain
        for index in plain.indices.dropLast().reversed() where plain[index] == 0xFF && plain[index + 1] == 0xDA {
            bytes.insert(contentsOf: JPEGMaker.segment(0xFE, secret), at: index)
        }
        return CleanRow("comments between the scans", bytes, clean)
    }

    static let all: [CleanRow] = [
        goes("XMP", 0xE1, "http://ns.adobe.com/xap/1.0/\0"),
        goes("extended XMP", 0xE1, "http://ns.adobe.com/xmp/extension/\0"),
        goes("EXIF of no orientation", 0xE1, "Exif\0\0"),
        goes("an APP1 of nobody's", 0xE1, ""),
        goes("FlashPix", 0xE2, "FPXR\0"),
        goes("an APP2 that is no colour profile", 0xE2, "ICC_PROFILE"),
        goes("a preview of JFIF's extension", 0xE0, "JFXX\0\u{10}"),
        goes("a depth map", 0xE3, "Meta\0"),
        goes("a JPEG box", 0xEB, "JP"),
        goes("a maker's own segment", 0xE7, "MAKER"),
        goes("Ducky", 0xEC, "Ducky"),
        goes("IPTC", 0xED, "Photoshop 3.0\0"),
        goes("an APP14 that is not Adobe's", 0xEE, "Adobf"),
        goes("an APP14 too short for Adobe's", 0xEE, ""),
        goes("an APP15", 0xEF, ""),
        goes("a comment", 0xFE, ""),
        goes("a reserved segment", 0xF0, ""),
        goes("the last reserved segment", 0xFD, ""),
        CleanRow("a comment of nothing", with([0xFF, 0xFE, 0, 2]), JPEGRows.plain.file()),
        CleanRow(
            "fill bytes",
            with([0xFF, 0xFF, 0xFF] + JPEGMaker.segment(0xFE, secret)),
            JPEGRows.plain.file()
        ),
        CleanRow("EXIF of an upright picture", with(exif(1)), JPEGRows.plain.file()),
        CleanRow("EXIF of a turned picture", with(exif(6)), minimal(6)),
        CleanRow("EXIF twice: the first counts", with(exif(8) + exif(6)), minimal(8)),
        CleanRow("EXIF of an orientation that there is not", with(exif(9)), JPEGRows.plain.file()),
        CleanRow("a colour profile stays", with(icc + JPEGMaker.segment(0xFE, secret)), with(icc)),
        CleanRow(
            "JFIF stays without its preview",
            with(JPEGMaker.segment(0xE0, Array(jfif.dropLast(2)) + [2, 4] + secret + [0, 0, 0, 0])),
            with(JPEGMaker.segment(0xE0, jfif))
        ),
        CleanRow(
            "a JFIF too short is made whole",
            with(JPEGMaker.segment(0xE0, Array("JFIF\0".utf8)) + JPEGMaker.segment(0xFE, secret)),
            with(JPEGMaker.segment(0xE0, jfif))
        ),
        CleanRow(
            "a second JFIF",
            with(JPEGMaker.segment(0xE0, jfif) + JPEGMaker.segment(0xE0, jfif)),
            with(JPEGMaker.segment(0xE0, jfif))
        ),
        CleanRow(
            "Adobe's segment stays without its tail",
            with(JPEGMaker.segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1] + secret)),
            with([]) { $0.adobeTransform = 1 }
        ),
        CleanRow(
            "further pictures behind the end",
            with(JPEGMaker.segment(0xE2, Array("MPF\0".utf8) + secret)) + JPEGRows.plain.file() + secret,
            JPEGRows.plain.file()
        ),
        betweenScans(),
        CleanRow(
            "a colour profile larger than any",
            with([[UInt8]](repeating: piece, count: 70).flatMap { $0 }),
            with([[UInt8]](repeating: piece, count: 64).flatMap { $0 })
        ),
        CleanRow(
            "thousands of segments",
            with(
                [[UInt8]](repeating: [0xFF, 0xFE, 0, 2] + JPEGMaker.segment(0xED, [1, 2, 3]), count: 50_000)
                    .flatMap { $0 }
            ),
            JPEGRows.plain.file()
        ),
        CleanRow(
            "what stays and what goes, thousands of times",
            with([[UInt8]](repeating: [0xFF, 0xFE, 0, 2, 0xFF, 0xDB, 0, 2], count: 50_000).flatMap { $0 }),
            with([[UInt8]](repeating: [0xFF, 0xDB, 0, 2], count: 50_000).flatMap { $0 })
        ),
    ]
}

enum PNGCleanRows {
    private static func with(_ chunks: [(String, [UInt8])], at index: Int = 1) -> [UInt8] {
        var all = PNGRows.plain.chunks()
        all.insert(contentsOf: chunks, at: index)
        return PNGMaker.signature + all.flatMap { PNGMaker.chunk($0.0, $0.1) }
    }

    /// More than any profile has.
    private static let many = [UInt8](repeating: 0x61, count: 64 << 10)

    private static func profile(_ name: String, _ data: [UInt8]) -> [UInt8] {
        Array(name.utf8) + [0, 0] + data
    }

    private static func goes(_ name: String, _ body: [UInt8], _ why: String) -> CleanRow {
        CleanRow(why, with([(name, body)]), PNGRows.plain.file())
    }

    /// What has one length, and stands before the pixels, once.
    private static let fixed: [CleanRow] = [
        ("gAMA", 4), ("cHRM", 32), ("sRGB", 1), ("sBIT", 4), ("pHYs", 9),
    ].flatMap { (name, count) in
        let right = [UInt8](repeating: 0, count: count)
        return [
            goes(name, right + [0], "\(name) with a byte more"), goes(name, [], "\(name) of nothing"),
            goes(name, CleanRow.secret + many, "\(name) of a text"),
            CleanRow("\(name) twice", with([(name, right), ("tIME", []), (name, right)]), with([(name, right)])),
            CleanRow("\(name) behind the pixels", with([(name, right)], at: 2), PNGRows.plain.file()),
        ]
    }

    private static func stays(_ name: String, _ body: [UInt8]) -> CleanRow {
        CleanRow("\(name) stays", with([(name, body), ("tEXt", CleanRow.secret)]), with([(name, body)]))
    }

    static let all: [CleanRow] =
        [
            "eXIf", "tEXt", "zTXt", "iTXt", "tIME", "sPLT", "hIST", "bKGD", "acTL", "fcTL", "fdAT", "oFFs", "juNK",
            "prVW",
            "caBX",
        ].flatMap { name in
            [1, 2].map { index in
                CleanRow("\(name) at \(index)", with([(name, CleanRow.secret)], at: index), PNGRows.plain.file())
            }
        } + [
            stays("gAMA", [0, 0, 0xB1, 0x8F]), stays("sRGB", [0]), stays("pHYs", [0, 0, 11, 19, 0, 0, 11, 19, 1]),
            stays("cHRM", [UInt8](repeating: 0, count: 32)), stays("sBIT", [8, 8, 8]),
            stays("iCCP", profile("icc", [0x78, 0x9C, 1, 2])), stays("tRNS", [0, 1, 0, 2, 0, 3]),
            stays("PLTE", [1, 2, 3]),
            CleanRow(
                "a profile loses its name",
                with([("iCCP", profile(String(decoding: CleanRow.secret, as: UTF8.self), [0x78, 0x9C, 1, 2]))]),
                with([("iCCP", profile("icc", [0x78, 0x9C, 1, 2]))])
            ),
            CleanRow(
                "the first profile counts that is one",
                with([
                    ("iCCP", CleanRow.secret), ("iCCP", profile("x", [0x78, 0x9C, 3])),
                    ("iCCP", profile("y", [0x78, 0x9C] + CleanRow.secret)),
                ]),
                with([("iCCP", profile("icc", [0x78, 0x9C, 3]))])
            ),
            goes("iCCP", profile("icc", [0x78, 0x9C] + many), "a profile too large"),
            goes("iCCP", profile("icc", Array("plain text".utf8)), "a profile that is not deflated"),
            goes("iCCP", profile(String(repeating: "n", count: 80), [0x78, 0x9C]), "a profile with a name too long"),
            goes("iCCP", profile("", [0x78, 0x9C]), "a profile without a name"),
            goes("iCCP", [], "a profile of nothing"), goes("iCCP", Array("icc".utf8), "a profile of a name alone"),
            goes("iCCP", Array("icc\0".utf8) + [1, 0x78, 0x9C], "a profile by another method"),
            CleanRow(
                "a profile behind the pixels",
                with([("iCCP", profile("icc", [0x78, 0x9C]))], at: 2),
                PNGRows.plain.file()
            ),
            CleanRow(
                "thousands of chunks",
                with([(String, [UInt8])](repeating: ("tEXt", []), count: 50_000)),
                PNGRows.plain.file()
            ),
        ] + fixed
}

@Suite("Image cleaner")
struct ImageCleanerTests {
    private static func cleaned(_ bytes: [UInt8]) throws -> [UInt8] {
        try ImageCleaner.cleaned(bytes, ImageProbe.facts(of: bytes))
    }

    @Test("A-09 what is not the picture goes, the picture stays byte for byte", arguments: CleanRow.all)
    func nothingElseStays(_ row: CleanRow) throws {
        #expect(try Self.cleaned(row.bytes) == row.cleaned)
        #expect(row.cleaned.firstRange(of: CleanRow.secret) == nil)
        #expect(try Self.cleaned(row.cleaned) == row.cleaned, "once more")
    }

    @Test("the picture is what it was", arguments: CleanRow.all.map(\.bytes) + sound)
    func theFactsStay(_ bytes: [UInt8]) throws {
        let (before, after) = (try ImageProbe.facts(of: bytes), try ImageProbe.facts(of: Self.cleaned(bytes)))
        #expect(after.width == before.width && after.height == before.height && after.colour == before.colour)
        #expect(after.orientation == before.orientation && after.hasAdobeMarker == before.hasAdobeMarker)
        #expect(after.isInterlaced == before.isInterlaced && after.hasTransparency == before.hasTransparency)
        #expect(after.bitsPerSample == before.bitsPerSample && after.mediaType == before.mediaType)
    }

    @Test(arguments: ImageOrientation.allCases, [true, false])
    func theOrientationStays(_ orientation: ImageOrientation, isLittleEndian: Bool) throws {
        var maker = JPEGRows.plain
        (maker.orientation, maker.isLittleEndian) = (orientation.rawValue, isLittleEndian)
        let expected =
            orientation == .upright ? JPEGRows.plain.file() : JPEGCleanRows.minimal(orientation.rawValue)
        #expect(try Self.cleaned(maker.file()) == expected)
    }

    /// Bytes that nobody has judged, by facts that are another file's.
    @Test(arguments: CleanRow.all.filter { $0.bytes.count < 10_000 })
    func whatIsCutOrChangedIsSurvived(_ row: CleanRow) throws {
        let facts = try ImageProbe.facts(of: row.bytes)
        for end in 0..<row.bytes.count {
            _ = try? ImageCleaner.cleaned(Array(row.bytes[..<end]), facts)
        }
        for index in row.bytes.indices {
            for value in [0x00, 0xFF, row.bytes[index] ^ 0x80] {
                var bytes = row.bytes
                bytes[index] = value
                _ = try? ImageCleaner.cleaned(bytes, facts)
            }
        }
    }

    @Test(arguments: CleanRow.all.filter { $0.cleaned.count < 10_000 })
    func aPictureWithoutItsEndIsRefused(_ row: CleanRow) throws {
        let facts = try ImageProbe.facts(of: row.cleaned)
        for end in 0..<row.cleaned.count {
            #expect(throws: ImageFault.self, "cut at \(end)") {
                try ImageCleaner.cleaned(Array(row.cleaned[..<end]), facts)
            }
        }
    }

    /// Lengths that lie: beyond the file, and the largest there are.
    @Test func lengthsBeyondTheFileAreRefused() throws {
        let (jpeg, png) = (JPEGRows.plain.file(), PNGRows.plain.file())
        let facts = (jpeg: try ImageProbe.facts(of: jpeg), png: try ImageProbe.facts(of: png))
        for length in [[0xFF, 0xFF], [0x7F, 0xFF]] as [[UInt8]] {
            let bytes = [0xFF, 0xD8, 0xFF, 0xFE] + length + [1, 2, 3]
            #expect(throws: ImageFault.truncated) { try ImageCleaner.cleaned(bytes, facts.jpeg) }
        }
        for length in [[0, 0], [0, 1]] as [[UInt8]] {
            let bytes = [0xFF, 0xD8, 0xFF, 0xFE] + length + [1, 2, 3]
            #expect(throws: ImageFault.damaged(.segmentLength)) { try ImageCleaner.cleaned(bytes, facts.jpeg) }
        }
        for length in [[0xFF, 0xFF, 0xFF, 0xFF], [0x7F, 0xFF, 0xFF, 0xFF], [0, 0, 0, 200]] as [[UInt8]] {
            let bytes = PNGMaker.signature + length + Array("tEXt".utf8) + [1, 2, 3, 4, 5]
            #expect(throws: ImageFault.truncated) { try ImageCleaner.cleaned(bytes, facts.png) }
        }
    }

    private static let sound = (PNGRows.all + JPEGRows.all).filter { $0.fault == nil }.map(\.bytes)
}
