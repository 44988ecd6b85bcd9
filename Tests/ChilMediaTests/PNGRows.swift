import ChilMedia
import ChilMediaTestSupport
import Foundation
import Testing

enum PNGRows {
    static let plain = PNGMaker(width: 5, height: 4) { [$0 * 40, $1 * 60, 7] }

    static let all: [ProbeRow] = sound + broken

    private static let sound: [ProbeRow] = [
        ProbeRow("RGB", plain.file()),
        ProbeRow("RGB in pixels of one byte a chunk", made { $0.idatByteCountMax = 1 }),
        ProbeRow(
            "grey of one bit",
            made {
                $0.colourType = 0; $0.bitsPerSample = 1; $0.samples = { [($0 + $1) % 2] }
            }
        ),
        ProbeRow(
            "grey of sixteen bits",
            made {
                $0.colourType = 0; $0.bitsPerSample = 16; $0.samples = { x, _ in [x] }
            }
        ),
        ProbeRow("palette", made(paletted)),
        ProbeRow(
            "palette with transparency",
            made {
                paletted(&$0); $0.transparency = [0]
            }
        ),
        ProbeRow(
            "grey and alpha",
            made {
                $0.colourType = 4; $0.samples = { [$0, $1] }
            }
        ),
        ProbeRow(
            "RGB and alpha",
            made {
                $0.colourType = 6; $0.samples = { [$0, $1, 0, 9] }
            }
        ),
        ProbeRow("interlaced", made { $0.isInterlaced = true }),
        ProbeRow("interlaced, of another maker", Array(Data(base64Encoded: SampleFile.interlacedPNG)!)),
        ProbeRow("suggested palette", made { $0.palette = [1, 2, 3] }),
        ProbeRow("unknown ancillary chunk", with(("juNK", [1, 2]), at: 1)),
        ProbeRow("text after the pixels", with(("tEXt", Array("a\0b".utf8)), at: 2)),
        ProbeRow("empty pixel chunk first", with(("IDAT", []), at: 1)),
    ]

    private static let broken: [ProbeRow] = [
        ProbeRow("signature alone", PNGMaker.signature, .truncated),
        ProbeRow("header not first", with(("tEXt", [65, 0]), at: 0), .damaged(.chunkOrder)),
        ProbeRow("two headers", with(("IHDR", plain.header()), at: 1), .damaged(.chunkRepeated)),
        ProbeRow("short header", file([("IHDR", Array(plain.header().dropLast()))]), .damaged(.chunkLength)),
        ProbeRow("no pixels", file([("IHDR", plain.header()), ("IEND", [])]), .damaged(.noPixels)),
        ProbeRow(
            "one byte of pixels",
            file([("IHDR", plain.header()), ("IDAT", [0x78]), ("IEND", [])]),
            .damaged(.noPixels)
        ),
        ProbeRow("pixels not of zlib", file([("IHDR", plain.header()), ("IDAT", [0x79, 1])]), .damaged(.compression)),
        ProbeRow(
            "preset dictionary",
            file([("IHDR", plain.header()), ("IDAT", [0x78, 0x20])]),
            .damaged(.compression)
        ),
        ProbeRow("pixels in two groups", with(("IDAT", [1]), at: 3, after: ("tEXt", [65, 0])), .damaged(.chunkOrder)),
        ProbeRow("unknown critical chunk", with(("JUNK", []), at: 1), .damaged(.unknownCriticalChunk)),
        ProbeRow("reserved bit in a name", with(("junk", []), at: 1), .damaged(.chunkType)),
        ProbeRow("digit in a name", with(("ju1K", []), at: 1), .damaged(.chunkType)),
        ProbeRow("full end", file(plain.chunks().dropLast() + [("IEND", [0])]), .damaged(.chunkLength)),
        ProbeRow("bytes after the end", plain.file() + [0], .damaged(.bytesAfterEnd)),
        ProbeRow("archive after the end", plain.file() + Array("PK\u{3}\u{4}".utf8), .damaged(.bytesAfterEnd)),
        ProbeRow(
            "wrong checksum",
            PNGMaker.signature + PNGMaker.chunk("IHDR", plain.header(), checksum: 1),
            .damaged(.checksum)
        ),
        ProbeRow(
            "length of 4 GiB",
            PNGMaker.signature + [255, 255, 255, 255] + Array("IHDR".utf8) + zeros,
            .damaged(.chunkLength)
        ),
        ProbeRow(
            "length of 2 GiB",
            PNGMaker.signature + [127, 255, 255, 255] + Array("IHDR".utf8) + zeros,
            .tooManyBytes(max: 20_971_520)
        ),
        ProbeRow("no width", file([("IHDR", header(0, 1))]), .damaged(.noArea)),
        ProbeRow("side of 30,001", file([("IHDR", header(30_001, 1))]), .sideTooLong(max: 30_000)),
        ProbeRow("side of 2³²−1", file([("IHDR", header(0xFFFF_FFFF, 0xFFFF_FFFF))]), .sideTooLong(max: 30_000)),
        ProbeRow("pixels one too many", file([("IHDR", header(8_000, 8_001))]), .tooManyPixels(max: 64_000_000)),
        ProbeRow("RGB of four bits", file([("IHDR", header(1, 1, [4, 2, 0, 0, 0]))]), .damaged(.header)),
        ProbeRow("colour type 5", file([("IHDR", header(1, 1, [8, 5, 0, 0, 0]))]), .damaged(.header)),
        ProbeRow("compression 1", file([("IHDR", header(1, 1, [8, 2, 1, 0, 0]))]), .damaged(.header)),
        ProbeRow("filter 1", file([("IHDR", header(1, 1, [8, 2, 0, 1, 0]))]), .damaged(.header)),
        ProbeRow("interlace 2", file([("IHDR", header(1, 1, [8, 2, 0, 0, 2]))]), .damaged(.header)),
        ProbeRow(
            "no palette",
            made {
                paletted(&$0); $0.palette = nil
            },
            .damaged(.palette)
        ),
        ProbeRow(
            "palette of four bytes",
            made {
                paletted(&$0); $0.palette = [1, 2, 3, 4]
            },
            .damaged(.palette)
        ),
        ProbeRow(
            "palette larger than its indices",
            made {
                paletted(&$0); $0.palette = Array(0..<15)
            },
            .damaged(.palette)
        ),
        ProbeRow(
            "palette of grey",
            made {
                $0.colourType = 0; $0.palette = [1, 2, 3]; $0.samples = { x, _ in [x] }
            },
            .damaged(.palette)
        ),
        ProbeRow("palette after the pixels", with(("PLTE", [1, 2, 3]), at: 2), .damaged(.chunkOrder)),
        ProbeRow(
            "transparency beyond the palette",
            made {
                paletted(&$0); $0.transparency = [0, 0, 0, 0, 0]
            },
            .damaged(.chunkLength)
        ),
        ProbeRow(
            "transparency beside alpha",
            made {
                $0.colourType = 4; $0.transparency = [0, 0]; $0.samples = { [$0, $1] }
            },
            .damaged(.header)
        ),
    ]

    static func header(_ width: Int, _ height: Int, _ rest: [UInt8] = [8, 2, 0, 0, 0]) -> [UInt8] {
        PNGMaker.bytes(of: width) + PNGMaker.bytes(of: height) + rest
    }

    private static let zeros = [UInt8](repeating: 0, count: 60)

    private static func paletted(_ maker: inout PNGMaker) {
        maker.colourType = 3
        maker.bitsPerSample = 2
        maker.palette = [255, 0, 0, 0, 255, 0, 0, 0, 255]
        maker.samples = { [($0 + $1) % 3] }
    }

    private static func made(_ change: (inout PNGMaker) -> Void) -> [UInt8] {
        var maker = plain
        change(&maker)
        return maker.file()
    }

    /// A file of these chunks, long enough to be past the signature's window.
    private static func file(_ chunks: [(String, [UInt8])]) -> [UInt8] {
        PNGMaker.signature + chunks.flatMap { PNGMaker.chunk($0.0, $0.1) }
    }

    private static func with(_ chunk: (String, [UInt8]), at index: Int, after other: (String, [UInt8])? = nil)
        -> [UInt8]
    {
        var chunks = plain.chunks()
        if let other { chunks.insert(other, at: index - 1) }
        chunks.insert(chunk, at: index)
        return file(chunks)
    }
}

@Suite("PNG facts")
struct PNGFactsTests {
    @Test func areThoseOfTheHeader() throws {
        var maker = PNGMaker(width: 300, height: 7) { _, _ in [0x1234, 2, 3, 4] }
        maker.colourType = 6
        maker.bitsPerSample = 16
        maker.isInterlaced = true
        let file = maker.file()
        let facts = try ImageProbe.facts(of: file)
        #expect(facts.mediaType == .png && facts.mediaType.rawValue == "image/png")
        #expect(facts.width == 300 && facts.height == 7 && facts.bitsPerSample == 16)
        #expect(facts.colour == .rgba && facts.isInterlaced && facts.hasTransparency)
        #expect(facts.orientation == .upright && facts.pictureByteCount == file.count)
    }
}
