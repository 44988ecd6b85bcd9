import ChilMedia

/// Reads the unfiltered rows of a PNG, one after the other (PNG §9: filters, §8: passes). Memory: two rows.
struct PNGRows: ~Copyable {
    /// The columns and rows that a pass fills: start and step (PNG §8.2). A picture that isn't interlaced is one pass.
    struct Pass {
        let left, top, across, down: Int

        static let whole = [Self(left: 0, top: 0, across: 1, down: 1)]
        static let interlaced = [
            Self(left: 0, top: 0, across: 8, down: 8),
            Self(left: 4, top: 0, across: 8, down: 8),
            Self(left: 0, top: 4, across: 4, down: 8),
            Self(left: 2, top: 0, across: 4, down: 4),
            Self(left: 0, top: 2, across: 2, down: 4),
            Self(left: 1, top: 0, across: 2, down: 2),
            Self(left: 0, top: 1, across: 1, down: 2),
        ]

        func columnCount(of width: Int) -> Int { max(0, (width - left + across - 1) / across) }
        func rowCount(of height: Int) -> Int { max(0, (height - top + down - 1) / down) }
    }

    private var inflater: Inflater
    private let pixelByteCount: Int
    private var above: [UInt8]
    private var row: [UInt8]

    init(_ pixels: [UInt8], channels: Int, bitsPerSample: Int) throws(PDFFault) {
        guard let inflater = Inflater(pixels) else { throw .damagedPixels }
        self.inflater = inflater
        pixelByteCount = max(1, channels * bitsPerSample / 8)
        above = []
        row = []
    }

    mutating func begin(rowByteCount: Int) {
        above = [UInt8](repeating: 0, count: rowByteCount + 1)
        row = above
    }

    /// The next row: its filter's number, then its samples.
    mutating func next() throws(PDFFault) -> [UInt8] {
        swap(&above, &row)
        let wanted = row.count
        guard row.withUnsafeMutableBufferPointer({ inflater.fill($0) }) == wanted else { throw .damagedPixels }
        let pixel = pixelByteCount
        above.withUnsafeBufferPointer { above in
            row.withUnsafeMutableBufferPointer { Self.unfilter($0, above: above, pixel: pixel) }
        }
        guard row[0] <= 4 else { throw .damagedPixels }
        return row
    }

    private static func unfilter(
        _ row: UnsafeMutableBufferPointer<UInt8>,
        above: UnsafeBufferPointer<UInt8>,
        pixel: Int
    ) {
        switch row[0] {
        case 1: for index in 1..<row.count where index > pixel { row[index] &+= row[index - pixel] }
        case 2: for index in 1..<row.count { row[index] &+= above[index] }
        case 3:
            for index in 1..<row.count {
                let left = index > pixel ? Int(row[index - pixel]) : 0
                row[index] &+= UInt8((left + Int(above[index])) / 2)
            }
        case 4:
            for index in 1..<row.count {
                let left = index > pixel ? Int(row[index - pixel]) : 0
                let corner = index > pixel ? Int(above[index - pixel]) : 0
                row[index] &+= paeth(left, Int(above[index]), corner)
            }
        default: break
        }
    }

    private static func paeth(_ left: Int, _ up: Int, _ corner: Int) -> UInt8 {
        let (toLeft, toUp, toCorner) = (abs(up - corner), abs(left - corner), abs(left + up - 2 * corner))
        if toLeft <= toUp && toLeft <= toCorner { return UInt8(left) }
        return UInt8(toUp <= toCorner ? up : corner)
    }

    /// Whether a picture that is handed to the printer as it is has all its rows, and filters that exist: a printer would
    /// swallow a broken one without a word.
    static func check(_ pixels: [UInt8], facts: ImageFacts) throws(PDFFault) {
        let channels = facts.colour == .rgb ? 3 : 1
        let wanted = (facts.width * channels * facts.bitsPerSample + 7) / 8 + 1
        guard var inflater = Inflater(pixels) else { throw .damagedPixels }
        var row = [UInt8](repeating: 0, count: wanted)
        for _ in 0..<facts.height {
            guard row.withUnsafeMutableBufferPointer({ inflater.fill($0) }) == wanted, row[0] <= 4 else {
                throw .damagedPixels
            }
        }
    }
}
