import ChilCore
import ChilStore
import Testing

@testable import ChilAPI

@Suite struct SweepRotaTests {
    private static let noon = Timestamp(seconds: 1_780_315_200)
    private static let tenants = (0..<1_000).map { TenantID(rawValue: Int64(1_000 + $0) << 11) }

    @Test func everybodyHasATurnWithinTenMinutes() {
        let rota = SweepRota()
        var turns: [TenantID: Int] = [:]
        for minute in 0..<10 {
            let due = rota.due(Self.tenants, at: Self.noon + .seconds(60 * minute))
            #expect(due.count == 100)
            for tenant in due { turns[tenant, default: 0] += 1 }
        }
        #expect(turns.count == 1_000 && turns.values.allSatisfy { $0 == 1 })
    }

    @Test func whoIsBusyHasATurnEveryMinuteForAWhile() {
        let rota = SweepRota()
        let tenant = Self.tenants[3]
        rota.removed(of: tenant, at: Self.noon)
        let turns = (0..<20).filter { rota.due(Self.tenants, at: Self.noon + .seconds(60 * $0)).contains(tenant) }
        #expect(Array(turns.prefix(10)) == Array(0..<10))
        #expect(turns.count == 11)
    }
}
