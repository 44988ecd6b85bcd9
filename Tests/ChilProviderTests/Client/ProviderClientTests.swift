import ChilAuth
import ChilCore
import ChilCrypto
import ChilHTTP
import Testing

@testable import ChilProvider

/// What is sent, to the byte, and what a right answer becomes.
@Suite struct ProviderClientTests {
    private static let tokens = json(
        "200 OK",
        """
        {"access_token":"a1","token_type":"Bearer","expires_in":3600,"refresh_token":"r1","id_token":"h.p.s"}
        """
    )

    private func form(_ request: String) throws -> [String: String] {
        let body = try #require(request.split(separator: "\r\n\r\n", maxSplits: 1).last)
        let items = try QueryItems(Array(body.utf8)[...], isForm: true)
        return Dictionary(uniqueKeysWithValues: items.items.map { ($0.name, $0.value) })
    }

    private func expectSecret(_ token: String?, _ client: TestClient) throws {
        let jws = try CompactJWS(parsing: Array(try #require(token).utf8))
        #expect(jws.isSigned(by: .es256(client.credentials.key.publicKey)))
        let claims = try #require(try StrictJSON.parse(jws.payload).object)
        #expect(claims["iss"]?.string == "A1B2C3D4E5" && claims["sub"]?.string == testClientID)
        #expect(claims["aud"]?.string == "https://appleid.apple.com")
        #expect(claims["exp"]?.int64 == testNow.seconds + 300)
    }

    @Test(arguments: [nil, "https://api.example/cb?x=1&y=2"])
    func exchangesACode(_ redirectURI: String?) async throws {
        let provider = try ScriptedProvider(Self.tokens)
        let client = try TestClient(provider)
        let answer = try await client.exchange(code: "c+1/=&", redirectURI: redirectURI).get()
        #expect(answer.refreshToken == secret("r1") && answer.accessToken == secret("a1"))
        #expect(answer.identityToken == Array("h.p.s".utf8))
        let request = try #require(provider.requests.first)
        #expect(provider.requests.count == 1)
        #expect(request.hasPrefix("POST /auth/token HTTP/1.1\r\nHost: \(provider.authority)\r\n"))
        #expect(request.contains("\r\nContent-Type: application/x-www-form-urlencoded\r\n"))
        var form = try form(request)
        try expectSecret(form.removeValue(forKey: "client_secret"), client)
        var wanted = ["grant_type": "authorization_code", "code": "c+1/=&", "client_id": testClientID]
        wanted["redirect_uri"] = redirectURI
        #expect(form == wanted)
    }

    @Test func asksAfterARefreshToken() async throws {
        let provider = try ScriptedProvider(json("200 OK", "{\"access_token\":\"a2\",\"id_token\":\"h.p.s\"}"))
        let client = try TestClient(provider)
        let answer = try await client.run { client in
            await client.refresh(token: secret("r1"), clientID: testClientID, at: testNow)
        }.get()
        #expect(answer.refreshToken == nil && answer.accessToken == secret("a2"))
        var form = try form(try #require(provider.requests.first))
        try expectSecret(form.removeValue(forKey: "client_secret"), client)
        #expect(form == ["grant_type": "refresh_token", "refresh_token": "r1", "client_id": testClientID])
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n \r\n",
        json("200 OK", "{}"), json("200 OK", "[]"), json("200 OK", "null"),
    ])
    func revokesAToken(_ answer: String) async throws {
        let provider = try ScriptedProvider(answer)
        let client = try TestClient(provider)
        let revoked = try await client.run { client in
            await client.revoke(token: secret("r1"), clientID: testClientID, at: testNow)
        }
        #expect(revoked.fault == nil)
        let request = try #require(provider.requests.first)
        #expect(request.hasPrefix("POST /auth/revoke HTTP/1.1\r\n"))
        var form = try form(request)
        try expectSecret(form.removeValue(forKey: "client_secret"), client)
        #expect(form == ["token": "r1", "token_type_hint": "refresh_token", "client_id": testClientID])
    }

    @Test func asksForATransferIdentifier() async throws {
        let provider = try ScriptedProvider(json("200 OK", "{\"transfer_sub\":\"t.1\",\"access_token\":\"m\"}"))
        let client = try TestClient(provider)
        let found = try await client.run { client in
            let bearer = await client.migrationToken(clientID: testClientID, at: testNow)
            guard case .success(let bearer) = bearer else {
                return Result<String, ProviderFault>.failure(.refusedGrant)
            }
            return await client.transferSubject(
                of: "000.a",
                toTeam: "Z9",
                clientID: testClientID,
                bearer: bearer,
                at: testNow
            )
        }
        #expect(try found.get() == "t.1")
        let requests = provider.requests
        #expect(requests.count == 2 && requests[0].hasPrefix("POST /auth/token ") && !requests[0].contains("Bearer"))
        var asked = try form(requests[0])
        try expectSecret(asked.removeValue(forKey: "client_secret"), client)
        #expect(asked == ["grant_type": "client_credentials", "scope": "user.migration", "client_id": testClientID])
        #expect(requests[1].hasPrefix("POST /auth/usermigrationinfo "))
        #expect(requests[1].contains("\r\nAuthorization: Bearer m\r\n"))
        asked = try form(requests[1])
        try expectSecret(asked.removeValue(forKey: "client_secret"), client)
        #expect(asked == ["sub": "000.a", "target": "Z9", "client_id": testClientID])
    }

    @Test(arguments: [
        ("{\"sub\":\"000.b\",\"email\":\"x@relay.example\",\"is_private_email\":true}", "x@relay.example"),
        ("{\"sub\":\"000.b\"}", nil),
    ])
    func asksWhoAUserIsNow(_ body: String, _ email: String?) async throws {
        let provider = try ScriptedProvider(json("200 OK", body))
        let found = try await TestClient(provider).run { client in
            await client.user(ofTransferSubject: "t.1", clientID: testClientID, bearer: secret("m"), at: testNow)
        }.get()
        #expect(found == ProviderClient.TransferredUser(subject: "000.b", email: email))
        let form = try form(try #require(provider.requests.first))
        #expect(form["transfer_sub"] == "t.1" && form["sub"] == nil)
    }

    @Test func theAudienceIsTheProvidersName() {
        #expect(ProviderEndpoints.audience(of: ["https://i.example", "https://j.example"]) == "https://i.example")
        let both = ["https://account.apple.com", "https://appleid.apple.com"]
        #expect(ProviderEndpoints.audience(of: both) == "https://appleid.apple.com")
    }

    @Test func anAnswerDoesNotShowItsTokens() {
        let answer = TokenAnswer(refreshToken: secret("r-marker"), identityToken: [1], accessToken: secret("a-marker"))
        var dumped = ""
        dump(answer, to: &dumped)
        for text in ["\(answer)", String(reflecting: answer), dumped] {
            #expect(text.contains("[token answer]") && !text.contains("marker"))
        }
    }
}
