/// Rows of a picture at another size, one after the other, between its own ones. Memory: two rows.
struct RowScaler: ~Copyable {
    private var source: PixelRows
    private let width: Int
    private let height: Int
    private let channels: Int
    private var above: [UInt8] = []
    private var below: [UInt8] = []
    private var madeCount = 0

    /// - Parameter channels: 1 or 3; a grey picture gets three, but colours are not made grey here.
    init(_ source: consuming PixelRows, width: Int, height: Int, channels: Int) {
        self.source = source
        self.width = width
        self.height = height
        self.channels = channels
    }

    mutating func next() throws(PDFFault) -> [UInt8] {
        let (upper, share) = Self.place(madeCount, of: height, in: source.height)
        madeCount += 1
        while source.readCount <= min(upper + 1, source.height - 1) {
            swap(&above, &below)
            below = stretched(try source.next())
            if above.isEmpty { above = below }
        }
        // Behind the last row there is none: then it stands in both.
        if upper + 1 >= source.height { above = below }
        guard share > 0, above != below else { return above }
        var row = above
        for index in row.indices {
            row[index] = UInt8((Int(above[index]) * (256 - share) + Int(below[index]) * share + 128) / 256)
        }
        return row
    }

    private func stretched(_ row: [UInt8]) -> [UInt8] {
        var line = [UInt8](repeating: 0, count: width * channels)
        let from = source.channels
        for column in 0..<width {
            let (left, share) = Self.place(column, of: width, in: source.width)
            let right = min(left + 1, source.width - 1)
            for channel in 0..<channels {
                let (first, second) = (row[left * from + channel % from], row[right * from + channel % from])
                line[column * channels + channel] =
                    first == second ? first : UInt8((Int(first) * (256 - share) + Int(second) * share + 128) / 256)
            }
        }
        return line
    }

    /// The element before the middle of this one, and how far behind its middle that lies, in 256ths.
    private static func place(_ index: Int, of count: Int, in sourceCount: Int) -> (Int, Int) {
        let middle = max(0, ((2 * index + 1) * sourceCount * 128) / count - 128)
        return (min(middle / 256, sourceCount - 1), middle % 256)
    }
}
