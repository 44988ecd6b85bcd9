import ChilMedia

/// Lays an interlaced or transparent PNG on white paper: eight bits a sample, grey or RGB, compressed anew.
///
/// White is what the printer prints on, so this loses nothing, and no printer has to know soft masks.
enum PNGFlattener {
    struct Flat {
        let isGrey: Bool
        let stream: [UInt8]
    }

    /// Held as a whole, at three bytes each: 48 MiB.
    static let interlacedPixelCountMax = 16_777_216

    static func flattened(_ parts: PNGParts, facts: ImageFacts) throws(PDFFault) -> Flat {
        guard var deflater = Deflater() else { throw .damagedPixels }
        let isGrey = try flatten(parts, facts: facts) { deflater.add($0) }
        return Flat(isGrey: isGrey, stream: deflater.finish())
    }

    /// - Parameter take: gets the pixels on white, a row at a time, or all of an interlaced picture at once.
    /// - Returns: whether they are grey, one byte each; else RGB.
    @discardableResult
    static func flatten(_ parts: PNGParts, facts: ImageFacts, _ take: ([UInt8]) -> Void) throws(PDFFault) -> Bool {
        if facts.isInterlaced && facts.width * facts.height > interlacedPixelCountMax {
            throw .interlacedTooLarge(pixelCountMax: interlacedPixelCountMax)
        }
        let reader = SampleReader(parts, facts: facts)
        var rows = try PNGRows(parts.pixels, channels: reader.channels, bitsPerSample: facts.bitsPerSample)
        let outputChannels = reader.isGrey ? 1 : 3
        var canvas = [UInt8](
            repeating: 0,
            count: outputChannels * facts.width * (facts.isInterlaced ? facts.height : 1)
        )
        for pass in facts.isInterlaced ? PNGRows.Pass.interlaced : PNGRows.Pass.whole {
            let columnCount = pass.columnCount(of: facts.width)
            guard columnCount > 0 else { continue }
            rows.begin(rowByteCount: (columnCount * reader.channels * facts.bitsPerSample + 7) / 8)
            for number in 0..<pass.rowCount(of: facts.height) {
                let row = try rows.next()
                let start = facts.isInterlaced ? (pass.top + number * pass.down) * facts.width : 0
                for column in 0..<columnCount {
                    let at = (start + pass.left + column * pass.across) * outputChannels
                    reader.put(row, column, into: &canvas, at: at)
                }
                if !facts.isInterlaced { take(canvas) }
            }
        }
        if facts.isInterlaced { take(canvas) }
        return reader.isGrey
    }
}

/// Turns the samples of one pixel into eight-bit grey or RGB on white.
struct SampleReader {
    let channels: Int
    let isGrey: Bool
    private let colour: ImageFacts.Colour
    private let bits: Int
    /// Red, green, blue and alpha of each index.
    private let palette: [UInt8]
    /// The one transparent colour (PNG §11.3.1.1), as it is stored.
    private let key: [Int]

    init(_ parts: PNGParts, facts: ImageFacts) {
        colour = facts.colour
        bits = facts.bitsPerSample
        isGrey = facts.colour == .grey || facts.colour == .greyAlpha
        switch facts.colour {
        case .greyAlpha: channels = 2
        case .rgb, .yCbCr: channels = 3
        case .rgba, .cmyk: channels = 4
        case .grey, .palette: channels = 1
        }
        guard facts.colour == .palette else {
            key = stride(from: 0, to: parts.transparency.count - 1, by: 2).map {
                Int(parts.transparency[$0]) << 8 | Int(parts.transparency[$0 + 1])
            }
            palette = []
            return
        }
        key = []
        // Indices beyond the palette are an error of the file (PNG §11.2.2); they are white here.
        palette = (0..<256).flatMap { index -> [UInt8] in
            guard index * 3 + 2 < parts.palette.count else { return [255, 255, 255, 255] }
            let alpha = index < parts.transparency.count ? parts.transparency[index] : 255
            return parts.palette[index * 3..<index * 3 + 3] + [alpha]
        }
    }

    func put(_ row: [UInt8], _ column: Int, into canvas: inout [UInt8], at: Int) {
        switch colour {
        case .palette:
            let entry = sample(row, column) * 4
            for channel in 0..<3 { canvas[at + channel] = onWhite(palette[entry + channel], palette[entry + 3]) }
        case .grey:
            let grey = sample(row, column)
            canvas[at] = key.first == grey ? 255 : byte(grey)
        case .greyAlpha:
            canvas[at] = onWhite(byte(sample(row, column * 2)), byte(sample(row, column * 2 + 1)))
        case .rgb, .yCbCr:
            let isKey = key.count == 3 && (0..<3).allSatisfy { sample(row, column * 3 + $0) == key[$0] }
            for channel in 0..<3 { canvas[at + channel] = isKey ? 255 : byte(sample(row, column * 3 + channel)) }
        case .rgba, .cmyk:
            let alpha = byte(sample(row, column * 4 + 3))
            for channel in 0..<3 { canvas[at + channel] = onWhite(byte(sample(row, column * 4 + channel)), alpha) }
        }
    }

    /// The sample at `index` of a row whose byte 0 is its filter.
    private func sample(_ row: [UInt8], _ index: Int) -> Int {
        switch bits {
        case 16: return Int(row[1 + index * 2]) << 8 | Int(row[2 + index * 2])
        case 8: return Int(row[1 + index])
        default:
            let bit = index * bits
            return Int(row[1 + bit / 8]) >> (8 - bits - bit % 8) & (1 << bits - 1)
        }
    }

    private func byte(_ sample: Int) -> UInt8 {
        bits == 16 ? UInt8(sample >> 8) : UInt8(sample * 255 / (1 << bits - 1))
    }

    private func onWhite(_ sample: UInt8, _ alpha: UInt8) -> UInt8 {
        let (sample, alpha) = (Int(sample), Int(alpha))
        return UInt8((sample * alpha + 255 * (255 - alpha) + 127) / 255)
    }
}
