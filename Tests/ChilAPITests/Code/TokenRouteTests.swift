import ChilDevIssuer
import ChilTestSupport
import Foundation
import Testing

/// `auth/oauth2/token` with JSON, as the first app sends it.
@Suite(.testBed([.implicitNamed, .explicitUnnamed]), .ownThread)
struct TokenRouteTests {
    @Test(arguments: [ServiceForm.implicitNamed, .explicitUnnamed])
    func aCodeAloneSignsIn(_ form: ServiceForm) async throws {
        let bed = try TestBed.required
        let service = try bed.service(form)
        let app = try CodeTenant(in: bed)
        let code = try app.authorize("person", nonce: "not told to the service").code
        let answer = try service.send(app.token(json: "{\"code\":\"\(code)\",\"givenName\":\"하나\"}"))
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer["Cache-Control"] == "no-store")
        #expect(
            Set(try answer.members.keys) == [
                "token", "expiresIn", "grantType", "accessToken", "tokenType", "refreshToken", "refreshExpiresIn",
                "user",
                "isNewUser",
            ]
        )
        #expect(try answer.string("grantType") == "Bearer" && answer.string("tokenType") == "Bearer")
        #expect(try answer.string("token") == answer.string("accessToken"))
        let me = try service.send(app.me(try answer.string("token")))
        #expect(try me.string("givenName") == "하나" && me.string("email") == "person@mail.test")
        #expect(try await app.tokenState("person") == "held")
        #expect(app.exchanges.map(\.error) == [nil])
        // The same person again is the same user.
        let again = try app.authorize("person").code
        let second = try service.send(
            app.token(json: "{\"code\":\"\(again)\",\"clientId\":\"\(app.native)\",\"nonce\":null}")
        )
        #expect(try second.members["isNewUser"] as? Bool == false)
        #expect(try second.string("refreshToken") != answer.string("refreshToken"))
    }

    /// Those that come while the first waits for the provider wait with it; those that come later ask nobody.
    @Test(arguments: [ServiceForm.implicitNamed, .explicitUnnamed])
    func manyWithOneCodeAreOneSession(_ form: ServiceForm) throws {
        let bed = try TestBed.required
        let service = try bed.service(form)
        let app = try CodeTenant(in: bed)
        app.server.issuer.fail(.token, with: .slow(.milliseconds(700)))
        let code = try app.authorize().code
        let request = app.token(json: "{\"code\":\"\(code)\"}")
        let answers = try inParallel(20) { _ in try service.send(request) } + [service.send(request)]
        #expect(Set(answers.map(\.status)) == [200], "\(answers.first { $0.status != 200 }?.text ?? "")")
        #expect(Set(try answers.map { try $0.string("refreshToken") }).count == 1)
        #expect(app.exchanges.count == 1)
        #expect(try service.send(app.refresh(try answers[0].string("refreshToken"))).status == 200)
        try expectProblem(try service.send(request), 401, "invalid-authorization-code")
        #expect(app.exchanges.count == 1)
    }

    /// The provider gave a token for somebody who is refused: it is revoked, and no other is.
    @Test(arguments: ["user-banned", "quota-exceeded", "invalid-identity-token"])
    func whatARefusedPersonBroughtIsGivenBack(_ problem: String) throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let (app, other) = (try CodeTenant(in: bed), try CodeTenant(in: bed))
        func signIn(_ subject: String, _ app: CodeTenant, more: String = "") throws -> Answer {
            let code = try app.authorize(subject, nonce: IdentityToken.hash("the-nonce-of-the-app")).code
            return try service.send(app.token(json: "{\"code\":\"\(code)\"\(more)}"))
        }
        let first = try signIn("first", app)
        #expect(try first.status == 200 && signIn("first", other).status == 200)
        let user = try App(service, app.tenant, first).userID
        let refused: String
        switch problem {
        case "user-banned":
            try bed.administration.run("user ban \(app.tenant.slug) \(user)")
            refused = "first"
            try expectProblem(try signIn(refused, app), 403, problem)
        case "quota-exceeded":
            try bed.administration.run("quota set \(app.tenant.slug) users 1")
            refused = "second"
            try expectProblem(try signIn(refused, app), 403, problem)
        default:
            refused = "second"
            try expectProblem(try signIn(refused, app, more: ",\"nonce\":\"another-nonce\""), 401, problem)
        }
        let isRevoked = waitUntil(.seconds(10)) { !app.server.issuer.calls(of: .revoke).isEmpty }
        #expect(isRevoked)
        #expect(app.server.issuer.calls(of: .revoke).map(\.error) == [nil])
        #expect(app.server.issuer.heldTokenCount(subject: refused, clientID: app.native) == 0)
        #expect(refused == "first" || app.server.issuer.heldTokenCount(subject: "first", clientID: app.native) == 1)
        #expect(other.server.issuer.calls(of: .revoke).isEmpty)
    }

    @Test func aRefusedCodeIsAskedForOnce() throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let app = try CodeTenant(in: bed)
        let codes = ["c-garbage", "chl_ac_AAAA", "chl_rt_AAAA", "코드", "a+b/c=d&e"]
        for code in codes {
            let request = app.token(json: "{\"code\":\"\(code)\"}")
            let answers = try (0..<3).map { _ in try service.send(request) }
            for answer in answers { try expectProblem(answer, 401, "invalid-authorization-code") }
            #expect(Set(answers.map(\.unvarying)).count == 1)
        }
        // A code of the service's own is none of the provider's business.
        #expect(app.exchanges.count == codes.count - 1)
    }

    @Test func whatIsNoRequestIsRefused() throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let app = try CodeTenant(in: bed)
        let rows: [(json: String, status: Int, code: String, pointer: String?)] = [
            ("{}", 422, "invalid-fields", "/code"),
            ("{\"code\":\"\"}", 422, "invalid-fields", "/code"),
            ("{\"code\":7}", 422, "invalid-fields", "/code"),
            ("{\"code\":\"\(String(repeating: "c", count: 2_049))\"}", 422, "invalid-fields", "/code"),
            ("{\"code\":\"c\",\"clientId\":\"nobody\"}", 422, "invalid-fields", "/clientId"),
            ("{\"code\":\"c\",\"redirectUri\":\"x\"}", 422, "invalid-fields", "/redirectUri"),
            ("{\"code\":\"c\",\"code\":\"d\"}", 400, "malformed-json", nil),
            ("[]", 400, "malformed-request", nil),
        ]
        for row in rows {
            try expectProblem(try service.send(app.token(json: row.json)), row.status, row.code, pointer: row.pointer)
        }
        let text = Request(
            "POST",
            "/\(app.tenant.slug)/auth/oauth2/token",
            type: "text/plain",
            body: Array("code=c".utf8)
        )
        try expectProblem(try service.send(text), 415, "unsupported-media-type")
        #expect(app.exchanges.isEmpty)
    }

    /// The token that the provider gives is bound to the nonce, if the app tells one.
    @Test func aToldNonceMustBeTheTokens() throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let app = try CodeTenant(in: bed)
        let nonce = try App.nonce(service, app.tenant)
        let wrong = try app.authorize(nonce: "other").code
        for _ in 0..<2 {
            let answer = try service.send(app.token(json: "{\"code\":\"\(wrong)\",\"nonce\":\"\(nonce)\"}"))
            try expectProblem(answer, 401, "invalid-identity-token")
        }
        for (isFirst, status) in [(true, 200), (false, 401)] {
            // A nonce of the service's is spent with its first token.
            let code = try app.authorize(nonce: IdentityToken.hash(nonce)).code
            let answer = try service.send(app.token(json: "{\"code\":\"\(code)\",\"nonce\":\"\(nonce)\"}"))
            #expect(answer.status == status, "\(isFirst): \(answer.text)")
        }
    }

    /// Nothing is known of the code, so the same one may come again.
    @Test(arguments: [IssuerFault.error503, IssuerFault.html, .emptyObject, .huge, .redirect("http://127.0.0.1:1/")])
    func aProviderThatIsAwayIs503(_ fault: IssuerFault) throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let app = try CodeTenant(in: bed)
        app.server.issuer.fail(.token, with: fault)
        let request = app.token(json: "{\"code\":\"\(try app.authorize().code)\"}")
        let answer = try service.send(request)
        if fault == .emptyObject {
            // An answer without an identity token proves nobody.
            try expectProblem(answer, 401, "invalid-identity-token")
            return
        }
        try expectProblem(answer, 503, "identity-provider-away")
        #expect(answer["Retry-After"] == "5")
        #expect(try service.send(request).status == 200)
    }

    @Test func refusedCredentialsAre503AndToldToTheOperator() async throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let app = try CodeTenant(in: bed)
        app.server.issuer.fail(.token, with: .refusal("invalid_client"))
        let request = app.token(json: "{\"code\":\"\(try app.authorize().code)\"}")
        let answer = try service.send(request)
        try expectProblem(answer, 503, "identity-provider-misconfigured")
        #expect(answer["Retry-After"] == "60")
        #expect(try await app.credentialFault()?.hasPrefix("invalid_client") == true)
        #expect(service.program.text.contains("provider refuses the credentials"))
        #expect(try service.send(request).status == 200)
        #expect(try await app.credentialFault() == nil)
    }

    @Test func withoutCredentialsNobodyIsAsked() throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let app = try CodeTenant(in: bed, hasCredentials: false)
        for json in ["{\"code\":\"c\"}", "{\"code\":\"c\",\"clientId\":\"\(app.native)\"}"] {
            try expectProblem(try service.send(app.token(json: json)), 503, "identity-provider-misconfigured")
        }
        #expect(app.exchanges.isEmpty)
    }

    /// Another tenant's code, and this one's own at another tenant.
    @Test func aCodeIsGoodAtItsOwnTenantAlone() throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let app = try CodeTenant(in: bed), other = try CodeTenant(in: bed)
        let code = try app.authorize().code
        try expectProblem(
            try service.send(other.token(json: "{\"code\":\"\(code)\"}")),
            401,
            "invalid-authorization-code"
        )
        try expectProblem(
            try service.send(other.token(json: "{\"code\":\"\(code)\",\"clientId\":\"\(app.native)\"}")),
            422,
            "invalid-fields",
            pointer: "/clientId"
        )
        #expect(app.exchanges.isEmpty)
        #expect(try service.send(app.token(json: "{\"code\":\"\(code)\"}")).status == 200)
    }

    @Test func aBannedUserIsTold() throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let app = try CodeTenant(in: bed)
        let first = try service.send(app.token(json: "{\"code\":\"\(try app.authorize("person").code)\"}"))
        let user = try #require(try first.members["user"] as? [String: Any])
        let number = try #require(user["id"] as? Int)
        try bed.administration.run("user ban \(app.tenant.slug) \(number)")
        let request = app.token(json: "{\"code\":\"\(try app.authorize("person").code)\"}")
        for _ in 0..<2 { try expectProblem(try service.send(request), 403, "user-banned") }
        try expectProblem(try service.send(try app.signIn("person", service)), 403, "user-banned")
        #expect(try service.send(try app.signIn("another", service)).status == 200)
    }
}
