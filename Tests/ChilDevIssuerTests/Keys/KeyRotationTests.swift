import ChilAuth
import ChilCore
import ChilCrypto
import Testing

@testable import ChilDevIssuer

@Suite struct KeyRotationTests {
    private func published(_ issuer: DevelopmentIssuer) throws -> [String] {
        try JWKSet(parsing: issuer.keySet).keys.keys.map(\.keyID)
    }

    private func keyID(_ token: [UInt8]) throws -> String? {
        try CompactJWS(parsing: token).header.keyID
    }

    @Test func theOldKeyStaysPublished() throws {
        let bench = try Bench()
        let before = try bench.issuer.sign(claims: Array("{}".utf8))
        bench.issuer.rotate(to: .es256(try ES256PrivateKey()))
        let after = try bench.issuer.sign(claims: Array("{}".utf8))
        #expect(try keyID(before) == "dev-es256-1")
        #expect(try keyID(after) == "dev-es256-2")
        #expect(try published(bench.issuer) == ["dev-es256-1", "dev-es256-2"])
        _ = try bench.claims(before)
        _ = try bench.claims(after)
    }

    @Test func aKeyCanBeWithdrawn() throws {
        let bench = try Bench()
        let before = try bench.issuer.sign(claims: Array("{}".utf8))
        bench.issuer.rotate(to: .es256(try ES256PrivateKey()), .withdrawOld)
        #expect(try published(bench.issuer) == ["dev-es256-2"])
        #expect(throws: Bench.NotSigned.self) { try bench.claims(before) }
    }

    @Test func aKidCanGetOtherMaterial() throws {
        let bench = try Bench()
        let before = try bench.issuer.sign(claims: Array("{}".utf8))
        bench.issuer.rotate(to: .es256(try ES256PrivateKey()), .sameKeyID)
        let after = try bench.issuer.sign(claims: Array("{}".utf8))
        #expect(try published(bench.issuer) == ["dev-es256-1"])
        #expect(try keyID(after) == "dev-es256-1")
        _ = try bench.claims(after)
        #expect(throws: Bench.NotSigned.self) { try bench.claims(before) }
    }

    /// The folder's key, which `dev token` signs with, and the newest ones.
    @Test func theSetStaysReadable() throws {
        let bench = try Bench()
        for _ in 0..<100 { bench.issuer.rotate(to: .es256(try ES256PrivateKey())) }
        #expect(try published(bench.issuer) == ["dev-es256-1"] + (95...101).map { "dev-es256-\($0)" })
    }

    @Test func anotherAlgorithmHasItsOwnKeys() throws {
        let bench = try Bench()
        #expect(!bench.issuer.canSign(with: .rs256))
        bench.issuer.rotate(to: .rs256(try RS256PrivateKey()))
        #expect(bench.issuer.canSign(with: .rs256))
        #expect(try published(bench.issuer) == ["dev-es256-1", "dev-rs256-1"])
        #expect(try keyID(bench.issuer.sign(claims: Array("{}".utf8), with: .rs256)) == "dev-rs256-1")
        #expect(try keyID(bench.issuer.sign(claims: Array("{}".utf8))) == "dev-es256-1")
    }
}
