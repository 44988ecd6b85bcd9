import ChilHTTP

/// Which of a drawing's images is asked for. Raw values go into signatures: never reused.
enum ImageVariant: UInt8 {
    case shown = 0
    /// What the shown one was made of.
    case original = 1

    /// - Throws: `Problem.notFound` for a word that is none.
    init(_ query: QueryItems?) throws(Problem) {
        switch query?["variant"] {
        case nil: self = .shown
        case "original": self = .original
        default: throw .notFound
        }
    }
}
