import ChilCore
import ChilDatabase
import ChilStore
import Testing

@Suite struct ProviderSetTests {
    private static let credentials = ProviderREST.Credentials(teamID: "A1", keyID: "K1", sealedKey: [1, 2, 3])

    private func record(of tenant: TestTenant) async throws -> ProviderRecord {
        try #require(try await ProviderList(of: tenant.id).rows(from: tenant.store.service).first)
    }

    @discardableResult
    private func set(
        _ tenant: TestTenant,
        provider: ProviderID? = nil,
        client: ProviderClientRecord? = nil,
        _ change: (inout ProviderSet.Changes) -> Void
    ) async throws -> Bool {
        var changes = ProviderSet.Changes()
        change(&changes)
        return try await ProviderSet(
            changes,
            of: provider ?? tenant.provider,
            in: tenant.id,
            clientUse: client.map { ProviderSet.ClientUse($0, note: tenant.note()) },
            note: tenant.note()
        ).run(on: tenant.store.operatorRole)
    }

    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func whatIsNamedChangesAndNothingElse(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let before = try await record(of: tenant)
            #expect(before.rest == ProviderREST())
            #expect(before.clients == [ProviderClientRecord(native: "app.\(tenant.slug)")])

            #expect(try await set(tenant) { $0.tokenURL = "https://t.example/token" })
            var after = try await record(of: tenant)
            #expect(after.rest == ProviderREST(tokenURL: "https://t.example/token"))
            #expect(after.jwksURL == before.jwksURL && after.noncePolicy == .server && after.iatAgeMax == .seconds(600))

            try await set(tenant) {
                $0.jwksURL = "https://k.example"
                $0.algorithms = ["RS256"]
                $0.noncePolicy = .optional
                $0.iatAgeMax = .seconds(86_400)
                $0.allowedPrivateEndpoint = .set("10.0.0.1:1")
                $0.credentials = .set(Self.credentials)
                $0.authorizeURL = "https://a.example"
                $0.revokeURL = "https://r.example"
                $0.migrationURL = "https://m.example"
            }
            after = try await record(of: tenant)
            #expect(after.jwksURL == "https://k.example" && after.algorithms == ["RS256"])
            #expect(after.noncePolicy == .optional && after.iatAgeMax == .seconds(86_400))
            #expect(after.allowedPrivateEndpoint == "10.0.0.1:1")
            #expect(
                after.rest
                    == ProviderREST(
                        credentials: Self.credentials,
                        authorizeURL: "https://a.example",
                        tokenURL: "https://t.example/token",
                        revokeURL: "https://r.example",
                        migrationURL: "https://m.example"
                    )
            )
            try await set(tenant) {
                $0.credentials = .remove
                $0.allowedPrivateEndpoint = .remove
            }
            after = try await record(of: tenant)
            #expect(after.rest.credentials == nil && after.allowedPrivateEndpoint == nil)
            #expect(after.rest.tokenURL == "https://t.example/token")

            // The other tenant's record is as it was made.
            let untouched = try await record(of: other)
            #expect(untouched.rest == ProviderREST() && untouched.jwksURL == before.jwksURL)
            #expect(try await other.auditedActions().allSatisfy { !$0.hasPrefix("provider.set") })
            #expect(
                try await tenant.auditedActions().filter { $0.hasPrefix("provider.set") } == [
                    "provider.set allowed_private_endpoint credentials",
                    "provider.set jwks_url algorithms nonce_policy iat_age_max allowed_private_endpoint credentials "
                        + "authorize_url revoke_url migration_url",
                    "provider.set token_url",
                ]
            )
        }
    }

    @Test func aRecordOfAnotherTenantIsNotThere() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            #expect(try await set(tenant, provider: other.provider) { $0.noncePolicy = .client } == false)
            let web = ProviderClientRecord(web: "app.\(other.slug)", redirectURI: "https://r", returnURL: "a://b")
            #expect(try await set(tenant, client: web) { _ in } == false)
            #expect(try await record(of: other).noncePolicy == .server)
            #expect(try await record(of: other).clients.map(\.use) == [.native])
        }
    }

    @Test func aClientIDHasItsOwnUse() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let id = "app.\(tenant.slug)"
            let web = ProviderClientRecord(web: id, redirectURI: "https://r.example/cb", returnURL: "app://in")
            #expect(try await set(tenant, client: web) { _ in })
            #expect(try await record(of: tenant).clients == [web])
            #expect(try await record(of: tenant).clientIDs == [id])
            #expect(try await set(tenant, client: ProviderClientRecord(native: id)) { _ in })
            #expect(try await record(of: tenant).clients == [ProviderClientRecord(native: id)])
            let actions = try await tenant.auditedActions()
            #expect(actions.filter { $0.hasPrefix("client.set") } == ["client.set native", "client.set web"])
        }
    }

    @Test func issuersAreReplacedAndKeepTheirOrder() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            try await set(tenant) { $0.issuers = ["https://second.example", TestTenant.issuer] }
            #expect(try await record(of: tenant).issuers == ["https://second.example", TestTenant.issuer])
            #expect(try await record(of: other).issuers == [TestTenant.issuer])
            // The first issuer is the authority: under the old one, the client id is free again.
            let taken = "app.\(tenant.slug)"
            func add() async throws {
                let record = ClientsAdd.Target.existing(TestTenant.providerRecord(other.provider))
                try await ClientsAdd([taken], to: other.id, under: record, by: "t", at: noon, nextAudit: { fresh() })
                    .run(on: store.operatorRole)
            }
            try await add()
            // And the way back is barred: the client id would have two tenants.
            let error = await #expect(throws: DatabaseError.self) {
                try await set(tenant) {
                    $0.issuers = [TestTenant.issuer]
                    $0.noncePolicy = .client
                }
            }
            #expect(error?.code == .conflict && error?.constraint == "provider_client_production_key")
            let after = try await record(of: tenant)
            #expect(after.issuers == ["https://second.example", TestTenant.issuer] && after.noncePolicy == .server)
        }
    }

    @Test func anIssuerOfAnotherRecordIsAConflict() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let second = TestTenant.providerRecord(fresh(), issuers: ["https://dev.example"], isDevelopment: true)
            try await ClientsAdd(["dev"], to: tenant.id, under: .new(second), by: "t", at: noon, nextAudit: { fresh() })
                .run(on: store.operatorRole)
            let error = await #expect(throws: DatabaseError.self) {
                try await set(tenant) { $0.issuers = [TestTenant.issuer, "https://dev.example"] }
            }
            #expect(error?.constraint == "provider_issuer_pkey")
            #expect(try await record(of: tenant).issuers == [TestTenant.issuer])
        }
    }

    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func aRefusalOfTheProviderIsKeptUntilItIsOver(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            func tell(_ fault: String?) async throws -> Bool {
                try await CredentialFaultSet(fault, of: tenant.provider, in: tenant.id, audit: fresh(), at: noon)
                    .answer(from: store.service)
            }
            #expect(
                try await [tell(nil), tell("invalid_client"), tell("again"), tell(nil), tell(nil)] == [
                    false, true, false, true, false,
                ]
            )
            _ = try await tell("invalid_client")
            #expect(try await record(of: tenant).rest.credentialFault == "invalid_client")
            #expect(try await record(of: other).rest.credentialFault == nil)
            // Another tenant's record is not there.
            let foreign = CredentialFaultSet("x", of: other.provider, in: tenant.id, audit: fresh(), at: noon)
            #expect(try await !foreign.answer(from: store.service))
            // New credentials are believed.
            try await set(tenant) { $0.credentials = .set(Self.credentials) }
            #expect(try await record(of: tenant).rest.credentialFault == nil)
            let told = try await tenant.auditedActions().filter {
                $0.hasPrefix("provider.refused") || $0.hasPrefix("provider.acc")
            }
            #expect(
                told == ["provider.refused invalid_client", "provider.accepted ", "provider.refused invalid_client"]
            )
        }
    }

    @Test func theServiceMayNotChangeCredentials() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            var changes = ProviderSet.Changes()
            changes.credentials = .set(Self.credentials)
            let set = ProviderSet(changes, of: tenant.provider, in: tenant.id, note: tenant.note())
            let error = await #expect(throws: DatabaseError.self) { _ = try await set.run(on: store.service) }
            #expect(error?.code == .forbidden)
        }
    }
}
