import ChilAuth
import ChilCore
import ChilCrypto
import Testing

struct IdentityVerifierTests {
    static let now = Timestamp(seconds: 1_796_019_013)
    static let nonce = "a nonce as it was sent"
    static let hashed = SHA256.digest(of: Array(nonce.utf8)).hex

    struct Fixture {
        let maker: DevelopmentTokenMaker
        let keys: KeySet

        init(_ keyID: String = "key-1") throws {
            maker = DevelopmentTokenMaker(keyID: keyID, key: .es256(try ES256PrivateKey()))
            keys = KeySet([maker.jwk])
        }

        func token(_ changes: [String: String] = [:]) throws -> [UInt8] {
            var claims = [
                "iss": "\"https://issuer.example\"", "aud": "\"app\"", "sub": "\"user\"",
                "iat": "\(now.seconds - 5)", "exp": "\(now.seconds + 600)", "nonce": "\"\(hashed)\"",
            ]
            for (name, value) in changes { claims[name] = value.isEmpty ? nil : value }
            let members = claims.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
            return try maker.token(claims: Array("{\(members.joined(separator: ","))}".utf8))
        }
    }

    static func provider(
        _ policy: ProviderRecord.NoncePolicy = .server,
        clientIDs: [String] = ["app", "web"],
        algorithms: [JWSAlgorithm] = JWSAlgorithm.allCases
    ) -> ProviderRecord {
        ProviderRecord(
            id: ProviderID(rawValue: 7),
            issuers: ["https://issuer.example"],
            clientIDs: clientIDs,
            algorithms: algorithms,
            jwksURL: "https://issuer.example/keys",
            noncePolicy: policy
        )
    }

    static func rejection(_ precheck: IdentityVerifier.Precheck) -> Rejection? {
        if case .rejected(let rejection) = precheck { rejection } else { nil }
    }

    @Test
    func acceptedIdentitySaysWhatWasProven() throws {
        let fixture = try Fixture()
        let token = try fixture.token([
            "email": "\"a@b.example\"", "email_verified": "\"true\"", "is_private_email": "true",
        ])
        let precheck = IdentityVerifier.precheck(
            token,
            providers: [Self.provider()],
            nonce: Self.nonce,
            userID: "user",
            at: Self.now
        )
        guard case .needsKey(let prechecked) = precheck,
            case .accepted(let identity) = IdentityVerifier.verify(prechecked, with: fixture.keys)
        else {
            Issue.record("\(precheck)")
            return
        }
        #expect(prechecked.keyID == "key-1" && prechecked.provider.jwksURL == "https://issuer.example/keys")
        #expect(identity.subject == "user" && identity.clientID == "app" && identity.issuer == "https://issuer.example")
        #expect(identity.email == "a@b.example" && identity.isEmailVerified && identity.isPrivateEmail == true)
        #expect(identity.tokenDigest == SHA256.digest(of: Array(token[..<token.lastIndex(of: 0x2e)!])))
        #expect(identity.nonceDigest == SHA256.digest(of: Array(Self.nonce.utf8)))
        #expect(identity.expires == Self.now + .seconds(600))
        #expect(identity.providerID == ProviderID(rawValue: 7) && identity.noncePolicy == .server)
        #expect(!"\(prechecked)".contains("user"))
    }

    struct Row: Sendable {
        let name: String
        let claims: [String: String]
        let rejection: Rejection?

        init(_ name: String, _ claims: [String: String], _ rejection: Rejection?) {
            self.name = name
            self.claims = claims
            self.rejection = rejection
        }

        static func time(_ name: String, _ claim: String, _ offset: Int64, _ rejection: Rejection?) -> Row {
            Row(name, [claim: "\(now.seconds + offset)"], rejection)
        }

        static let all = [
            Row("as it is", [:], nil),
            .time("expired 59 s ago", "exp", -59, nil), .time("expired 60 s ago", "exp", -60, .expired),
            .time("valid in 60 s", "nbf", 60, nil), .time("valid in 61 s", "nbf", 61, .notYetValid),
            .time("issued in 60 s", "iat", 60, nil), .time("issued in 61 s", "iat", 61, .issuedInFuture),
            .time("issued 10 min ago", "iat", -600, nil), .time("issued 601 s ago", "iat", -601, .issuedTooLongAgo),
            Row("nbf is text", ["nbf": "\"0\""], .badNotBefore), Row("nbf is null", ["nbf": "null"], .badNotBefore),
            Row("exp is text", ["exp": "\"9999999999\""], .badExpiry), Row("no exp", ["exp": ""], .badExpiry),
            Row("exp beyond year 9999", ["exp": "253402300800"], .badExpiry),
            Row("exp NaN-like", ["exp": "1e309"], .badExpiry),
            Row("exp in year 9999", ["exp": "253402300799"], nil),
            Row("no nonce", ["nonce": ""], .missingNonce), Row("raw nonce", ["nonce": "\"\(nonce)\""], nil),
            Row("upper-case hex", ["nonce": "\"\(hashed.uppercased())\""], .wrongNonce),
            Row("cut nonce", ["nonce": "\"\(hashed.dropLast())\""], .wrongNonce),
            Row("empty nonce", ["nonce": "\"\""], .wrongNonce),
            Row("nonce is an array", ["nonce": "[\"\(hashed)\"]"], .wrongNonce),
            Row("other sub", ["sub": "\"other\""], .wrongUserID),
            Row("NUL in sub", ["sub": "\"us\\u0000er\""], .badSubject),
            Row("second client", ["aud": "\"web\""], nil),
            Row("Kelvin sign", ["iss": "\"https://issuer.example\u{212A}\""], .wrongIssuer),
            Row("two of ours", ["aud": "[\"app\",\"web\"]"], .wrongAudience),
            Row("aud in aud", ["aud": "[[\"app\"]]"], .wrongAudience),
            Row("aud is an object", ["aud": "{\"app\":1}"], .wrongAudience),
            Row("issuer's trailing slash", ["iss": "\"https://issuer.example/\""], .wrongIssuer),
        ]
    }

    @Test(arguments: Row.all)
    func claimsAreChecked(_ row: Row) throws {
        let token = try Fixture().token(row.claims)
        let precheck = IdentityVerifier.precheck(
            token,
            providers: [Self.provider()],
            nonce: Self.nonce,
            userID: "user",
            at: Self.now
        )
        #expect(Self.rejection(precheck) == row.rejection, "\(row.name)")
    }

    /// Where several things are wrong, the first of the contract's order is told.
    @Test
    func orderIsTheContracts() throws {
        let fixture = try Fixture("unknown")
        var wrong = [
            "iss": "\"x\"", "aud": "\"x\"", "exp": "1", "iat": "1", "nonce": "\"x\"", "sub": "\"x\"",
        ]
        let order: [(claim: String, Rejection)] = [
            ("iss", .wrongIssuer), ("aud", .wrongAudience), ("exp", .expired), ("iat", .issuedTooLongAgo),
            ("nonce", .wrongNonce), ("sub", .wrongUserID),
        ]
        for (claim, rejection) in order {
            let precheck = IdentityVerifier.precheck(
                try fixture.token(wrong),
                providers: [Self.provider()],
                nonce: Self.nonce,
                userID: "user",
                at: Self.now
            )
            #expect(Self.rejection(precheck) == rejection)
            wrong[claim] = nil
        }
        let precheck = IdentityVerifier.precheck(
            try fixture.token(),
            providers: [Self.provider()],
            nonce: Self.nonce,
            userID: "user",
            at: Self.now
        )
        guard case .needsKey(let token) = precheck else {
            Issue.record("\(precheck)")
            return
        }
        for (keys, rejection) in [
            (KeySet(), Rejection.unknownKey), (try Fixture("unknown").keys, .badSignature),
            (try Fixture("Unknown").keys, .unknownKey),
        ] {
            guard case .rejected(rejection) = IdentityVerifier.verify(token, with: keys) else {
                Issue.record("not \(rejection)")
                continue
            }
        }
    }

    @Test(
        arguments: [
            (ProviderRecord.NoncePolicy.server, nil, true, Rejection.missingNonce), (.client, nil, true, .missingNonce),
            (.server, "", true, .missingNonce), (.optional, nil, true, .missingNonce), (.optional, nil, false, nil),
            (.optional, nonce, false, .missingNonce), (.optional, nonce, true, nil),
            (.server, nil, false, .missingNonce),
            (.optional, "other", true, .wrongNonce), (.client, nonce, true, nil),
            (.client, nonce, false, .missingNonce),
        ] as [(ProviderRecord.NoncePolicy, String?, Bool, Rejection?)]
    )
    func noncePolicies(
        _ policy: ProviderRecord.NoncePolicy,
        _ sent: String?,
        _ isInToken: Bool,
        _ rejection: Rejection?
    ) throws {
        let token = try Fixture().token(isInToken ? [:] : ["nonce": ""])
        let precheck = IdentityVerifier.precheck(
            token,
            providers: [Self.provider(policy)],
            nonce: sent,
            userID: nil,
            at: Self.now
        )
        #expect(Self.rejection(precheck) == rejection)
    }

    @Test
    func nothingIsAcceptedWithoutConfiguration() throws {
        let token = try Fixture().token()
        for providers in [[], [Self.provider(clientIDs: [])]] {
            let precheck = IdentityVerifier.precheck(
                token,
                providers: providers,
                nonce: Self.nonce,
                userID: nil,
                at: Self.now
            )
            #expect(Self.rejection(precheck) == .notConfigured)
        }
    }

    /// The issuer selects the record; the client id of another record of the same tenant does not count.
    @Test
    func audienceIsLookedUpInTheIssuersRecordAlone() throws {
        let other = ProviderRecord(
            id: ProviderID(rawValue: 8),
            issuers: ["https://other"],
            clientIDs: ["foreign"],
            jwksURL: ""
        )
        let precheck = IdentityVerifier.precheck(
            try Fixture().token(["aud": "\"foreign\""]),
            providers: [other, Self.provider()],
            nonce: Self.nonce,
            userID: nil,
            at: Self.now
        )
        #expect(Self.rejection(precheck) == .wrongAudience)
    }

    @Test
    func algorithmIsTheRecordsAndTheKeys() throws {
        let fixture = try Fixture()
        let refused = IdentityVerifier.precheck(
            try fixture.token(),
            providers: [Self.provider(algorithms: [.rs256])],
            nonce: Self.nonce,
            userID: nil,
            at: Self.now
        )
        #expect(Self.rejection(refused) == .wrongAlgorithm)
        let precheck = IdentityVerifier.precheck(
            try fixture.token(),
            providers: [Self.provider()],
            nonce: Self.nonce,
            userID: nil,
            at: Self.now
        )
        let rsa = JWK(keyID: "key-1", key: .rs256(try RS256PrivateKey().publicKey))
        guard case .needsKey(let token) = precheck,
            case .rejected(.wrongAlgorithm) = IdentityVerifier.verify(token, with: KeySet([rsa]))
        else {
            Issue.record("an RSA key served an ES256 token")
            return
        }
    }

    /// (r, s) and (r, n − s) both verify: a replay may not pass for a new token by writing the other one.
    @Test
    func bothSignaturesOfATokenAreOneToken() throws {
        let fixture = try Fixture()
        let token = try fixture.token()
        let jws = try CompactJWS(parsing: token)
        let twin =
            Array(token[...token.lastIndex(of: 0x2e)!])
            + Base64URL.encode(jws.signature[..<32] + Self.difference(jws.signature[32...]))
        let digests = [token, twin].map { token -> Digest256? in
            let precheck = IdentityVerifier.precheck(
                token,
                providers: [Self.provider()],
                nonce: Self.nonce,
                userID: nil,
                at: Self.now
            )
            guard case .needsKey(let prechecked) = precheck,
                case .accepted(let identity) = IdentityVerifier.verify(prechecked, with: fixture.keys)
            else { return nil }
            return identity.tokenDigest
        }
        #expect(twin != token)
        #expect(digests[0] != nil && digests[0] == digests[1])
    }

    /// The order of P-256 less `number`, big endian.
    private static func difference(_ number: ArraySlice<UInt8>) -> [UInt8] {
        let order = Hex.decode("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551") ?? []
        var borrow = 0
        let digits = zip(order, number).reversed().map { (digit, taken) -> UInt8 in
            let rest = Int(digit) - Int(taken) - borrow
            borrow = rest < 0 ? 1 : 0
            return UInt8(truncatingIfNeeded: rest)
        }
        return digits.reversed()
    }

    @Test
    func everyChangedByteIsRejected() throws {
        let fixture = try Fixture()
        let token = try fixture.token()
        for index in token.indices {
            var changed = token
            changed[index] ^= 0x01
            let precheck = IdentityVerifier.precheck(
                changed,
                providers: [Self.provider()],
                nonce: Self.nonce,
                userID: nil,
                at: Self.now
            )
            if case .needsKey(let prechecked) = precheck,
                case .accepted = IdentityVerifier.verify(prechecked, with: fixture.keys)
            {
                Issue.record("byte \(index) may be changed")
            }
        }
    }
}
