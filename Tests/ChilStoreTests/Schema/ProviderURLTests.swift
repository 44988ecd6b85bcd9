import ChilCore
import ChilDatabase
import ChilStore
import ChilTestSupport
import Testing

@Suite struct ProviderURLTests {
    /// A database of the release before: its records have no REST side. Apple's get Apple's, and nobody else gets it.
    @Test func olderRecordsOfApplesGetApplesURLs() async throws {
        try await TestStore.withOwnDatabase { store in
            func tenant(_ issuers: [String], keys: String, tokenURL: String? = nil) async throws -> TestTenant {
                let tenant = try await TestTenant(store)
                var changes = ProviderSet.Changes()
                changes.issuers = issuers
                changes.jwksURL = keys
                changes.tokenURL = tokenURL
                _ = try await ProviderSet(changes, of: tenant.provider, in: tenant.id, note: tenant.note())
                    .run(on: store.operatorRole)
                return tenant
            }
            let keys = "https://appleid.apple.com/auth/keys"
            let both = ["https://account.apple.com", "https://appleid.apple.com"]
            let apple = try await tenant(both, keys: keys)
            let own = try await tenant(["https://appleid.apple.com"], keys: keys, tokenURL: "https://own.example/token")
            let other = try await tenant(["https://issuer.example"], keys: "https://issuer.example/keys")
            let stranger = try await tenant(["https://appleid.apple.com"], keys: "https://issuer.example/keys")

            try await store.script(
                """
                begin;
                delete from schema_migration where version = 10;
                drop function chil_move_subject(bigint, bigint, text, text, text, bigint, text, timestamptz);
                commit;
                """
            )
            let steps = try await store.migrate()
            #expect(steps.filter(\.isNew).map(\.name) == ["m0010_transfer"])

            func rest(_ tenant: TestTenant) async throws -> ProviderREST? {
                try await ProviderList(of: tenant.id).rows(from: store.service).first?.rest
            }
            #expect(
                try await rest(apple)
                    == ProviderREST(
                        authorizeURL: "https://appleid.apple.com/auth/authorize",
                        tokenURL: "https://appleid.apple.com/auth/token",
                        revokeURL: "https://appleid.apple.com/auth/revoke",
                        migrationURL: "https://appleid.apple.com/auth/usermigrationinfo"
                    )
            )
            #expect(try await rest(own) == ProviderREST(tokenURL: "https://own.example/token"))
            #expect(try await rest(other) == ProviderREST())
            #expect(try await rest(stranger) == ProviderREST())
        }
    }
}
