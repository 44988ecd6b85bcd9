import ChilAuth
import ChilCore
import ChilHTTP
import ChilLoop
import ChilTestSupport
import Testing

@testable import ChilDevIssuer

/// Over HTTP, as the service sees it.
@Suite struct IssuerServerTests {
    /// A server at a stopped clock, and a client for it.
    private final class Scene {
        let team: Team
        let server: IssuerServer
        let asker: Asker
        var issuer: DevelopmentIssuer { server.issuer }

        init(_ change: @escaping (inout IssuerSettings) -> Void = { _ in }) throws {
            let team = try Team("TEAM000001")
            self.team = team
            server = try IssuerServer(clock: { Bench.start }) { origin in
                var settings = IssuerSettings(issuer: origin, teams: [team.known])
                change(&settings)
                return try DevelopmentIssuer(settings)
            }
            asker = try Asker(server.origin)
        }

        deinit {
            server.stop()
        }

        func secret(_ clientID: String) throws -> String {
            try team.secret(clientID, at: Bench.start, changing: ["aud": "\"\(server.origin)\""])
        }

        func exchange(_ code: String, patience: Duration = .seconds(10)) async throws -> ClientResponse {
            try await asker.form(
                "/auth/token",
                [
                    "client_id": "app.one", "client_secret": try secret("app.one"), "code": code,
                    "grant_type": "authorization_code",
                ],
                patience: patience
            )
        }

        func code() throws -> String {
            try issuer.authorize(AuthorizationDraft(clientID: "app.one", subject: "ann"), at: Bench.start).code
        }
    }

    @Test(arguments: ["/auth/keys", "/.well-known/jwks.json"])
    func keysAreServed(_ path: String) async throws {
        let scene = try Scene()
        let answer = try await scene.asker.send(.get, path)
        #expect(answer.statusCode == 200)
        #expect(answer.head.mediaType?.essence == "application/json")
        #expect(try JWKSet(parsing: answer.body).keys.keys.map(\.keyID) == ["dev-es256-1"])
        #expect(try await scene.asker.send(.post, path).statusCode == 405)
        #expect(scene.issuer.calls(of: .keys).count == 1)
    }

    @Test func aCodeIsExchangedByItsClock() async throws {
        let scene = try Scene()
        let made = try await scene.asker.json(
            "/dev/code",
            #"{"clientId":"app.one","subject":"ann","nonce":"n","givenName":"Ann","claims":{"iat":1,"deep":[1.50,{"a":null}]}}"#
        )
        #expect(made.statusCode == 201)
        #expect(made.object?["user"]?.object?["name"]?.object?["firstName"]?.string == "Ann")
        let token = try CompactJWS(parsing: Array(try #require(made.object?["identityToken"]?.string).utf8))
        let claims = try StrictJSON.parse(token.payload).object
        #expect(claims?["iat"]?.int64 == 1)
        #expect(claims?["deep"]?.array?.first?.number?.literal == "1.50")
        #expect(claims?["exp"]?.int64 == Bench.start.seconds + 86_400)
        let code = try #require(made.object?["code"]?.string)
        let answer = try await scene.exchange(code)
        #expect(answer.statusCode == 200)
        #expect(answer.object?["refresh_token"]?.string != nil)
        #expect(answer.head.field(.cacheControl).map { String(decoding: $0, as: UTF8.self) } == "no-store")
        let again = try await scene.exchange(code)
        #expect(again.statusCode == 400)
        #expect(again.object?["error"]?.string == "invalid_grant")
        let calls = scene.issuer.calls(of: .token)
        #expect(calls.map(\.error) == [nil, "invalid_grant"])
        #expect(calls.first?.clientID == "app.one")
        #expect(calls.first?.grantType == "authorization_code")
        #expect(calls.first?.redirectURI == nil)
    }

    @Test func formsAreForms() async throws {
        let scene = try Scene()
        let json = try await scene.asker.json("/auth/token", "{}")
        #expect(json.object?["error"]?.string == "invalid_request")
        let twice = try await scene.asker.send(
            .post,
            "/auth/token",
            "application/x-www-form-urlencoded",
            "client_id=a&client_id=b"
        )
        #expect(twice.object?["error_description"]?.string == "Send each parameter once.")
        let long = String(repeating: "a", count: 65_537)
        #expect(try await scene.asker.form("/auth/token", ["client_id": long]).statusCode == 413)
    }

    struct FaultRow: CustomTestStringConvertible, Sendable {
        let fault: IssuerFault
        let holds: @Sendable (Result<ClientResponse, ClientFailure>) -> Bool
        var spendsTheCode = false
        var testDescription: String { "\(fault)" }

        static let all = [
            FaultRow(fault: .error500) { (try? $0.get().statusCode) == 500 },
            FaultRow(fault: .error503) { (try? $0.get().statusCode) == 503 },
            FaultRow(fault: .html) {
                guard let answer = try? $0.get() else { return false }
                return answer.statusCode == 200 && answer.head.mediaType?.essence == "text/html"
            },
            FaultRow(fault: .empty) {
                guard let answer = try? $0.get() else { return false }
                return answer.statusCode == 200 && answer.body.isEmpty
            },
            FaultRow(fault: .emptyObject) { (try? $0.get().text) == "{}" },
            FaultRow(fault: .huge) { $0.code == .tooLarge },
            FaultRow(fault: .drip) { $0.code == .timedOut },
            FaultRow(fault: .redirect("http://127.0.0.1:1/")) {
                guard let answer = try? $0.get() else { return false }
                return answer.statusCode == 302 && answer.head.field(.location) != nil
            },
            FaultRow(fault: .gzip) { (try? $0.get())?.head.field(.contentEncoding) != nil },
            FaultRow(fault: .refusal("invalid_client")) {
                (try? $0.get())?.object?["error"]?.string == "invalid_client"
            },
            FaultRow(fault: .cutOff, holds: { $0.code == .cutOff }, spendsTheCode: true),
            FaultRow(fault: .slow(Duration.seconds(2).patient), holds: { $0.code == .timedOut }, spendsTheCode: true),
        ]
    }

    /// Where nothing was done the code is as good as before; where the answer was lost it is spent.
    @Test(arguments: FaultRow.all)
    func anEndpointCanGoWrongOnce(_ row: FaultRow) async throws {
        let scene = try Scene()
        let code = try scene.code()
        scene.issuer.fail(.token, with: row.fault)
        let outcome: Result<ClientResponse, ClientFailure>
        do {
            outcome = .success(try await scene.exchange(code, patience: .milliseconds(700)))
        } catch let failure as ClientFailure {
            outcome = .failure(failure)
        }
        #expect(row.holds(outcome), "\(outcome)")
        let next = try await scene.exchange(code)
        #expect(next.statusCode == (row.spendsTheCode ? 400 : 200))
        #expect(
            next.object?["error_description"]?.string == (row.spendsTheCode ? "The code has already been used." : nil)
        )
    }

    @Test func faultsAndQuirksAreSetOverHTTP() async throws {
        let scene = try Scene()
        #expect(
            try await scene.asker.json("/dev/fail", #"{"endpoint":"keys","fault":"error-503","times":2}"#).statusCode
                == 204
        )
        for status in [503, 503, 200] { #expect(try await scene.asker.send(.get, "/auth/keys").statusCode == status) }
        #expect(try await scene.asker.json("/dev/quirks", #"{"quirks":["string-booleans"]}"#).statusCode == 204)
        #expect(scene.issuer.quirks == [.stringBooleans])
        let calls = try await scene.asker.send(.get, "/dev/calls")
        #expect(calls.text == #"{"keys":3,"token":0,"revoke":0,"migration":0}"#)
        let rotated = try await scene.asker.json("/dev/rotate", #"{"algorithm":"RS256"}"#)
        #expect(rotated.text == #"{"kid":"dev-rs256-1"}"#)
        #expect(try await scene.asker.json("/dev/rotate", "").text == #"{"kid":"dev-es256-2"}"#)
    }

    @Test func keysRotateByThemselves() async throws {
        let scene = try Scene { $0.rotation = .milliseconds(20) }
        let isAnother = await awaitUntil(.seconds(2)) { scene.issuer.signingKeyID(.es256) != "dev-es256-1" }
        #expect(isAnother)
    }

    @Test func aNotificationIsSentToThisMachineAlone() async throws {
        let scene = try Scene()
        let event = #""clientId":"app.one","type":"consent-revoked","subject":"ann""#
        let made = try await scene.asker.json("/dev/notify", "{\(event)}")
        #expect(made.statusCode == 200)
        #expect(made.object?["payload"]?.string?.split(separator: ".").count == 3)
        #expect(made.object?["status"] == nil)
        // Something of this machine that answers: the issuer itself.
        let sent = try await scene.asker.json(
            "/dev/notify",
            "{\(event),\"deliverTo\":\"\(scene.server.origin)/dev/quirks\"}"
        )
        #expect(sent.object?["status"]?.int64 == 422)
        let away = try await scene.asker.json("/dev/notify", "{\(event),\"deliverTo\":\"http://127.0.0.1:1/\"}")
        #expect(away.object?["failure"]?.string?.hasPrefix("no connection: ") == true)
        for target in [
            "http://10.0.0.1/", "https://example.com/", "file:///etc/passwd", "http://127.0.0.1.example.com/",
        ] {
            let refused = try await scene.asker.json("/dev/notify", "{\(event),\"deliverTo\":\"\(target)\"}")
            #expect(refused.statusCode == 422)
            #expect(refused.text == "deliverTo is no URL on this machine.\n")
        }
    }

    struct BadBody: CustomTestStringConvertible, Sendable {
        let path: String
        let body: String
        let text: String
        var testDescription: String { "\(path) \(body)" }

        static let all = [
            BadBody(path: "code", body: "[]", text: "The body is no object.\n"),
            BadBody(path: "code", body: "{}", text: "clientId is missing.\n"),
            BadBody(path: "code", body: #"{"clientId":"a"}"#, text: "subject is missing.\n"),
            BadBody(path: "code", body: #"{"clientId":7,"subject":"s"}"#, text: "clientId is no string.\n"),
            BadBody(
                path: "code",
                body: #"{"clientId":"a","subject":"s","emailVerified":"true"}"#,
                text: "emailVerified is neither true nor false.\n"
            ),
            BadBody(
                path: "code",
                body: #"{"clientId":"a","subject":"s","algorithm":"RS256"}"#,
                text: "There is no RS256 key: rotate to one first.\n"
            ),
            BadBody(
                path: "code",
                body: #"{"clientId":"a","subject":"s","algorithm":"none"}"#,
                text: "algorithm is none of ES256, RS256.\n"
            ),
            BadBody(path: "code", body: #"{"clientId":"a","subject":"s","claims":[]}"#, text: "claims is no object.\n"),
            BadBody(path: "quirks", body: #"{"quirk":[]}"#, text: "quirk is not known here; there are quirks.\n"),
            BadBody(path: "fail", body: #"{"fault":"html"}"#, text: "endpoint is missing.\n"),
            BadBody(
                path: "fail",
                body: #"{"endpoint":"keys","fault":"html","times":0}"#,
                text: "times is no whole number from 1 to 1000000.\n"
            ),
            BadBody(path: "rotate", body: #"{"style":"x"}"#, text: "style is none of keep, withdraw, same-kid.\n"),
        ]
    }

    @Test(arguments: BadBody.all)
    func badBodiesAreExplained(_ row: BadBody) async throws {
        let scene = try Scene()
        let answer = try await scene.asker.json("/dev/\(row.path)", row.body)
        #expect(answer.statusCode == 422)
        #expect(answer.text == row.text)
    }

    /// What a page in a browser can send without being asked about it first.
    @Test(arguments: ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
    func pagesOfOthersReachNothing(_ type: String) async throws {
        let scene = try Scene()
        let answer = try await scene.asker.send(.post, "/dev/code", type, #"{"clientId":"a","subject":"s"}"#)
        #expect(answer.statusCode == 415)
        #expect(try await scene.asker.send(.get, "/dev/code").statusCode == 405)
        #expect(try await scene.asker.send(.options, "/dev/code").statusCode == 405)
    }

    @Test func theSignInPageIsServed() async throws {
        let scene = try Scene()
        let query = "client_id=app.web&redirect_uri=https%3A%2F%2Fapp.test%2Fback&response_type=code"
        let page = try await scene.asker.send(.get, "/auth/authorize?\(query)")
        #expect(page.statusCode == 200)
        #expect(page.head.mediaType?.essence == "text/html")
        let back = try await scene.asker.send(
            .post,
            "/auth/authorize",
            "application/x-www-form-urlencoded",
            "\(query)&subject=ann&action=continue"
        )
        #expect(back.statusCode == 303)
        let twice = try await scene.asker.send(.get, "/auth/authorize?\(query)&client_id=x")
        #expect(twice.statusCode == 400)
        #expect(twice.text.contains("Send each parameter once."))
        #expect(try await scene.asker.send(.get, "/auth/nothing").statusCode == 404)
    }
}

extension Result where Success == ClientResponse, Failure == ClientFailure {
    fileprivate var code: ClientFailure.Code? {
        if case .failure(let failure) = self { failure.code } else { nil }
    }
}
