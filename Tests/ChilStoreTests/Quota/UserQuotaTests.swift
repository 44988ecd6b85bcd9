import ChilCore
import ChilDatabase
import ChilStore
import Testing

/// Limits that each user has of one's own.
@Suite struct UserQuotaTests {
    /// A counter that is there is counted down; nobody counts the rows.
    @Test func whatIsGivenBackIsNotCounted() async throws {
        try await TestStore.withOwnDatabase { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let key = try QuotaKey(.drawings, .user)
            for one in [tenant, other] {
                try await one.limit(key, to: 3)
                _ = try await one.imageEndpoint()
            }
            let owner = try await tenant.user(), neighbour = try await other.user()
            _ = try await other.drawing(by: neighbour)
            let drawing = try await tenant.drawing(by: owner)
            for _ in 0..<2 { #expect(try await tenant.enqueue(by: owner) == .created) }
            let jobs = try await ImageJobClaim(
                ShareClaim(
                    countMax: 8,
                    lease: .seconds(60),
                    holder: "test",
                    fullTenants: [],
                    countPerTenant: 8
                )
            ).run(on: store.service)
            #expect(jobs.count == 2)
            for job in jobs {
                #expect(try await ImageJobFail(job, for: "away", machine: "m", at: noon).answer(from: store.service))
            }
            try await store.script(
                """
                create or replace function chil_count_rows(p_tenant bigint, p_metric text, p_user bigint) returns bigint
                    language plpgsql stable as $$ begin raise exception 'counted'; end $$
                """
            )
            let delete = DrawingDelete(drawing, of: owner, in: tenant.id, note: userNote(), isLimited: true)
            #expect(try await delete.answer(from: store.service))
            let late = noon + Sweep.failedDrawingLife + .seconds(1)
            #expect(try await Sweep(of: tenant.id, at: late).run(on: store.service).failedDrawings == 2)
            #expect(try await Self.used(by: owner, tenant) == 0)
            #expect(try await Self.used(by: neighbour, other) == 1)
        }
    }

    private static func used(by user: UserID, _ tenant: TestTenant) async throws -> Int64? {
        try await tenant.store.administrator.run(DrawingsUsed(tenant: tenant.id, user: user), .read, of: nil).first
    }

    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func eachUserHasAsManyDrawings(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.withTwo(form) { store, second in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let ann = try await tenant.user("ann"), bob = try await tenant.user("bob")
            let stranger = try await other.user("ann")
            // What was there before the limit counts.
            let first = try await tenant.drawing(by: ann)
            let key = try QuotaKey(.drawings, .user)
            for one in [tenant, other] {
                try await one.limit(key, to: 3)
                try await one.limit(QuotaKey(.storageBytes, .user), to: 100)
            }
            let refusal = QuotaRefusal(key)
            func storm(_ tenant: TestTenant, _ owner: UserID) async throws -> Int {
                try await withThrowingTaskGroup(of: Bool.self) { group in
                    for number in 0..<12 {
                        let service = number.isMultiple(of: 2) ? store.service : second.service
                        group.addTask {
                            let outcome = try await tenant.create(by: owner).answer(from: service)
                            #expect(outcome == .created || outcome == .overQuota(refusal))
                            return outcome == .created
                        }
                    }
                    return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                }
            }
            #expect(try await storm(tenant, ann) == 2)
            #expect(try await storm(tenant, bob) == 3)
            #expect(try await storm(other, stranger) == 3)
            let delete = DrawingDelete(first, of: ann, in: tenant.id, note: userNote(), isLimited: true)
            #expect(try await delete.answer(from: store.service))
            #expect(try await storm(tenant, ann) == 1)
            #expect(try await tenant.differences() == [])

            let own = try await OwnQuotas(of: ann, in: tenant.id, at: noon).rows(from: store.service)
            #expect(own.map(\.key.metric) == [.drawings, .storageBytes])
            #expect(own.map(\.used) == [3, 12] && own.map(\.remaining) == [0, 88])
        }
    }

    /// An operator sees the use of one user and one printer where each has a count of its own.
    @Test func useIsToldByUserAndPrinter() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let ann = try await tenant.user("ann"), bob = try await tenant.user("bob")
            let printer: PrinterID = fresh()
            for one in [tenant, other] {
                for key in [
                    try QuotaKey(.drawings), try QuotaKey(.drawings, .user), try QuotaKey(.printJobs, .user, .day),
                    try QuotaKey(.printJobs, .printer, .hour), try QuotaKey(.sessionsPerUser),
                ] {
                    try await one.limit(key, to: 9)
                }
            }
            _ = try await tenant.drawing(by: ann)
            for user in [ann, ann, bob] {
                let take = QuotaTake(1, of: .printJobs, in: tenant.id, by: user, on: printer, at: noon)
                #expect(try await take.answer(from: store.service) == nil)
            }
            func used(_ tenant: TestTenant, _ user: UserID?, _ printer: PrinterID?, at now: Timestamp = noon)
                async throws -> [Int64?]
            {
                try await QuotaList(of: tenant.id, user: user, printer: printer, at: now)
                    .rows(from: store.operatorRole).map(\.used)
            }
            // drawings, by user; print_jobs by user, by printer; sessions_per_user.
            #expect(try await used(tenant, nil, nil) == [1, nil, nil, nil, nil])
            #expect(try await used(tenant, ann, nil) == [1, 1, 2, nil, 1])
            #expect(try await used(tenant, bob, printer) == [1, 0, 1, 3, 1])
            #expect(try await used(tenant, nil, printer, at: noon + .seconds(3_600)) == [1, nil, nil, 0, nil])
            #expect(try await used(other, ann, printer) == [0, 0, 0, 0, 0])
        }
    }

    /// The first that somebody does under a new limit is to delete: what is gone is not counted.
    @Test func aCounterThatADeleteMakesIsRight() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let owner = try await tenant.user()
            let drawings = [try await tenant.drawing(by: owner), try await tenant.drawing(by: owner)]
            try await tenant.limit(QuotaKey(.drawings, .user), to: 2)
            let delete = DrawingDelete(drawings[0], of: owner, in: tenant.id, note: userNote(), isLimited: true)
            #expect(try await delete.answer(from: store.service))
            #expect(try await tenant.differences() == [])
            #expect(try await tenant.create(by: owner).answer(from: store.service) == .created)
            #expect(try await tenant.create(by: owner).answer(from: store.service) != .created)
        }
    }

    /// A staged image that would be refused is refused before a byte of it is stored.
    @Test func stagingLooksAtTheUsersLimit() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let ann = try await tenant.user("ann"), bob = try await tenant.user("bob")
            let key = try QuotaKey(.storageBytes, .user)
            try await tenant.limit(key, to: 10)
            _ = try await tenant.drawing(by: ann)
            func refusal(_ user: UserID, _ bytes: Int64) async throws -> QuotaRefusal? {
                let image = ImageFacts(
                    hash: freshDigest(),
                    byteCount: bytes,
                    mediaType: "image/png",
                    width: 1,
                    height: 1
                )
                return try await StagingRoom(for: image, of: user, in: tenant.id, at: noon).first(from: store.service)
            }
            #expect(try await refusal(ann, 6) == nil)
            #expect(try await refusal(ann, 7) == QuotaRefusal(key))
            #expect(try await refusal(bob, 10) == nil)
        }
    }

    /// A window that is over is swept, a user's counters go with the user.
    @Test func countersGoWithTimeAndWithTheUser() async throws {
        try await TestStore.withOwnDatabase { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            for one in [tenant, other] {
                try await one.limit(QuotaKey(.drawings, .user), to: 10)
                try await one.limit(QuotaKey(.drawings, .user, .day), to: 10)
            }
            let ann = try await tenant.user("ann"), bob = try await tenant.user("bob")
            for owner in [ann, bob] { _ = try await tenant.drawing(by: owner) }
            _ = try await other.drawing(by: other.user("ann"))
            func counters(_ tenant: TestTenant) async throws -> Int64? {
                try await store.administrator.run(CounterCount(tenant: tenant.id), .read, of: nil).first
            }
            #expect(try await [counters(tenant), counters(other)] == [4, 2])
            _ = try await tenant.delete(ann).run(on: store.service)
            #expect(try await [counters(tenant), counters(other)] == [2, 2])
            let midnight = noon + .seconds(3 * 3_600)
            let early = try await Sweep(of: tenant.id, at: midnight + Sweep.quotaUseLife).run(on: store.service)
            #expect(early.quotaUses == 0)
            let late = try await Sweep(of: tenant.id, at: midnight + Sweep.quotaUseLife + .seconds(1))
                .run(on: store.service)
            #expect(late.quotaUses == 1)
            #expect(try await [counters(tenant), counters(other)] == [1, 2])
            #expect(try await tenant.differences() == [])
        }
    }

    private struct CounterCount: Statement {
        static let sql = SQL("select count(*) from quota_use where tenant_id = $1")
        let tenant: TenantID
        func bind(_ values: inout BoundValues) { values.append(tenant) }
        static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
    }
}

private struct DrawingsUsed: Statement {
    static let sql = SQL("select used from quota_use where tenant_id = $1 and subject_id = $2 and metric = 'drawings'")
    let tenant: TenantID
    let user: UserID
    func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(user)
    }
    static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}
