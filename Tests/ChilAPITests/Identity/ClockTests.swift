import ChilAuth
import ChilCore
import ChilCrypto
import Foundation
import Testing

/// Tokens at the second where they begin and cease to be good.
@Suite(.testBed([]), .ownThread, .serialized)
struct ClockTests {
    /// When the service is asked, from the token's issue on; the clock only goes forward, as ids do.
    struct Row: Sendable {
        let name: String
        let after: Int64
        let status: Int
        /// From the token's issue on.
        var life: Int64 = 86_400

        static let all = [
            Row(name: "two hours before it", after: -7_200, status: 401),
            Row(name: "61 s before it", after: -61, status: 401), Row(name: "60 s before it", after: -60, status: 200),
            Row(name: "59 s before it", after: -59, status: 200), Row(name: "at its second", after: 0, status: 200),
            Row(name: "59 s past its end", after: 159, status: 200, life: 100),
            Row(name: "60 s past its end", after: 160, status: 401, life: 100),
            Row(name: "61 s past its end", after: 161, status: 401, life: 100),
            Row(name: "ten minutes old", after: 600, status: 200), Row(name: "a second older", after: 601, status: 401),
            Row(name: "two hours later", after: 7_200, status: 401),
        ]
    }

    /// Moments of issue at which clocks have gone wrong.
    static let moments: [(name: String, seconds: Int64)] = [
        ("an ordinary day", 1_796_019_013), ("the end of a day with a leap second", 1_924_991_999),
        ("the last second of 31 bits", 2_147_483_647), ("beyond 32 bits", 4_294_967_296),
    ]

    @Test("J-18 the leeway is exact to the second, at whatever time", arguments: moments)
    func theLeewayIsExact(_ name: String, _ seconds: Int64) async throws {
        let bed = try TestBed.required
        let tenant = Tenant(slug: "clock-\(seconds)")
        let maker = DevelopmentTokenMaker(keyID: "key", key: .es256(try ES256PrivateKey()))
        let server = try RawServer(.json(JWKSet.json(of: [maker.jwk])))
        defer { server.stop() }
        try bed.administration.create(tenant.slug)
        try bed.administration.run(
            "client add \(tenant.slug) --client-id \(tenant.clientID) --issuer \(bed.issuer.url) --nonce-policy client"
                + " --development --jwks-url \(server.url)/keys --allow-private 127.0.0.1:\(server.port)"
        )
        let requests = try Row.all.map { row in
            var token = IdentityToken(bed.issuer, tenant, nonce: "n")
            token.claims["iat"] = "\(seconds)"
            token.claims["exp"] = "\(seconds + row.life)"
            return App.signIn(tenant, try token.signed(maker), "n")
        }
        try await StillService.with(bed, at: Timestamp(seconds: seconds - 8_000)) { service in
            for (row, request) in zip(Row.all, requests) {
                service.move(to: Timestamp(seconds: seconds + row.after))
                let answer = try service.send(request)
                #expect(answer.status == row.status, "\(name), \(row.name): \(answer.text)")
            }
        }
    }

    /// A nonce of the service: good to the end of its ten minutes, in either form, once.
    @Test("a nonce is good for ten minutes, raw or hashed, once")
    func nonces() async throws {
        let bed = try TestBed.required
        let start = Timestamp(seconds: 1_796_019_013)
        try await StillService.with(bed, at: start) { service in
            func nonce() throws -> String {
                try service.send(Request("POST", "/north/auth/nonce")).string("nonce")
            }
            func status(_ sent: String, claimed: String, at moment: Timestamp) throws -> Int {
                service.move(to: moment)
                var token = IdentityToken(bed.issuer, .north)
                token.claims["nonce"] = "\"\(claimed)\""
                token.claims["iat"] = "\(moment.seconds)"
                token.claims["exp"] = "\(moment.seconds + 600)"
                return try service.send(App.signIn(.north, try token.signed(bed.issuer.es256), sent)).status
            }
            let nonces = try (0..<6).map { _ in try nonce() }
            let hash = IdentityToken.hash
            #expect(try status(nonces[0], claimed: hash(nonces[0]), at: start) == 200)
            #expect(try status(nonces[0], claimed: hash(nonces[0]), at: start) == 401, "spent")
            #expect(try status(nonces[1], claimed: nonces[1], at: start) == 200, "raw")
            #expect(try status(nonces[2], claimed: hash(nonces[2]).uppercased(), at: start) == 401, "upper case")
            #expect(try status(nonces[2], claimed: hash(nonces[3]), at: start) == 401, "another's")
            #expect(
                try status(hash(nonces[2]), claimed: hash(nonces[2]), at: start) == 401,
                "the hash sent as the nonce"
            )
            // None of these has spent it.
            #expect(try status(nonces[2], claimed: hash(nonces[2]), at: start) == 200)
            let end = start + .seconds(600)
            #expect(try status(nonces[4], claimed: hash(nonces[4]), at: end - .seconds(1)) == 200)
            #expect(try status(nonces[5], claimed: hash(nonces[5]), at: end) == 401, "expired")
        }
    }
}
