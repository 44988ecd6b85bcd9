import ChilDevIssuer
import ChilTestSupport
import Foundation
import Testing

extension RefusalTests {
    /// Settings of a provider record act on a running service within a second, on every loop, and for its own tenant alone.
    @Suite struct ProviderRecords {
        struct Row: CustomTestStringConvertible, Sendable {
            let slug: String
            /// What the operator does to the record.
            let verb: String
            /// What else is said. `ISSUER` and `AUTHORITY` stand for the bed's issuer.
            let flags: String
            /// Whether the row's token is accepted before that, and after it.
            let before: Bool
            /// Changes the claims of a good token; the second value: whether a nonce goes with it.
            let change: @Sendable (inout IdentityToken) -> Bool

            var after: Bool { !before }
            var testDescription: String { "\(slug): client \(verb) \(flags)" }

            init(
                _ slug: String,
                _ flags: String,
                verb: String = "set",
                before: Bool,
                _ change: @escaping @Sendable (inout IdentityToken) -> Bool
            ) {
                (self.slug, self.verb, self.flags, self.before, self.change) = (slug, verb, flags, before, change)
            }

            func command(_ issuer: TestIssuer) -> String {
                "client \(verb) \(slug) \(flags)".replacingOccurrences(of: "ISSUER", with: issuer.url)
                    .replacingOccurrences(of: "AUTHORITY", with: issuer.authority)
            }
        }

        private static func isGood(_ token: inout IdentityToken) -> Bool { true }

        private static func hasNoNonce(_ token: inout IdentityToken) -> Bool {
            token.claims["nonce"] = nil
            return false
        }

        private static func isTwoHoursOld(_ token: inout IdentityToken) -> Bool {
            token.claims["iat"] = "\(Int(Date().timeIntervalSince1970) - 7_200)"
            return true
        }

        private static func isOfAnother(_ token: inout IdentityToken) -> Bool {
            token.claims["iss"] = "\"https://second.example\""
            return true
        }

        private static func isForAnother(_ token: inout IdentityToken) -> Bool {
            token.claims["aud"] = "\"test.second\""
            return true
        }

        static let rows = [
            Row("set-nonce", "--nonce-policy optional", before: false, hasNoNonce),
            Row("set-age", "--token-age-max 86400", before: false, isTwoHoursOld),
            Row(
                "set-issuers",
                "--issuer https://first.example --issuer https://second.example",
                before: false,
                isOfAnother
            ),
            Row("set-issuer", "--issuer https://second.example", before: true, isGood),
            Row("set-algorithm", "--algorithms RS256", before: true, isGood),
            Row("set-address", "--no-allow-private --jwks-url http://127.0.0.1:9/other", before: true, isGood),
            Row(
                "add-client",
                "--client-id test.second --issuer ISSUER --development --jwks-url ISSUER/add-client --allow-private AUTHORITY",
                verb: "add",
                before: false,
                isForAnother
            ),
            Row(
                "remove-client",
                "--client-id test.remove-client --confirm=remove-client",
                verb: "remove",
                before: true,
                isGood
            ),
        ]

        @Test(arguments: rows)
        func aSettingActsWithinASecond(_ row: Row) throws {
            let bed = try TestBed.required
            let service = try bed.service()
            let tenant = try RefusalTests.tenant(row.slug)
            let connections = try (0..<4).map { _ in try Connection(to: service.port) }

            func isAccepted(_ connection: Connection, _ tenant: Tenant) throws -> Bool {
                let nonce = try App.nonce(service, tenant)
                var token = IdentityToken(bed.issuer, tenant, nonce: nonce)
                let hasNonce = row.change(&token)
                let signed = try token.signed(bed.issuer.es256)
                let answer = try connection.send(App.signIn(tenant, signed, hasNonce ? nonce : nil))
                return answer.status == 200
            }
            func all(are accepted: Bool) throws -> Bool {
                try connections.allSatisfy { try isAccepted($0, tenant) == accepted }
            }

            #expect(try all(are: row.before))
            try bed.administration.run(row.command(bed.issuer))
            #expect(try waitUntil(Promise.news) { try all(are: row.after) })
            #expect(try isAccepted(connections[0], .south) == row.before)
        }

        @Test func credentialsActWithinASecond() throws {
            let bed = try TestBed.required
            let service = try bed.service()
            let app = try CodeTenant(in: bed, hasCredentials: false)
            let connections = try (0..<4).map { _ in try Connection(to: service.port) }
            /// Whether the provider is asked about a code, which it knows nothing of.
            func allAsk() throws -> Set<Bool> {
                Set(
                    try connections.map { connection in
                        let answer = try connection.send(app.token(json: "{\"code\":\"c-\(UUID())\"}"))
                        let isAsked = answer.status == 401
                        let code = isAsked ? "invalid-authorization-code" : "identity-provider-misconfigured"
                        try expectProblem(answer, isAsked ? 401 : 503, code)
                        return isAsked
                    }
                )
            }
            #expect(try allAsk() == [false])
            let file = bed.folder.appendingPathComponent("\(app.tenant.slug).p8").path
            let set = "client set \(app.tenant.slug)"
            try bed.administration.run("\(set) --team TEAM123456 --key-id KEY1234567 --p8-file \(file)")
            #expect(try waitUntil(Promise.news) { try allAsk() == [true] })
            #expect(try service.send(app.token(json: "{\"code\":\"\(try app.authorize().code)\"}")).status == 200)
            try bed.administration.run("\(set) --no-credentials")
            #expect(try waitUntil(Promise.news) { try allAsk() == [false] })
        }

        @Test func aClientsUseActsWithinASecond() throws {
            let bed = try TestBed.required
            let service = try bed.service()
            let app = try CodeTenant(in: bed)
            let connections = try (0..<4).map { _ in try Connection(to: service.port) }
            func statuses() throws -> Set<Int> {
                let query =
                    "client_id=\(app.web)&state=s&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
                let request = Request("GET", "/\(app.tenant.slug)/auth/apple/authorize?\(query)")
                return Set(try connections.map { try $0.send(request).status })
            }
            #expect(try statuses() == [303])
            let set = "client set \(app.tenant.slug) --client-id \(app.web)"
            try bed.administration.run("\(set) --use native")
            #expect(try waitUntil(Promise.news) { try statuses() == [400] })
            try bed.administration.run(
                "\(set) --use web --redirect-uri \(CodeTenant.redirectURI) --return-url \(CodeTenant.returnURL)"
            )
            #expect(try waitUntil(Promise.news) { try statuses() == [303] })
        }
    }
}
