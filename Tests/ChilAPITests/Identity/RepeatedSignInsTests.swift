import ChilCore
import Testing

@testable import ChilAPI

/// What comes again is told at once, and then once a minute with how much it was.
@Suite struct RepeatedSignInsTests {
    private static let second: Int64 = 1_000_000_000

    private static func told(_ counts: [(StaticString, String)]?) -> String? {
        counts?.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }

    @Test func aMinuteHasOneLine() {
        let signIns = RepeatedSignIns(), tenant = TenantID(rawValue: 1), other = TenantID(rawValue: 2)
        func count(_ kind: RepeatedSignIns.Kind, _ seconds: Int64, _ tenant: TenantID) -> String? {
            Self.told(signIns.counted(kind, in: tenant, at: seconds * Self.second))
        }
        #expect(count(.nonce, 0, tenant) == "nonce 1, replayed 0, repeated 0")
        for seconds: Int64 in 1...59 { #expect(count(.replayed, seconds, tenant) == nil) }
        #expect(count(.repeated, 59, other) == "nonce 0, replayed 0, repeated 1")
        #expect(count(.repeated, 60, tenant) == "nonce 0, replayed 59, repeated 1")
        #expect(count(.nonce, 119, tenant) == nil)
        #expect(count(.nonce, 500, tenant) == "nonce 2, replayed 0, repeated 0")
    }

    /// However many tenants there are, few are remembered.
    @Test func manyTenantsTakeNoRoom() {
        let signIns = RepeatedSignIns()
        for number: Int64 in 1...10_000 {
            #expect(signIns.counted(.nonce, in: TenantID(rawValue: number), at: 0) != nil)
        }
        #expect(signIns.counted(.nonce, in: TenantID(rawValue: 10_000), at: 1) == nil)
    }
}
