/// Numbers as a line of blocks, one a number.
enum Spark {
    private static let blocks = Array("▁▂▃▄▅▆▇█").map(String.init)
    private static let letters = [".", ":", "-", "=", "+", "*", "#", "@"]

    /// - Parameter width: numbers that lie together are added up.
    static func text(_ numbers: [Int64], width: Int, isUTF8: Bool) -> String {
        guard width > 0, !numbers.isEmpty else { return "" }
        let columns = min(width, numbers.count)
        let sums = (0..<columns).map { column in
            let first = column * numbers.count / columns
            let last = max(first + 1, (column + 1) * numbers.count / columns)
            return numbers[first..<last].reduce(0) { $0 + max(0, $1) }
        }
        let most = sums.max() ?? 0
        return sums.map { sum in
            // Nothing is a blank: the lowest block is something.
            guard sum > 0, most > 0 else { return isUTF8 ? " " : "_" }
            let level = Int((sum * 8 - 1) / most)
            return (isUTF8 ? blocks : letters)[min(7, max(0, level))]
        }.joined()
    }
}
