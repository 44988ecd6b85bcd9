import ChilCore

/// A user's number, as `user list` and the service show it.
struct UserNumber: ArgumentValue, Equatable, Sendable {
    static let expectation = "a user's number, as `chiladmin user list` shows it"

    let id: UserID

    init?(argument: String) {
        guard let number = Int64(argument: argument), (1..<1 << 53).contains(number) else { return nil }
        id = UserID(rawValue: number)
    }
}
