import ChilCore

/// A session's number, as `session list` shows it.
struct SessionNumber: ArgumentValue, Equatable, Sendable {
    static let expectation = "a session's number, as `chiladmin session list` shows it"

    let id: SessionID

    init?(argument: String) {
        guard let number = Int64(argument: argument), (1..<1 << 53).contains(number) else { return nil }
        id = SessionID(rawValue: number)
    }
}
