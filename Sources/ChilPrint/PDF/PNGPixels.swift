package import ChilMedia

/// A PNG unpacked as a whole, on white paper: eight bits a sample, grey or RGB, row by row. For small pictures: it holds all of it.
package struct PNGPixels: Sendable {
    package let width: Int
    package let height: Int
    package let isGrey: Bool
    package let samples: [UInt8]

    /// - Parameter facts: as `ImageProbe` found them for these bytes.
    package init(of file: [UInt8], facts: ImageFacts) throws(PDFFault) {
        guard facts.mediaType == .png, facts.width * facts.height <= PNGFlattener.interlacedPixelCountMax else {
            throw .interlacedTooLarge(pixelCountMax: PNGFlattener.interlacedPixelCountMax)
        }
        let parts = PNGParts(of: file)
        let reader = SampleReader(parts, facts: facts)
        var rows = try PNGRows(parts.pixels, channels: reader.channels, bitsPerSample: facts.bitsPerSample)
        let channels = reader.isGrey ? 1 : 3
        var canvas = [UInt8](repeating: 0, count: channels * facts.width * facts.height)
        for pass in facts.isInterlaced ? PNGRows.Pass.interlaced : PNGRows.Pass.whole {
            let columnCount = pass.columnCount(of: facts.width)
            guard columnCount > 0 else { continue }
            rows.begin(rowByteCount: (columnCount * reader.channels * facts.bitsPerSample + 7) / 8)
            for number in 0..<pass.rowCount(of: facts.height) {
                let row = try rows.next()
                let start = (pass.top + number * pass.down) * facts.width
                for column in 0..<columnCount {
                    reader.put(row, column, into: &canvas, at: (start + pass.left + column * pass.across) * channels)
                }
            }
        }
        width = facts.width
        height = facts.height
        isGrey = reader.isGrey
        samples = canvas
    }
}
