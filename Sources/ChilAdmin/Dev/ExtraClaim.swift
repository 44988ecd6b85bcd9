import ChilCore

/// `name=value`: a claim of one's own, or another value for one that is there already.
///
/// A value that is JSON is taken as such (`true`, `7`, `["a"]`), anything else is a string; a string that looks like JSON is
/// written in quotes: `--claim 'ver="1"'`.
struct ExtraClaim: ArgumentValue, Equatable, Sendable {
    static let expectation = "NAME=VALUE"

    let name: String
    /// JSON.
    let value: String

    init?(argument: String) {
        let (name, value) = SortedWords.split(argument)
        guard !name.isEmpty, let value else { return nil }
        self.name = name
        self.value = Self.isJSON(value) ? value : JSONText.string(value)
    }

    private static func isJSON(_ text: String) -> Bool {
        (try? StrictJSON.parse(Array(text.utf8))) != nil
    }
}
