import ChilAuth
import ChilCore
import ChilStore
import Testing

@testable import ChilAPI

/// What travels through the browser: bound to tenant, key and time.
@Suite struct EnvelopeTests {
    private static let now = Timestamp(seconds: 1_780_315_200)
    private static let north = TenantID(rawValue: 1), south = TenantID(rawValue: 2)

    private static func ring(_ versions: [Int]) throws -> KeyRing {
        try KeyRing(parsing: Array(versions.map { "\($0):\(String(repeating: "\($0)a", count: 32))\n" }.joined().utf8))
    }

    private static func state() throws -> AuthorizationState {
        AuthorizationState(
            provider: ProviderID(rawValue: 7),
            clientID: "web.client",
            appState: "\"한\\",
            challenge: try #require(CodeChallenge("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")),
            nonce: "nonce",
            at: now
        )
    }

    @Test func aStateComesBackWithinItsTimeAndToItsTenant() throws {
        let current = try Self.ring([1]), state = try Self.state()
        let text = state.text(of: Self.north, current)
        func read(_ text: String, _ tenant: TenantID = Self.north, _ ring: KeyRing = current, after seconds: Int64 = 0)
            -> AuthorizationState?
        {
            AuthorizationState(text, of: tenant, ring, at: Self.now + .seconds(seconds))
        }
        #expect(read(text) == state)
        #expect(read(text, after: 599) == state)
        #expect(read(text, after: 600) == nil)
        #expect(read(text, Self.south) == nil)
        #expect(read(text, Self.north, try Self.ring([1, 2])) == state)
        #expect(read(text, Self.north, try Self.ring([2])) == nil)
        for index in text.indices {
            var changed = text
            changed.replaceSubrange(index...index, with: text[index] == "A" ? "B" : "A")
            #expect(read(changed) == nil)
        }
    }

    @Test func anAppCodeComesBackWithinItsTimeAndToItsTenant() throws {
        let sealer = Sealer(try Self.ring([1]))
        let proof = SignIn.Proof(
            provider: ProviderID(rawValue: 7),
            clientID: "web.client",
            subject: "person",
            transferSubject: "transfer",
            nonceDigest: [1],
            tokenDigest: [2, 3],
            tokenIssued: Self.now - .milliseconds(500),
            tokenExpires: Self.now + .milliseconds(1_500),
            email: SignIn.Email(address: "a@mail.test", isVerified: true, isPrivate: nil)
        )
        let challenge = try #require(CodeChallenge("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"))
        let code = AppCode(proof, code: "c", for: challenge, givenName: "하나", familyName: nil, at: Self.now)
        let text = try code.text(of: Self.north, sealer)
        func read(_ text: String, _ tenant: TenantID = Self.north, after seconds: Int64 = 0) -> AppCode? {
            AppCode(text, of: tenant, sealer, at: Self.now + .seconds(seconds))
        }
        let back = try #require(read(text, after: 299))
        #expect(back.proof.provider == proof.provider && back.proof.clientID == "web.client")
        #expect(back.proof.subject == "person" && back.proof.transferSubject == "transfer")
        // The state bound it to its sign-in; the service's nonces have no part in it.
        #expect(back.proof.nonceDigest == nil && back.proof.tokenDigest == [2, 3])
        #expect(back.proof.tokenExpires == proof.tokenExpires && back.proof.tokenIssued == proof.tokenIssued)
        #expect(back.proof.email?.address == "a@mail.test" && back.proof.email?.isVerified == true)
        #expect(back.proof.email?.isPrivate == nil)
        #expect(back.code == "c" && back.challenge == challenge && back.givenName == "하나" && back.familyName == nil)
        #expect(read(text, after: 300) == nil)
        #expect(read(text, Self.south) == nil)
        #expect(read(String(text.dropFirst())) == nil)
        #expect(AppCode(text, of: Self.north, Sealer(try Self.ring([2])), at: Self.now) == nil)
        #expect(!text.contains("person") && text.utf8.count < 1_024)
    }

    @Test(
        arguments: [
            // RFC 7636, appendix B.
            ("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", true),
            ("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXK", false),
            ("", false), ("short", false), ("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", false),
        ]
    )
    func aChallengeHasOneVerifier(_ row: (verifier: String, isRight: Bool)) throws {
        let challenge = try #require(CodeChallenge("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"))
        #expect(challenge.isMade(of: row.verifier) == row.isRight)
    }

    @Test(arguments: [
        "", "short", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM=", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw+cM",
    ])
    func whatIsNoDigestIsNoChallenge(_ text: String) {
        #expect(CodeChallenge(text) == nil)
    }
}
