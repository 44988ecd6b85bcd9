import ChilCore
import ChilDatabase
import ChilStore
import Testing

/// On a database of its own: the queue is shared by all tenants.
@Suite struct TokenRevocationTests {
    private struct Rush: Statement {
        typealias Row = Void
        static let sql = SQL("update work set run_at = now() where tenant_id = $1")
        let tenant: TenantID
        func bind(_ values: inout BoundValues) { values.append(tenant) }
    }

    private static func claim(_ store: TestStore) async throws -> [WorkItem] {
        try await WorkClaim(countMax: 10, lease: .seconds(60), holder: "test").run(on: store.service)
            .filter { $0.kind == .revoke }
    }

    @Test(arguments: [
        (TokenRevocationEnd.Outcome.revoked, AccountDeletion.ProviderToken.revoked, "token.revoke revoked"),
        (.failed("refused"), .failed, "token.revoke failed: refused"),
    ])
    func theTokenIsWipedWhateverTheEnd(
        _ row: (outcome: TokenRevocationEnd.Outcome, state: AccountDeletion.ProviderToken, audited: String)
    ) async throws {
        try await TestStore.withOwnDatabase { store in
            let tenant = try await TestTenant(store)
            let gone = try await Belongings(of: "ann", in: tenant)
            // Its code has been exchanged: the receipt waits for the token alone.
            try await store.script("delete from code_exchange")
            let receipt = freshDigest()
            _ = try await tenant.delete(gone.user, receipt: receipt).run(on: store.service)
            let lost = try #require(try await Self.claim(store).first)
            let load = try await TokenRevocationLoad(lost).first(from: store.service)
            #expect(load?.sealedToken == Array("m:identity.sealed_token".utf8) && load?.attempts == 0)
            #expect(load?.clientID == "m:identity.token_client_id" && load?.provider == tenant.provider)

            // Another holds it now: the first one's answer changes nothing.
            _ = try await store.administrator.run(Rush(tenant: tenant.id), .write, of: nil)
            let held = try #require(try await Self.claim(store).first)
            #expect(try await TokenRevocationEnd(lost, .revoked, at: noon).answer(from: store.service) == false)
            let again = TokenRevocationEnd(held, .again(after: .seconds(60), "away"), at: noon)
            #expect(try await again.answer(from: store.service))
            let one = AccountDeletionOne(receiptDigest: receipt, of: tenant.id)
            #expect(try await one.first(from: store.service)?.providerToken == .pending)
            #expect(try await TokenRevocationLoad(held).first(from: store.service)?.attempts == 1)
            #expect(try await Self.claim(store).isEmpty, "it is put off")

            _ = try await store.administrator.run(Rush(tenant: tenant.id), .write, of: nil)
            let last = try #require(try await Self.claim(store).first)
            #expect(try await TokenRevocationEnd(last, row.outcome, at: noon).answer(from: store.service))
            #expect(try await one.first(from: store.service)?.providerToken == row.state)
            #expect(try await TokenRevocationLoad(last).first(from: store.service)?.sealedToken == nil)
            #expect(try await tenant.auditedActions().contains(row.audited))
            _ = try await store.administrator.run(Rush(tenant: tenant.id), .write, of: nil)
            #expect(try await Self.claim(store).isEmpty, "its work is done")
        }
    }
}
