import ChilCore
import ChilStore

/// What shall hold for callers without a token; `nil`: what holds.
struct GuestDraft: Equatable, Sendable {
    let isServed: GuestSwitch?
    let printsPerDay: GuestPrints?

    static let nothing = GuestDraft(isServed: nil, printsPerDay: nil)
    /// What whoever switches it on has to know.
    static let warning = "Guest calls are on: every device without a token sees and prints the same drawings."
}

enum GuestSwitch: String, ArgumentChoice, Sendable {
    case on
    case off
}

/// From one address.
struct GuestPrints: ArgumentValue, Equatable, Sendable {
    let count: Int32

    static let expectation =
        "a whole number from \(Guest.printsPerDayRange.lowerBound) to \(Guest.printsPerDayRange.upperBound)"

    init?(argument: String) {
        guard let count = Int64(argument: argument).flatMap({ Int32(exactly: $0) }),
            Guest.printsPerDayRange.contains(count)
        else { return nil }
        self.count = count
    }
}
