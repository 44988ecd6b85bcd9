import ChilCore
import ChilDatabase
import ChilStore
import Testing

/// Counts are what there is: whatever happens at once, and found out where they are not.
@Suite struct QuotaRecountTests {
    /// Limits are set, changed and taken away while people draw and delete. Nothing slips between the count and the first take.
    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func limitsMayChangeUnderTraffic(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.withTwo(form) { store, second in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let owners = [try await tenant.user("ann"), try await tenant.user("bob")]
            let keys = [
                try QuotaKey(.drawings), try QuotaKey(.drawings, .user), try QuotaKey(.drawings, .tenant, .day),
                try QuotaKey(.storageBytes), try QuotaKey(.storageBytes, .user),
            ]
            try await other.limit(.drawings, to: 1)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    let service = number.isMultiple(of: 2) ? store.service : second.service
                    group.addTask {
                        for step in 0..<25 {
                            let id: DrawingID = fresh(), owner = owners[(number + step) % 2]
                            let create = tenant.create(by: owner, id: id, isLimited: false)
                            guard case .created = try await create.answer(from: service), step % 3 == 0 else {
                                continue
                            }
                            let delete = DrawingDelete(id, of: owner, in: tenant.id, note: userNote(), isLimited: false)
                            #expect(try await delete.answer(from: service))
                        }
                    }
                }
                group.addTask {
                    for round in 0..<12 {
                        for key in keys {
                            if (round + keys.firstIndex(of: key)!) % 3 == 2 {
                                let unset = QuotaUnset(key, of: tenant.id, note: tenant.note())
                                _ = try await unset.run(on: store.operatorRole)
                            } else {
                                try await tenant.limit(key, to: 100_000)
                            }
                            #expect(try await tenant.differences() == [], "\(key) in round \(round)")
                        }
                    }
                }
                try await group.waitForAll()
            }
            for key in keys { try await tenant.limit(key, to: 100_000) }
            #expect(try await tenant.differences() == [])
            #expect(try await other.used(.drawings) == 0)
        }
    }

    @Test func aWrongCountIsFoundAndMended() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let owner = try await tenant.user()
            for one in [tenant, other] {
                for metric in [QuotaMetric.drawings, .users, .printers] { try await one.limit(metric, to: 5) }
                try await one.limit(.storageBytes, to: 100)
                try await one.limit(QuotaKey(.drawings, .user), to: 5)
                try await one.limit(QuotaKey(.printJobs, .tenant, .day), to: 5)
            }
            _ = try await tenant.drawing(by: owner)
            #expect(try await [tenant.differences(), other.differences()] == [[], []])
            let id = tenant.id.rawValue
            try await store.script(
                """
                begin;
                update quota set used = used + 4 where tenant_id = \(id) and metric in ('drawings', 'users') and scope = 'tenant';
                update quota set used = 0 where tenant_id = \(id) and metric = 'storage_bytes';
                update quota_use set used = 5 where tenant_id = \(id);
                insert into quota_reservation (tenant_id, reservation_id, metric, scope, window_kind, subject_id, amount, resets_at, expires_at)
                    select tenant_id, 1, metric, scope, window_kind, 0, 2, resets_at, 'infinity'
                      from quota where tenant_id = \(id) and metric = 'print_jobs';
                commit;
                """
            )
            #expect(try await tenant.create(by: owner).answer(from: store.service) != .created)
            let found = try await tenant.differences()
            #expect(
                found.map { "\($0.key) \($0.subject == owner.rawValue) \($0.used) \($0.counted)" } == [
                    "drawings tenant none false 5 1", "drawings user none true 5 1",
                    "storage_bytes tenant none false 0 4", "users tenant none false 5 1",
                    "print_jobs tenant day false 0 2",
                ]
            )
            #expect(try await other.differences() == [])
            let mend = QuotaRecount(of: tenant.id, note: tenant.note())
            #expect(try await mend.run(on: store.operatorRole) == found)
            #expect(try await tenant.differences() == [])
            let again = QuotaRecount(of: tenant.id, note: tenant.note())
            #expect(try await again.run(on: store.operatorRole) == [])
            for _ in 0..<4 { #expect(try await tenant.create(by: owner).answer(from: store.service) == .created) }
            #expect(try await tenant.create(by: owner).answer(from: store.service) != .created)
            #expect(
                try await tenant.auditedActions().filter { $0.hasPrefix("quota.recount") } == [
                    "quota.recount 5 counters"
                ]
            )
        }
    }

    /// Another's counters are nobody's business: neither by the list nor by the number.
    @Test func ownLimitsAreOnesOwn() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let ann = try await tenant.user("ann"), bob = try await tenant.user("bob")
            try await tenant.limit(.drawings, to: 10)
            try await tenant.limit(QuotaKey(.drawings, .user, .day), to: 4)
            try await tenant.limit(QuotaKey(.printedPages, .printer, .day), to: 4)
            try await tenant.limit(.sessionsPerUser, to: 3)
            _ = try await tenant.user("ann")
            for _ in 0..<2 { _ = try await tenant.drawing(by: ann) }
            func own(_ user: UserID, _ id: TenantID = tenant.id) async throws -> [String] {
                try await OwnQuotas(of: user, in: id, at: noon).rows(from: store.service)
                    .map { "\($0.key) \($0.used) of \($0.terms.limit)" }
            }
            #expect(
                try await own(ann) == [
                    "drawings tenant none 2 of 10", "drawings user day 2 of 4", "sessions_per_user user none 2 of 3",
                ]
            )
            #expect(
                try await own(bob) == [
                    "drawings tenant none 2 of 10", "drawings user day 0 of 4", "sessions_per_user user none 1 of 3",
                ]
            )
            #expect(try await own(ann, other.id) == [])
        }
    }
}
