import ChilAuth
import ChilCore
import ChilCrypto
import Foundation
import Testing

@testable import ChilAdmin

@Suite struct DevelopmentKeysTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("chil-keys-\(UUID())").path

    private func parts(_ token: [UInt8]) -> (signed: [UInt8], signature: [UInt8]) {
        let dot = token.lastIndex(of: UInt8(ascii: ".")) ?? 0
        return (Array(token[..<dot]), Base64URL.decode(String(decoding: token[(dot + 1)...], as: UTF8.self)) ?? [])
    }

    @Test func tokensVerifyWithTheServedKeys() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let keys = try DevelopmentKeys(folder: folder)
        let set = try #require(try StrictJSON.parse(JWKSet.json(of: keys.makers.map(\.jwk))).object)
        let served = try #require(set["keys"]?.array).compactMap(\.object)
        #expect(served.map { $0["kid"]?.string } == ["dev-es256-1", "dev-rs256-1"])
        func number(_ key: Int, _ name: String) -> [UInt8] { Base64URL.decode(served[key][name]?.string ?? "") ?? [] }

        let ec = parts(try DevelopmentKeys.maker(.es256, in: folder).token(claims: Array("{}".utf8)))
        #expect(try ES256PublicKey(x: number(0, "x"), y: number(0, "y")).accepts(ec.signature, over: ec.signed))
        let rsa = parts(try DevelopmentKeys.maker(.rs256, in: folder).token(claims: Array("{}".utf8)))
        #expect(
            try RS256PublicKey(modulus: number(1, "n"), exponent: number(1, "e")).accepts(
                rsa.signature,
                over: rsa.signed
            )
        )
        #expect(
            String(decoding: ec.signed, as: UTF8.self).hasPrefix(
                "\(Base64URL.text(of: Array(#"{"alg":"ES256","kid":"dev-es256-1"}"#.utf8)))."
            )
        )
    }

    /// What the service does with them: `dev token` to `IdentityVerifier`, by the key set that `dev issuer` serves.
    @Test(arguments: ["ES256", "RS256"])
    func theServiceAcceptsThem(_ algorithm: String) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let flags =
            "--issuer http://i --client-id dev.app --subject ann --nonce n --issued-at 1796000000 --alg \(algorithm)"
        let console = RecordingConsole()
        let run = await Run(
            "dev token --keys \(folder) \(flags)".split(separator: " ").map(String.init),
            console: console,
            environment: [:]
        ) { LiveServices(settings: $0, talk: console.talk) }
        let token = Array(run.out.utf8.dropLast())
        let provider = ProviderRecord(
            id: ProviderID(rawValue: 1),
            issuers: ["http://i"],
            clientIDs: ["dev.app"],
            algorithms: [.es256, .rs256],
            jwksURL: "http://i/auth/keys",
            noncePolicy: .client
        )
        let now = Timestamp(seconds: 1_796_000_001)
        let check = IdentityVerifier.precheck(token, providers: [provider], nonce: "n", userID: "ann", at: now)
        guard case .needsKey(let checked) = check else {
            Issue.record("\(check)")
            return
        }
        let verdict = IdentityVerifier.verify(
            checked,
            with: try JWKSet(parsing: JWKSet.json(of: DevelopmentKeys(folder: folder).makers.map(\.jwk))).keys
        )
        guard case .accepted(let identity) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(identity.subject == "ann")
    }

    @Test func keysAreMadeOnceAndForTheirOwnerAlone() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let first = try DevelopmentKeys.maker(.es256, in: folder)
        let second = try DevelopmentKeys.maker(.es256, in: folder)
        #expect(JWKSet.json(of: [first.jwk]) == JWKSet.json(of: [second.jwk]))
        let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/es256.pem")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["es256.pem"])
    }

    @Test func manyAtOnceAgree() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let folder = folder
        let made = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<8 { group.addTask { JWKSet.json(of: [try DevelopmentKeys.maker(.es256, in: folder).jwk]) } }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(made.count == 1)
    }

    @Test(arguments: ["", "garbage", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
    func aBrokenKeyIsNeverReplaced(_ text: String) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/es256.pem"))
        do {
            _ = try DevelopmentKeys.maker(.es256, in: folder)
            Issue.record("a key out of '\(text)'")
        } catch {
            #expect(error.status == .dataRefused)
        }
        #expect(FileManager.default.contents(atPath: folder + "/es256.pem") == Data(text.utf8))
    }
}
