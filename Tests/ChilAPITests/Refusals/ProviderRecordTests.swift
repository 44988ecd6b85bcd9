import Foundation
import Testing

extension RefusalTests {
    /// Settings of a provider record act on a running service within a second, on every loop, and for its own tenant alone.
    @Suite struct ProviderRecords {
        struct Row: CustomTestStringConvertible, Sendable {
            let slug: String
            /// What the operator says.
            let flags: String
            /// Whether the row's token is accepted before that, and after it.
            let before: Bool
            /// Changes the claims of a good token; the second value: whether a nonce goes with it.
            let change: @Sendable (inout IdentityToken) -> Bool

            var after: Bool { !before }
            var testDescription: String { "\(slug): \(flags)" }

            init(
                _ slug: String,
                _ flags: String,
                before: Bool,
                _ change: @escaping @Sendable (inout IdentityToken) -> Bool
            ) {
                (self.slug, self.flags, self.before, self.change) = (slug, flags, before, change)
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
            try bed.administration.run("client set \(row.slug) \(row.flags)")
            #expect(try waitUntil(Promise.news) { try all(are: row.after) })
            #expect(try isAccepted(connections[0], .south) == row.before)
        }
    }
}
