import ChilMedia
import Testing

@Suite struct PNGEncoderTests {
    @Test(arguments: [(1, 1), (3, 5), (256, 2), (1_000, 700)])
    func theProjectsOwnReaderTakesIt(_ width: Int, _ height: Int) throws {
        let samples = (0..<width * height).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let file = try PNGEncoder.greyscale(samples, width: width, height: height)
        let facts = try ImageProbe.facts(of: file)
        #expect(facts.mediaType == .png && facts.width == width && facts.height == height)
        #expect(facts.colour == .grey && facts.bitsPerSample == 8)
        #expect(!facts.isInterlaced && !facts.hasTransparency)
        #expect(facts.pictureByteCount == file.count)
    }

    @Test(arguments: [(0, 0, 0), (2, 2, 3), (2, 2, 5), (-1, 4, 4), (4, 0, 1)])
    func aWrongCountIsRefused(_ width: Int, _ height: Int, _ count: Int) {
        let expected = max(0, width) * max(0, height)
        #expect(throws: PNGEncoder.Fault.wrongSampleCount(expected: expected)) {
            try PNGEncoder.greyscale([UInt8](repeating: 0, count: count), width: width, height: height)
        }
    }

    @Test func whiteIsSmall() throws {
        let file = try PNGEncoder.greyscale([UInt8](repeating: 255, count: 1_024 * 1_024), width: 1_024, height: 1_024)
        #expect(file.count < 4_000)
    }
}
