/// A team's or key's identifier, as the provider shows it: ten letters and digits at Apple.
struct ProviderWord: ArgumentValue, Hashable, Sendable {
    static let byteCountMax = 64
    static let expectation = "1 to \(byteCountMax) ASCII letters and digits"

    let text: String

    init?(argument: String) {
        guard (1...Self.byteCountMax).contains(argument.utf8.count),
            argument.utf8.allSatisfy({ (0x30...0x39).contains($0) || ($0 | 0x20) &- 0x61 < 26 })
        else { return nil }
        text = argument
    }
}
