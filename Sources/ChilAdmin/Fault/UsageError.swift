/// The command line is wrong: nothing was done, the exit status is 64.
struct UsageError: Error, Equatable {
    let message: String
    /// A whole sentence that shows the right way, if there is a likely one.
    let hint: String?

    init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }

    /// An unknown word, with the nearest known one.
    static func unknown(_ kind: String, _ word: String, known: [String], otherwise hint: String) -> Self {
        let nearest = Suggestion.nearest(to: word, among: known)
        return Self("unknown \(kind) '\(word)'", hint: nearest.map { "Did you mean \($0)?" } ?? hint)
    }
}
