/// Writes baseline JPEG files of flat 8 × 8 blocks: colours are exact, so that a rendered page can be compared.
package struct JPEGMaker: Sendable {
    package var columns: Int
    package var rows: Int
    /// Of 8 × 8 pixels each: the samples (1, 3 or 4) of the block at (column, row).
    package var block: @Sendable (Int, Int) -> [UInt8]
    package var frameMarker: UInt8 = 0xC0
    /// Adobe's APP14 transform: 0 none (RGB, CMYK), 1 YCbCr, 2 YCCK.
    package var adobeTransform: UInt8?
    package var orientation: UInt8?
    package var isLittleEndian = true
    /// Whole segments put in after SOI.
    package var extraSegments: [UInt8] = []

    package init(columns: Int, rows: Int, block: @escaping @Sendable (Int, Int) -> [UInt8]) {
        self.columns = columns
        self.rows = rows
        self.block = block
    }

    package func file() -> [UInt8] {
        let channels = block(0, 0).count
        var file: [UInt8] = [0xFF, 0xD8]
        if let orientation { file += Self.segment(0xE1, exif(orientation)) }
        if let adobeTransform {
            file += Self.segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, adobeTransform])
        }
        file += extraSegments
        file += Self.segment(0xDB, [0] + [UInt8](repeating: 8, count: 64))
        file += Self.segment(frameMarker, frame(channels))
        // Differences of category 0 to 10 have codes of four bits; the only other code is "end of block", one bit.
        file += Self.segment(0xC4, [0x00, 0, 0, 0, 11] + [UInt8](repeating: 0, count: 12) + Array(0...10))
        file += Self.segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0])
        let selectors = (0..<channels).flatMap { channel -> [UInt8] in [UInt8(channel + 1), 0] }
        file += Self.segment(0xDA, [UInt8(channels)] + selectors + [0, 63, 0])
        return file + pixels(channels) + [0xFF, 0xD9]
    }

    package static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 0xFF)] + body
    }

    private func frame(_ channels: Int) -> [UInt8] {
        let (width, height) = (columns * 8, rows * 8)
        let size = [UInt8(height >> 8), UInt8(height & 0xFF), UInt8(width >> 8), UInt8(width & 0xFF)]
        return [8] + size + [UInt8(channels)]
            + (0..<channels).flatMap { channel -> [UInt8] in [UInt8(channel + 1), 0x11, 0] }
    }

    private func exif(_ value: UInt8) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            let big = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
            return isLittleEndian ? big.reversed() : big
        }
        let mark: [UInt8] = isLittleEndian ? [0x49, 0x49] : [0x4D, 0x4D]
        let entry = number(0x0112, 2) + number(3, 2) + number(1, 4) + number(Int(value), 2) + [0, 0]
        return Array("Exif\0\0".utf8) + mark + number(42, 2) + number(8, 4) + number(1, 2) + entry + number(0, 4)
    }

    private func pixels(_ channels: Int) -> [UInt8] {
        var bits = BitWriter()
        var before = [Int](repeating: 0, count: channels)
        for row in 0..<rows {
            for column in 0..<columns {
                for (channel, sample) in block(column, row).enumerated() {
                    let level = Int(sample) - 128
                    bits.addDifference(level - before[channel])
                    bits.add(0, count: 1)
                    before[channel] = level
                }
            }
        }
        return bits.finished()
    }
}

private struct BitWriter {
    private var bytes: [UInt8] = []
    private var register = 0
    private var count = 0

    /// ITU-T T.81 §F.1.2.1: the category, then the difference, negative ones less one.
    mutating func addDifference(_ difference: Int) {
        let category = Int.bitWidth - abs(difference).leadingZeroBitCount
        add(category, count: 4)
        add(difference < 0 ? difference - 1 + (1 << category) : difference, count: category)
    }

    mutating func add(_ value: Int, count wanted: Int) {
        for shift in stride(from: wanted - 1, through: 0, by: -1) {
            register = register << 1 | (value >> shift) & 1
            count += 1
            if count == 8 { flush() }
        }
    }

    mutating func finished() -> [UInt8] {
        while count > 0 { add(1, count: 1) }
        return bytes
    }

    private mutating func flush() {
        bytes.append(UInt8(register))
        if register == 0xFF { bytes.append(0) }
        (register, count) = (0, 0)
    }
}
