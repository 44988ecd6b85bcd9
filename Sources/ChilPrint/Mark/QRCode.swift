/// A small QR code (ISO/IEC 18004): versions 1 to 4, level M, bytes.
///
/// Level M mends an eighth of the codewords: enough for a fold or a spot of paint, at modules that stay large.
package struct QRCode: Hashable, Sendable {
    /// Modules of an edge.
    package let side: Int
    /// Row by row, from the upper left.
    private var dark: [Bool]

    package static let byteCountMax = 62
    static let levelM = 0b00

    /// `nil`: more than `byteCountMax` bytes.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let version = Version.all.first(where: { $0.dataCount - 2 >= bytes.count }) else { return nil }
        // Mode 0100, eight bits of length, the bytes, the terminator 0000: the halves of bytes come out even.
        var bits: [UInt8] = [0x40 | UInt8(bytes.count) >> 4]
        var carry = UInt8(bytes.count & 15)
        for byte in bytes {
            bits.append(carry << 4 | byte >> 4)
            carry = byte & 15
        }
        bits.append(carry << 4)
        var pad: UInt8 = 0xEC
        while bits.count < version.dataCount {
            bits.append(pad)
            pad ^= 0xEC ^ 0x11
        }
        self.init(data: bits, version: version)
    }

    /// With the mask that tells the modules apart best (§7.8.3).
    init(data: [UInt8], version: Version) {
        let drawn = (0..<8).map { Self(data: data, version: version, mask: $0) }
        self = drawn.dropFirst().reduce(drawn[0]) { $1.penalty < $0.penalty ? $1 : $0 }
    }

    init(data: [UInt8], version: Version, mask: Int) {
        side = version.side
        dark = [Bool](repeating: false, count: side * side)
        let frame = QRFrame(version)
        for row in 0..<side {
            for column in 0..<side { dark[row * side + column] = frame[row, column] == .dark }
        }
        for (place, module) in frame.format(level: Self.levelM, mask: mask) {
            dark[place.row * side + place.column] = module
        }
        let stream = version.codewords(of: data)
        for (number, place) in frame.dataPlaces.enumerated() {
            let bit = number < stream.count * 8 ? stream[number / 8] >> (7 - number % 8) & 1 == 1 : false
            dark[place.row * side + place.column] = bit != QRFrame.isMasked(mask, place)
        }
    }

    package subscript(row: Int, column: Int) -> Bool { dark[row * side + column] }

    /// The dark modules of a row that touch each other.
    func runs(in row: Int) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for column in 0..<side where self[row, column] {
            if let last = runs.last, last.upperBound == column {
                runs[runs.count - 1] = last.lowerBound..<column + 1
            } else {
                runs.append(column..<column + 1)
            }
        }
        return runs
    }

    /// The same, turned by a quarter against the clock.
    package var turnedLeft: Self {
        var turned = self
        for row in 0..<side {
            for column in 0..<side { turned.dark[row * side + column] = self[column, side - 1 - row] }
        }
        return turned
    }

    /// What makes a symbol hard to read (§7.8.3.1): long runs, blocks, what looks like a finder, too much of a colour.
    var penalty: Int {
        var sum = 0
        for line in 0..<side {
            sum += Self.penalty(of: (0..<side).map { self[line, $0] })
            sum += Self.penalty(of: (0..<side).map { self[$0, line] })
        }
        for row in 0..<side - 1 {
            for column in 0..<side - 1 {
                let corner = self[row, column]
                if self[row, column + 1] == corner, self[row + 1, column] == corner, self[row + 1, column + 1] == corner
                {
                    sum += 3
                }
            }
        }
        let share = dark.count(where: { $0 }) * 100 / dark.count
        return sum + abs(share - 50) / 5 * 10
    }

    private static func penalty(of line: [Bool]) -> Int {
        var (sum, run) = (0, 1)
        for index in 1...line.count {
            if index < line.count, line[index] == line[index - 1] {
                run += 1
            } else {
                if run >= 5 { sum += run - 2 }
                run = 1
            }
        }
        let finder = [true, false, true, true, true, false, true]
        let light = [false, false, false, false]
        for pattern in [finder + light, light + finder] {
            for start in 0...line.count - pattern.count where line[start..<start + pattern.count].elementsEqual(pattern)
            {
                sum += 40
            }
        }
        return sum
    }
}
