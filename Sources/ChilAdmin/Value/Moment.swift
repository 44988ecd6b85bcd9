import ChilCore

/// A moment: `2026-11-30T06:00:00Z`, a day `2026-11-30` (its beginning in UTC), or a length ago such as `2h`.
struct Moment: ArgumentValue, Equatable, Sendable {
    static let expectation =
        "a moment such as 2026-11-30T06:00:00Z, a day such as 2026-11-30, or a length ago such as 45m, 12h or 30d"

    private enum Form: Equatable, Sendable {
        case at(Timestamp)
        case ago(Lifetime)
    }

    private let form: Form

    init?(argument: String) {
        if let moment = Timestamp(rfc3339: argument) ?? Timestamp(rfc3339: "\(argument)T00:00:00Z") {
            form = .at(moment)
        } else if let length = Lifetime(argument: argument) {
            form = .ago(length)
        } else {
            return nil
        }
    }

    func timestamp(at now: Timestamp) -> Timestamp {
        switch form {
        case .at(let moment): moment
        case .ago(let length): now - .seconds(length.seconds)
        }
    }
}
