import ChilCore
import ChilDatabase
import ChilStore
import Testing

/// Identity tokens that were made before consent was revoked, or before the account ended. Two tenants in each.
@Suite struct ProofTimeTests {
    /// Makes a time of a person's: the provider's word, or the person's own deletion, at noon.
    enum End: String, CaseIterable { case consentRevoked, deleted, deletedByProvider }

    private static func end(_ end: End, of user: UserID, _ subject: String, in tenant: TestTenant) async throws {
        switch end {
        case .deleted: #expect(try await tenant.delete(user).run(on: tenant.store.service) == .deleted(drawings: 0))
        case .consentRevoked, .deletedByProvider:
            let take = ProviderEventTake(
                .known(end == .consentRevoked ? .consentRevoked : .accountDeleted, of: subject),
                fresh(),
                in: tenant.id,
                provider: tenant.provider,
                digest: freshDigest(),
                happened: noon,
                at: noon
            )
            #expect(try await ProviderEventTake.run([take], of: tenant.id, on: tenant.store.service) == [true])
            let claimed = try await WorkClaim(countMax: 9, lease: .seconds(60), holder: "test").run(
                on: tenant.store.service
            )
            let item = try #require(claimed.first)
            let apply = ProviderEventApply(item, receipt: freshDigest(), pepper: testPepper, at: noon)
            #expect(try await apply.answer(from: tenant.store.service).outcome == .applied)
        }
    }

    private struct IsRevoked: Statement {
        static let sql = SQL(
            "select consent_revoked_at is not null from identity where tenant_id = $1 and subject = $2"
        )
        let tenant: TenantID
        let subject: String
        func bind(_ values: inout BoundValues) {
            values.append(tenant)
            values.append(subject)
        }
        static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { try row.bool(0) }
    }

    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases, End.allCases)
    func aTokenFromBeforeSignsNobodyIn(_ form: DatabaseConfiguration.SegmentForm, _ end: End) async throws {
        try await TestStore.withOwnDatabase(form) { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let early = noon - .seconds(100)
            let user = try await tenant.user("person", issued: early)
            _ = try await tenant.user("bystander", issued: early)
            _ = try await other.user("person", issued: early)
            try await Self.end(end, of: user, "person", in: tenant)

            func word(_ seconds: Int64, of subject: String = "person", in tenant: TestTenant) async throws -> String {
                let signIn = tenant.signIn(subject, issued: noon + .seconds(seconds), at: noon + .seconds(50))
                return try await signIn.answer(from: store.service).word
            }
            // Also one of the very second: the provider's time has no smaller part.
            for seconds: Int64 in [-99, -1, 0] {
                #expect(try await word(seconds, in: tenant) == "outdated", "\(seconds)")
            }
            let isRevoked = IsRevoked(tenant: tenant.id, subject: "person")
            let expected = end == .consentRevoked ? [true] : []
            #expect(try await store.administrator.run(isRevoked, .read, of: nil) == expected)
            #expect(try await word(-1, of: "bystander", in: tenant) == "known")
            #expect(try await word(-1, in: other) == "known")

            // Whoever consents anew is in; what was made before stays worth nothing.
            let outcome = try await tenant.signIn("person", issued: noon + .seconds(1)).answer(from: store.service)
            #expect(outcome.word == (end == .consentRevoked ? "known" : "new"))
            #expect((outcome.user?.id == user) == (end == .consentRevoked))
            #expect(try await store.administrator.run(isRevoked, .read, of: nil) == [false])
            for seconds: Int64 in [-99, 0] { #expect(try await word(seconds, in: tenant) == "outdated", "\(seconds)") }
            #expect(try await word(1, in: tenant) == "known")
            #expect(try await tenant.auditedActions().contains("session.create outdated"))
            #expect(try await other.auditedActions().allSatisfy { $0 != "session.create outdated" })
        }
    }

    /// The key file gets a new key between the deletion and the sign-in, and loses the old one.
    @Test func aSubjectIsKnownAsLongAsItsKeyIsThere() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let user = try await tenant.user("person")
            _ = try await tenant.delete(user).run(on: store.service)
            for (keys, word) in [([1, 2], "outdated"), ([2], "new")] {
                let signIn = tenant.signIn("person", keys: keys)
                #expect(try await signIn.answer(from: store.service).word == word)
            }
        }
    }

    /// Before a team transfer the person had another subject: tokens of that time are outdated too.
    @Test func theSubjectBeforeATransferEndsToo() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            _ = try await tenant.user("old-subject")
            let row = Change.Transfer(tenant: tenant, transferSubject: "transfer-1", subject: "old-subject")
            _ = try await store.administrator.run(row, .write, of: nil)
            let moved = try await tenant.signIn("new-subject", transferSubject: "transfer-1").answer(
                from: store.service
            )
            _ = try await tenant.delete(try #require(moved.user?.id)).run(on: store.service)
            for subject in ["old-subject", "new-subject"] {
                #expect(try await tenant.signIn(subject).answer(from: store.service).word == "outdated")
            }
            #expect(try await tenant.signIn("third-subject").answer(from: store.service).word == "new")
        }
    }

    /// Sign-ins with a token from before, beside the end of the account through another service: no session is left.
    @Test func aTokenBesideTheDeletionMakesNoAccount() async throws {
        try await TestStore.withTwo { store, second in
            let tenant = try await TestTenant(store)
            for round in 0..<10 {
                let subject = "person \(round)"
                let user = try await tenant.user(subject)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<8 {
                        let signIn = tenant.signIn(subject)
                        let service = number.isMultiple(of: 2) ? store.service : second.service
                        group.addTask { _ = try await signIn.answer(from: service) }
                        if number == 3 { group.addTask { _ = try await tenant.delete(user).run(on: second.service) } }
                    }
                    try await group.waitForAll()
                }
                let rows = try await store.administrator.run(IdentityLook(tenant: tenant.id), .read, of: nil)
                #expect(rows.isEmpty, "round \(round)")
            }
        }
    }
}
