import ChilAuth
import ChilCore
import ChilCrypto
import ChilHTTP
import Testing

@testable import ChilDevIssuer

@Suite struct ClientSecretCheckTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var claims: [String: String?] = [:]
        var keyID: String?
        /// What `invalid_client` says; nil: it is taken.
        let reason: String?

        init(_ name: String, _ claims: [String: String?] = [:], keyID: String? = nil, because reason: String? = nil) {
            (testDescription, self.claims, self.keyID, self.reason) = (name, claims, keyID, reason)
        }

        private static let start = Bench.start.seconds

        static let all = [
            Row("as it should be"),
            Row("six months", ["exp": "\(start + 15_777_000)"]),
            Row(
                "six months and a second",
                ["exp": "\(start + 15_777_001)"],
                because: "client_secret lives longer than 15777000 seconds, or ends before it begins."
            ),
            Row(
                "over before it began",
                ["iat": "\(start + 20)", "exp": "\(start + 10)"],
                because: "client_secret lives longer than 15777000 seconds, or ends before it begins."
            ),
            Row("just expired, within the leeway", ["iat": "\(start - 300)", "exp": "\(start - 59)"]),
            Row("expired", ["iat": "\(start - 300)", "exp": "\(start - 60)"], because: "client_secret has expired."),
            Row("clock a minute ahead", ["iat": "\(start + 60)"]),
            Row("of tomorrow", ["iat": "\(start + 61)"], because: "The iat of client_secret is in the future."),
            Row("no exp", ["exp": Optional<String>.none], because: "client_secret has no iat or no exp."),
            Row("exp in a string", ["exp": "\"\(start + 300)\""], because: "client_secret has no iat or no exp."),
            Row(
                "another team",
                ["iss": "\"TEAM000002\""],
                because: "The iss of client_secret is not the team of its key."
            ),
            Row(
                "no team",
                ["iss": Optional<String>.none],
                because: "The iss of client_secret is not the team of its key."
            ),
            Row("another client", ["sub": "\"app.two\""], because: "The sub of client_secret is not client_id."),
            Row(
                "another provider",
                ["aud": "\"https://appleid.apple.com\""],
                because: "The aud of client_secret is not https://issuer.test or https://other.test."
            ),
            Row("the provider's other name", ["aud": "\"https://other.test\""]),
            Row(
                "audiences in an array",
                ["aud": "[\"https://issuer.test\"]"],
                because: "The aud of client_secret is not https://issuer.test or https://other.test."
            ),
            Row("no such key", keyID: "KEY0000009", because: "The kid of client_secret is no key of a known team."),
        ]
    }

    @Test(arguments: Row.all)
    func isTakenOrRefused(_ row: Row) throws {
        let bench = try Bench { $0.otherIssuer = "https://other.test" }
        let secret = try bench.team.secret("app.one", at: bench.now, changing: row.claims, keyID: row.keyID)
        let form = ["client_id": "app.one", "client_secret": secret, "token": "t"]
        let answer = try bench.post(.revoke, form)
        #expect(answer.status == (row.reason == nil ? .ok : .badRequest))
        #expect(answer.error == (row.reason == nil ? nil : "invalid_client"))
        #expect(answer.reason == row.reason)
    }

    @Test func onlyTheTeamsKeySigns() throws {
        let bench = try Bench()
        let thief = try Team(bench.team.id)
        let form = ["client_id": "app.one", "client_secret": try thief.secret("app.one", at: bench.now), "token": "t"]
        let answer = try bench.post(.revoke, form)
        #expect(answer.reason == "client_secret is not signed with ES256 by the key that its kid names.")
    }

    @Test(arguments: ["none", "HS256", "RS256", "ES384"])
    func onlyES256IsTaken(_ algorithm: String) throws {
        let bench = try Bench()
        let good = try bench.team.secret("app.one", at: bench.now).split(separator: ".")
        let header = Base64URL.text(of: Array("{\"alg\":\"\(algorithm)\",\"kid\":\"\(bench.team.keyID)\"}".utf8))
        let form = ["client_id": "app.one", "client_secret": "\(header).\(good[1]).\(good[2])", "token": "t"]
        #expect(try bench.post(.revoke, form).error == "invalid_client")
    }

    @Test func teamsThatShareAKeyIDAreToldApart() throws {
        let other = try Team("TEAM000002")
        let bench = try Bench { $0.teams.append(other.known) }
        let form = ["client_id": "app.one", "client_secret": try other.secret("app.one", at: bench.now), "token": "t"]
        #expect(try bench.post(.revoke, form).status == .ok)
    }

    @Test func unknownClientsAreRefusedWhereSomeAreKnown() throws {
        let bench = try Bench { $0.clients = ["app.one": []] }
        #expect(try bench.post(.revoke, ["client_id": "app.one", "token": "t"]).status == .ok)
        #expect(
            try bench.post(.revoke, ["client_id": "app.two", "token": "t"]).reason == "client_id is no known client."
        )
    }

    @Test func keyFilesAreReadInBothForms() throws {
        let key = try ES256PrivateKey()
        let private_ = try TeamKeyFile.publicKey(parsing: key.pem().copy())
        #expect(private_.x == key.publicKey.x)
        let header: [UInt8] = [
            0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
            0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
        ]
        let letters = String(decoding: Base64.encode(header + key.publicKey.x + key.publicKey.y), as: UTF8.self)
        let pem = "-----BEGIN PUBLIC KEY-----\n\(letters)\n-----END PUBLIC KEY-----\n"
        #expect(try TeamKeyFile.publicKey(parsing: Array(pem.utf8)).y == key.publicKey.y)
        for bad in ["", "x", pem.replacing("MFkw", with: "MFkx"), pem.replacing("PUBLIC", with: "RSA PUBLIC")] {
            #expect(throws: CryptoError.self) { try TeamKeyFile.publicKey(parsing: Array(bad.utf8)) }
        }
    }
}
