import ChilAuth
import ChilCore
import ChilCrypto
import ChilHTTP
import ChilLoop
import ChilProvider
import ChilStore
import Testing

@testable import ChilAPI

/// What stands between a record and a call to its provider; none of it stands between a person and sign-in by identity token.
@Suite struct ProviderContextTests {
    private static let tenant = TenantID(rawValue: 7)

    private static func sealer(_ digits: String = "0f") throws -> Sealer {
        Sealer(try KeyRing(parsing: Array("1:\(String(repeating: digits, count: 32))\n".utf8)))
    }

    private static func sealed(_ plain: SecretBytes, for tenant: TenantID = tenant) throws -> ProviderREST.Credentials {
        let bytes = try sealer().seal(plain, tenant: tenant, column: ProviderREST.sealedColumn)
        return ProviderREST.Credentials(teamID: "TEAM", keyID: "KEY", sealedKey: bytes)
    }

    private static func context(
        _ rest: ProviderREST,
        clients: [ProviderClientRecord] = [ProviderClientRecord(native: "app")],
        endpoint: String? = nil,
        sealer: Sealer? = nil
    ) throws -> ProviderContext {
        let record = ChilStore.ProviderRecord(
            id: ProviderID(rawValue: 1),
            issuers: ["https://account.apple.com", "https://appleid.apple.com"],
            clients: clients,
            jwksURL: "https://issuer.example/keys",
            algorithms: ["ES256"],
            noncePolicy: .server,
            iatAgeMax: .seconds(600),
            allowedPrivateEndpoint: endpoint,
            isDevelopment: false,
            rest: rest
        )
        return ProviderContext(record, of: tenant, sealer: try sealer ?? self.sealer())
    }

    private func obstacle(_ context: ProviderContext) throws -> ProviderContext.Obstacle? {
        let thread = try LoopThread()
        defer {
            thread.loop.stop()
            thread.join()
        }
        guard case .failure(let obstacle) = context.remote(on: thread.loop) else { return nil }
        return obstacle
    }

    @Test func aWholeRecordCanBeCalled() throws {
        let rest = ProviderREST(
            credentials: try Self.sealed(try ES256PrivateKey().pkcs8()),
            authorizeURL: "https://issuer.example/authorize",
            tokenURL: "https://issuer.example/token",
            revokeURL: "https://issuer.example/revoke"
        )
        let context = try Self.context(rest)
        #expect(try obstacle(context) == nil)
        #expect(context.endpoints?.audience == "https://appleid.apple.com")
        #expect(context.endpoints?.revokeURL == HTTPURL("https://issuer.example/revoke"))
        #expect(context.endpoints?.migrationURL == nil)
        #expect(context.authorizeURL == HTTPURL("https://issuer.example/authorize"))
    }

    @Test func whatIsMissingIsNamed() throws {
        let key = try ES256PrivateKey().pkcs8()
        let url = "https://issuer.example/token"
        #expect(try obstacle(Self.context(ProviderREST(credentials: Self.sealed(key)))) == .noEndpoint)
        #expect(try obstacle(Self.context(ProviderREST(tokenURL: url))) == .noCredentials)
        #expect(
            try obstacle(Self.context(ProviderREST(credentials: Self.sealed(key), tokenURL: "ftp://x"))) == .noEndpoint
        )
    }

    @Test("K-02 a provider's key opens with its own key file, for its own tenant") func aKeyHasItsPlace() throws {
        let key = try ES256PrivateKey().pkcs8()
        let url = "https://issuer.example/token"
        let foreign = ProviderREST(credentials: try Self.sealed(key, for: TenantID(rawValue: 8)), tokenURL: url)
        #expect(try obstacle(Self.context(foreign)) == .sealedByAnotherKey)
        let own = ProviderREST(credentials: try Self.sealed(key), tokenURL: url)
        #expect(try obstacle(Self.context(own, sealer: Self.sealer("aa"))) == .sealedByAnotherKey)
        let noKey = ProviderREST(credentials: try Self.sealed(SecretBytes(copying: [1, 2, 3])), tokenURL: url)
        guard case .badKey? = try obstacle(Self.context(noKey)) else {
            Issue.record("no .badKey")
            return
        }
    }

    @Test func anExceptionIsOneHostAndPort() throws {
        let context = try Self.context(ProviderREST(), endpoint: "[::1]:8443")
        let inside = try #require(HTTPURL("https://[::1]:8443/token")),
            beside = try #require(HTTPURL("https://[::1]/token"))
        #expect(context.addressGuard.makesException(for: inside) && !context.addressGuard.makesException(for: beside))
        #expect(try Self.context(ProviderREST()).exceptions.isEmpty)
        #expect(try Self.context(ProviderREST(), endpoint: "no port").exceptions.isEmpty)
    }

    @Test func aClientIsFoundByItsExactName() throws {
        let web = ProviderClientRecord(web: "com.example.w\u{E9}b", redirectURI: "https://r", returnURL: "a://b")
        let context = try Self.context(ProviderREST(), clients: [ProviderClientRecord(native: "app"), web])
        #expect(context.client(named: "app")?.use == .native)
        #expect(context.client(named: "com.example.w\u{E9}b") == web)
        // The same to the eye and to `==`, and other bytes.
        #expect(context.client(named: "com.example.we\u{301}b") == nil && context.client(named: "APP") == nil)
    }
}
