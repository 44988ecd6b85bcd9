import ChilMedia
import ChilMediaTestSupport
import Foundation
import Testing

enum JPEGRows {
    static let plain = JPEGMaker(columns: 3, rows: 2) { [UInt8($0 * 90), UInt8($1 * 120), 7] }

    static let all: [ProbeRow] = sound + broken

    private static let sound: [ProbeRow] = [
        ProbeRow("YCbCr", plain.file()),
        ProbeRow("grey", made { $0.block = { [UInt8($0 * 80 + $1)] } }),
        ProbeRow(
            "CMYK of Adobe",
            made {
                $0.block = { [UInt8($0), UInt8($1), 9, 8] }; $0.adobeTransform = 0
            }
        ),
        ProbeRow("turned", made { $0.orientation = 6 }),
        ProbeRow("extended sequential", made { $0.frameMarker = 0xC1 }),
        ProbeRow("restarts, of another maker", Array(Data(base64Encoded: SampleFile.jpegWithRestarts)!)),
        ProbeRow("progressive, of another maker", Array(Data(base64Encoded: SampleFile.progressiveJPEG)!)),
        ProbeRow("empty comment", made { $0.extraSegments = [0xFF, 0xFE, 0, 2] }),
        ProbeRow("fill bytes before a marker", made { $0.extraSegments = [0xFF, 0xFF, 0xFF, 0xFE, 0, 3, 1] }),
    ]

    private static let broken: [ProbeRow] = [
        ProbeRow("start alone", [0xFF, 0xD8, 0xFF], .truncated),
        ProbeRow("end at once", [0xFF, 0xD8, 0xFF, 0xD9], .damaged(.noPixels)),
        ProbeRow("two starts", made { $0.extraSegments = [0xFF, 0xD8] }, .damaged(.marker)),
        ProbeRow("rubbish between segments", made { $0.extraSegments = [0xFF, 0xFE, 0, 2, 0x00] }, .damaged(.marker)),
        ProbeRow("reserved marker", made { $0.extraSegments = [0xFF, 0x02, 0, 2] }, .damaged(.marker)),
        ProbeRow("segment of length 1", made { $0.extraSegments = [0xFF, 0xFE, 0, 1] }, .damaged(.segmentLength)),
        ProbeRow(
            "scan before the frame",
            made { $0.extraSegments = JPEGMaker.segment(0xDA, [1, 1, 0, 0, 63, 0]) },
            .damaged(.segmentOrder)
        ),
        ProbeRow(
            "two frames",
            made { $0.extraSegments = frame([8, 0, 8, 0, 8, 1, 1, 0x11, 0]) },
            .damaged(.segmentOrder)
        ),
        ProbeRow("no tables", file(frame(grey) + scan), .damaged(.tables)),
        ProbeRow(
            "no pixels",
            made { $0.extraSegments = tables + frame(grey) + scan + [0xFF, 0xD9] },
            .damaged(.noPixels)
        ),
        ProbeRow(
            "scan of a component that is not there",
            file(tables + frame(grey) + JPEGMaker.segment(0xDA, [1, 9, 0, 0, 63, 0])),
            .damaged(.frameHeader)
        ),
        ProbeRow(
            "scan of three of one",
            file(tables + frame(grey) + JPEGMaker.segment(0xDA, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0])),
            .damaged(.segmentLength)
        ),
        ProbeRow("frame of no length", file(frame([])), .damaged(.segmentLength)),
        ProbeRow("frame longer than its components", file(frame(grey + [0])), .damaged(.segmentLength)),
        ProbeRow(
            "two components",
            file(frame([8, 0, 8, 0, 8, 2, 1, 0x11, 0, 2, 0x11, 0])),
            .unsupportedFeature(.componentCount)
        ),
        ProbeRow(
            "same component twice",
            file(frame([8, 0, 8, 0, 8, 3, 1, 0x11, 0, 1, 0x11, 0, 2, 0x11, 0])),
            .damaged(.frameHeader)
        ),
        ProbeRow("sampling of zero", file(frame([8, 0, 8, 0, 8, 1, 1, 0x01, 0])), .damaged(.frameHeader)),
        ProbeRow("twelve bits", file(frame([12, 0, 8, 0, 8, 1, 1, 0x11, 0])), .unsupportedFeature(.twelveBitJPEG)),
        ProbeRow("height later", file(frame([8, 0, 0, 0, 8, 1, 1, 0x11, 0])), .unsupportedFeature(.heightAfterScan)),
        ProbeRow("no width", file(frame([8, 0, 8, 0, 0, 1, 1, 0x11, 0])), .damaged(.noArea)),
        ProbeRow("side of 65,535", file(frame([8, 0xFF, 0xFF, 0, 8, 1, 1, 0x11, 0])), .sideTooLong(max: 30_000)),
        ProbeRow("lossless", file(frame(grey, marker: 0xC3)), .unsupportedFeature(.losslessJPEG)),
        ProbeRow("hierarchical", file(frame(grey, marker: 0xC5)), .unsupportedFeature(.hierarchicalJPEG)),
        ProbeRow("arithmetic", file(frame(grey, marker: 0xC9)), .unsupportedFeature(.arithmeticJPEG)),
        ProbeRow("bytes after the end", plain.file() + [0], .damaged(.bytesAfterEnd)),
        ProbeRow("page after the end", plain.file() + Array("<script>".utf8), .damaged(.bytesAfterEnd)),
    ]

    private static let grey: [UInt8] = [8, 0, 8, 0, 8, 1, 1, 0x11, 0]
    private static let scan = JPEGMaker.segment(0xDA, [1, 1, 0, 0, 63, 0])
    private static let tables = JPEGMaker.segment(0xDB, []) + JPEGMaker.segment(0xC4, [])

    private static func frame(_ body: [UInt8], marker: UInt8 = 0xC0) -> [UInt8] { JPEGMaker.segment(marker, body) }

    /// Long enough to be past the signature's window.
    private static func file(_ segments: [UInt8]) -> [UInt8] {
        [0xFF, 0xD8] + segments + [UInt8](repeating: 1, count: 64)
    }

    private static func made(_ change: (inout JPEGMaker) -> Void) -> [UInt8] {
        var maker = plain
        change(&maker)
        return maker.file()
    }
}

@Suite("JPEG facts")
struct JPEGFactsTests {
    @Test(arguments: ImageOrientation.allCases, [true, false])
    func orientationOfEXIF(_ orientation: ImageOrientation, isLittleEndian: Bool) throws {
        var maker = JPEGRows.plain
        maker.orientation = orientation.rawValue
        maker.isLittleEndian = isLittleEndian
        let facts = try ImageProbe.facts(of: maker.file())
        #expect(facts.orientation == orientation)
        #expect(facts.width == 24 && facts.height == 16)
        let isTurned = [.transposed, .turnedRight, .transversed, .turnedLeft].contains(orientation)
        #expect((facts.displayWidth, facts.displayHeight) == (isTurned ? (16, 24) : (24, 16)))
    }

    @Test(arguments: [UInt8(0), 9, 255]) func oddOrientationIsUpright(_ value: UInt8) throws {
        var maker = JPEGRows.plain
        maker.orientation = value
        #expect(try ImageProbe.facts(of: maker.file()).orientation == .upright)
    }

    @Test(arguments: [
        (nil, 3, ImageFacts.Colour.yCbCr), (0, 3, .rgb), (1, 3, .yCbCr), (0, 4, .cmyk), (2, 4, .cmyk), (nil, 1, .grey),
    ])
    func colour(_ transform: UInt8?, channels: Int, expected: ImageFacts.Colour) throws {
        var maker = JPEGRows.plain
        maker.block = { _, _ in [UInt8](repeating: 50, count: channels) }
        maker.adobeTransform = transform
        let facts = try ImageProbe.facts(of: maker.file())
        #expect(facts.colour == expected)
        #expect(facts.hasAdobeMarker == (transform != nil))
    }

    @Test func progressiveIsSaid() throws {
        let facts = try ImageProbe.facts(of: Array(Data(base64Encoded: SampleFile.progressiveJPEG)!))
        #expect(facts.isInterlaced && facts.width == 37 && facts.height == 21 && facts.mediaType == .jpeg)
    }

    @Test func furtherPicturesAreTakenIfAnnounced() throws {
        var maker = JPEGRows.plain
        maker.extraSegments = JPEGMaker.segment(0xE2, Array("MPF\0".utf8) + [1, 2, 3])
        let first = maker.file()
        let facts = try ImageProbe.facts(of: first + JPEGRows.plain.file())
        #expect(facts.pictureByteCount == first.count)
    }
}
