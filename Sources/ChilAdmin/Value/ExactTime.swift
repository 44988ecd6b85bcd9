import ChilCore

/// A moment, as RFC 3339 writes it. Where it decides whom something concerns, a day or a length ago would leave open whose.
struct ExactTime: ArgumentValue, Equatable, Sendable {
    static let expectation = "a time such as 2026-11-01T00:00:00Z"

    let time: Timestamp

    init?(argument: String) {
        guard let time = Timestamp(rfc3339: argument) else { return nil }
        self.time = time
    }
}
