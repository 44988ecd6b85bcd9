/// Reads the modules of a job mark: version 2 at level M, bytes.
extension QRCode {
    enum Reading {
        static let version = Version.all[1]
        static let frame = QRFrame(version)
        static let places = frame.dataPlaces
        private static let formatPlaces = QRFrame.formatPlaces(version.side)
        private static let masks = (0..<8).map { ($0, QRFrame.formatWord(level: levelM, mask: $0)) }
        /// Of the fifteen bits of a format; words differ in five at least, but level M alone is asked for.
        private static let wrongFormatBitsMax = 5
        /// So many masks are tried, the likeliest first.
        private static let masksMax = 3

        /// - Parameter isDark: of a row and a column, `version.side` of each.
        static func text(_ isDark: (Int, Int) -> Bool) -> String? {
            let words = [0, 1].map { copy in
                formatPlaces.enumerated().reduce(0) { word, bit in
                    let place = bit.element[copy]
                    return isDark(place.row, place.column) ? word | 1 << bit.offset : word
                }
            }
            let likely = masks.map { mask, word in
                (mask, wrongBits: words.map { ($0 ^ word).nonzeroBitCount }.min() ?? .max)
            }
            .filter { $0.wrongBits <= wrongFormatBitsMax }.sorted { $0.wrongBits < $1.wrongBits }
            for (mask, _) in likely.prefix(masksMax) {
                var codewords = [UInt8](repeating: 0, count: version.dataCount + version.checkCount)
                for (number, place) in places.prefix(codewords.count * 8).enumerated()
                where isDark(place.row, place.column) != QRFrame.isMasked(mask, place) {
                    codewords[number / 8] |= 0x80 >> UInt8(number % 8)
                }
                if let mended = ReedSolomon.mended(codewords, checkCount: version.checkCount),
                    let text = text(in: Array(mended[..<version.dataCount]))
                {
                    return text
                }
            }
            return nil
        }

        /// Letters, digits and signs of ASCII; what is behind them must be what `QRCode` fills up with.
        private static func text(in data: [UInt8]) -> String? {
            let count = Int(data[0] & 15) << 4 | Int(data[1] >> 4)
            guard data[0] >> 4 == 0b0100, count <= data.count - 2 else { return nil }
            let letters = (0..<count).map { data[$0 + 1] << 4 | data[$0 + 2] >> 4 }
            guard letters.allSatisfy({ (0x21..<0x7F).contains($0) }), data[count + 1] & 15 == 0 else { return nil }
            return String(decoding: letters, as: UTF8.self)
        }
    }
}
