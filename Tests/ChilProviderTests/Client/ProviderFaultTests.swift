import ChilCrypto
import ChilHTTP
import Testing

@testable import ChilProvider

/// What goes wrong, and which of the four kinds it is: only a refusal in the provider's own form is one.
@Suite struct ProviderFaultTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        let answer: String
        let fault: ProviderFault
        var testDescription: String { name }

        init(_ name: String, _ answer: String, _ fault: ProviderFault) {
            (self.name, self.answer, self.fault) = (name, answer, fault)
        }
    }

    private static func refusal(_ code: String, _ more: String = "", status: String = "400 Bad Request") -> String {
        json(status, "{\"error\":\"\(code)\"\(more)}")
    }

    static let refusals = [
        Row("code used", refusal("invalid_grant"), .refusedGrant),
        Row("code used, by 401", refusal("invalid_grant", status: "401 Unauthorized"), .refusedGrant),
        Row("wrong secret", refusal("invalid_client"), .refusedCredentials("invalid_client")),
        Row(
            "wrong secret, and why",
            refusal("invalid_client", ",\"error_description\":\"no such key\""),
            .refusedCredentials("invalid_client: no such key")
        ),
        Row("wrong client", refusal("unauthorized_client"), .refusedCredentials("unauthorized_client")),
        Row("wrong request", refusal("invalid_request"), .refusedRequest("invalid_request")),
        Row("wrong scope", refusal("invalid_scope"), .refusedRequest("invalid_scope")),
        Row("an error of tomorrow", refusal("slow_down"), .refusedRequest("slow_down")),
        Row(
            "a reason that a terminal would obey",
            refusal("invalid_request", ",\"error_description\":\"a\\u001b[2Jb\\nc\""),
            .refusedRequest("invalid_request: a?[2Jb?c")
        ),
        Row(
            "a reason without end",
            refusal("invalid_request", ",\"error_description\":\"\(String(repeating: "x", count: 5_000))\""),
            .refusedRequest("invalid_request: " + String(repeating: "x", count: 183))
        ),
        Row(
            "a reason that repeats the code",
            refusal("invalid_request", ",\"error_description\":\"bad code c0.0.abc.DEF!\""),
            .refusedRequest("an error that repeats the request")
        ),
        Row(
            "a reason that is none",
            refusal("invalid_request", ",\"error_description\":7"),
            .refusedRequest("invalid_request")
        ),
    ]

    static let away = [
        Row("500", "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n", .away("status 500")),
        Row("500 with a refusal", refusal("invalid_grant", status: "500 Internal Server Error"), .away("status 500")),
        Row("503", refusal("invalid_client", status: "503 Service Unavailable"), .away("status 503")),
        Row("429", refusal("invalid_client", status: "429 Too Many Requests"), .away("status 429")),
        Row("its own trouble", refusal("temporarily_unavailable"), .away("temporarily_unavailable")),
        Row("its own fault", refusal("server_error"), .away("server_error")),
        Row(
            "403 of a box on the way",
            "HTTP/1.1 403 Forbidden\r\nContent-Length: 6\r\n\r\n<html>",
            .away("status 403")
        ),
        Row("400 without a reason", json("400 Bad Request", "{}"), .away("status 400")),
        Row("400 with an empty reason", refusal(""), .away("status 400")),
        Row(
            "400 with two reasons",
            json("400 Bad Request", "{\"error\":\"invalid_grant\",\"error\":\"x\"}"),
            .away("status 400")
        ),
        Row("HTML", "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>", .away("its answer is no JSON object")),
        Row("nothing", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", .away("its answer is no JSON object")),
        Row("an array", json("200 OK", "[]"), .away("its answer is no JSON object")),
        Row(
            "a member twice",
            json("200 OK", "{\"id_token\":\"a\",\"id_token\":\"b\"}"),
            .away("its answer is no JSON object")
        ),
        Row("no token", json("200 OK", "{\"refresh_token\":7}"), .away("its refresh_token is no token")),
        Row("an empty token", json("200 OK", "{\"refresh_token\":\"\"}"), .away("its refresh_token is no token")),
        Row(
            "a token with a line's end",
            json("200 OK", "{\"access_token\":\"a\\r\\nb\"}"),
            .away("its access_token is no token")
        ),
        Row(
            "a token too long",
            json("200 OK", "{\"refresh_token\":\"\(String(repeating: "r", count: 4_097))\"}"),
            .away("its refresh_token is no token")
        ),
        Row(
            "an identity token too long",
            json("200 OK", "{\"id_token\":\"\(String(repeating: "r", count: 8_193))\"}"),
            .away("its identity token is too long")
        ),
        Row(
            "depth without end",
            json("200 OK", "{\"a\":" + String(repeating: "[", count: 200) + String(repeating: "]", count: 200) + "}"),
            .away("its answer is no JSON object")
        ),
        Row(
            "compressed though nobody asked",
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\n\u{1}\u{2}\u{3}",
            .away("its answer is no JSON object")
        ),
        Row("no HTTP", "SSH-2.0-x\r\n\r\n", .away("no answer by HTTP/1.1: ")),
        Row("cut off", "HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{\"id", .away("answer cut off: ")),
        Row("closed at once", "", .away("answer cut off: ")),
        Row("too much", "HTTP/1.1 200 OK\r\nContent-Length: 65537\r\n\r\n", .away("answer too large: ")),
        Row(
            "too much, piece by piece",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n11000\r\n" + String(repeating: "x", count: 0x11000),
            .away("answer too large: ")
        ),
    ]

    @Test(arguments: refusals)
    func aRefusalIsTheProvidersOwnWord(_ row: Row) async throws {
        let provider = try ScriptedProvider(row.answer)
        #expect(try await TestClient(provider).exchange().fault == row.fault)
    }

    @Test(arguments: away)
    func whatMeansNothingIsNoRefusal(_ row: Row) async throws {
        let provider = try ScriptedProvider(row.answer)
        guard case .away(let said)? = try await TestClient(provider).exchange().fault,
            case .away(let wanted) = row.fault
        else {
            Issue.record("no .away")
            return
        }
        #expect(wanted.hasSuffix(": ") ? said.hasPrefix(wanted) : said == wanted)
    }

    /// A page in the place of the answer is from something that stands on the way: whether the token is revoked is not known.
    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>",
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 21\r\n\r\n<!doctype html><p>hi\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK", json("200 OK", "{\"a\":1"),
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\n\u{1}\u{2}\u{3}",
    ])
    func aPageIsNoRevocation(_ answer: String) async throws {
        let provider = try ScriptedProvider(answer)
        let fault = try await TestClient(provider).run { client in
            await client.revoke(token: secret("r1"), clientID: testClientID, at: testNow).fault
        }
        #expect(fault == .away("its answer is neither empty nor JSON"))
    }

    /// Neither what was sent nor what the app's nonce was comes into a text, whatever the provider repeats.
    @Test(arguments: [
        ("the code", "c0.0.abc.DEF", true), ("the verifier", "verifier-of-the-app", true),
        ("the nonce", "nonce-of-the-app", true),
        ("another word", "verifier-of-nobody", false),
    ])
    func whatIsSecretIsNotSaid(_ row: (name: String, word: String, isSecret: Bool)) async throws {
        let provider = try ScriptedProvider(
            Self.refusal("invalid_request", ",\"error_description\":\"bad \(row.word)!\"")
        )
        let fault = try await TestClient(provider).run { client in
            await client.exchange(
                code: secret("c0.0.abc.DEF"),
                clientID: testClientID,
                redirectURI: nil,
                verifier: secret("verifier-of-the-app"),
                nonce: secret("nonce-of-the-app"),
                at: testNow
            ).fault
        }
        let said = row.isSecret ? "an error that repeats the request" : "invalid_request: bad \(row.word)!"
        #expect(fault == .refusedRequest(said), "\(row.name)")
        // The nonce is the app's and the provider's own: it is not sent.
        #expect(try #require(provider.requests.first).contains("nonce") == false)
    }

    @Test(arguments: [ScriptedProvider.Ending.silence, .drip])
    func aSlowProviderIsAway(_ ending: ScriptedProvider.Ending) async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"
        // A drip of 45 seconds: who waits for all of it has another answer.
        let provider = try ScriptedProvider(ending == .drip ? head + String(repeating: " ", count: 900) : head, ending)
        var client = try TestClient(provider)
        client.patience = .milliseconds(300)
        guard case .away(let said)? = try await client.exchange().fault else {
            Issue.record("no .away")
            return
        }
        #expect(said.hasPrefix("no answer in time: "))
    }

    @Test func patienceIsFiveSeconds() {
        #expect(ProviderClient.patience == .seconds(5))
    }

    @Test(
        "A-15 no redirect is followed",
        arguments: ["301 Moved Permanently", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"]
    )
    func noRedirectIsFollowed(_ status: String) async throws {
        let elsewhere = try ScriptedProvider(json("200 OK", "{}"))
        let provider = try ScriptedProvider(
            "HTTP/1.1 \(status)\r\nLocation: \(elsewhere.url)/auth/token\r\nContent-Length: 0\r\n\r\n"
        )
        #expect(try await TestClient(provider).exchange().fault == .away("status \(status.prefix(3))"))
        #expect(elsewhere.requests.isEmpty)
    }

    @Test func nobodyListens() async throws {
        let provider = try ScriptedProvider("")
        let client = try TestClient(provider)
        provider.stop()
        guard case .away? = try await client.exchange().fault else {
            Issue.record("no .away")
            return
        }
    }

    /// Without the operator's word neither a private address is reached nor a secret sent in the clear.
    @Test func secretsGoNowhereInTheClear() async throws {
        let provider = try ScriptedProvider(json("200 OK", "{}"))
        let fault = try await TestClient(provider, allowed: false).exchange().fault
        let said = "\(provider.url)/auth/token is not https, and no private endpoint was allowed for it"
        #expect(fault == .refusedRequest(said))
        #expect(provider.requests.isEmpty)
    }

    @Test func aPrivateAddressIsNotReached() async throws {
        let provider = try ScriptedProvider(json("200 OK", "{}"))
        let endpoints = ProviderEndpoints(
            tokenURL: HTTPURL("https://\(provider.authority)/auth/token")!,
            revokeURL: nil,
            audience: "a"
        )
        let known = try TestClient(provider, allowed: false)
        let client = TestClient(endpoints, known.credentials)
        guard case .away(let said)? = try await client.exchange().fault else {
            Issue.record("no .away")
            return
        }
        #expect(said.hasPrefix("address refused: 127.0.0.1 is at 127.0.0.1, which is not public"))
        #expect(provider.requests.isEmpty)
    }

    @Test func whatTheProviderHasNotIsNotAsked() async throws {
        let provider = try ScriptedProvider(json("200 OK", "{}"))
        let known = try TestClient(provider)
        let client = TestClient(
            ProviderEndpoints(tokenURL: known.endpoints.tokenURL, revokeURL: nil, audience: "a"),
            known.credentials
        )
        let faults = try await client.run { client in
            [
                await client.revoke(token: secret("r"), clientID: "a", at: testNow).fault,
                await client.transferSubject(of: "s", toTeam: "t", clientID: "a", bearer: secret("m"), at: testNow)
                    .fault,
            ]
        }
        #expect(
            faults == [
                .refusedRequest("the provider record has no revoke URL"),
                .refusedRequest("the provider record has no migration URL"),
            ]
        )
        #expect(provider.requests.isEmpty)
    }

    @Test(arguments: ["{}", "{\"transfer_sub\":\"\"}", "{\"transfer_sub\":7}", "{\"transfer_sub\":\"a\\u0000b\"}"])
    func aTransferIdentifierThatIsNoneIsNoAnswer(_ body: String) async throws {
        let provider = try ScriptedProvider(json("200 OK", body))
        let answer = try await TestClient(provider).run { client in
            await client.transferSubject(of: "s", toTeam: "t", clientID: "a", bearer: secret("m"), at: testNow)
        }
        #expect(answer.fault == .away("its answer has no transfer_sub"))
    }
}
