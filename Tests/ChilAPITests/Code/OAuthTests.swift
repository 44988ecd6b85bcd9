import ChilDevIssuer
import Foundation
import Testing

/// `auth/oauth2/token` with a form: RFC 6749.
@Suite(.testBed(), .ownThread)
struct OAuthTests {
    private static func expectError(
        _ answer: Answer,
        _ status: Int,
        _ error: String,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(answer.status == status, "\(answer.text)", sourceLocation: location)
        #expect(
            answer["Content-Type"] == "application/json" && answer["Cache-Control"] == "no-store",
            sourceLocation: location
        )
        #expect(Set(try answer.members.keys) == ["error", "error_description"], sourceLocation: location)
        #expect(try answer.string("error") == error, "\(answer.text)", sourceLocation: location)
        // %x20-21 / %x23-5B / %x5D-7E (§5.2)
        let text = try answer.string("error_description").utf8
        #expect(text.allSatisfy { 0x20...0x7E ~= $0 && $0 != 0x22 && $0 != 0x5C }, sourceLocation: location)
        if status == 503 { #expect(answer["Retry-After"] != nil, sourceLocation: location) }
    }

    @Test func aCodeAndThenARefresh() async throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let app = try CodeTenant(in: bed)
        let code = try app.authorize("person").code
        let request = app.token(
            form:
                "grant_type=authorization_code&code=\(code)&client_id=\(app.native)&device_name=my%20phone&unknown=x&redirect_uri="
        )
        var answer = try service.send(request)
        var seen: Set<String> = []
        for _ in 0..<3 {
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer["Cache-Control"] == "no-store" && answer["Pragma"] == "no-cache")
            #expect(Set(try answer.members.keys) == ["access_token", "token_type", "expires_in", "refresh_token"])
            #expect(try answer.string("token_type") == "Bearer")
            let lifetime = try answer.int("expires_in")
            #expect((570...600).contains(lifetime))
            #expect(try service.send(app.me(try answer.string("access_token"))).status == 200)
            let refresh = try answer.string("refresh_token")
            #expect(seen.insert(refresh).inserted)
            answer = try service.send(
                app.token(form: "grant_type=refresh_token&refresh_token=\(refresh)&client_id=\(app.native)")
            )
        }
        #expect(try await app.tokenState("person") == "held")
    }

    /// RFC 6749 §6 and §10.4: a refresh token is its client's.
    @Test func aRefreshTokenIsItsClientsAlone() throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let (app, other) = (try CodeTenant(in: bed), try CodeTenant(in: bed))
        let code = try app.authorize("person").code
        let answer = try service.send(
            app.token(form: "grant_type=authorization_code&code=\(code)&client_id=\(app.native)")
        )
        var token = try answer.string("refresh_token")
        func refresh(_ more: String) throws -> Answer {
            try service.send(app.token(form: "grant_type=refresh_token&refresh_token=\(token)\(more)"))
        }
        try Self.expectError(try refresh("&client_id=\(app.web)"), 400, "invalid_grant")
        try Self.expectError(try refresh("&client_id=\(app.native.uppercased())"), 401, "invalid_client")
        try Self.expectError(try refresh("&client_id=\(other.native)"), 401, "invalid_client")
        // A wrong name has cost the session nothing, and who says none has the token.
        for more in ["&client_id=\(app.native)", "", "&client_id="] {
            let refreshed = try refresh(more)
            #expect(refreshed.status == 200, "\(more): \(refreshed.text)")
            #expect(try refreshed.string("refresh_token") != token)
            token = try refreshed.string("refresh_token")
        }
        #expect(try service.send(app.refresh(token)).status == 200)
    }

    /// A provider that knows PKCE is told the verifier.
    @Test(arguments: [
        ("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", 200), ("another-verifier-of-at-least-43-characters-x", 400),
    ])
    func theVerifierOfANativeCodeIsPassedOn(_ row: (verifier: String, status: Int)) throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let app = try CodeTenant(in: bed)
        // RFC 7636, appendix B.
        let code = try app.authorize { $0.codeChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM" }.code
        let answer = try service.send(
            app.token(
                form: "grant_type=authorization_code&code=\(code)&client_id=\(app.native)&code_verifier=\(row.verifier)"
            )
        )
        #expect(answer.status == row.status, "\(answer.text)")
    }

    /// Whoever has only the code gets nothing by sending it after its owner, and takes nothing from the owner by sending it first.
    @Test func aCodeSentAgainBringsWhatCameWithIt() throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let app = try CodeTenant(in: bed)
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        func send(_ code: String, _ more: String) throws -> Answer {
            try service.send(
                app.token(form: "grant_type=authorization_code&code=\(code)&client_id=\(app.native)\(more)")
            )
        }
        // RFC 7636, appendix B.
        let code = try app.authorize { $0.codeChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM" }.code
        let thieves = ["", "&code_verifier=another-verifier-of-at-least-43-characters-x"]
        for more in thieves { try Self.expectError(try send(code, more), 400, "invalid_grant") }
        let owner = try send(code, "&code_verifier=\(verifier)")
        #expect(owner.status == 200, "\(owner.text)")
        for more in thieves { try Self.expectError(try send(code, more), 400, "invalid_grant") }
        let json = try service.send(app.token(json: "{\"code\":\"\(code)\",\"clientId\":\"\(app.native)\"}"))
        try expectProblem(json, 401, "invalid-authorization-code")
        let again = try send(code, "&code_verifier=\(verifier)")
        #expect(try again.status == 200 && again.string("refresh_token") == owner.string("refresh_token"))
    }

    @Test func everyRefusalHasItsWord() throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let app = try CodeTenant(in: bed)
        let code = "grant_type=authorization_code&code="
        let rows: [(form: String, status: Int, error: String)] = [
            ("", 400, "invalid_request"),
            ("grant_type=", 400, "invalid_request"),
            ("code=c", 400, "invalid_request"),
            ("grant_type=password&username=a&password=b", 400, "unsupported_grant_type"),
            ("grant_type=client_credentials", 400, "unsupported_grant_type"),
            ("grant_type=authorization_code", 400, "invalid_request"),
            (code, 400, "invalid_request"),
            (code + "c&code=d", 400, "invalid_request"),
            (code + "c&grant_type=refresh_token", 400, "invalid_request"),
            (code + "%zz", 400, "invalid_request"),
            (code + "%00", 400, "invalid_request"),
            (code + "%ff", 400, "invalid_request"),
            (code + String(repeating: "c", count: 9_000), 400, "invalid_request"),
            (code + "garbage", 400, "invalid_grant"),
            (code + String(repeating: "c", count: 2_049), 400, "invalid_grant"),
            (code + "chl_ac_AAAA&code_verifier=\(String(repeating: "v", count: 43))", 400, "invalid_grant"),
            (code + "c&client_id=nobody", 401, "invalid_client"),
            (code + "c&client_secret=s", 401, "invalid_client"),
            (code + "c&client_id=\(app.native)&redirect_uri=https://evil.example/", 400, "invalid_grant"),
            (code + "c&client_id=\(app.web)&redirect_uri=https://evil.example/", 400, "invalid_grant"),
            ("grant_type=refresh_token", 400, "invalid_request"),
            ("grant_type=refresh_token&refresh_token=garbage", 400, "invalid_grant"),
            ("grant_type=refresh_token&refresh_token=\(String(repeating: "r", count: 513))", 400, "invalid_request"),
            ("grant_type=refresh_token&refresh_token=r&client_id=nobody", 401, "invalid_client"),
        ]
        for row in rows { try Self.expectError(try service.send(app.token(form: row.form)), row.status, row.error) }
        let basic = app.token(form: code + "c").adding("Authorization", "Basic YTpi")
        try Self.expectError(try service.send(basic), 401, "invalid_client")
        app.server.issuer.fail(.token, with: .refusal("invalid_client"))
        try Self.expectError(try service.send(app.token(form: code + "c1")), 503, "temporarily_unavailable")
        app.server.issuer.fail(.token, with: .error500)
        try Self.expectError(try service.send(app.token(form: code + "c2")), 503, "temporarily_unavailable")
    }
}
