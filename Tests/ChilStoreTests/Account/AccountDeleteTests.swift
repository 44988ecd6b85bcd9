import ChilCore
import ChilDatabase
import ChilStore
import Testing

@Suite struct AccountDeleteTests {
    /// All that the queue has for a tenant.
    private struct QueuedWork: Statement {
        static let sql = SQL("select kind || ' ' || subject_id from work where tenant_id = $1 order by work_id")
        let tenant: TenantID
        func bind(_ values: inout BoundValues) { values.append(tenant) }
        static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
    }

    /// What is used, as the rows say and as the quota says.
    private struct Use: Statement {
        static let sql = SQL(
            """
            select (select count(*) from app_user where tenant_id = $1), (select count(*) from drawing where tenant_id = $1),
                   (select coalesce(sum(byte_count), 0)::bigint from image where tenant_id = $1 and staged_until is null),
                   (select count(*) from image_chunk c
                     where c.tenant_id = $1 and not exists (select from image i where i.tenant_id = $1 and i.owner_id = c.owner_id and i.hash = c.hash))
            """
        )
        let tenant: TenantID
        func bind(_ values: inout BoundValues) { values.append(tenant) }
        static func row(_ row: ResultRow) throws(DatabaseError) -> [Int64] {
            [try row.int64(0), try row.int64(1), try row.int64(2), try row.int64(3)]
        }
    }

    private struct Events: Statement {
        static let sql = SQL("select subject from provider_event where tenant_id = $1 order by subject")
        let tenant: TenantID
        func bind(_ values: inout BoundValues) { values.append(tenant) }
        static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
    }

    private static let outliving = ["account_deletion.user_id", "consent.user_id", "erasure_request.user_id"]

    private static func expectQuotasTellTheTruth(of tenant: TestTenant) async throws {
        let use = try await tenant.store.administrator.run(Use(tenant: tenant.id), .read, of: nil)[0]
        #expect(try await tenant.used(.users) == use[0])
        #expect(try await tenant.used(.drawings) == use[1])
        #expect(try await tenant.used(.storageBytes) == use[2])
        #expect(use[3] == 0, "chunks of no image")
    }

    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func nothingOfThePersonStaysAndNothingElseGoes(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            for metric in [QuotaMetric.users, .drawings, .storageBytes] { try await tenant.limit(metric, to: 1_000) }
            // The same subject at both: a person is of a tenant.
            let gone = try await Belongings(of: "ann", in: tenant)
            let stays = try await Belongings(of: "bob", in: tenant, mark: "n")
            let elsewhere = try await Belongings(of: "ann", in: other)
            let places = try await gone.places()
            #expect(
                Set(places) == [
                    "app_user.user_id", "identity.subject", "identity.user_id", "session.user_id", "drawing.owner_id",
                    "idempotency.user_id",
                    "image.owner_id", "image_chunk.owner_id", "print_job.owner_id", "provider_event.subject",
                    "subject_transfer.subject", "code_exchange.subject", "consent.user_id", "consent_guardian.user_id",
                    "erasure_request.user_id", "user_hold.user_id", "user_event.user_id", "image_thumbnail.owner_id",
                ]
            )
            let receipt = freshDigest()
            let delete = tenant.delete(gone.user, receipt: receipt)
            #expect(try await delete.run(on: store.service) == .deleted(drawings: 3))
            // What was agreed to, and what was asked, outlive the account, by a number that nobody has any more.
            #expect(try await gone.places() == Self.outliving)
            #expect(try await stays.places() == places)
            #expect(try await elsewhere.places() == places)
            try await Self.expectQuotasTellTheTruth(of: tenant)
            // An event that came is known when it comes again, without the person.
            #expect(try await store.administrator.run(Events(tenant: tenant.id), .read, of: nil) == ["", "bob"])

            let work = try await store.administrator.run(QueuedWork(tenant: tenant.id), .read, of: nil)
            // The printer that has a job is asked to drop it.
            #expect(work.count == 3 && work[0] == "cancel \(gone.job.rawValue)")
            #expect(work.dropFirst().first == "print \(stays.job.rawValue)" && work.last?.hasPrefix("revoke ") == true)
            let found = try await AccountDeletionOne(receiptDigest: receipt, of: tenant.id).first(from: store.service)
            #expect(found?.deletedAt == noon && found?.providerToken == .pending)
            #expect(
                try await AccountDeletionOne(receiptDigest: receipt, of: other.id).first(from: store.service) == nil
            )
            #expect(try await tenant.auditedActions().first == "account.delete 3 drawings")

            // Once more, and from elsewhere: there is nobody.
            #expect(try await tenant.delete(gone.user).run(on: store.service) == .missing)
            #expect(try await other.delete(stays.user).run(on: store.service) == .missing)
            #expect(try await stays.places() == places)
        }
    }

    @Test func anOperatorDeletesWithTheSameFunction() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            for metric in [QuotaMetric.users, .drawings, .storageBytes] { try await tenant.limit(metric, to: 1_000) }
            let gone = try await Belongings(of: "ann", in: tenant)
            let delete = AccountDelete(
                gone.user,
                of: tenant.id,
                as: fresh(),
                receiptDigest: freshDigest(),
                pepper: testPepper,
                by: .operator(name: "tester"),
                audit: fresh(),
                at: noon
            )
            #expect(try await delete.run(on: store.operatorRole) == .deleted(drawings: 3))
            #expect(try await gone.places() == Self.outliving)
            try await Self.expectQuotasTellTheTruth(of: tenant)
        }
    }

    @Test func theGuestIsNobodysAccount() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let guest: UserID = fresh()
            let key = TenantKeyRecord(
                keyID: "key-1",
                state: .active,
                publicX: digest(of: 1),
                publicY: digest(of: 2),
                sealedPrivate: [1],
                createdAt: noon
            )
            let guestTenant = try await TenantCreate(
                fresh(),
                slug: "guests-\(guest.rawValue)",
                name: "Guests",
                timeZone: "UTC",
                guest: guest,
                key: key,
                note: tenant.note()
            ).run(on: store.operatorRole)
            let delete = AccountDelete(
                guest,
                of: guestTenant.id,
                as: fresh(),
                receiptDigest: freshDigest(),
                pepper: testPepper,
                by: .operator(name: "tester"),
                audit: fresh(),
                at: noon
            )
            #expect(try await delete.run(on: store.operatorRole) == .isGuest)
        }
    }

    /// Uploads that run into the deletion of their owner: either before it, and gone with it, or refused. Nothing is left over.
    @Test func uploadsBesideTheDeletionLeaveNothing() async throws {
        try await TestStore.withTwo { store, second in
            let tenant = try await TestTenant(store)
            for metric in [QuotaMetric.users, .drawings, .storageBytes] { try await tenant.limit(metric, to: 100_000) }
            for _ in 0..<5 {
                let user = try await tenant.user("person \(fresh(AuditID.self).rawValue)")
                let outcomes = try await withThrowingTaskGroup(of: DrawingCreate.Outcome?.self) { group in
                    for number in 0..<24 {
                        let service = number % 2 == 0 ? store.service : second.service
                        let create = tenant.create(by: user)
                        group.addTask { try await create.answer(from: service) }
                        if number == 11 {
                            group.addTask {
                                _ = try await tenant.delete(user).run(on: second.service)
                                return nil
                            }
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                for outcome in outcomes.compactMap({ $0 }) { #expect(outcome == .created || outcome == .noOwner) }
                try await Self.expectQuotasTellTheTruth(of: tenant)
                #expect(try await UserOne(user, of: tenant.id).first(from: store.service) == nil)
            }
        }
    }

    @Test(arguments: [
        ("a drawing", "drawing_owner_fkey", true), ("a shard's", "print_job_owner_fkey_102008", true),
        ("another key", "drawing_image_fkey", false),
    ])
    func aDeletedUserIsKnownByTheKeyThatRefused(_ row: (name: String, constraint: String, isOfUser: Bool)) {
        let error = DatabaseError(.constraint, sqlState: "23503", constraint: row.constraint, detail: "")
        #expect(error.isOfDeletedUser == row.isOfUser)
    }
}
