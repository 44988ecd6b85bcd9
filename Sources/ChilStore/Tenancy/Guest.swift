package import ChilCore

/// Who callers without a token are, in a tenant that serves the first app: one user for all of them, who sees what any of them makes.
package struct Guest: Sendable, Equatable {
    package static let printsPerDayDefault: Int32 = 30
    package static let printsPerDayRange: ClosedRange<Int32> = 1...100_000
    /// Seconds.
    package static let printWindow: Int32 = 86_400

    package let user: UserID
    /// From one address.
    package let printsPerDay: Int32
}
