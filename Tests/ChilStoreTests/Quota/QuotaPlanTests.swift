import ChilCore
import ChilDatabase
import ChilStore
import Testing

/// Plans that tenants share, and what a tenant has of its own.
@Suite struct QuotaPlanTests {
    private let drawings = QuotaKey(stored: .drawings, .tenant, .none)
    private let prints = QuotaKey(stored: .printJobs, .user, .day)

    private func plan(_ store: TestStore) async throws -> String {
        let name: AuditID = fresh()
        let plan = "plan-\(name.rawValue)"
        _ = try await store.operatorRole.run(PlanCreate(plan, at: noon), .write, of: nil)
        return plan
    }

    private func set(_ key: QuotaKey, to limit: Int64, of plan: String, _ store: TestStore) async throws {
        let change = PlanQuotaSet(key, to: try QuotaTerms(of: key, limit: limit), of: plan)
        _ = try await store.operatorRole.run(change, .write, of: nil)
        try await apply(plan, store)
    }

    private func apply(_ plan: String, _ store: TestStore) async throws {
        for tenant in try await store.operatorRole.run(PlanTenants(of: plan), .read, of: nil) {
            let note = OperatorNote(by: "tester", audit: fresh(), at: noon)
            try await PlanApply(.unchanged, to: tenant, note: note).run(on: store.operatorRole)
        }
    }

    private func assign(_ choice: PlanApply.Choice, to tenant: TestTenant) async throws -> Int64 {
        try await PlanApply(choice, to: tenant.id, note: tenant.note()).run(on: tenant.store.operatorRole)
    }

    private func limits(_ tenant: TestTenant) async throws -> [String] {
        try await tenant.quotas().map { "\($0.key) \($0.terms.limit) \($0.source.rawValue)" }
    }

    @Test func aPlanHoldsForAllWhoHaveItAndAnOverrideWins() async throws {
        try await TestStore.with { store in
            let basic = try await plan(store), large = try await plan(store)
            let tenant = try await TestTenant(store), second = try await TestTenant(store)
            let other = try await TestTenant(store)
            try await set(drawings, to: 5, of: basic, store)
            try await set(prints, to: 2, of: basic, store)
            try await set(drawings, to: 50, of: large, store)
            #expect(try await assign(.named(basic), to: tenant) == 2)
            #expect(try await assign(.named(basic), to: second) == 2)
            #expect(try await assign(.named(basic), to: second) == 0)
            let ofPlan = ["\(drawings) 5 plan", "\(prints) 2 plan"]
            #expect(try await [limits(tenant), limits(second), limits(other)] == [ofPlan, ofPlan, []])

            // An override wins, and stays through every change of the plan.
            try await tenant.limit(drawings, to: 7)
            try await set(drawings, to: 6, of: basic, store)
            #expect(try await limits(tenant) == ["\(drawings) 7 tenant", "\(prints) 2 plan"])
            #expect(try await limits(second) == ["\(drawings) 6 plan", "\(prints) 2 plan"])
            #expect(try await assign(.named(large), to: tenant) == 1)
            #expect(try await limits(tenant) == ["\(drawings) 7 tenant"])
            func unset(_ key: QuotaKey, _ tenant: TestTenant) async throws -> QuotaUnset.Outcome {
                try await QuotaUnset(key, of: tenant.id, note: tenant.note()).run(on: store.operatorRole)
            }
            #expect(try await unset(drawings, tenant) == .planHolds)
            #expect(try await limits(tenant) == ["\(drawings) 50 plan"])
            #expect(try await unset(drawings, tenant) == .isOfPlan)
            #expect(try await unset(prints, tenant) == .missing)

            // What the plan loses, its tenants lose.
            _ = try await store.operatorRole.run(PlanQuotaUnset(prints, of: basic), .write, of: nil)
            try await apply(basic, store)
            #expect(try await limits(second) == ["\(drawings) 6 plan"])
            #expect(try await assign(.none, to: tenant) == 1)
            #expect(try await limits(tenant) == [])
            let trail = try await tenant.auditedActions().filter { $0.hasPrefix("quota.plan") }
            #expect(
                trail == [
                    "quota.plan drawings tenant none gone", "quota.plan print_jobs user day gone",
                    "quota.plan drawings tenant none 5 deny, print_jobs user day 2 deny",
                ]
            )
            // Whoever has the plan reads in its own audit what became of each limit; the other tenant's has nothing.
            let seconds = try await second.auditedActions().filter { $0.hasPrefix("quota.plan") }
            #expect(
                seconds == [
                    "quota.plan print_jobs user day gone", "quota.plan drawings tenant none 6 deny",
                    "quota.plan no limit changed", "quota.plan drawings tenant none 5 deny, print_jobs user day 2 deny",
                ]
            )
            #expect(try await other.auditedActions().filter { $0.hasPrefix("quota") } == [])
        }
    }

    /// What is used goes on through changes of plan; a plan below it refuses, and deletes nothing.
    @Test func useOutlivesAChangeOfPlan() async throws {
        try await TestStore.with { store in
            let small = try await plan(store), tenant = try await TestTenant(store)
            let owner = try await tenant.user()
            for _ in 0..<3 { _ = try await tenant.drawing(by: owner) }
            try await set(drawings, to: 2, of: small, store)
            #expect(try await assign(.named(small), to: tenant) == 1)
            #expect(try await tenant.used(.drawings) == 3)
            #expect(try await tenant.create(by: owner).answer(from: store.service) == .overQuota(.drawings))
            try await set(drawings, to: 4, of: small, store)
            #expect(try await tenant.create(by: owner).answer(from: store.service) == .created)
            #expect(try await tenant.create(by: owner).answer(from: store.service) == .overQuota(.drawings))
            #expect(try await tenant.differences() == [])
        }
    }

    @Test func aPlanInUseIsNotRemoved() async throws {
        try await TestStore.with { store in
            let basic = try await plan(store), tenant = try await TestTenant(store)
            try await set(drawings, to: 5, of: basic, store)
            _ = try await assign(.named(basic), to: tenant)
            let inUse = await #expect(throws: DatabaseError.self) {
                try await PlanRemove(basic).run(on: store.operatorRole)
            }
            #expect(inUse?.constraint == "tenant_plan_fkey")
            let unknown = await #expect(throws: DatabaseError.self) {
                try await assign(.named("no-such-plan"), to: tenant)
            }
            #expect(unknown?.constraint == "tenant_plan_fkey")
            _ = try await assign(.none, to: tenant)
            #expect(try await PlanRemove(basic).run(on: store.operatorRole))
            #expect(try await PlanRemove(basic).run(on: store.operatorRole) == false)
            let taken = try await plan(store)
            let again = await #expect(throws: DatabaseError.self) {
                try await store.operatorRole.run(PlanCreate(taken, at: noon), .write, of: nil)
            }
            #expect(again?.constraint == "quota_plan_pkey")
        }
    }
}
