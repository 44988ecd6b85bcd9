/// A name for people: a tenant's, a printer's. Any script; nothing that a terminal would obey.
struct DisplayName: ArgumentValue, Equatable, Sendable {
    static let characterCountMax = 120
    static var expectation: String { "a name of 1 to \(characterCountMax) characters without control characters" }

    let text: String

    init?(argument: String) {
        guard (1...Self.characterCountMax).contains(argument.unicodeScalars.count),
            !argument.unicodeScalars.contains(where: CleanText.isUnsafe)
        else { return nil }
        text = argument
    }
}
