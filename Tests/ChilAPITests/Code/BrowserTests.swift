import ChilDevIssuer
import ChilTestSupport
import Foundation
import Testing

/// Sign-in by browser: to the provider, back by `form_post`, on to the app, and the app's own call.
@Suite(.testBed([.implicitNamed, .explicitUnnamed]), .ownThread)
struct BrowserTests {
    // RFC 7636, appendix B.
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    private static let appState = "app state/+&한"

    private static func encode(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    private static func authorize(_ app: CodeTenant, _ query: String? = nil) -> Request {
        let all =
            "client_id=\(app.web)&state=\(encode(appState))&code_challenge=\(challenge)&code_challenge_method=S256"
        return Request("GET", "/\(app.tenant.slug)/auth/apple/authorize?\(query ?? all)")
    }

    private static func location(_ answer: Answer) throws -> (base: String, query: [String: String]) {
        #expect(answer.status == 303, "\(answer.text)")
        #expect(answer["Cache-Control"] == "no-store" && answer["Referrer-Policy"] == "no-referrer")
        let location = try #require(answer["Location"])
        let parts = try #require(URLComponents(string: location))
        var base = parts
        base.query = nil
        let items = (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        return (try #require(base.string), Dictionary(items) { first, _ in first })
    }

    /// What the provider posts back by way of the browser.
    private static func callback(
        _ app: CodeTenant,
        _ asked: [String: String],
        subject: String = Planted.subject(),
        _ change: (inout [String: String]) -> Void = { _ in }
    ) throws -> Request {
        let agreed = try app.authorize(subject, nonce: asked["nonce"]) {
            $0.clientID = app.web
            $0.redirectURI = asked["redirect_uri"]
            $0.givenName = "하나"
            $0.familyName = "김"
        }
        var form = [
            "state": asked["state"] ?? "", "code": agreed.code,
            "id_token": String(decoding: agreed.identityToken, as: UTF8.self),
        ]
        if let user = agreed.user { form["user"] = String(decoding: user, as: UTF8.self) }
        change(&form)
        let body = form.map { "\(encode($0.key))=\(encode($0.value))" }.sorted().joined(separator: "&")
        return CodeTenant.form("/\(app.tenant.slug)/auth/apple/callback", body)
    }

    private static func redeem(_ app: CodeTenant, _ code: String, verifier: String = Self.verifier, _ more: String = "")
        -> Request
    {
        app.token(form: "grant_type=authorization_code&code=\(code)&code_verifier=\(verifier)\(more)")
    }

    @Test(arguments: [ServiceForm.implicitNamed, .explicitUnnamed])
    func aBrowserSignsInToTheApp(_ form: ServiceForm) async throws {
        let bed = try TestBed.required
        let service = try bed.service(form)
        let app = try CodeTenant(in: bed)
        let (provider, asked) = try Self.location(try service.send(Self.authorize(app)))
        #expect(provider == "\(app.server.origin)/auth/authorize")
        #expect(asked["response_type"] == "code id_token" && asked["response_mode"] == "form_post")
        #expect(asked["client_id"] == app.web && asked["redirect_uri"] == CodeTenant.redirectURI)
        #expect(asked["scope"] == "name email" && asked["nonce"]?.utf8.count == 43)

        // A browser that posts twice is answered twice.
        let post = try Self.callback(app, asked, subject: "person")
        let backs = try [service.send(post), service.send(post)].map(Self.location)
        for back in backs {
            #expect(back.base == CodeTenant.returnURL && Set(back.query.keys) == ["code", "state"])
            #expect(back.query["state"] == Self.appState)
        }
        let code = try #require(backs[0].query["code"])
        #expect(code.hasPrefix("chl_ac_") && code != backs[1].query["code"])
        #expect(app.exchanges.isEmpty)

        let answers = try [
            service.send(
                Self.redeem(app, code, "&client_id=\(app.web)&redirect_uri=\(Self.encode(CodeTenant.returnURL))")
            ),
            service.send(Self.redeem(app, code)), service.send(Self.redeem(app, try #require(backs[1].query["code"]))),
        ]
        #expect(answers.map(\.status) == [200, 200, 200], "\(answers[0].text)")
        #expect(Set(try answers.map { try $0.string("refresh_token") }).count == 1)
        let me = try service.send(app.me(try answers[0].string("access_token")))
        #expect(try me.string("givenName") == "하나" && me.string("familyName") == "김")
        #expect(try me.string("email") == "person@mail.test")
        try await app.expectTokenState("held", of: "person")
        #expect(app.exchanges.map(\.redirectURI) == [CodeTenant.redirectURI])
        #expect(app.exchanges.map(\.clientID) == [app.web])
        // Once the session goes on, the code is spent.
        #expect(try service.send(app.refresh(try answers[0].string("refresh_token"))).status == 200)
        let late = try service.send(Self.redeem(app, code))
        #expect(try late.status == 400 && late.string("error") == "invalid_grant")
    }

    @Test func anAppCodeIsWorthNothingToOthers() throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let app = try CodeTenant(in: bed), other = try CodeTenant(in: bed)
        let (_, asked) = try Self.location(try service.send(Self.authorize(app)))
        let code = try #require(try Self.location(try service.send(try Self.callback(app, asked))).query["code"])
        let requests = [
            Self.redeem(app, code, verifier: String(repeating: "v", count: 43)),
            Self.redeem(app, code, verifier: String(Self.verifier.dropLast())),
            app.token(form: "grant_type=authorization_code&code=\(code)"),
            Self.redeem(app, code, "&client_id=\(app.native)"),
            Self.redeem(app, code, "&redirect_uri=https://evil.example/"),
            Self.redeem(app, String(code.dropLast(2)) + "AA"),
            Self.redeem(other, code),
        ]
        for request in requests {
            let answer = try service.send(request)
            #expect(try answer.status == 400 && answer.string("error") == "invalid_grant", "\(answer.text)")
        }
        try expectProblem(
            try service.send(app.token(json: "{\"code\":\"\(code)\"}")),
            401,
            "invalid-authorization-code"
        )
        #expect(try service.send(Self.redeem(app, code)).status == 200)
    }

    /// What the provider posted by way of the browser is not the app's to redeem, nor anybody's who saw it pass.
    @Test func theProvidersOwnCodeIsRefused() throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let app = try CodeTenant(in: bed)
        let callback = "\(Service.publicURL)/\(app.tenant.slug)/auth/apple/callback"
        try bed.administration.run(
            "client set \(app.tenant.slug) --client-id \(app.web) --use web --redirect-uri \(callback)"
                + " --return-url \(CodeTenant.returnURL)"
        )
        let isSet = try waitUntil(.seconds(3)) {
            try Self.location(try service.send(Self.authorize(app))).query["redirect_uri"] == callback
        }
        #expect(isSet)
        let raw = try app.authorize {
            $0.clientID = app.web
            $0.redirectURI = callback
        }.code
        let form = "grant_type=authorization_code&code=\(raw)&client_id=\(app.web)"
        for more in ["", "&code_verifier=\(Self.verifier)", "&redirect_uri=\(Self.encode(callback))"] {
            let answer = try service.send(app.token(form: form + more))
            #expect(try answer.status == 400 && answer.string("error") == "invalid_grant", "\(answer.text)")
        }
        #expect(app.exchanges.isEmpty)
    }

    @Test func whoDoesNotAgreeComesBackWithAnError() throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let app = try CodeTenant(in: bed)
        let (_, asked) = try Self.location(try service.send(Self.authorize(app)))
        func back(_ change: (inout [String: String]) -> Void) throws -> [String: String] {
            let (base, query) = try Self.location(try service.send(try Self.callback(app, asked, change)))
            #expect(base == CodeTenant.returnURL && query["state"] == Self.appState && query["code"] == nil)
            return query
        }
        #expect(try back { $0["error"] = "user_cancelled_authorize" }["error"] == "access_denied")
        #expect(try back { $0["error"] = "anything" }["error"] == "server_error")
        #expect(try back { $0["code"] = nil }["error"] == "server_error")
        #expect(try back { $0["id_token"] = nil }["error"] == "server_error")
        #expect(try back { $0["id_token"] = "a.b.c" }["error"] == "access_denied")
        // Good tokens of the same person, but of another sign-in and of another client.
        let others = try [
            app.authorize(nonce: "another") { $0.clientID = app.web }, app.authorize { $0.clientID = app.web },
            app.authorize(nonce: asked["nonce"]),
        ]
        for other in others {
            let token = String(decoding: other.identityToken, as: UTF8.self)
            #expect(try back { $0["id_token"] = token }["error"] == "access_denied")
        }
    }

    /// Where it was not begun, or by whom, is not known: nobody is sent anywhere.
    @Test func aForeignStateEndsHere() throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let app = try CodeTenant(in: bed), other = try CodeTenant(in: bed)
        let (_, asked) = try Self.location(try service.send(Self.authorize(app)))
        let (_, elsewhere) = try Self.location(try service.send(Self.authorize(other)))
        let state = try #require(asked["state"])
        let states: [String?] = [
            nil, "", "x", String(state.dropLast()), state + "A", "B" + state.dropFirst(), elsewhere["state"],
            String(repeating: "A", count: 4_097),
        ]
        for state in states {
            let answer = try service.send(try Self.callback(app, asked) { $0["state"] = state })
            try expectProblem(answer, 400, "malformed-request")
        }
        let json = Request("POST", "/\(app.tenant.slug)/auth/apple/callback", json: "{}")
        try expectProblem(try service.send(json), 415, "unsupported-media-type")
    }

    @Test func whatCannotBeBegunIsRefused() throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let app = try CodeTenant(in: bed)
        let good = "code_challenge=\(Self.challenge)"
        let rows = [
            "", "client_id=\(app.web)", "client_id=\(app.web)&state=s", "client_id=\(app.web)&\(good)",
            "state=s&\(good)",
            "client_id=\(app.native)&state=s&\(good)", "client_id=nobody&state=s&\(good)",
            "client_id=\(app.web)&state=s&code_challenge=short",
            "client_id=\(app.web)&state=s&\(good)&code_challenge_method=plain",
            "client_id=\(app.web)&state=s&state=t&\(good)", "client_id=\(app.web)&state=%00&\(good)",
            "client_id=\(app.web)&state=\(String(repeating: "s", count: 513))&\(good)",
        ]
        for row in rows { try expectProblem(try service.send(Self.authorize(app, row)), 400, "malformed-request") }
        #expect(try service.send(Self.authorize(app, "client_id=\(app.web)&state=s&\(good)")).status == 303)
    }
}
