/// "Did you mean …?" for a word that is not known.
enum Suggestion {
    /// Words longer than this are not compared: the work grows with the product of the lengths.
    static let wordLengthMax = 64

    /// The known word that is nearest, if it is near enough to be meant: at most a third of its letters differ.
    static func nearest(to word: String, among known: [String]) -> String? {
        guard word.unicodeScalars.count <= wordLengthMax else { return nil }
        var best: (word: String, distance: Int)?
        for candidate in known {
            let distance = distance(word, candidate)
            if distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        guard let best, best.distance <= max(1, best.word.unicodeScalars.count / 3) else { return nil }
        return best.word
    }

    /// Edits (insert, delete, replace, swap of neighbours) that make one word the other: optimal string alignment.
    static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left.unicodeScalars)
        let right = Array(right.unicodeScalars)
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for i in left.indices {
            var row = [i + 1]
            row.reserveCapacity(right.count + 1)
            for j in right.indices {
                var edits = min(last[j + 1] + 1, row[j] + 1, last[j] + (left[i] == right[j] ? 0 : 1))
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    edits = min(edits, beforeLast[j - 1] + 1)
                }
                row.append(edits)
            }
            beforeLast = last
            last = row
        }
        return last[right.count]
    }
}
