import ChilCore
import ChilDatabase
import ChilStore
import ChilTestSupport
import Testing

/// Little left, and nothing left: each is told once per window.
@Suite struct QuotaTellingTests {
    private func told(_ tenant: TestTenant) async throws -> [String] {
        let trail = try await AuditTrail(of: tenant.id, countMax: 1_000).rows(from: tenant.store.operatorRole)
        let words: Set<String> = ["quota.warn", "quota.exhausted"]
        return trail.filter { words.contains($0.action) }.map { row -> String in
            [row.action, row.target ?? "-", row.detail ?? "-"].joined(separator: " ")
        }
    }

    /// 50 at once through two services, of a limit of 20: one warning, one end, and the 30 that were refused did not undo it.
    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func fiftyAtOnceTellOnce(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.withTwo(form) { store, second in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let key = try QuotaKey(.generations, .tenant, .day)
            for one in [tenant, other] { try await one.limit(key, to: 20) }
            let refused = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<50 {
                    let service = number.isMultiple(of: 2) ? store.service : second.service
                    group.addTask {
                        try await QuotaTake(1, of: .generations, in: tenant.id, by: fresh(), at: noon)
                            .answer(from: service) != nil
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(refused == 30)
            let place = "generations tenant day"
            #expect(
                try await told(tenant).sorted() == [
                    "quota.exhausted \(place) 20 of 20", "quota.warn \(place) 16 of 20",
                ]
            )
            #expect(try await told(other) == [])

            // The next window tells anew.
            let tomorrow = noon + .seconds(86_400)
            for _ in 0..<21 {
                _ = try await QuotaTake(1, of: .generations, in: tenant.id, by: nil, at: tomorrow)
                    .answer(from: store.service)
            }
            #expect(try await told(tenant).count == 4)
        }
    }

    @Test func aRefusalAloneTellsToo() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let owner = try await tenant.user()
            try await tenant.limit(.drawings, to: 0)
            try await tenant.limit(.storageBytes, to: 3)
            for _ in 0..<3 {
                #expect(try await tenant.create(by: owner).answer(from: store.service) == .overQuota(.drawings))
            }
            #expect(try await told(tenant) == ["quota.exhausted drawings tenant none 0 of 0"])
            try await tenant.limit(.drawings, to: 100)
            for _ in 0..<3 {
                #expect(try await tenant.create(by: owner).answer(from: store.service) == .overQuota(.storageBytes))
            }
            #expect(
                try await told(tenant).sorted() == [
                    "quota.exhausted drawings tenant none 0 of 0", "quota.exhausted storage_bytes tenant none 0 of 3",
                ]
            )
            #expect(try await tenant.differences() == [])
        }
    }

    @Test func theSoftLimitDecidesWhenToWarn() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), user: UserID = fresh()
            try await tenant.limit(QuotaKey(.requests, .user, .hour), to: 10, softLimit: 3)
            for _ in 0..<5 {
                _ = try await QuotaTake(1, of: .requests, in: tenant.id, by: user, at: noon).answer(from: store.service)
            }
            #expect(try await told(tenant) == ["quota.warn requests user hour \(user.rawValue) 3 of 10"])
        }
    }

    /// What never resets is told again when it was well in between, but not each time that somebody deletes one and makes one.
    @Test func whatNeverResetsIsToldAgainAfterADay() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let owner = try await tenant.user()
            try await tenant.limit(.drawings, to: 5)
            var drawings: [DrawingID] = []
            func make(_ count: Int, at now: Timestamp) async throws {
                for _ in 0..<count {
                    let id: DrawingID = fresh()
                    let create = tenant.create(by: owner, id: id, at: now)
                    #expect(try await create.answer(from: store.service) == .created)
                    drawings.append(id)
                }
            }
            func drop(_ count: Int) async throws {
                for _ in 0..<count {
                    let delete = DrawingDelete(
                        drawings.removeLast(),
                        of: owner,
                        in: tenant.id,
                        note: userNote(),
                        isLimited: true
                    )
                    #expect(try await delete.answer(from: store.service))
                }
            }
            try await make(5, at: noon)
            #expect(try await told(tenant).count == 2)
            try await drop(4)
            try await make(4, at: noon + .seconds(3_600))
            #expect(try await told(tenant).count == 2)
            // Without having been well in between it is no news.
            try await drop(1)
            try await make(1, at: noon + .seconds(2 * 86_400))
            #expect(try await told(tenant).count == 2)
            try await drop(4)
            try await make(4, at: noon + .seconds(3 * 86_400))
            #expect(try await told(tenant).count == 4)
        }
    }

    /// A new limit tells of itself.
    @Test func aChangedLimitTellsAnew() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let key = try QuotaKey(.motions, .tenant, .month)
            func take() async throws -> QuotaKey? {
                try await QuotaTake(1, of: .motions, in: tenant.id, by: nil, at: noon).answer(from: store.service)?.key
            }
            try await tenant.limit(key, to: 1)
            #expect(try await take() == nil)
            #expect(try await take() == key)
            try await tenant.limit(key, to: 2)
            #expect(try await take() == nil)
            #expect(try await told(tenant).count == 2)
        }
    }
}
