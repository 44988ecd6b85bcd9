extension QRCode {
    /// A size, with how its codewords are cut into blocks at level M (ISO/IEC 18004 table 9).
    struct Version: Hashable, Sendable {
        let number: Int
        let blockCount: Int
        /// Of each block.
        let blockDataCount: Int
        let checkCount: Int

        static let all = [
            Self(number: 1, blockCount: 1, blockDataCount: 16, checkCount: 10),
            Self(number: 2, blockCount: 1, blockDataCount: 28, checkCount: 16),
            Self(number: 3, blockCount: 1, blockDataCount: 44, checkCount: 26),
            Self(number: 4, blockCount: 2, blockDataCount: 32, checkCount: 18),
        ]

        var side: Int { 17 + 4 * number }
        var dataCount: Int { blockCount * blockDataCount }

        /// Data and check codewords in the order in which they are drawn (§7.6).
        func codewords(of data: [UInt8]) -> [UInt8] {
            let blocks = (0..<blockCount).map { Array(data[$0 * blockDataCount..<($0 + 1) * blockDataCount]) }
            let checks = blocks.map { ReedSolomon.check($0, count: checkCount) }
            return (0..<blockDataCount).flatMap { index in blocks.map { $0[index] } }
                + (0..<checkCount).flatMap { index in checks.map { $0[index] } }
        }
    }
}
