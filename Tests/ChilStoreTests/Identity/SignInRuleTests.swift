import ChilCore
import ChilDatabase
import ChilStore
import Testing

/// Who may sign in, as whom, and with how many sessions. Two tenants in each: what is done to one is not done to the other.
@Suite struct SignInRuleTests {
    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func bannedUsersAreRefusedInTheirTenant(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let user = try await tenant.user("person")
            _ = try await other.user("person")
            _ = try await store.administrator.run(Change.Ban(tenant: tenant.id, user: user), .write, of: nil)
            let token = freshDigest()
            #expect(try await tenant.signIn("person", token: token).answer(from: store.service).word == "banned")
            #expect(try await tenant.signIn("person", token: token).answer(from: store.service).word == "replayed")
            #expect(try await tenant.signIn("another").answer(from: store.service).word == "new")
            #expect(try await other.signIn("person").answer(from: store.service).word == "known")
            #expect(try await tenant.auditedActions().contains("session.create banned"))
        }
    }

    /// The least recently used live session makes room; what has ended or expired takes none.
    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func theLeastRecentlyUsedSessionMakesRoom(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let ids: [SessionID] = (0..<5).map { _ in fresh() }
            let elsewhere: SessionID = fresh(), stranger: SessionID = fresh()
            _ = try await other.signIn("person", session: elsewhere, sessionsMax: 1).answer(from: store.service)
            _ = try await tenant.signIn("stranger", session: stranger, sessionsMax: 1).answer(from: store.service)
            func signIn(_ index: Int, max: Int32?, at second: Int64) async throws {
                let signIn = tenant.signIn("person", session: ids[index], sessionsMax: max, at: noon + .seconds(second))
                guard case .accepted = try await signIn.answer(from: store.service) else {
                    Issue.record("refused")
                    return
                }
            }
            for index in 0..<3 { try await signIn(index, max: 3, at: Int64(index)) }
            // The first is used again, so the second is the one that waits longest.
            let refresh = SessionRefresh(
                ids[0],
                of: tenant.id,
                counter: 1,
                audit: fresh(),
                caller: testCaller,
                at: noon + .seconds(10),
                living: SessionRules(idle: .seconds(1_000), absolute: .seconds(10_000), countMax: 3)
            )
            guard case .rotated = try await refresh.answer(from: store.service) else {
                Issue.record("not rotated")
                return
            }
            try await signIn(3, max: 3, at: 20)
            func ends() async throws -> [String] {
                try await store.administrator.run(SessionEnds(tenant: tenant.id), .read, of: nil)
            }
            #expect(
                try await ends()
                    == [
                        "\(ids[0].rawValue) live", "\(ids[1].rawValue) limit", "\(ids[2].rawValue) live",
                        "\(ids[3].rawValue) live", "\(stranger.rawValue) live",
                    ]
                    .sorted()
            )
            // A limit that was lowered takes them all but the new one.
            try await signIn(4, max: 1, at: 30)
            #expect(
                try await ends()
                    == [
                        "\(ids[0].rawValue) limit", "\(ids[1].rawValue) limit", "\(ids[2].rawValue) limit",
                        "\(ids[3].rawValue) limit", "\(ids[4].rawValue) live",
                        "\(stranger.rawValue) live",
                    ].sorted()
            )
            #expect(
                try await store.administrator.run(SessionEnds(tenant: other.id), .read, of: nil) == [
                    "\(elsewhere.rawValue) live"
                ]
            )
            #expect(
                try await tenant.auditedActions().filter { $0.hasPrefix("session.end") } == [
                    "session.end limit 1", "session.end limit 3",
                ]
            )
            guard case .ended = try await refresh.answer(from: store.service) else {
                Issue.record("a session over the limit still refreshes")
                return
            }
        }
    }

    /// Twenty devices at once, through two services: never more than the limit.
    @Test func theLimitHoldsInParallel() async throws {
        try await TestStore.withTwo { store, second in
            let tenant = try await TestTenant(store)
            _ = try await tenant.user("person")
            let accepted = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<20 {
                    let signIn = tenant.signIn("person", sessionsMax: 2)
                    let service = number.isMultiple(of: 2) ? store.service : second.service
                    group.addTask {
                        if case .accepted = try await signIn.answer(from: service) { true } else { false }
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(accepted == 20)
            let ends = try await store.administrator.run(SessionEnds(tenant: tenant.id), .read, of: nil)
            #expect(ends.count { $0.hasSuffix(" live") } == 2 && ends.count == 21)
        }
    }

    /// Codes and tokens are exchanged and revoked under the audience that they were made for.
    @Test func theClientIDOfTheLastSignInIsKept() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            for _ in 0..<2 {
                _ = try await tenant.user("person")
                let rows = try await store.administrator.run(IdentityLook(tenant: tenant.id), .read, of: nil)
                #expect(rows.map(\.clientID) == ["app.\(tenant.slug)"])
                #expect(rows.map(\.tokenState) == ["none"])
            }
        }
    }

    /// A team transfer changed the subject: by the imported row, or by an identity that is kept under the transfer's own name.
    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases, ["a row", "an identity"])
    func aTransferredUserKeepsTheAccount(_ form: DatabaseConfiguration.SegmentForm, _ by: String) async throws {
        try await TestStore.with(form) { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let old = by == "a row" ? "old-subject" : "transfer-1"
            let user = try await tenant.user(old)
            let bystander = try await tenant.user("bystander")
            _ = try await other.user(old)
            if by == "a row" {
                for tenant in [tenant, other] {
                    let row = Change.Transfer(tenant: tenant, transferSubject: "transfer-1", subject: old)
                    _ = try await store.administrator.run(row, .write, of: nil)
                }
            }
            let words = [
                try await tenant.signIn("new-subject", transferSubject: "transfer-1").answer(from: store.service),
                try await tenant.signIn("new-subject", transferSubject: "transfer-1").answer(from: store.service),
                try await tenant.signIn("new-subject").answer(from: store.service),
            ]
            #expect(words.map(\.word) == ["known", "known", "known"])
            #expect(words.allSatisfy { $0.user?.id == user })
            let rows = try await store.administrator.run(IdentityLook(tenant: tenant.id), .read, of: nil)
            #expect(rows.map(\.subject) == ["bystander", "new-subject"])
            #expect(rows.map(\.transferredFrom) == [nil, old])
            // Nobody else is taken along, and the other tenant's person is who it was.
            #expect(
                try await tenant.signIn("bystander", transferSubject: "transfer-2").answer(from: store.service).user?.id
                    == bystander
            )
            #expect(
                try await tenant.signIn("newcomer", transferSubject: "transfer-1").answer(from: store.service).word
                    == "new"
            )
            let elsewhere = try await store.administrator.run(IdentityLook(tenant: other.id), .read, of: nil)
            #expect(elsewhere.map(\.subject) == [old])
            // The old subject is nobody now.
            #expect(try await tenant.signIn(old).answer(from: store.service).word == "new")
        }
    }

    /// Whoever signed in under the new subject before the import has an account of their own: it is not merged.
    @Test func anAccountUnderTheNewSubjectStays() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let early = try await tenant.user("new-subject")
            let old = try await tenant.user("old-subject")
            let row = Change.Transfer(tenant: tenant, transferSubject: "transfer-1", subject: "old-subject")
            _ = try await store.administrator.run(row, .write, of: nil)
            let outcome = try await tenant.signIn("new-subject", transferSubject: "transfer-1").answer(
                from: store.service
            )
            #expect(outcome.user?.id == early)
            #expect(try await tenant.signIn("old-subject").answer(from: store.service).user?.id == old)
        }
    }

    /// What costs its sender nothing is not written down: it could be as much as one likes.
    @Test func whatComesAgainFillsNoAudit() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let token = freshDigest(), code = SpentCodeTests.code(freshDigest())
            _ = try await other.user("person")
            let words = [
                try await tenant.signIn("person", token: token, code: code).answer(from: store.service),
                try await tenant.signIn("person", token: token, code: code).answer(from: store.service),
                try await tenant.signIn("person", token: token).answer(from: store.service),
                try await tenant.signIn("person", nonce: freshDigest()).answer(from: store.service),
            ]
            #expect(words.map(\.word) == ["new", "new again", "replayed", "nonce"])
            for tenant in [tenant, other] {
                let trail = try await tenant.auditedActions().filter { $0.hasPrefix("session.create") }
                #expect(trail == ["session.create accepted"])
            }
        }
    }

    @Test func theAuditHasNoAddressOfUsers() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let token = freshDigest()
            for _ in 0..<2 { _ = try await tenant.signIn("person", token: token).answer(from: store.service) }
            #expect(try await store.administrator.run(TellingAudits(tenant: tenant.id), .read, of: nil) == [0])
        }
    }
}

/// Rows of the audit that tell of a user where he was or what the provider calls him.
private struct TellingAudits: Statement {
    static let sql = SQL(
        "select count(*) from audit where tenant_id = $1 and actor_kind = 'user' and (address is not null or actor = 'person')"
    )

    let tenant: TenantID

    func bind(_ values: inout BoundValues) { values.append(tenant) }

    static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}
