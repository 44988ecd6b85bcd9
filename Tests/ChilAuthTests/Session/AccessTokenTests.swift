import ChilAuth
import ChilCore
import ChilCrypto
import Testing

struct AccessTokenTests {
    static let now = Timestamp(seconds: 1_796_019_013)

    struct Tenant {
        let issuer: AccessTokenIssuer
        let verifier: AccessTokenVerifier
        let key: ES256PrivateKey

        init(_ slug: String, key: ES256PrivateKey? = nil) throws {
            let name = try Slug(checking: slug)
            let key = try key ?? ES256PrivateKey()
            let base = "https://chil.example/\(slug)"
            self.key = key
            issuer = AccessTokenIssuer(issuer: base, audience: name, keyID: "k1", key: key)
            verifier = AccessTokenVerifier(
                issuer: base,
                audience: name,
                keys: KeySet([JWK(keyID: "k1", key: .es256(key.publicKey))])
            )
        }

        func token() throws -> [UInt8] {
            try issuer.issue(user: UserID(rawValue: 42), session: SessionID(rawValue: 43), generation: 7, at: now)
        }

        func signed(_ claims: String, type: String? = "at+jwt", keyID: String = "k1") throws -> [UInt8] {
            try CompactJWS.make(payload: Array(claims.utf8), type: type, keyID: keyID, key: .es256(key))
        }
    }

    @Test
    func tokensGoRound() throws {
        let tenant = try Tenant("chillin")
        let token = try tenant.token()
        #expect(token.count < AccessToken.bytesMax)
        guard case .accepted(let accepted) = tenant.verifier.verdict(on: token, at: Self.now) else {
            Issue.record("a fresh token is rejected")
            return
        }
        #expect(accepted.userID == UserID(rawValue: 42) && accepted.sessionID == SessionID(rawValue: 43))
        #expect(accepted.generation == 7 && accepted.issued == Self.now)
        #expect(accepted.expires == Self.now + .seconds(600))
        let verdicts: [(Duration, AccessTokenVerifier.Verdict)] = [
            (.microseconds(599_999_999), .accepted(accepted)), (.seconds(600), .rejected(.expired)),
            (.seconds(-60), .accepted(accepted)), (.seconds(-61), .rejected(.issuedInFuture)),
        ]
        for (offset, verdict) in verdicts {
            #expect(tenant.verifier.verdict(on: token, at: Self.now + offset) == verdict, "\(offset)")
        }
    }

    /// The same numbers give the same lives: whole seconds, at most 5 % shorter, none of them rarer than chance makes it.
    @Test
    func livesAreUpToFivePercentShorter() throws {
        var generator = SplitMix(state: 7), again = SplitMix(state: 7)
        let lives = (0..<3_100).map { _ in AccessToken.lifetime(using: &generator) }
        #expect(lives == (0..<3_100).map { _ in AccessToken.lifetime(using: &again) })
        let counts = Dictionary(grouping: lives, by: \.components.seconds).mapValues(\.count)
        #expect(counts.keys.sorted() == Array(570...600))
        #expect(counts.values.allSatisfy { (50...160).contains($0) }, "\(counts)")
        #expect(lives.allSatisfy { $0.components.attoseconds == 0 })
        let tenant = try Tenant("chillin")
        let token = try tenant.issuer.issue(
            user: UserID(rawValue: 1),
            session: SessionID(rawValue: 2),
            generation: 1,
            at: Self.now,
            for: .seconds(570)
        )
        #expect(tenant.verifier.verdict(on: token, at: Self.now + .seconds(570)) == .rejected(.expired))
        guard case .accepted(let access) = tenant.verifier.verdict(on: token, at: Self.now + .seconds(569)) else {
            Issue.record("rejected before its time")
            return
        }
        #expect(access.expires == Self.now + .seconds(570) && access.keyID == "k1")
    }

    /// Splitmix64: the same numbers in each run.
    private struct SplitMix: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    @Test("T-13 a token of another tenant, even of the same key")
    func otherTenantsTokensAreRejected() throws {
        let key = try ES256PrivateKey()
        let token = try Tenant("one", key: key).token()
        #expect(try Tenant("two").verifier.verdict(on: token, at: Self.now) == .rejected(.badSignature))
        // Even with one key for both, which no operator can set up.
        #expect(try Tenant("two", key: key).verifier.verdict(on: token, at: Self.now) == .rejected(.wrongIssuer))
    }

    @Test
    func everyFlippedBitIsRejected() throws {
        let tenant = try Tenant("chillin")
        let token = try tenant.token()
        for index in token.indices {
            for bit in 0..<8 {
                var changed = token
                changed[index] ^= 1 << UInt8(bit)
                if case .accepted = tenant.verifier.verdict(on: changed, at: Self.now) {
                    Issue.record("bit \(bit) of byte \(index) may be flipped")
                }
            }
        }
        for count in [0, 1, token.count / 2, token.count - 1] {
            guard case .rejected = tenant.verifier.verdict(on: Array(token[..<count]), at: Self.now) else {
                Issue.record("cut to \(count) bytes it is accepted")
                continue
            }
        }
    }

    static let iss = #""iss":"https://chil.example/chillin""#
    static let times = "\"iat\":1796019013,\"exp\":1796019613"

    @Test(
        arguments: [
            ("as it is", "{\(iss),\"aud\":\"chillin\",\"sub\":\"1\",\"sid\":2,\"gen\":0,\(times)}", nil),
            ("sub is a number", "{\(iss),\"aud\":\"chillin\",\"sub\":1,\"sid\":2,\"gen\":0,\(times)}", .badClaims),
            ("sid is text", "{\(iss),\"aud\":\"chillin\",\"sub\":\"1\",\"sid\":\"2\",\"gen\":0,\(times)}", .badClaims),
            ("negative gen", "{\(iss),\"aud\":\"chillin\",\"sub\":\"1\",\"sid\":2,\"gen\":-1,\(times)}", .badClaims),
            (
                "large gen", "{\(iss),\"aud\":\"chillin\",\"sub\":\"1\",\"sid\":2,\"gen\":2147483648,\(times)}",
                .badClaims
            ),
            ("no exp", "{\(iss),\"aud\":\"chillin\",\"sub\":\"1\",\"sid\":2,\"gen\":0,\"iat\":1796019013}", .badClaims),
            ("aud array", "{\(iss),\"aud\":[\"chillin\"],\"sub\":\"1\",\"sid\":2,\"gen\":0,\(times)}", .wrongAudience),
            (
                "repeated sub", "{\(iss),\"aud\":\"chillin\",\"sub\":\"1\",\"sub\":\"2\",\"sid\":2,\"gen\":0,\(times)}",
                .badClaims
            ),
            ("no claims", "", .badClaims), ("array", "[]", .badClaims),
        ] as [(String, String, AccessTokenVerifier.Rejection?)]
    )
    func signedClaimsAreChecked(_ name: String, _ claims: String, _ rejection: AccessTokenVerifier.Rejection?) throws {
        let tenant = try Tenant("chillin")
        let verdict = tenant.verifier.verdict(on: try tenant.signed(claims), at: Self.now)
        if let rejection {
            #expect(verdict == .rejected(rejection), "\(name)")
        } else {
            guard case .accepted = verdict else {
                Issue.record("\(name): \(verdict)")
                return
            }
        }
    }

    /// To end a session a token may be as old as it likes; everything else must be right.
    @Test
    func anExpiredTokenStillNamesItsSession() throws {
        let tenant = try Tenant("chillin")
        let claims = "{\(Self.iss),\"aud\":\"chillin\",\"sub\":\"1\",\"sid\":2,\"gen\":0,\(Self.times)}"
        let token = try tenant.signed(claims)
        let later = Self.now + .seconds(90 * 86_400)
        #expect(tenant.verifier.verdict(on: token, at: later) == .rejected(.expired))
        guard case .accepted(let access) = tenant.verifier.verdictWhateverTheTime(on: token, at: later) else {
            Issue.record("an expired token was not read")
            return
        }
        #expect(access.userID == UserID(rawValue: 1) && access.sessionID == SessionID(rawValue: 2))
        var forged = token
        forged[token.count - 2] ^= 0x01
        guard case .rejected = tenant.verifier.verdictWhateverTheTime(on: forged, at: later),
            case .rejected = try Tenant("other").verifier.verdictWhateverTheTime(on: token, at: later)
        else {
            Issue.record("a forged or foreign token was accepted")
            return
        }
    }

    /// An identity token, also one signed with our own key, is no access token.
    @Test
    func otherTypesAreRejected() throws {
        let tenant = try Tenant("chillin")
        let claims = "{\(Self.iss),\"aud\":\"chillin\",\"sub\":\"1\",\"sid\":2,\"gen\":0,\(Self.times)}"
        for type in [nil, "JWT", "AT+JWT", "application/at+jwt"] {
            let token = try tenant.signed(claims, type: type)
            #expect(tenant.verifier.verdict(on: token, at: Self.now) == .rejected(.wrongType))
        }
        let token = try tenant.signed(claims, keyID: "k2")
        #expect(tenant.verifier.verdict(on: token, at: Self.now) == .rejected(.unknownKey))
        let long = [UInt8](repeating: UInt8(ascii: "A"), count: AccessToken.bytesMax + 1)
        #expect(tenant.verifier.verdict(on: long, at: Self.now) == .rejected(.malformed))
    }
}
