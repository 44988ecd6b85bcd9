import ChilMedia

/// The rows of a PNG, from the first, grey or RGB with eight bits a sample, on white. Memory: two rows.
struct PixelRows: ~Copyable {
    let width: Int
    let height: Int
    let channels: Int
    private let reader: SampleReader
    private var rows: PNGRows
    private var line: [UInt8]
    private(set) var readCount = 0

    /// - Parameter facts: as `ImageProbe` found them. An interlaced picture is `.interlacedTooLarge`: its rows come in no order.
    init(_ file: [UInt8], facts: ImageFacts) throws(PDFFault) {
        guard facts.mediaType == .png, !facts.isInterlaced else { throw .interlacedTooLarge(pixelCountMax: 0) }
        let parts = PNGParts(of: file)
        let reader = SampleReader(parts, facts: facts)
        rows = try PNGRows(parts.pixels, channels: reader.channels, bitsPerSample: facts.bitsPerSample)
        rows.begin(rowByteCount: (facts.width * reader.channels * facts.bitsPerSample + 7) / 8)
        self.reader = reader
        (width, height) = (facts.width, facts.height)
        channels = reader.isGrey ? 1 : 3
        line = [UInt8](repeating: 0, count: channels * facts.width)
    }

    mutating func next() throws(PDFFault) -> [UInt8] {
        guard readCount < height else { throw .damagedPixels }
        let row = try rows.next()
        for column in 0..<width { reader.put(row, column, into: &line, at: column * channels) }
        readCount += 1
        return line
    }
}
