import ChilMediaTestSupport

/// Pictures to upload.
enum Picture {
    /// 2 × 2 pixels of a random colour.
    static func png() -> [UInt8] {
        let colour = (0..<12).map { _ in Int.random(in: 0...255) }
        return PNGMaker(width: 2, height: 2) { column, row in
            let first = 3 * (column + 2 * row)
            return Array(colour[first..<first + 3])
        }.file()
    }

    /// A JPEG of 16 × 8 pixels that nobody else has, and of at least so many bytes: tables that later ones replace make it large, and cost
    /// nothing to write or to read.
    static func jpeg(bytesMin: Int = 0) -> [UInt8] {
        var maker = JPEGMaker(columns: 2, rows: 1) { column, _ in [UInt8(40 + 100 * column)] }
        let table = [0] + (0..<64).map { _ in UInt8.random(in: 1...255) }
        let tables = bytesMin == 0 ? table : [[UInt8]](repeating: table, count: 1_000).flatMap { $0 }
        while maker.extraSegments.count < max(bytesMin, 1) { maker.extraSegments += JPEGMaker.segment(0xDB, tables) }
        return maker.file()
    }

    /// A PNG that says it is so large, with no more pixels than a small one.
    static func png(width: Int, height: Int) -> [UInt8] {
        var maker = PNGMaker(width: 1, height: 1) { _, _ in [0, 0, 0] }
        let chunks = maker.chunks()
        maker.width = width
        maker.height = height
        return PNGMaker.signature + PNGMaker.chunk("IHDR", maker.header())
            + chunks.dropFirst().flatMap { PNGMaker.chunk($0.0, $0.1) }
    }
}
