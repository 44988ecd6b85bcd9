import ChilAuth
import ChilCore
import ChilCrypto
import ChilTestSupport
import Testing

/// The 117 tokens of vectors/identity-tokens: one per rule or published vulnerability, under a fixed clock.
struct IdentityVectorTests {
    struct Suite {
        let now: Timestamp
        let issuer: String
        let audience: String
        let nonce: String
        let keys: KeySet
        let cases: [JSONObject]

        init() throws {
            let file = try Vectors.json("identity-tokens/cases.json")
            let config = try #require(file["config"]?.object)
            now = Timestamp(seconds: try #require(config["now"]?.int64))
            issuer = config.text("issuer")
            audience = config.text("audience")
            nonce = config.text("raw_nonce_sent_by_client")
            cases = file.objects("cases")
            keys = try Suite.keys(try #require(file["jwks"]?.object))
        }

        /// The file's keys go through the parser that an issuer's answer goes through.
        private static func keys(_ set: JSONObject) throws -> KeySet {
            var writer = ByteWriter()
            writer.append("{\"keys\":[")
            for (index, key) in set.objects("keys").enumerated() {
                if index > 0 { writer.append(",") }
                writer.append("{")
                for (place, member) in key.members.enumerated() {
                    if place > 0 { writer.append(",") }
                    writer.append(json: member.name)
                    writer.append(":")
                    writer.append(json: try #require(member.value.string))
                }
                writer.append("}")
            }
            writer.append("]}")
            return try JWKSet(parsing: writer.finish()).keys
        }

        func provider(issuers: [String]? = nil, issuedAgeMax: Duration = .seconds(600)) -> ProviderRecord {
            ProviderRecord(
                id: ProviderID(rawValue: 1),
                issuers: issuers ?? [issuer],
                clientIDs: [audience],
                jwksURL: "https://appleid.apple.com/auth/keys",
                noncePolicy: .client,
                issuedAgeMax: issuedAgeMax
            )
        }

        func verdict(on token: String, _ provider: ProviderRecord) -> Result<VerifiedIdentity, Rejection> {
            switch IdentityVerifier.precheck(
                Array(token.utf8),
                providers: [provider],
                nonce: nonce,
                userID: nil,
                at: now
            )
            {
            case .rejected(let rejection): return .failure(rejection)
            case .needsKey(let token):
                switch IdentityVerifier.verify(token, with: keys) {
                case .accepted(let identity): return .success(identity)
                case .rejected(let rejection): return .failure(rejection)
                }
            }
        }
    }

    /// The exact reason where more than "rejected" is promised: the order of checks shows in it.
    static let reasons: [String: Rejection] = [
        "alg-None-validsig": .wrongAlgorithm, "alg-RS384": .wrongAlgorithm, "alg-hs256-pem": .wrongAlgorithm,
        "alg-missing": .malformed(.badHeaderMember), "alg-null": .malformed(.badHeaderMember),
        "crit-b64": .malformed(.criticalHeader), "kid-unknown": .unknownKey, "kid-empty": .missingKeyID,
        "kid-case": .unknownKey, "kid-number": .malformed(.badHeaderMember), "kid-null": .malformed(.badHeaderMember),
        "kid-use-enc": .unknownKey, "header-array": .malformed(.badHeaderMember),
        "payload-array-empty": .claimsNotObject,
        "payload-null": .claimsNotObject, "payload-bom": .badClaims(JSONFault(.byteOrderMark, at: 0)),
        "payload-empty": .badClaims(JSONFault(.unexpectedEnd, at: 0)), "iss-missing": .wrongIssuer,
        "iss-prefix": .wrongIssuer, "iss-array-ours": .wrongIssuer, "aud-missing": .wrongAudience,
        "aud-two-tenants": .wrongAudience, "aud-array-with-foreign": .wrongAudience, "aud-empty-array": .wrongAudience,
        "sub-missing": .badSubject, "sub-empty": .badSubject, "sub-256": .badSubject, "sub-array": .badSubject,
        "exp-expired": .expired, "exp-expired-61": .expired, "exp-null": .badExpiry, "exp-1e400": .badExpiry,
        "exp-2^63": .badExpiry, "exp-huge-int": .badExpiry, "exp-negative": .badExpiry, "iat-missing": .badIssuedAt,
        "iat-future": .issuedInFuture, "nonce-wrong": .wrongNonce, "sig-flip": .badSignature,
        "sig-short": .badSignature, "sig-empty": .badSignature, "sig-other-key": .badSignature,
        "es256-sig-der": .badSignature, "es256-sig-zero": .badSignature, "b64-padding": .malformed(.notBase64URL),
        "b64-noncanonical": .malformed(.notBase64URL), "struct-four-parts": .malformed(.notThreeParts),
        "struct-1m-dots": .malformed(.tooLong),
    ]

    /// The three that may go either way, decided by contract.md.
    static let policies: [String: Rejection?] = [
        // Not configured here; `secondIssuerIsAcceptedIfConfigured` configures it.
        "ok-iss-account-apple": .wrongIssuer,
        "iat-week-old": .issuedTooLongAgo,
        // "nonce equal to lower-hex SHA-256 of the sent one, or to it".
        "nonce-raw": Rejection?.none,
    ]

    @Test
    func everyTokenHasItsVerdict() throws {
        let suite = try Suite()
        var counts: [String: Int] = [:]
        for sample in suite.cases {
            let name = sample.text("id")
            let expected = sample.text("expect")
            counts[expected, default: 0] += 1
            let verdict = suite.verdict(on: sample.text("token"), suite.provider())
            switch (expected, verdict) {
            case ("accept", .success(let identity)):
                #expect(identity.subject == "001234.0123456789abcdef0123456789abcdef.0123", "\(name)")
                if let isVerified = sample["expect_email_verified"]?.bool {
                    #expect(identity.isEmailVerified == isVerified, "\(name)")
                }
                #expect(identity.email == (name == "ok-no-email" ? nil : "kid@example.com"), "\(name)")
            case ("reject", .failure(let rejection)):
                if let reason = Self.reasons[name] { #expect(rejection == reason, "\(name)") }
            case ("policy", .success): #expect(Self.policies[name] == .some(nil), "\(name)")
            case ("policy", .failure(let rejection)): #expect(Self.policies[name] == rejection, "\(name)")
            default: Issue.record("\(name): \(expected), but \(verdict)")
            }
        }
        #expect(counts.values.reduce(0, +) == 117)
        #expect(counts["policy"] == 3)
        let names = Set(suite.cases.map { $0.text("id") })
        #expect(Set(Self.reasons.keys).isSubset(of: names))
    }

    @Test
    func secondIssuerIsAcceptedIfConfigured() throws {
        let suite = try Suite()
        let token = try #require(suite.cases.first { $0.text("id") == "ok-iss-account-apple" }).text("token")
        let provider = suite.provider(issuers: [suite.issuer, "https://account.apple.com"])
        let identity = try suite.verdict(on: token, provider).get()
        #expect(identity.issuer == "https://account.apple.com")
        #expect(identity.providerID == provider.id)
    }

    /// Another tenant's records accept none of them.
    @Test
    func noTokenIsAcceptedByAnotherTenant() throws {
        let suite = try Suite()
        let other = ProviderRecord(
            id: ProviderID(rawValue: 2),
            issuers: [suite.issuer],
            clientIDs: ["com.example.chil.tenant-c"],
            jwksURL: "",
            noncePolicy: .client
        )
        for sample in suite.cases {
            guard case .failure = suite.verdict(on: sample.text("token"), other) else {
                Issue.record("\(sample.text("id")) was accepted")
                continue
            }
        }
    }
}
