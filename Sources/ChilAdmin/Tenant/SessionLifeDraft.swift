/// How a tenant's sessions shall live; `nil`: as they do.
struct SessionLifeDraft: Equatable, Sendable {
    let idle: Lifetime?
    let absolute: Lifetime?
    let countMax: SessionCountMax?
}

/// Live sessions of one user.
enum SessionCountMax: ArgumentValue, Equatable, Sendable {
    case none
    case count(Int32)

    static let expectation = "a whole number from 1 to 1000, or none"

    init?(argument: String) {
        if argument == "none" {
            self = .none
        } else {
            guard let count = Int64(argument: argument), (1...1_000).contains(count) else { return nil }
            self = .count(Int32(count))
        }
    }
}
