import Foundation

/// Reads PWG raster as PWG 5102.4 describes it: header by header, row by row. Written from the text alone.
struct ReadRaster {
    struct Page {
        var header: [UInt8]
        var rows: [[UInt8]] = []

        func number(_ offset: Int) -> Int { header[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        func text(_ offset: Int) -> String {
            String(decoding: header[offset..<offset + 64].prefix { $0 != 0 }, as: UTF8.self)
        }
        var width: Int { number(372) }
        var height: Int { number(376) }
        var pixelBytes: Int { number(388) / 8 }

        /// The first sample of a pixel.
        subscript(column: Int, row: Int) -> UInt8 { rows[row][column * pixelBytes] }

        var portablePixmap: [UInt8] {
            Array("\(pixelBytes == 1 ? "P5" : "P6")\n\(width) \(height)\n255\n".utf8) + rows.flatMap { $0 }
        }

        /// Left, top, right and bottom of what is not white, above `row`.
        func ink(above limit: Int) -> [Int] {
            var (left, top, right, bottom) = (width, height, -1, -1)
            for (row, line) in rows.prefix(limit).enumerated() {
                guard let first = line.firstIndex(where: { $0 < 200 }), let last = line.lastIndex(where: { $0 < 200 })
                else {
                    continue
                }
                (left, right) = (min(left, first / pixelBytes), max(right, last / pixelBytes))
                (top, bottom) = (min(top, row), max(bottom, row))
            }
            return [left, top, right, bottom]
        }
    }

    struct Fault: Error {}

    static func pages(of bytes: [UInt8]) throws -> [Page] {
        guard bytes.starts(with: Array("RaS2".utf8)) else { throw Fault() }
        var (at, pages) = (4, [Page]())
        while at < bytes.count {
            guard at + 1_796 <= bytes.count else { throw Fault() }
            var page = Page(header: Array(bytes[at..<at + 1_796]))
            at += 1_796
            guard page.number(392) == page.width * page.pixelBytes else { throw Fault() }
            while page.rows.count < page.height {
                guard at < bytes.count else { throw Fault() }
                let times = Int(bytes[at]) + 1
                at += 1
                let row = try row(of: bytes, &at, page.number(392), page.pixelBytes)
                page.rows += Array(repeating: row, count: times)
            }
            guard page.rows.count == page.height else { throw Fault() }
            pages.append(page)
        }
        return pages
    }

    static func row(of bytes: [UInt8], _ at: inout Int, _ byteCount: Int, _ pixelBytes: Int) throws -> [UInt8] {
        var row: [UInt8] = []
        while row.count < byteCount {
            guard at < bytes.count, bytes[at] != 128 else { throw Fault() }
            let word = Int(bytes[at])
            at += 1
            let count = (word > 128 ? 257 - word : 1) * pixelBytes
            guard at + count <= bytes.count else { throw Fault() }
            let pixels = bytes[at..<at + count]
            at += count
            for _ in 0..<(word > 128 ? 1 : word + 1) { row += pixels }
        }
        guard row.count == byteCount else { throw Fault() }
        return row
    }
}
