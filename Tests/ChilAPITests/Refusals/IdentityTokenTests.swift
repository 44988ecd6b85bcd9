import ChilAuth
import ChilCrypto
import Foundation
import Testing

extension RefusalTests {
    /// Bad identity tokens: one answer for all of them, and no question to the issuer that the token did not earn.
    @Suite struct IdentityTokens {
        /// What is wrong with a token that was good.
        struct Row: Sendable, CustomTestStringConvertible {
            let name: String
            /// The token and the nonce that is sent with it.
            let make: @Sendable (TestIssuer, Tenant, _ nonce: String) throws -> (token: String, nonce: String?)

            var testDescription: String { name }

            /// With one claim changed, or taken away.
            static func claim(_ name: String, _ claim: String, _ value: String?) -> Row {
                Row(name: name) { issuer, tenant, nonce in
                    var token = IdentityToken(issuer, tenant, nonce: nonce)
                    token.claims[claim] = value
                    return (try token.signed(issuer.es256), nonce)
                }
            }

            /// With its text changed.
            static func text(_ name: String, _ change: @escaping @Sendable (String) -> String) -> Row {
                Row(name: name) { issuer, tenant, nonce in
                    (change(try IdentityToken(issuer, tenant, nonce: nonce).signed(issuer.es256)), nonce)
                }
            }

            static func header(_ name: String, _ header: String) -> Row {
                Row(name: name) { issuer, tenant, nonce in
                    (IdentityToken(issuer, tenant, nonce: nonce).unsigned(header: header), nonce)
                }
            }

            /// Refused before anybody is asked for a key.
            static let withoutFetch: [Row] = [
                text("empty") { _ in "" },
                text("garbage") { _ in "garbage" },
                text("three parts of garbage") { _ in "a.b.c" },
                text("truncated within the claims") { String($0.prefix($0.count / 2)) },
                text("without its signature") { String($0[..<$0.lastIndex(of: ".")!]) },
                text("a part too many") { $0 + ".AAAA" },
                text("padded") { $0 + "==" },
                text("white space in it") { $0.replacingOccurrences(of: ".", with: ". ") },
                text("longer than a token may be") { $0 + String(repeating: "A", count: 9_000) },
                header("alg none", "{\"alg\":\"none\"}"),
                header("alg none with a kid", "{\"alg\":\"none\",\"kid\":\"es-1\"}"),
                header("alg HS256", "{\"alg\":\"HS256\",\"kid\":\"es-1\"}"),
                header("a header with crit", "{\"alg\":\"ES256\",\"kid\":\"es-1\",\"crit\":[\"exp\"]}"),
                header("a header with a member twice", "{\"alg\":\"ES256\",\"alg\":\"none\",\"kid\":\"es-1\"}"),
                header("no kid", "{\"alg\":\"ES256\"}"),
                claim("wrong issuer", "iss", "\"https://evil.example\""),
                claim("no issuer", "iss", nil),
                claim("another tenant's audience", "aud", "\"test.south\""),
                claim("two audiences", "aud", "[\"test.cold\",\"test.other\"]"),
                claim("no audience", "aud", nil),
                claim("expired", "exp", "\(Int(Date().timeIntervalSince1970) - 61)"),
                claim("expiry as text", "exp", "\"9999999999\""),
                claim("no expiry", "exp", nil),
                claim("not yet valid", "nbf", "\(Int(Date().timeIntervalSince1970) + 600)"),
                claim("issued in the future", "iat", "\(Int(Date().timeIntervalSince1970) + 600)"),
                claim("issued long ago", "iat", "\(Int(Date().timeIntervalSince1970) - 700)"),
                claim("no issue time", "iat", nil),
                claim("wrong nonce", "nonce", "\"\(String(repeating: "0", count: 64))\""),
                claim("no nonce in it", "nonce", nil),
                claim("no subject", "sub", nil),
                Row(name: "no nonce sent") { issuer, tenant, nonce in
                    (try IdentityToken(issuer, tenant, nonce: nonce).signed(issuer.es256), nil)
                },
            ]

            /// Refused for its signature: the keys must be asked for, once.
            static let withFetch: [Row] = [
                text("another signature") { token in
                    let dot = token.lastIndex(of: ".")!
                    return token[...dot]
                        + String(repeating: "A", count: token.distance(from: dot, to: token.endIndex) - 1)
                },
                text("a bit turned in the signature") { token in
                    let place = token.index(token.endIndex, offsetBy: -10)
                    return token.replacingCharacters(in: place...place, with: token[place] == "A" ? "B" : "A")
                },
                Row(name: "another key under the same kid") { issuer, tenant, nonce in
                    let stranger = DevelopmentTokenMaker(keyID: "es-1", key: .es256(try ES256PrivateKey()))
                    return (try IdentityToken(issuer, tenant, nonce: nonce).signed(stranger), nonce)
                },
                Row(name: "an unknown kid") { issuer, tenant, nonce in
                    let stranger = DevelopmentTokenMaker(keyID: "es-2", key: .es256(try ES256PrivateKey()))
                    return (try IdentityToken(issuer, tenant, nonce: nonce).signed(stranger), nonce)
                },
                Row(name: "the RSA key's kid over an EC signature") { issuer, tenant, nonce in
                    let confused = DevelopmentTokenMaker(keyID: "rs-1", key: issuer.es256.key)
                    return (try IdentityToken(issuer, tenant, nonce: nonce).signed(confused), nonce)
                },
            ]
        }

        @Test func everyBadTokenHasTheSameAnswer() throws {
            let bed = try TestBed.required
            let service = try bed.service()
            let cold = try RefusalTests.tenant("cold")
            func answer(_ row: Row) throws -> Answer {
                let (token, sent) = try row.make(bed.issuer, cold, try App.nonce(service, cold))
                return try service.send(App.signIn(cold, token, sent))
            }
            let reference = try answer(Row.withoutFetch[1])
            try expectProblem(reference, 401, "invalid-identity-token")
            #expect(reference["WWW-Authenticate"] == "Bearer")
            for row in Row.withoutFetch where row.name != "empty" {
                #expect(try answer(row).unvarying == reference.unvarying, "\(row.name)")
            }
            #expect(bed.issuer.fetchCount("cold") == 0)
            for row in Row.withFetch {
                #expect(try answer(row).unvarying == reference.unvarying, "\(row.name)")
            }
            // One fetch for the set; the unknown kid earns none so soon after it.
            #expect(bed.issuer.fetchCount("cold") == 1)
            try replayed(cold, reference)
        }

        /// What was spent, and what was never given out.
        private func replayed(_ tenant: Tenant, _ reference: Answer) throws {
            let bed = try TestBed.required
            let service = try bed.service()
            let nonce = try App.nonce(service, tenant)
            let token = try IdentityToken(bed.issuer, tenant, nonce: nonce).signed(bed.issuer.es256)
            #expect(try service.send(App.signIn(tenant, token, nonce)).status == 200)
            let again = try service.send(App.signIn(tenant, token, nonce))
            #expect(again.unvarying == reference.unvarying, "the same token again")
            let other = try IdentityToken(bed.issuer, tenant, nonce: nonce).signed(bed.issuer.es256)
            #expect(
                try service.send(App.signIn(tenant, other, nonce)).unvarying == reference.unvarying,
                "the nonce again"
            )
            let own = "made-by-the-app-itself"
            let unasked = try IdentityToken(bed.issuer, tenant, nonce: own).signed(bed.issuer.es256)
            #expect(
                try service.send(App.signIn(tenant, unasked, own)).unvarying == reference.unvarying,
                "a nonce of one's own"
            )
            let foreign = try App.nonce(service, .south)
            let crossed = try IdentityToken(bed.issuer, tenant, nonce: foreign).signed(bed.issuer.es256)
            #expect(
                try service.send(App.signIn(tenant, crossed, foreign)).unvarying == reference.unvarying,
                "another tenant's nonce"
            )
        }

        /// The token is for its tenant, its person, and no other.
        @Test func aTokenOfAnotherTenantOrPersonIsRefused() throws {
            let bed = try TestBed.required
            let service = try bed.service()
            let nonce = try App.nonce(service, .north)
            let token = try IdentityToken(bed.issuer, .south, nonce: nonce).signed(bed.issuer.es256)
            try expectProblem(try service.send(App.signIn(.north, token, nonce)), 401, "invalid-identity-token")
            let own = try IdentityToken(bed.issuer, .north, subject: "me", nonce: nonce).signed(bed.issuer.es256)
            let body = "{\"identityToken\":\"\(own)\",\"nonce\":\"\(nonce)\",\"userID\":\"you\"}"
            try expectProblem(
                try service.send(Request("POST", "/north/auth/apple", json: body)),
                401,
                "invalid-identity-token"
            )
            // None of it has spent the nonce.
            #expect(try service.send(App.signIn(.north, own, nonce)).status == 200)
        }

        /// No client id: never "any".
        @Test func aTenantWithoutClientsTakesNobody() throws {
            let bed = try TestBed.required
            try bed.administration.create("clientless")
            let tenant = Tenant(slug: "clientless")
            let nonce = try App.nonce(try bed.service(), tenant)
            let token = try IdentityToken(bed.issuer, tenant, nonce: nonce).signed(bed.issuer.es256)
            let answer = try bed.service().send(App.signIn(tenant, token, nonce))
            try expectProblem(answer, 503, "no-identity-provider")
            #expect(answer["Retry-After"] == "60")
        }
    }
}
