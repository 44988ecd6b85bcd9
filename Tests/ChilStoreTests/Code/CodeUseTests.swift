import ChilCore
import ChilDatabase
import ChilStore
import Testing

/// A code that comes alone: one request exchanges it, the others look.
@Suite struct CodeUseTests {
    private static func taking(
        _ code: [UInt8],
        _ tenant: TestTenant,
        boundTo: [UInt8] = [1],
        at seconds: Int64 = 0
    ) -> CodeTake {
        CodeTake(code, boundTo: boundTo, of: tenant.id, for: .seconds(15), at: noon + .seconds(seconds))
    }

    private static func take(_ code: [UInt8], _ tenant: TestTenant, at seconds: Int64 = 0) async throws -> Bool {
        try await taking(code, tenant, at: seconds).answer(from: tenant.store.service)
    }

    private static func giveUp(
        _ code: [UInt8],
        _ tenant: TestTenant,
        because fault: CodeUse.Fault?
    ) async throws {
        try await CodeGiveUp(taking(code, tenant), because: fault, at: noon).touched(on: tenant.store.service)
    }

    private static func look(_ code: [UInt8], _ tenant: TestTenant, at seconds: Int64 = 0) async throws -> String {
        let look = CodeUseLook(code, boundTo: [1], of: tenant.id, at: noon + .seconds(seconds))
        switch try await look.first(from: tenant.store.service)?.state {
        case nil: return "none"
        case .underWay: return "under way"
        case .faulty(let fault): return fault.rawValue
        case .spent: return "spent"
        case .made(let user, let isNew, let session): return "\(user.id.rawValue) \(isNew) \(session.id.rawValue)"
        }
    }

    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func oneTakesItAndTheOthersSeeWhatBecomesOfIt(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let code = freshDigest(), session: SessionID = fresh()
            #expect(try await Self.look(code, tenant) == "none")
            #expect(try await Self.take(code, tenant))
            #expect(try await Self.take(code, tenant) == false)
            #expect(try await Self.look(code, tenant) == "under way")
            #expect(try await Self.take(code, other))
            let signIn = tenant.signIn(
                "person",
                code: SpentCode(digest: code, exchangedFor: [7, 7], at: noon),
                session: session
            )
            let user = try #require(try await signIn.answer(from: store.service).user?.id)
            let made = "\(user.rawValue) true \(session.rawValue)"
            #expect(try await Self.look(code, tenant) == made)
            #expect(try await Self.take(code, tenant, at: 20) == false)
            #expect(try await Self.look(code, tenant, at: 299) == made)
            #expect(try await Self.look(code, tenant, at: 300) == "none")
            #expect(try await Self.look(code, other) == "under way")
            let identity = try await store.administrator.run(IdentityLook(tenant: tenant.id), .read, of: nil)
            #expect(identity.map(\.tokenState) == ["held"] && identity[0].token == [7, 7])
            // What came later does not give it back.
            try await Self.giveUp(code, tenant, because: .refused)
            #expect(try await Self.look(code, tenant) == made)
            let refresh = SessionRefresh(
                session,
                of: tenant.id,
                counter: 1,
                audit: fresh(),
                caller: testCaller,
                at: noon,
                living: SessionRules(idle: .seconds(1_000), absolute: .seconds(10_000), countMax: nil)
            )
            _ = try await refresh.answer(from: store.service)
            #expect(try await Self.look(code, tenant) == "spent")
        }
    }

    @Test func aFailureIsRememberedOrForgotten() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            for fault in [CodeUse.Fault.refused, .unproven, .banned, .quota] {
                let code = freshDigest()
                #expect(try await Self.take(code, tenant))
                try await Self.giveUp(code, tenant, because: fault)
                #expect(try await Self.look(code, tenant, at: 20) == fault.rawValue)
                #expect(try await Self.take(code, tenant, at: 20) == false)
            }
            let code = freshDigest()
            #expect(try await Self.take(code, tenant))
            try await Self.giveUp(code, tenant, because: nil)
            #expect(try await Self.take(code, tenant))
        }
    }

    /// Whoever took it has died: after the lease another may.
    @Test func aLeaseRunsOut() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let code = freshDigest()
            #expect(try await Self.take(code, tenant))
            #expect(try await Self.take(code, tenant, at: 14) == false)
            #expect(try await Self.take(code, tenant, at: 15))
            #expect(try await Self.take(code, tenant, at: 16) == false)
        }
    }

    /// A request that was too slow says nothing of what the next one does.
    @Test func whoHasLostTheLeaseGivesNothingUp() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let code = freshDigest()
            let slow = Self.taking(code, tenant), next = Self.taking(code, tenant, boundTo: [2], at: 15)
            #expect(try await slow.answer(from: store.service))
            #expect(try await Self.take(code, other))
            // Whoever says what somebody else brought with it, or another lease.
            let strangers = [
                Self.taking(code, tenant, boundTo: [9]), Self.taking(code, tenant, at: 1),
                Self.taking(code, other, at: 1),
            ]
            for stranger in strangers {
                #expect(try await CodeGiveUp(stranger, because: .refused, at: noon).touched(on: store.service) == 0)
            }
            #expect(try await next.answer(from: store.service))
            #expect(try await CodeGiveUp(slow, because: .refused, at: noon).touched(on: store.service) == 0)
            let look = CodeUseLook(code, boundTo: [2], of: tenant.id, at: noon + .seconds(16))
            guard case .underWay = try await look.first(from: store.service)?.state else {
                Issue.record("the slow one has ended the other's exchange")
                return
            }
            #expect(try await CodeGiveUp(next, because: .refused, at: noon).touched(on: store.service) == 1)
            #expect(try await Self.look(code, other) == "under way")
        }
    }

    /// The provider gave a token for a person who is refused: it is given back, whoever is refused, and nothing else is.
    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases, ["banned", "quota", "outdated", "replayed", "known"])
    func whatARefusedPersonBroughtIsGivenBack(_ form: DatabaseConfiguration.SegmentForm, _ word: String) async throws {
        try await TestStore.with(form) { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let token = freshDigest(), code = freshDigest()
            if word != "quota" {
                let user = try #require(
                    try await tenant.signIn("person", token: token).answer(from: store.service).user?.id
                )
                if word == "banned" {
                    _ = try await store.administrator.run(Change.Ban(tenant: tenant.id, user: user), .write, of: nil)
                }
                if word == "outdated" { _ = try await tenant.delete(user).run(on: store.service) }
            }
            if word == "quota" { try await tenant.limit(.users, to: 0) }
            #expect(try await Self.take(code, tenant))
            let signIn = tenant.signIn(
                "person",
                token: word == "replayed" ? token : freshDigest(),
                code: SpentCode(digest: code, exchangedFor: [7, 7], at: noon)
            )
            #expect(try await signIn.answer(from: store.service).word == word)
            let count: Int64 = word == "known" ? 0 : 1
            #expect(try await SpentCodeTests.rows(tenant)[3...] == [count, count])
            #expect(try await SpentCodeTests.rows(other) == [0, 0, 0, 0, 0])
        }
    }

    @Test func aCodeIsSweptWhenItHasHadItsTime() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            for tenant in [tenant, other] { #expect(try await Self.take(freshDigest(), tenant)) }
            for (seconds, count) in [(300, 0), (301, 1)] as [(Int64, Int)] {
                let sweep = Sweep(of: tenant.id, at: noon + .seconds(seconds))
                #expect(try await sweep.run(on: store.service).codeUses == count)
            }
            #expect(try await SpentCodeTests.rows(other)[0] == 1)
        }
    }

    /// The code alone is less than token and code: it does not give what those gave.
    @Test func aCodeThatCameWithATokenGivesNothingAlone() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let code = freshDigest()
            let signIn = tenant.signIn("person", code: SpentCodeTests.code(code))
            #expect(try await signIn.answer(from: store.service).word == "new")
            #expect(try await Self.take(code, tenant, at: 20) == false)
            #expect(try await Self.look(code, tenant, at: 20) == "spent")
        }
    }
}
