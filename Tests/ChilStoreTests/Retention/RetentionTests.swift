import ChilCore
import ChilDatabase
import ChilStore
import ChilTestSupport
import Testing

@Suite struct RetentionTests {
    private static let day = Duration.seconds(86_400)

    /// One round after another until nothing is left, and what went in all.
    private static func sweep(_ tenant: TestTenant, at now: Timestamp, countMax: Int = 500) async throws
        -> RetentionSweep.Removed
    {
        var all = RetentionSweep.Removed()
        var after = DrawingID(rawValue: 0)
        while true {
            let sweep = RetentionSweep(of: tenant.id, afterDrawing: after, audit: fresh(), at: now, countMax: countMax)
            let removed = try await sweep.run(on: tenant.store.service)
            all.drawings += removed.drawings
            all.printJobs += removed.printJobs
            all.sessions += removed.sessions
            all.auditRows += removed.auditRows
            all.auditAddresses += removed.auditAddresses
            all.erasureRequests += removed.erasureRequests
            all.consents += removed.consents
            all.overdue += removed.overdue
            after = removed.nextDrawing ?? after
            if removed.nextDrawing == nil, removed.most < countMax { return all }
        }
    }

    private static func keep(_ kind: RetentionClass, _ days: Int32?, in tenant: TestTenant) async throws {
        try await RetentionSet(kind, to: days, of: tenant.id, note: tenant.note()).run(on: tenant.store.operatorRole)
    }

    /// Rows of a table by what a condition says of them.
    private static func count(_ table: String, in tenant: TestTenant) async throws -> Int64 {
        try await tenant.store.administrator.run(Counts(tenant: tenant.id), .read, of: nil)
            .first { $0.0 == table }?.1 ?? -1
    }

    private struct Counts: Statement {
        static let sql = SQL(
            """
            select 'drawing', count(*) from drawing where tenant_id = $1 union all
            select 'image', count(*) from image where tenant_id = $1 union all
            select 'print_job', count(*) from print_job where tenant_id = $1 union all
            select 'print_job_event', count(*) from print_job_event where tenant_id = $1 union all
            select 'session', count(*) from session where tenant_id = $1 union all
            select 'audit', count(*) from audit where tenant_id = $1 union all
            select 'audit.address', count(address) from audit where tenant_id = $1 union all
            select 'consent', count(*) from consent where tenant_id = $1 union all
            select 'account_deletion', count(*) from account_deletion where tenant_id = $1
            """
        )
        let tenant: TenantID
        func bind(_ values: inout BoundValues) { values.append(tenant) }
        static func row(_ row: ResultRow) throws(DatabaseError) -> (String, Int64) { (row.text(0), try row.int64(1)) }
    }

    /// What is removed of the audit is removed from its sealed chain, by when it was recorded: here, when it happened.
    private static func seal(_ tenant: TestTenant) async throws {
        _ = try await tenant.store.administrator.run(Recorded(tenant: tenant.id), .write, of: tenant.id)
        _ = try await AuditSealTests.seal(tenant)
    }

    private struct Recorded: Statement {
        typealias Row = Void
        static let sql = SQL("update audit set recorded_at = at where tenant_id = $1")
        let tenant: TenantID
        func bind(_ values: inout BoundValues) { values.append(tenant) }
    }

    private struct Change: Statement {
        typealias Row = Void
        static let sql = SQL(
            """
            with a as (update print_job set state = 'completed' where tenant_id = $1),
                 b as (update audit set address = '192.0.2.1' where tenant_id = $1)
            update session set ended_at = $2, end_reason = 'logout' where tenant_id = $1
            """
        )
        let tenant: TenantID
        let at: Timestamp
        func bind(_ values: inout BoundValues) {
            values.append(tenant)
            values.append(at)
        }
    }

    @Test("P-06 no class is without a limit, but by the operator's word") func noClassIsWithoutALimit() async throws {
        try await TestStore.with { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            let byDefault = try await RetentionList(of: tenant.id).rows(from: store.service)
            #expect(Set(byDefault.map(\.kind)) == Set(RetentionClass.allCases))
            #expect(byDefault.allSatisfy { ($0.days ?? 0) >= 1 && !$0.isSet })
            try await Self.keep(.drawingsScanned, nil, in: tenant)
            try await Self.keep(.printJobs, 7, in: tenant)
            let rules = try await RetentionList(of: tenant.id).rows(from: store.service)
            #expect(rules.filter { $0.days == nil }.map(\.kind) == [.drawingsScanned])
            #expect(rules.filter(\.isSet).map(\.days) == [nil, 7])
            #expect(try await RetentionList(of: other.id).rows(from: store.service) == byDefault)
            let change = RetentionUnset(.drawingsScanned, of: tenant.id, note: tenant.note())
            #expect(try await change.run(on: store.operatorRole))
            #expect(try await change.run(on: store.operatorRole) == false)
            #expect(
                try await tenant.auditedActions().filter { $0.hasPrefix("retention") } == [
                    "retention.unset ", "retention.set 7 days", "retention.set forever",
                ]
            )
            let written = await #expect(throws: DatabaseError.self) { try await Self.keep(.audit, 0, in: tenant) }
            #expect(written?.code == .constraint)
        }
    }

    @Test(
        "P-05 at its time a drawing goes with its image, and what it took of quotas is free",
        arguments: DatabaseConfiguration.SegmentForm.allCases
    )
    func drawingsHaveTheirTime(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            for place in [tenant, other] {
                for metric in [QuotaMetric.drawings, .storageBytes] { try await place.limit(metric, to: 1_000) }
                try await Self.keep(.drawingsGenerated, 30, in: place)
                try await Self.keep(.drawingsUploaded, 60, in: place)
                try await Self.keep(.drawingsAnimated, nil, in: place)
            }
            var shared: [UInt8] = []
            for place in [tenant, other] {
                let (ann, bob) = (try await place.user("ann"), try await place.user("bob"))
                shared = freshDigest()
                for user in [ann, bob] {
                    // The same picture as a generated and as an uploaded drawing: it stays while one of them does.
                    _ = try await place.drawing(by: user, type: .generated, hash: shared)
                    _ = try await place.drawing(by: user, type: .uploaded, hash: shared)
                    for type in DrawingType.allCases { _ = try await place.drawing(by: user, type: type) }
                }
            }
            #expect(try await Self.sweep(tenant, at: noon + Self.day * 30).drawings == 0)
            let first = try await Self.sweep(tenant, at: noon + Self.day * 30 + .seconds(1), countMax: 3)
            #expect(first.drawings == 4)
            #expect(try await Self.count("drawing", in: tenant) == 8)
            #expect(try await Self.count("image", in: tenant) == 8)
            #expect(try await tenant.used(.drawings) == 8)
            #expect(try await tenant.used(.storageBytes) == 32)
            #expect(try await Self.sweep(tenant, at: noon + Self.day * 61, countMax: 5).drawings == 4)
            #expect(try await Self.count("image", in: tenant) == 4)
            #expect(try await tenant.used(.storageBytes) == 16)
            // Somebody wrote down what went.
            let told = try await AuditTrail(of: tenant.id, countMax: 100).rows(from: store.operatorRole)
                .filter { $0.action == "retention.drawings" }
            #expect(told.allSatisfy { $0.actorKind == "service" && $0.actor == "sweeper" })
            #expect(told.compactMap(\.detail).compactMap { Int($0.split(separator: " ")[0]) }.reduce(0, +) == 8)
            // The default of what is scanned; what is animated is kept for ever.
            #expect(try await Self.sweep(tenant, at: noon + Self.day * 1_826).drawings == 2)
            #expect(try await Self.sweep(tenant, at: noon + Self.day * 100_000).drawings == 0)
            #expect(try await Self.count("drawing", in: tenant) == 2)
            #expect(try await tenant.used(.drawings) == 2)
            // Nothing of the other tenant's went.
            #expect(try await Self.count("drawing", in: other) == 12)
            #expect(try await other.used(.drawings) == 12)
        }
    }

    @Test("P-05 what is held stays until it is released") func whatIsHeldStays() async throws {
        try await TestStore.with { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            let ann = try await tenant.user("ann"), elsewhere = try await other.user("ann")
            for (place, user) in [(tenant, ann), (other, elsewhere)] {
                let drawing = try await place.drawing(by: user)
                let printer = try await place.printer(isDefault: true)
                let create = PrintJobCreate(
                    fresh(),
                    of: drawing,
                    by: user,
                    in: place.id,
                    on: printer,
                    scale: .large,
                    copies: 1,
                    caller: testCaller,
                    at: noon,
                    isLimited: false
                )
                #expect(try await create.answer(from: store.service) == .created(printer))
                _ = try await store.administrator.run(Change(tenant: place.id, at: noon), .write, of: place.id)
            }
            let hold = UserHold(ann, of: tenant.id, because: "case 17", note: tenant.note())
            #expect(try await hold.run(on: store.operatorRole))
            #expect(try await hold.run(on: store.operatorRole) == false)
            let elsewhereHold = UserHold(ann, of: other.id, because: "case 17", note: other.note())
            #expect(try await elsewhereHold.run(on: store.operatorRole) == false, "a user of another tenant's")
            #expect(
                try await UserSummaryOne(ann, of: tenant.id, at: noon).first(from: store.operatorRole)?.hold
                    == "case 17"
            )

            // A page that failed and a request that was refused are rows of people too.
            for (place, user) in [(tenant, ann), (other, elsewhere)] {
                let plant = PlantEnded(tenant: place.id, user: user)
                _ = try await store.administrator.run(plant, .write, of: nil)
            }
            for place in [tenant, other] { try await Self.seal(place) }
            let late = noon + Self.day * 3_000
            let ofHeld = try await Self.sweep(tenant, at: late), ofOther = try await Self.sweep(other, at: late)
            #expect(ofHeld == RetentionSweep.Removed())
            let swept = try await Sweep(of: tenant.id, at: late).run(on: store.service)
            #expect(swept.sessions == 0 && swept.scans == 0)
            #expect(try await Sweep(of: other.id, at: late).run(on: store.service).scans == 1)
            #expect(ofOther.erasureRequests == 1)
            #expect(ofOther.drawings == 1 && ofOther.printJobs == 1 && ofOther.sessions == 1)
            #expect(ofOther.auditRows > 0)
            #expect(try await Self.count("print_job_event", in: tenant) == 1)
            #expect(try await Self.count("print_job_event", in: other) == 0)

            let release = UserRelease(ann, of: tenant.id, note: tenant.note())
            #expect(try await release.run(on: store.operatorRole))
            #expect(try await release.run(on: store.operatorRole) == false)
            let released = try await Self.sweep(tenant, at: late)
            #expect(released.drawings == 1 && released.printJobs == 1 && released.sessions == 1)
            #expect(released.erasureRequests == 1)
            #expect(try await Sweep(of: tenant.id, at: late).run(on: store.service).scans == 1)
        }
    }

    private struct PlantEnded: Statement {
        typealias Row = Void
        static let sql = SQL(
            """
            with failed as (
                insert into scan (tenant_id, scan_id, owner_id, hash, byte_count, media_type, state, fault, received_at, ended_at)
                values ($1, 1, $2, sha256('x'), 1, 'image/jpeg', 'failed', 'unreadable', $3, $3)
            )
            insert into erasure_request (tenant_id, request_id, user_id, state, opened_at, due_at, closed_at, reason)
            values ($1, 1, $2, 'refused', $3, $3, $3, 'asked-by-another')
            """
        )
        let tenant: TenantID
        let user: UserID
        func bind(_ values: inout BoundValues) {
            values.append(tenant)
            values.append(user)
            values.append(noon)
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let kind: RetentionClass
        let table: String
        let removed: @Sendable (RetentionSweep.Removed) -> Int
        var testDescription: String { name }
    }

    @Test(
        "P-05 each class has its own time",
        arguments: [
            Row(name: "print jobs that are over", kind: .printJobs, table: "print_job") { $0.printJobs },
            Row(name: "sessions that were ended", kind: .sessions, table: "session") { $0.sessions },
            Row(name: "addresses in the audit", kind: .auditAddresses, table: "audit.address") { $0.auditAddresses },
        ]
    )
    func eachClassHasItsTime(_ row: Row) async throws {
        try await TestStore.with { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            for place in [tenant, other] {
                let user = try await place.user(), printer = try await place.printer()
                _ = try await PrintJobCreate(
                    fresh(),
                    of: try await place.drawing(by: user),
                    by: user,
                    in: place.id,
                    on: printer,
                    scale: .large,
                    copies: 1,
                    caller: testCaller,
                    at: noon,
                    isLimited: false
                ).answer(from: store.service)
            }
            // A job that is not over, a session that is not, and an address of today are not looked at.
            #expect(try await Self.sweep(tenant, at: noon + Self.day * 2) == RetentionSweep.Removed())
            for place in [tenant, other] {
                _ = try await store.administrator.run(Change(tenant: place.id, at: noon), .write, of: place.id)
            }
            let ofOther = try await Self.count(row.table, in: other)
            for kind in RetentionClass.allCases { try await Self.keep(kind, nil, in: tenant) }
            #expect(try await Self.sweep(tenant, at: noon + Self.day * 30_000) == RetentionSweep.Removed())
            try await Self.keep(row.kind, 10, in: tenant)
            let before = try await Self.count(row.table, in: tenant)
            #expect(before > 0)
            #expect(try await Self.sweep(tenant, at: noon + Self.day * 10) == RetentionSweep.Removed())
            let removed = try await Self.sweep(tenant, at: noon + Self.day * 10 + .seconds(1), countMax: 1)
            #expect(row.removed(removed) == Int(before))
            #expect(try await Self.count(row.table, in: tenant) == 0)
            #expect(try await Self.count(row.table, in: other) == ofOther)
        }
    }

    @Test("P-05 the audit goes by its time, by the sweeper's function alone") func theAuditHasItsTime() async throws {
        try await TestStore.with { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            try await Self.keep(.audit, 100, in: tenant)
            try await Self.seal(tenant)
            let count = try await Self.count("audit", in: tenant), ofOther = try await Self.count("audit", in: other)
            #expect(try await Self.sweep(tenant, at: noon + Self.day * 100).auditRows == 0)
            #expect(try await Self.sweep(tenant, at: noon + Self.day * 101, countMax: 2).auditRows == Int(count))
            #expect(try await Self.count("audit", in: other) == ofOther)
            // Entered is one tenant, asked for another's: nothing.
            let error = await #expect(throws: DatabaseError.self) {
                _ = try await store.service.run(ForeignSweep(tenant: other.id), .write, of: tenant.id)
            }
            #expect(error?.code == .forbidden)
        }
    }

    private struct ForeignSweep: Statement {
        static let sql = SQL("select o_audit from chil_sweep_added($1, 100, 'infinity')")
        let tenant: TenantID
        func bind(_ values: inout BoundValues) { values.append(tenant) }
        static func row(_ row: ResultRow) throws(DatabaseError) -> Int32 { try row.int32(0) }
    }

    @Test("P-05 consent is kept from the account's end on, receipts from the deletion")
    func whatOutlivesTheAccountGoes()
        async throws
    {
        try await TestStore.with { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            for place in [tenant, other] {
                let (gone, stays) = (try await place.user("gone"), try await place.user("stays"))
                for user in [gone, stays] {
                    let saying = ConsentSay.Saying([.collect], isGiven: true, guardian: "g", method: .card, notice: 1)
                    let say = ConsentSay(
                        saying,
                        of: user,
                        in: place.id,
                        as: fresh(),
                        by: .operator(name: "tester"),
                        audit: fresh(),
                        at: noon
                    )
                    #expect(try await say.answer(from: store.operatorRole) == .recorded)
                }
                let delete = place.delete(gone, at: noon + Self.day * 500)
                #expect(try await delete.run(on: store.service) == .deleted(drawings: 0))
                #expect(try await Self.count("consent", in: place) == 3, "the end of the account ends the consent")
            }
            // Counted from the account's end, not from when it was given.
            let early = try await Self.sweep(tenant, at: noon + Self.day * 1_595)
            #expect(early.consents == 0)
            #expect(try await Sweep(of: tenant.id, at: noon + Self.day * 900).run(on: store.service).deletions == 0)
            #expect(try await Sweep(of: tenant.id, at: noon + Self.day * 901).run(on: store.service).deletions == 1)
            let late = try await Self.sweep(tenant, at: noon + Self.day * 1_596)
            #expect(late.consents == 2)
            #expect(try await Self.count("consent", in: tenant) == 1)
            #expect(try await Self.count("account_deletion", in: tenant) == 0)
            #expect(try await Self.count("consent", in: other) == 3)
        }
    }

    /// Two sweepers, and people who delete and upload meanwhile: quotas tell the truth after it.
    @Test func manySweepAtOnce() async throws {
        try await TestStore.withTwo { store, second in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            _ = try await other.drawing(by: other.user())
            for metric in [QuotaMetric.drawings, .storageBytes] { try await tenant.limit(metric, to: 10_000) }
            let users = [try await tenant.user("a"), try await tenant.user("b"), try await tenant.user("c")]
            var drawings: [(UserID, DrawingID)] = []
            for user in users {
                let hash = freshDigest()
                for number in 0..<20 {
                    let shown = number % 2 == 0 ? hash : freshDigest()
                    drawings.append((user, try await tenant.drawing(by: user, hash: shown)))
                }
            }
            let all = drawings
            let late = noon + Self.day * 1_826
            try await withThrowingTaskGroup(of: Void.self) { group in
                for place in [store, second, store] {
                    group.addTask {
                        var after = DrawingID(rawValue: 0)
                        while true {
                            let sweep = RetentionSweep(
                                of: tenant.id,
                                afterDrawing: after,
                                audit: fresh(),
                                at: late,
                                countMax: 7
                            )
                            guard let next = try await sweep.run(on: place.service).nextDrawing else { return }
                            after = next
                        }
                    }
                }
                group.addTask {
                    for (user, drawing) in all.shuffled().prefix(30) {
                        let delete = DrawingDelete(drawing, of: user, in: tenant.id, note: userNote(), isLimited: true)
                        _ = try await delete.answer(from: second.service)
                    }
                }
                group.addTask {
                    for user in users {
                        for _ in 0..<5 {
                            _ = try await tenant.create(by: user).answer(from: store.service)
                        }
                    }
                }
                try await group.waitForAll()
            }
            _ = try await Self.sweep(tenant, at: late)
            #expect(try await Self.count("drawing", in: tenant) == 0)
            #expect(try await Self.count("image", in: tenant) == 0)
            #expect(try await tenant.used(.drawings) == 0)
            #expect(try await tenant.used(.storageBytes) == 0)
            #expect(try await Self.count("drawing", in: other) == 1)
        }
    }
}
