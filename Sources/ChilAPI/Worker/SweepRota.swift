import ChilCore
import ChilStore

/// Whose turn it is to be swept in a minute: those of whom something was removed lately, and a tenth of all others, so that ten thousand
/// tenants that nobody uses cost next to nothing and everybody is looked after within ten minutes.
///
/// Not `Sendable`: a sweeper's own.
final class SweepRota {
    static let minutes: Int64 = 10
    /// Minute of the last removal.
    private var busy: [TenantID: Int64] = [:]

    /// Those of `tenants` whose turn it is.
    func due(_ tenants: [TenantID], at now: Timestamp) -> [TenantID] {
        let minute = Self.minute(now)
        busy = busy.filter { minute - $0.value < Self.minutes }
        // Numbers begin with the millisecond that they were made in (`IDGenerator`).
        return tenants.filter { busy[$0] != nil || ($0.rawValue >> 11 &+ minute) % Self.minutes == 0 }
    }

    /// Something of the tenant's had had its time.
    func removed(of tenant: TenantID, at now: Timestamp) {
        busy[tenant] = Self.minute(now)
    }

    private static func minute(_ now: Timestamp) -> Int64 { now.microseconds / 60_000_000 }
}
