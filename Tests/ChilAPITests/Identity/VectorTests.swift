import ChilAuth
import ChilCore
import ChilCrypto
import ChilTestSupport
import Foundation
import Testing

/// Whole files of bad tokens over HTTP, at the second for which they were made.
@Suite(.testBed([]), .ownThread)
struct VectorTests {
    private static let stages = Locked(0)

    /// The file's issuer, tenants and clock.
    private struct Stage {
        let file: JSONObject
        let now: Timestamp
        let nonce: String
        let issuer: RawServer
        /// Whose tokens they are, and another.
        let own, other: Tenant

        init(_ bed: TestBed) throws {
            file = try Vectors.json("identity-tokens/cases.json")
            let config = try #require(file["config"]?.object)
            now = Timestamp(seconds: try #require(config["now"]?.int64))
            nonce = config.text("raw_nonce_sent_by_client")
            issuer = try RawServer(.json(try Self.body(of: file, "jwks")))
            let number = stages.withLock { stages in
                stages += 1
                return stages
            }
            (own, other) = (Tenant(slug: "vectors-\(number)"), Tenant(slug: "strangers-\(number)"))
            for (tenant, client) in [(own, config.text("audience")), (other, "com.example.chil.tenant-c")] {
                try bed.administration.create(tenant.slug)
                try bed.administration.run(
                    "client add \(tenant.slug) --client-id \(client) --issuer \(config.text("issuer"))"
                        + " --issuer https://account.apple.com --nonce-policy client --development"
                        + " --jwks-url \(issuer.url)/keys --allow-private 127.0.0.1:\(issuer.port)"
                )
            }
        }

        /// A member as an issuer would send it.
        static func body(of file: JSONObject, _ name: String) throws -> [UInt8] {
            let whole = try JSONSerialization.jsonObject(with: Data(try Vectors.bytes("identity-tokens/cases.json")))
            let member = try #require((whole as? [String: Any])?[name])
            return Array(try JSONSerialization.data(withJSONObject: member))
        }

        func signIn(_ tenant: Tenant, _ token: String) throws -> Request {
            let body = try JSONSerialization.data(withJSONObject: ["identityToken": token, "nonce": nonce])
            return Request("POST", "/\(tenant.slug)/auth/apple", type: "application/json", body: Array(body))
        }
    }

    /// What is decided of the three that may go either way: both of Apple's issuers are the same people, the raw nonce is taken, and ten
    /// minutes are enough.
    private static let policies = ["ok-iss-account-apple": 200, "nonce-raw": 200, "iat-week-old": 401]
    /// Longer than a body may be: refused before it is read.
    private static let tooLong: Set = ["struct-1m-dots"]

    /// A token that a second bed's tenant would take, refused by all others.
    @Test("J-11 J-12 J-13 J-16 identity-tokens over HTTP: the verdicts of the file, and none elsewhere")
    func identityTokens() async throws {
        let bed = try TestBed.required
        let stage = try Stage(bed)
        defer { stage.issuer.stop() }
        try await StillService.with(bed, at: stage.now) { try verdicts(of: $0, on: stage, bed) }
    }

    private func verdicts(of service: StillService, on stage: Stage, _ bed: TestBed) throws {
        let reference = try service.send(try stage.signIn(stage.own, "garbage"))
        try expectProblem(reference, 401, "invalid-identity-token")
        var counts: [Int: Int] = [:]
        var spent: Set<String> = []
        for sample in stage.file.objects("cases") {
            let (name, token) = (sample.text("id"), sample.text("token"))
            // Some rows differ in their name alone: each is to be the first of its kind.
            let signed = token.split(separator: ".").prefix(2).joined(separator: ".")
            if !spent.insert(signed).inserted { try bed.query("delete from spent_token") }
            // Elsewhere first: what is accepted at home is spent there alone.
            for tenant in [stage.other, stage.own] {
                let answer = try service.send(try stage.signIn(tenant, token))
                if Self.tooLong.contains(name) {
                    try expectProblem(answer, 413, "content-too-large")
                    continue
                }
                let expected =
                    tenant == stage.other ? 401 : Self.policies[name] ?? (sample.text("expect") == "accept" ? 200 : 401)
                #expect(answer.status == expected, "\(name) at \(tenant.slug): \(answer.text)")
                counts[expected, default: 0] += 1
                if expected == 401 {
                    #expect(answer.unvarying == reference.unvarying, "\(name)")
                    #expect(answer.body.count == reference.body.count, "\(name)")
                } else {
                    try accepted(answer, sample)
                    let again = try service.send(try stage.signIn(tenant, token))
                    #expect(again.unvarying == reference.unvarying, "J-16 \(name) again")
                }
            }
        }
        #expect(counts == [200: 22, 401: 210])
        // One set serves them all; the unknown kids come too soon after it for another fetch.
        #expect(stage.issuer.connections == 1)
    }

    private func accepted(_ answer: Answer, _ sample: JSONObject) throws {
        let name = sample.text("id")
        let user = try #require(try answer.members["user"] as? [String: Any])
        if name != "ok-no-email" { #expect(user["email"] as? String == "kid@example.com", "\(name)") }
        if let isVerified = sample["expect_email_verified"]?.bool {
            #expect(user["emailVerified"] as? Bool == isVerified, "\(name)")
        }
    }

    /// Every JWS and JWE of a file. One is an object, a JWS in JSON (RFC 7515 §7.2): it is sent as its text.
    private static func tokens(in name: String) throws -> [String] {
        let whole = try JSONSerialization.jsonObject(with: Data(try Vectors.bytes(name))) as? [String: Any]
        let groups = whole?["testGroups"] as? [[String: Any]] ?? []
        let cases =
            (whole?["cases"] as? [[String: Any]] ?? []) + groups.flatMap { $0["tests"] as? [[String: Any]] ?? [] }
        return try cases.compactMap { $0["jws"] ?? $0["jwe"] }.map { token in
            if let text = token as? String { return text }
            return String(decoding: try JSONSerialization.data(withJSONObject: token), as: UTF8.self)
        }
    }

    /// A JWS whose signature is right is no identity token yet, and a JWE never is one.
    @Test(
        "J-01 J-05 J-08 Wycheproof over HTTP: none is a sign-in anywhere, and all have one answer",
        arguments: [
            (name: "derived_es256_rs256_only.json", count: 476, empty: 6),
            (name: "json_web_encryption_test.json", count: 139, empty: 0),
        ]
    )
    func wycheproof(_ name: String, _ count: Int, _ empty: Int) async throws {
        let bed = try TestBed.required
        let stage = try Stage(bed)
        defer { stage.issuer.stop() }
        let tokens = try Self.tokens(in: "wycheproof/\(name)")
        #expect(tokens.count == count)
        try await StillService.with(bed, at: stage.now) { service in
            let reference = try service.send(try stage.signIn(stage.own, "garbage"))
            let connection = try Connection(to: service.port)
            for tenant in [stage.other, stage.own] {
                var sent = 0
                // No token at all is no sign-in but a member that is missing.
                for token in tokens where !token.isEmpty {
                    let answer = try connection.send(try stage.signIn(tenant, token))
                    #expect(answer.unvarying == reference.unvarying, "\(token) at \(tenant.slug)")
                    sent += 1
                }
                #expect(sent == count - empty)
            }
            // Not one of them earned a question to the issuer.
            #expect(stage.issuer.connections == 0)
        }
    }

    /// Every place in a header or an answer that names an address, with somebody listening there.
    @Test(
        "J-13 nobody is asked whom a token names",
        arguments: ["jku", "x5u", "jwk", "x5c", "jku in the claims", "iss"]
    )
    func nobodyIsAskedWhomATokenNames(_ place: String) async throws {
        let bed = try TestBed.required
        let stage = try Stage(bed)
        let stranger = try ES256PrivateKey()
        let lure = try RawServer(.json(JWKSet.json(of: [JWK(keyID: "ec-1", key: .es256(stranger.publicKey))])))
        defer { stage.issuer.stop(); lure.stop() }
        var claims = [
            "iss": "\"https://appleid.apple.com\"", "aud": "\"com.example.chil.tenant-a\"", "sub": "\"lured\"",
            "iat": "\(stage.now.seconds)", "exp": "\(stage.now.seconds + 600)", "nonce": "\"\(stage.nonce)\"",
        ]
        var header = ["alg": "\"ES256\"", "kid": "\"ec-1\""]
        switch place {
        case "jwk":
            let set = String(
                decoding: JWKSet.json(of: [JWK(keyID: "ec-1", key: .es256(stranger.publicKey))]),
                as: UTF8.self
            )
            header["jwk"] = String(set.dropFirst("{\"keys\":[".count).dropLast(2))
        case "x5c": header["x5c"] = "[\"\(lure.url)\"]"
        case "jku in the claims": claims["jku"] = "\"\(lure.url)/keys\""
        case "iss": claims["iss"] = "\"\(lure.url)\""
        default: header[place] = "\"\(lure.url)/keys\""
        }
        func json(_ members: [String: String]) -> [UInt8] {
            Array(
                "{\(members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}"
                    .utf8
            )
        }
        let signed = "\(Base64URL.text(of: json(header))).\(Base64URL.text(of: json(claims)))"
        let token = "\(signed).\(Base64URL.text(of: try stranger.sign(Array(signed.utf8))))"
        try await StillService.with(bed, at: stage.now) { service in
            try expectProblem(try service.send(try stage.signIn(stage.own, token)), 401, "invalid-identity-token")
            #expect(lure.connections == 0)
        }
    }

    @Test("J-17 what is too long or too deep is refused at once")
    func sizes() async throws {
        let bed = try TestBed.required
        let stage = try Stage(bed)
        defer { stage.issuer.stop() }
        let deep = Array((String(repeating: "[", count: 20_000) + String(repeating: "]", count: 20_000)).utf8)
        let header = Base64URL.text(of: Array("{\"alg\":\"ES256\",\"kid\":\"ec-1\"}".utf8))
        let rows: [(name: String, token: String, status: Int)] = [
            ("8 KiB and one", String(repeating: "A", count: 8_193), 401),
            ("64 KiB", String(repeating: "A", count: 65_536), 413),
            ("1 MB of dots", String(repeating: ".", count: 1_000_000), 413),
            ("60 KB of dots", String(repeating: ".", count: 60_000), 401),
            ("20,000 deep", "\(header).\(Base64URL.text(of: Array(deep.prefix(40_000)))).AAAA", 401),
            (
                "deep within 8 KiB",
                "\(header).\(Base64URL.text(of: Array(repeating: UInt8(ascii: "["), count: 5_900))).AAAA", 401
            ),
        ]
        try await StillService.with(bed, at: stage.now) { service in
            let reference = try service.send(try stage.signIn(stage.own, "garbage"))
            for row in rows {
                let answer = try service.send(try stage.signIn(stage.own, row.token))
                #expect(answer.status == row.status, "\(row.name)")
                if row.status == 401 { #expect(answer.unvarying == reference.unvarying, "\(row.name)") }
                // 10 ms on a quiet machine with an optimised build.
                #expect(answer.elapsed < Duration.milliseconds(500).patient, "\(row.name)")
            }
            #expect(try service.send(Request("GET", "/healthz")).status == 200)
        }
    }
}
