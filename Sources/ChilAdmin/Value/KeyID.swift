/// The name of a signing key, as lists and key sets show it.
struct KeyID: ArgumentValue, Equatable, Sendable {
    static let byteCountMax = 200
    static var expectation: String { "a key id: 1 to \(byteCountMax) visible ASCII characters" }

    let text: String

    init?(argument: String) {
        guard (1...Self.byteCountMax).contains(argument.utf8.count),
            argument.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        text = argument
    }
}
