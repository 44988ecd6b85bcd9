import ChilAuth
import ChilCore
import ChilDatabase
import ChilStore
import Testing

/// The end of an exchange that a worker did. In databases of their own: the queue is everybody's.
@Suite struct CodeExchangeTests {
    private static func claim(_ store: TestStore) async throws -> WorkItem? {
        try await WorkClaim(countMax: 1, lease: .seconds(60), holder: "test").run(on: store.service).first
    }

    private static func identity(_ tenant: TestTenant) async throws -> IdentityLook.Row? {
        try await tenant.store.administrator.run(IdentityLook(tenant: tenant.id), .read, of: nil).first
    }

    /// Signs in with a fresh code, and takes its exchange as a worker does.
    private static func begin(_ tenant: TestTenant) async throws -> (UserID, WorkItem, CodeExchange) {
        // After the deletions of the tests, which are at noon.
        let signIn = tenant.signIn(
            "person",
            code: SpentCodeTests.code(freshDigest(), exchange: true),
            issued: noon + .seconds(1)
        )
        let user = try #require(try await signIn.answer(from: tenant.store.service).user?.id)
        let item = try #require(try await claim(tenant.store))
        #expect(item.kind == .exchange && item.tenant == tenant.id)
        let load = CodeExchangeLoad(ExchangeID(rawValue: item.subject), in: item.tenant)
        return (user, item, try #require(try await load.first(from: tenant.store.service)))
    }

    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func aTokenIsHeldUntilABetterOneComes(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.withOwnDatabase(form) { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            _ = try await other.user("person")
            let steps: [(CodeExchangeEnd.Gain, state: String, token: [UInt8]?, fault: String?)] = [
                (.nothing(because: "invalid_grant"), "failed", nil, "invalid_grant"),
                (.token([1, 1]), "held", [1, 1], nil),
                (.nothing(because: "away"), "held", [1, 1], "away"),
                (.token([2, 2]), "held", [2, 2], nil),
            ]
            for step in steps {
                let (_, item, exchange) = try await Self.begin(tenant)
                #expect(exchange.provider == tenant.provider)
                #expect(exchange.clientID == "app.\(tenant.slug)" && exchange.sealedCode == [1, 2, 3])
                #expect(exchange.expires == noon + .seconds(300))
                #expect(try await Self.identity(tenant)?.tokenState == "pending")
                let end = CodeExchangeEnd(item, of: exchange, with: step.0, at: noon)
                #expect(try await end.answer(from: store.service) == .stored)
                let row = try #require(try await Self.identity(tenant))
                #expect(row.tokenState == step.state && row.token == step.token && row.tokenFault == step.fault)
                #expect(try await end.answer(from: store.service) == .lost)
            }
            #expect(try await SpentCodeTests.rows(tenant) == [4, 0, 0, 0, 0])
            #expect(try await Self.identity(other)?.tokenState == "none")
        }
    }

    /// The account went while the provider was asked: what it gave is given back.
    @Test func aTokenOfNobodyIsRevoked() async throws {
        try await TestStore.withOwnDatabase { store in
            let tenant = try await TestTenant(store)
            for (gain, expected) in [(CodeExchangeEnd.Gain.nothing(because: "away"), 0), (.token([5]), 1)] {
                let (user, item, exchange) = try await Self.begin(tenant)
                _ = try await store.administrator.run(Change.Forget(tenant: tenant.id, user: user), .write, of: nil)
                let end = CodeExchangeEnd(item, of: exchange, with: gain, at: noon)
                #expect(try await end.answer(from: store.service) == .orphan)
                #expect(try await SpentCodeTests.rows(tenant)[1...] == [0, 0, Int64(expected), Int64(expected)])
            }
            let item = try #require(try await Self.claim(store))
            #expect(item.kind == .revoke)
        }
    }

    /// The account was deleted before the provider answered: what it gives is revoked for that deletion, and the receipt tells.
    @Test(
        arguments: DatabaseConfiguration.SegmentForm.allCases,
        [AccountDelete.Origin.user(requestID: "r"), .operator(name: "tester")]
    )
    func aCodeOutlivesTheAccount(_ form: DatabaseConfiguration.SegmentForm, _ origin: AccountDelete.Origin) async throws
    {
        try await TestStore.withOwnDatabase(form) { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let gains: [(CodeExchangeEnd.Gain, AccountDeletion.ProviderToken, revoke: Int64)] = [
                (.token([5]), .pending, 1), (.nothing(because: "invalid_grant"), .failed, 0),
            ]
            for (gain, state, revocations) in gains {
                let (user, item, before) = try await Self.begin(tenant)
                let (_, otherItem, otherExchange) = try await Self.begin(other)
                guard case .subject("person") = before.owner else {
                    Issue.record("\(before.owner)")
                    return
                }
                let receipt = freshDigest()
                let delete = AccountDelete(
                    user,
                    of: tenant.id,
                    as: fresh(),
                    receiptDigest: receipt,
                    pepper: testPepper,
                    by: origin,
                    audit: fresh(),
                    at: noon
                )
                let isOperator = if case .operator = origin { true } else { false }
                _ = try await delete.run(on: isOperator ? store.operatorRole : store.service)
                func told() async throws -> AccountDeletion.ProviderToken? {
                    try await AccountDeletionOne(receiptDigest: receipt, of: tenant.id).first(from: store.service)?
                        .providerToken
                }
                #expect(try await told() == .pending)
                #expect(try await SpentCodeTests.rows(tenant)[1...2] == [1, 1])
                // The person is known by the digest alone: to the service's keys, of this provider and tenant.
                let exchange = try #require(
                    try await CodeExchangeLoad(ExchangeID(rawValue: item.subject), in: tenant.id).first(
                        from: store.service
                    )
                )
                guard case .ended(let digest) = exchange.owner else {
                    Issue.record("\(exchange.owner)")
                    return
                }
                let later = testSubjects([1, 2])
                #expect(testSubjects().isDigest(digest, of: "person", from: tenant.provider, in: tenant.id))
                #expect(later.isDigest(digest, of: "person", from: tenant.provider, in: tenant.id))
                #expect(!testSubjects().isDigest(digest, of: "thief", from: tenant.provider, in: tenant.id))
                #expect(!testSubjects().isDigest(digest, of: "person", from: other.provider, in: tenant.id))
                #expect(!testSubjects().isDigest(digest, of: "person", from: tenant.provider, in: other.id))
                #expect(
                    !testSubjects([2]).isDigest(digest, of: "person", from: tenant.provider, in: tenant.id)
                )

                // Who signs in anew meanwhile has no part in it.
                _ = try await tenant.user("person", issued: noon + .seconds(1))
                let end = CodeExchangeEnd(item, of: exchange, with: gain, at: noon)
                #expect(try await end.answer(from: store.service) == .orphan)
                #expect(try await end.answer(from: store.service) == .lost)
                #expect(try await told() == state)
                #expect(try await SpentCodeTests.rows(tenant)[1...3] == [0, 0, revocations])
                #expect(try await Self.identity(tenant)?.tokenState == "none")
                if revocations == 1 {
                    let revoke = try #require(try await Self.claim(store))
                    #expect(revoke.kind == .revoke && revoke.tenant == tenant.id)
                    #expect(try await TokenRevocationLoad(revoke).first(from: store.service)?.sealedToken == [5])
                    #expect(try await TokenRevocationEnd(revoke, .revoked, at: noon).answer(from: store.service))
                    #expect(try await told() == .revoked)
                }
                // The other tenant's person of that name goes on.
                let otherEnd = CodeExchangeEnd(otherItem, of: otherExchange, with: .token([8]), at: noon)
                #expect(try await otherEnd.answer(from: store.service) == .stored)
                #expect(try await Self.identity(other)?.tokenState == "held")
            }
        }
    }

    /// Whether the exchange failed before the deletion or after it: the person's consent stands at the provider either way.
    @Test func anExchangeThatFailedBeforeIsToldAsFailed() async throws {
        try await TestStore.withOwnDatabase { store in
            let tenant = try await TestTenant(store)
            let (user, item, exchange) = try await Self.begin(tenant)
            let end = CodeExchangeEnd(item, of: exchange, with: .nothing(because: "invalid_grant"), at: noon)
            #expect(try await end.answer(from: store.service) == .stored)
            let receipt = freshDigest()
            _ = try await tenant.delete(user, receipt: receipt).run(on: store.service)
            let told = try await AccountDeletionOne(receiptDigest: receipt, of: tenant.id).first(from: store.service)
            #expect(told?.providerToken == .failed)
            #expect(try await tenant.auditedActions().contains("token.revoke failed: invalid_grant"))
        }
    }

    /// Deletions and ends of exchanges at once: whoever is first, no token is kept and none is lost.
    @Test func deletionsBesideExchangesLoseNoToken() async throws {
        try await TestStore.withOwnDatabase { store in
            let tenant = try await TestTenant(store)
            for round in 0..<20 {
                let (user, item, exchange) = try await Self.begin(tenant)
                let end = CodeExchangeEnd(item, of: exchange, with: .token([UInt8(round)]), at: noon)
                let delete = tenant.delete(user)
                async let ended = end.answer(from: store.service)
                async let deleted = delete.run(on: store.operatorRole)
                _ = try await (ended, deleted)
                let revoke = try #require(try await Self.claim(store))
                #expect(revoke.kind == .revoke)
                #expect(try await TokenRevocationLoad(revoke).first(from: store.service)?.sealedToken == [UInt8(round)])
                #expect(try await TokenRevocationEnd(revoke, .revoked, at: noon).answer(from: store.service))
                #expect(try await Self.claim(store) == nil)
                #expect(try await SpentCodeTests.rows(tenant)[1...3] == [0, 0, 0])
            }
        }
    }

    /// The operator's half of a team transfer takes it along too.
    @Test func aMoveTakesTheExchangeAlong() async throws {
        try await TestStore.withOwnDatabase { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let (_, item, _) = try await Self.begin(tenant)
            let (_, otherItem, _) = try await Self.begin(other)
            let row = Change.Transfer(tenant: tenant, transferSubject: "transfer-1", subject: "person")
            _ = try await store.administrator.run(row, .write, of: nil)
            let move = SubjectMove(
                byTransferSubject: "transfer-1",
                to: "new-person",
                email: nil,
                of: tenant.provider,
                in: tenant.id,
                note: tenant.note()
            )
            #expect(try await move.answer(from: store.operatorRole) == .moved)
            for (item, subject) in [(item, "new-person"), (otherItem, "person")] {
                let load = CodeExchangeLoad(ExchangeID(rawValue: item.subject), in: item.tenant)
                guard case .subject(subject)? = try await load.first(from: store.service)?.owner else {
                    Issue.record("not \(subject)'s")
                    return
                }
            }
        }
    }

    /// A team transfer during the exchange: the row follows the person.
    @Test func aTransferTakesTheExchangeAlong() async throws {
        try await TestStore.withOwnDatabase { store in
            let tenant = try await TestTenant(store)
            let (user, item, exchange) = try await Self.begin(tenant)
            let row = Change.Transfer(tenant: tenant, transferSubject: "transfer-1", subject: "person")
            _ = try await store.administrator.run(row, .write, of: nil)
            let moved = try await tenant.signIn("new-person", transferSubject: "transfer-1").answer(from: store.service)
            #expect(moved.user?.id == user)
            let end = CodeExchangeEnd(item, of: exchange, with: .token([6]), at: noon)
            #expect(try await end.answer(from: store.service) == .stored)
            let identity = try #require(try await Self.identity(tenant))
            #expect(identity.subject == "new-person" && identity.token == [6] && identity.tokenState == "held")
        }
    }
}
