import ChilAuth
import ChilCore
import ChilCrypto
import Testing

@Suite struct ClientSecretTests {
    private static let now = Timestamp(microseconds: 1_796_000_000_900_000)

    private func claims(of token: [UInt8]) throws -> JSONObject {
        try #require(try StrictJSON.parse(try CompactJWS(parsing: token).payload).object)
    }

    @Test func isWhatTheProviderAsksFor() throws {
        let key = try ES256PrivateKey()
        let credentials = ProviderCredentials(teamID: "A1B2C3D4E5", keyID: "F6G7H8I9J0", key: key)
        let token = try ClientSecret.token(
            credentials,
            clientID: "com.example.app",
            audience: "https://appleid.apple.com",
            at: Self.now
        )
        let jws = try CompactJWS(parsing: token)
        #expect(jws.header.algorithm == "ES256" && jws.header.keyID == "F6G7H8I9J0" && jws.header.type == nil)
        #expect(jws.isSigned(by: .es256(key.publicKey)))
        #expect(!jws.isSigned(by: .es256(try ES256PrivateKey().publicKey)))
        let claims = try claims(of: token)
        #expect(claims.members.map(\.name) == ["iss", "iat", "exp", "aud", "sub"])
        #expect(claims["iss"]?.string == "A1B2C3D4E5")
        #expect(claims["iat"]?.int64 == 1_796_000_000)
        #expect(claims["exp"]?.int64 == 1_796_000_300)
        #expect(claims["aud"]?.string == "https://appleid.apple.com")
        #expect(claims["sub"]?.string == "com.example.app")
    }

    @Test func isNeverTheSameTwice() throws {
        let credentials = ProviderCredentials(teamID: "T", keyID: "K", key: try ES256PrivateKey())
        func token() throws -> [UInt8] {
            try ClientSecret.token(credentials, clientID: "a", audience: "b", at: Self.now)
        }
        #expect(try token() != token())
    }

    @Test func hostileNamesStayInsideTheirClaims() throws {
        let credentials = ProviderCredentials(teamID: "T\",\"exp\":9", keyID: "K\"", key: try ES256PrivateKey())
        let token = try ClientSecret.token(credentials, clientID: "a\\\"\n", audience: "\u{1F600}", at: Self.now)
        let claims = try claims(of: token)
        #expect(claims["iss"]?.string == "T\",\"exp\":9" && claims["sub"]?.string == "a\\\"\n")
        #expect(claims["exp"]?.int64 == 1_796_000_300 && claims["aud"]?.string == "\u{1F600}")
    }

    @Test func credentialsDoNotShowTheirKey() throws {
        let credentials = ProviderCredentials(teamID: "T", keyID: "K", key: try ES256PrivateKey())
        #expect("\(credentials)" == "[credentials of team T, key K]")
        #expect(Mirror(reflecting: credentials).children.isEmpty)
    }
}
