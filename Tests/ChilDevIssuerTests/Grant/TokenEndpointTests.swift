import ChilCore
import ChilHTTP
import Testing

@testable import ChilDevIssuer

@Suite struct TokenEndpointTests {
    private func exchange(_ code: String, _ more: [String: String] = [:]) -> [String: String] {
        ["client_id": "app.one", "grant_type": "authorization_code", "code": code].merging(more) { $1 }
    }

    @Test func aCodeBuysTokensOnce() throws {
        let bench = try Bench()
        var draft = AuthorizationDraft(clientID: "app.one", subject: "ann")
        draft.nonce = "n"
        draft.email = "ann@example.com"
        let authorization = try bench.issuer.authorize(draft, at: bench.now)
        let first = try bench.post(.token, exchange(authorization.code))
        #expect(first.status == .ok)
        #expect(first["token_type"]?.string == "Bearer")
        #expect(first["expires_in"]?.int64 == 3_600)
        let access = try #require(first["access_token"]?.string)
        #expect(first["refresh_token"]?.string?.isEmpty == false)
        let claims = try bench.claims(Array(try #require(first["id_token"]?.string).utf8))
        #expect(claims["iss"]?.string == "https://issuer.test")
        #expect(claims["aud"]?.string == "app.one")
        #expect(claims["sub"]?.string == "ann")
        #expect(claims["nonce"]?.string == "n")
        #expect(claims["email"]?.string == "ann@example.com")
        #expect(claims["exp"]?.int64 == bench.now.seconds + 86_400)
        #expect(claims["at_hash"]?.string == TokenHash.half(of: access))

        let second = try bench.post(.token, exchange(authorization.code))
        #expect(second.status == .badRequest)
        #expect(second.error == "invalid_grant")
        #expect(second.reason == "The code has already been used.")
    }

    struct Refusal: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let form: [String: String]
        let error: String
        let reason: String

        init(_ name: String, _ form: [String: String], _ error: String, _ reason: String) {
            (testDescription, self.form, self.error, self.reason) = (name, form, error, reason)
        }

        static let all = [
            Refusal("no client", ["client_id": ""], "invalid_request", "client_id is missing."),
            Refusal("no grant type", ["grant_type": ""], "invalid_request", "grant_type is missing."),
            Refusal(
                "password",
                ["grant_type": "password"],
                "unsupported_grant_type",
                "grant_type is none that is known."
            ),
            Refusal("no code", ["code": ""], "invalid_request", "code is missing."),
            Refusal("a made-up code", ["code": "dummy"], "invalid_grant", "The code has expired or has been revoked."),
            Refusal(
                "another client's code",
                ["client_id": "app.two"],
                "invalid_grant",
                "client_id mismatch. The code was not issued to app.two."
            ),
            Refusal(
                "redirect_uri for a device's code",
                ["redirect_uri": "https://app.test/back"],
                "invalid_grant",
                "redirect_uri mismatch. The code was not issued to https://app.test/back."
            ),
            Refusal(
                "secret that is none",
                ["client_secret": "x"],
                "invalid_client",
                "client_secret is no compact JWS."
            ),
        ]
    }

    /// None of them spends the code.
    @Test(arguments: Refusal.all)
    func refusals(_ row: Refusal) throws {
        let bench = try Bench()
        let code = try bench.issuer.authorize(AuthorizationDraft(clientID: "app.one", subject: "ann"), at: bench.now)
            .code
        let answer = try bench.post(.token, exchange(code, row.form))
        #expect(answer.status == .badRequest)
        #expect(answer.error == row.error)
        #expect(answer.reason == row.reason)
        #expect(try bench.post(.token, exchange(code)).status == .ok)
    }

    @Test func aCodeLivesFiveMinutes() throws {
        let bench = try Bench()
        let draft = AuthorizationDraft(clientID: "app.one", subject: "ann")
        let early = try bench.issuer.authorize(draft, at: bench.now).code
        let late = try bench.issuer.authorize(draft, at: bench.now).code
        bench.now = Bench.start + .seconds(299)
        #expect(try bench.post(.token, exchange(early)).status == .ok)
        bench.now = Bench.start + .seconds(300)
        #expect(try bench.post(.token, exchange(late)).reason == "The code has expired or has been revoked.")
    }

    @Test func aWebCodeWantsItsRedirectAndItsVerifier() throws {
        let bench = try Bench()
        var draft = AuthorizationDraft(clientID: "app.one", subject: "ann")
        draft.redirectURI = "https://app.test/back"
        draft.codeChallenge = TokenHash.challenge(of: "verifier")
        let code = try bench.issuer.authorize(draft, at: bench.now).code
        let right = ["redirect_uri": "https://app.test/back", "code_verifier": "verifier"]
        #expect(try bench.post(.token, exchange(code)).reason?.hasPrefix("redirect_uri mismatch.") == true)
        let wrong = right.merging(["code_verifier": "Verifier"]) { $1 }
        #expect(try bench.post(.token, exchange(code, wrong)).reason == "code_verifier does not match code_challenge.")
        #expect(try bench.post(.token, exchange(code, right)).status == .ok)
    }

    @Test func aRefreshTokenStaysUntilItIsRevoked() throws {
        let bench = try Bench()
        let draft = AuthorizationDraft(clientID: "app.one", subject: "ann")
        let code = try bench.issuer.authorize(draft, at: bench.now).code
        let token = try #require(try bench.post(.token, exchange(code))["refresh_token"]?.string)
        let refresh = ["client_id": "app.one", "grant_type": "refresh_token", "refresh_token": token]
        for _ in 0..<2 {
            let answer = try bench.post(.token, refresh)
            #expect(answer.status == .ok)
            #expect(answer["refresh_token"] == nil)
            #expect(answer["id_token"]?.string != nil)
        }
        #expect(bench.issuer.heldTokenCount(subject: "ann", clientID: "app.one") == 1)
        let other = ["client_id": "app.two", "token": token, "token_type_hint": "refresh_token"]
        #expect(try bench.post(.revoke, other).status == .ok)
        #expect(try bench.post(.token, refresh).status == .ok)
        let own = other.merging(["client_id": "app.one"]) { $1 }
        for _ in 0..<2 { #expect(try bench.post(.revoke, own).status == .ok) }
        #expect(try bench.post(.token, refresh).error == "invalid_grant")
        #expect(bench.issuer.heldTokenCount(subject: "ann", clientID: "app.one") == 0)
        #expect(try bench.post(.revoke, ["client_id": "app.one", "token": "never-was"]).status == .ok)
    }

    @Test func theNameIsToldOnce() throws {
        let bench = try Bench()
        var draft = AuthorizationDraft(clientID: "app.one", subject: "ann")
        draft.givenName = "Ann"
        draft.familyName = "O'\"Neil"
        draft.email = "ann@example.com"
        let first = try bench.issuer.authorize(draft, at: bench.now)
        #expect(
            first.user == Array(#"{"name":{"firstName":"Ann","lastName":"O'\"Neil"},"email":"ann@example.com"}"#.utf8)
        )
        #expect(try bench.issuer.authorize(draft, at: bench.now).user == nil)
        bench.issuer.endConsent(subject: "ann", clientID: "app.one")
        #expect(try bench.issuer.authorize(draft, at: bench.now).user != nil)
    }
}
