import ChilDevMotion
import ChilMediaTestSupport
import Testing

@testable import ChilMotion

@Suite struct GIFReaderTests {
    /// A screen of 4 × 3 without colours of its own, and what follows.
    private static func gif(_ version: String = "GIF89a", _ size: [UInt8] = [4, 0, 3, 0], _ blocks: [[UInt8]])
        -> [UInt8]
    {
        Array(version.utf8) + size + [0, 0, 0] + blocks.flatMap { $0 }
    }

    private static let frame: [UInt8] = [0x2c, 0, 0, 0, 0, 4, 0, 3, 0, 0, 2, 2, 0x44, 0x01, 0]
    private static let loop: [UInt8] = [0x21, 0xff, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
    private static let once: [UInt8] = [0x21, 0xff, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 1, 0, 0]
    private static let comment: [UInt8] = [0x21, 0xfe, 3, 0x3b, 0x2c, 0x21, 2, 0, 0, 0]
    private static let end: [UInt8] = [0x3b]

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        let outcome: Result<GIFFacts, GIFFault>
        var testDescription: String { name }

        init(_ name: String, _ bytes: [UInt8], frames: Int, loops: Bool = false, behind: Int = 0) {
            self.name = name
            self.bytes = bytes
            outcome = .success(
                GIFFacts(width: 4, height: 3, frameCount: frames, loopsForever: loops, byteCount: bytes.count - behind)
            )
        }

        init(_ name: String, _ bytes: [UInt8], _ fault: GIFFault) {
            (self.name, self.bytes, outcome) = (name, bytes, .failure(fault))
        }
    }

    static let rows = [
        Row("two frames", gif([frame, frame, end]), frames: 2),
        Row("of 1987", gif("GIF87a", [frame, frame, end]), frames: 2),
        Row("for ever", gif([loop, frame, frame, end]), frames: 2, loops: true),
        Row("once more", gif([once, frame, frame, end]), frames: 2),
        Row("a comment that looks like blocks", gif([comment, frame, comment, frame, end]), frames: 2),
        Row("bytes behind its end", gif([frame, frame, end, Array("<script>".utf8)]), frames: 2, behind: 8),
        Row("nothing", [], .noGIF),
        Row("a PNG", PNGMaker.signature, .noGIF),
        Row("another version", gif("GIF90a", [frame, frame, end]), .noGIF),
        Row("a picture that stands still", gif([frame, end]), .still),
        Row("no picture", gif([loop, end]), .still),
        Row("no trailer", gif([frame, frame]), .truncated(at: 43)),
        Row("no width", gif("GIF89a", [0, 0, 3, 0], [frame, frame, end]), .noArea),
        Row("wider than allowed", gif("GIF89a", [0xd1, 7, 3, 0], [frame, frame, end]), .sideTooLong(max: 2_000)),
        Row("a frame outside", gif("GIF89a", [3, 0, 3, 0], [frame, frame, end]), .frameOutside(number: 1)),
        Row("an unknown block", gif([frame, [0x99], frame, end]), .badBlock(at: 28)),
        Row("a frame without pixels", gif([frame, Array(frame[..<11]) + [0], end]), .badBlock(at: 28)),
        Row("pixels of 12 bits", gif([frame, Array(frame[..<10]) + [12, 1, 0, 0], end]), .badBlock(at: 28)),
        Row(
            "colours that are not there",
            Array("GIF89a".utf8) + [4, 0, 3, 0, 0xf7, 0, 0] + [UInt8](repeating: 0, count: 767),
            .truncated(at: 780)
        ),
        Row("more frames than allowed", gif((0..<2_001).map { _ in frame } + [end]), .tooManyFrames(max: 2_000)),
        Row(
            "more bytes than allowed",
            Array("GIF89a".utf8) + [UInt8](repeating: 0, count: 20 << 20),
            .tooManyBytes(max: 20 << 20)
        ),
    ]

    private static func gif(_ blocks: [[UInt8]]) -> [UInt8] { gif("GIF89a", [4, 0, 3, 0], blocks) }
    private static func gif(_ version: String, _ blocks: [[UInt8]]) -> [UInt8] { gif(version, [4, 0, 3, 0], blocks) }

    private static func read(_ bytes: [UInt8]) -> Result<GIFFacts, GIFFault> {
        Result { () throws(GIFFault) in try GIFReader.facts(of: bytes) }
    }

    @Test(arguments: rows)
    func aGIFIsJudged(_ row: Row) {
        #expect(Self.read(row.bytes) == row.outcome)
    }

    private static let moving = MovingPicture(
        png: PNGMaker(width: 21, height: 13) { x, y in [x * 12, y * 19, (x ^ y) * 8] }.file()
    )!

    @Test func wherverItIsCutItIsRefused() {
        let whole = Self.moving.gif(.jump)
        #expect(throws: Never.self) { try GIFReader.facts(of: whole) }
        for count in 0..<whole.count {
            guard case .failure = Self.read(Array(whole[..<count])) else {
                Issue.record("cut at \(count)")
                return
            }
        }
    }

    @Test func whateverByteIsChangedItIsReadWithinItsBounds() {
        let whole = Self.moving.gif(.zombie)
        for place in whole.indices where place < 40 || place > 781 {
            for change: UInt8 in [0x01, 0x80, 0xff] {
                var changed = whole
                changed[place] ^= change
                if case .success(let facts) = Self.read(changed) { #expect(facts.byteCount <= whole.count) }
            }
        }
    }

    @Test(arguments: MotionType.allCases)
    func theSimulatorMovesTheWholeDrawing(_ motion: MotionType) throws {
        // Noise needs all codes of twelve bits, and more than one table.
        let noise = MovingPicture(
            png: PNGMaker(width: 180, height: 170) { x, y in
                [x &* 7_919 ^ y &* 104_729 & 255 ^ x &* y % 251, 0, 9].map { abs($0) & 255 }
            }.file()
        )!
        for picture in [Self.moving, noise] {
            let gif = picture.gif(motion)
            let facts = try GIFReader.facts(of: gif)
            #expect(facts.frameCount == MovingPicture.frameCount && facts.loopsForever && facts.byteCount == gif.count)
            let frames = try LZWReader.frames(of: gif)
            #expect(frames.count == MovingPicture.frameCount)
            #expect(frames.allSatisfy { $0.count == facts.width * facts.height })
            #expect(Set(frames).count > 2)
        }
    }

    @Test func whatTheEncoderPacksIsWhatItWasGiven() throws {
        // Half the motions pass through the place where the drawing was.
        let png = PNGMaker(width: 40, height: 30) { x, y in [x * 6, y * 8, 200] }
        let frames = try LZWReader.frames(of: MovingPicture(png: png.file())!.gif(.hello))
        let still = frames[0]
        for y in 0..<30 {
            for x in 0..<40 {
                let (red, green, blue) = ((x * 6 + 25) / 51, (y * 8 * 6 + 127) / 255, (200 + 25) / 51)
                #expect(Int(still[y * 40 + x]) == (red * 7 + green) * 6 + blue)
                if x >= 2 { #expect(frames[2][y * 40 + x] == still[y * 40 + x - 2]) }
            }
        }
        #expect(frames[2][0] == 251)
        #expect(MovingPicture(png: [1, 2, 3]) == nil)
    }
}
