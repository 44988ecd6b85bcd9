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
        let signIn = tenant.signIn("person", code: SpentCodeTests.code(freshDigest(), exchange: true))
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
                #expect(exchange.provider == tenant.provider && exchange.subject == "person")
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
