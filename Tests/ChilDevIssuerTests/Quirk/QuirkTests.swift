import ChilAuth
import ChilCore
import Testing

@testable import ChilDevIssuer

@Suite struct QuirkTests {
    private func token(_ bench: Bench, _ quirks: Set<Quirk>) throws -> (claims: JSONObject, json: String) {
        var draft = AuthorizationDraft(clientID: "app.one", subject: "ann")
        draft.email = "x@privaterelay.example.com"
        draft.isPrivateEmail = true
        draft.nonce = "n"
        draft.quirks = quirks
        let token = try bench.issuer.authorize(draft, at: bench.now).identityToken
        return (try bench.claims(token), String(decoding: try CompactJWS(parsing: token).payload, as: UTF8.self))
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let quirk: Quirk?
        let holds: @Sendable (JSONObject) -> Bool
        var testDescription: String { quirk?.rawValue ?? "none" }

        static let all = [
            Row(quirk: nil) { claims in
                claims["email_verified"] == .bool(true) && claims["is_private_email"] == .bool(true)
                    && claims["iat"]?.int64 == Bench.start.seconds && claims["nonce"]?.string == "n"
                    && claims["iss"]?.string == "https://issuer.test" && claims["nonce_supported"] == .bool(true)
            },
            Row(quirk: .stringBooleans) {
                $0["email_verified"] == .string("true") && $0["is_private_email"] == .string("true")
            },
            Row(quirk: .scientificDates) { claims in
                claims["iat"]?.number?.literal == "1.796000000E9"
                    && NumericDate.moment(claims["iat"]) == Bench.start
                    && NumericDate.moment(claims["exp"]) == Bench.start + .seconds(86_400)
                    && NumericDate.moment(claims["auth_time"]) == Bench.start
            },
            Row(quirk: .noEmail) { $0["email"] == nil && $0["email_verified"] == nil && $0["is_private_email"] == nil },
            Row(quirk: .noPrivateEmail) { $0["email"] != nil && $0["is_private_email"] == nil },
            Row(quirk: .otherIssuer) { $0["iss"]?.string == "https://other.test" },
            Row(quirk: .noNonce) { $0["nonce"] == nil && $0["nonce_supported"] == .bool(true) },
        ]
    }

    @Test(arguments: Row.all)
    func ofOneRequest(_ row: Row) throws {
        let bench = try Bench { $0.otherIssuer = "https://other.test" }
        let token = try token(bench, row.quirk.map { [$0] } ?? [])
        #expect(row.holds(token.claims), "\(token.json)")
    }

    @Test(arguments: Row.all)
    func ofAllRequests(_ row: Row) throws {
        let bench = try Bench { $0.otherIssuer = "https://other.test" }
        bench.issuer.quirks = row.quirk.map { [$0] } ?? []
        let token = try token(bench, [])
        #expect(row.holds(token.claims), "\(token.json)")
    }

    @Test func answersWithoutAnIdentityToken() throws {
        let bench = try Bench { $0.quirks = [.noIdentityToken] }
        let code = try bench.issuer.authorize(AuthorizationDraft(clientID: "a", subject: "s"), at: bench.now).code
        let answer = try bench.post(.token, ["client_id": "a", "grant_type": "authorization_code", "code": code])
        #expect(answer["access_token"] != nil)
        #expect(answer["id_token"] == nil)
    }

    @Test func errorsWithoutADescription() throws {
        let bench = try Bench { $0.quirks = [.bareErrors] }
        let answer = try bench.post(.token, ["client_id": "a", "grant_type": "authorization_code", "code": "no"])
        #expect(answer.error == "invalid_grant")
        #expect(answer.reason == nil)
    }

    @Test func claimsCanBeReplacedAndAdded() throws {
        let bench = try Bench()
        var draft = AuthorizationDraft(clientID: "app.one", subject: "ann")
        draft.claims = [.init(name: "aud", json: Array("[\"x\"]".utf8)), .init(name: "extra", json: Array("7".utf8))]
        let claims = try bench.claims(bench.issuer.authorize(draft, at: bench.now).identityToken)
        #expect(claims["aud"]?.array?.count == 1)
        #expect(claims["extra"]?.int64 == 7)
    }
}
