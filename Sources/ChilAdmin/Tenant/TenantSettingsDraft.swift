/// What of a tenant shall be otherwise; `nil`: as it is.
struct TenantSettingsDraft: Equatable, Sendable {
    static let nothing = TenantSettingsDraft()

    /// How sessions live.
    var idle: Lifetime?
    var absolute: Lifetime?
    var countMax: SessionCountMax?
    /// An IANA name.
    var timeZone: String?
    var name: DisplayName?
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
