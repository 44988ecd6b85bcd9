import ChilCore

/// Counts the sign-ins that bring again what was used before. They cost their sender nothing and may be many, so they have no row in the
/// audit: the log says once a minute how many there were. Not `Sendable`.
final class RepeatedSignIns {
    enum Kind: CaseIterable {
        /// The nonce is spent, or was never issued.
        case nonce
        case replayed
        /// The request of a sign-in that was answered, code and all: it got the same session.
        case repeated

        fileprivate var word: StaticString {
            switch self {
            case .nonce: "nonce"
            case .replayed: "replayed"
            case .repeated: "repeated"
            }
        }
    }

    private struct Count {
        var toldAt: Int64
        var kinds: [Kind: Int] = [:]
    }

    private var tenants: [TenantID: Count] = [:]

    private static let pause: Int64 = 60_000_000_000
    private static let tenantsMax = 4_096

    /// - Parameter now: monotonic nanoseconds.
    /// - Returns: what is to be told now: at the first, and then what came within the last minute or longer.
    func counted(_ kind: Kind, in tenant: TenantID, at now: Int64) -> [(StaticString, String)]? {
        if tenants.count >= Self.tenantsMax { tenants.removeAll() }
        var count = tenants[tenant] ?? Count(toldAt: now - Self.pause)
        count.kinds[kind, default: 0] += 1
        let isDue = now - count.toldAt >= Self.pause
        tenants[tenant] = isDue ? Count(toldAt: now) : count
        return isDue ? Kind.allCases.map { ($0.word, "\(count.kinds[$0, default: 0])") } : nil
    }
}
