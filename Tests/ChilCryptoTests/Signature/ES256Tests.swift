import ChilCore
import ChilCrypto
import ChilTestSupport
import Testing

struct ES256Tests {
    @Test("J-02 P-256 signatures as r and s")
    func verificationAgreesWithWycheproof() throws {
        var count = 0
        for group in try Vectors.json("wycheproof/ecdsa_secp256r1_sha256_p1363_test.json").objects("testGroups") {
            let point = try #require(group["publicKey"]?.object).hex("uncompressed")
            let key = try ES256PublicKey(x: Array(point[1..<33]), y: Array(point[33...]))
            for test in group.objects("tests") {
                #expect(
                    key.accepts(test.hex("sig"), over: test.hex("msg")) == (test.text("result") == "valid"),
                    "\(test.testID): \(test.text("comment"))"
                )
                count += 1
            }
        }
        #expect(count == 262)
    }

    /// JWS knows r and s alone (RFC 7518 §3.4): whatever is right in DER is wrong here.
    @Test("J-03 no signature in DER is one of ES256")
    func noSignatureInDERIsTaken() throws {
        var count = 0
        for group in try Vectors.json("wycheproof/ecdsa_secp256r1_sha256_test.json").objects("testGroups") {
            let point = try #require(group["publicKey"]?.object).hex("uncompressed")
            let key = try ES256PublicKey(x: Array(point[1..<33]), y: Array(point[33...]))
            for test in group.objects("tests") {
                #expect(!key.accepts(test.hex("sig"), over: test.hex("msg")), "\(test.testID)")
                count += 1
            }
        }
        #expect(count == 484)
    }

    /// Only uncompressed points can be a JWK's x and y; each must be on the curve.
    @Test("J-07 P-256 points")
    func pointsAgreeWithWycheproof() throws {
        var counts = [true: 0, false: 0]
        let groups = try Vectors.json("wycheproof/ecdh_secp256r1_ecpoint_test.json").objects("testGroups")
        for test in groups.flatMap({ $0.objects("tests") }) {
            let point = test.hex("public")
            guard point.first == 0x04 else { continue }
            let half = 1 + (point.count - 1) / 2
            let key = try? ES256PublicKey(x: Array(point[1..<half]), y: Array(point[half...]))
            let isValid = test.text("result") == "valid"
            #expect((key != nil) == isValid, "\(test.testID): \(test.text("comment"))")
            counts[isValid, default: 0] += 1
        }
        #expect(counts == [true: 330, false: 16])
    }

    @Test(arguments: [
        ("zero", [UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 32)),
        ("field size", [UInt8](repeating: 0xFF, count: 32), [UInt8](repeating: 0xFF, count: 32)),
        ("short", [UInt8](repeating: 1, count: 31), [UInt8](repeating: 1, count: 32)),
        ("empty", [], []),
    ])
    func hostileCoordinatesAreRefused(_ name: String, _ x: [UInt8], _ y: [UInt8]) {
        #expect(throws: CryptoError.self) { try ES256PublicKey(x: x, y: y) }
    }

    @Test
    func signaturesGoRound() throws {
        let key = try ES256PrivateKey()
        let other = try ES256PrivateKey().publicKey
        for number in 0..<300 {
            let message = Array("message \(number)".utf8)
            let signature = try key.sign(message)
            #expect(signature.count == 64)
            #expect(key.publicKey.accepts(signature, over: message))
            #expect(!other.accepts(signature, over: message))
            #expect(!key.publicKey.accepts(signature, over: message + [0]))
            #expect(!key.publicKey.accepts(signature + [0], over: message))
            #expect(!key.publicKey.accepts(Array(signature.dropLast()), over: message))
        }
    }

    @Test
    func keysGoThroughPEM() throws {
        let key = try ES256PrivateKey()
        let text = try key.pem().copy()
        #expect(String(decoding: text, as: UTF8.self).hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        let again = try ES256PrivateKey(pem: text)
        #expect(again.publicKey.x == key.publicKey.x && again.publicKey.y == key.publicKey.y)
        #expect(key.publicKey.accepts(try again.sign([1]), over: [1]))
        #expect(try ES256PrivateKey(pkcs8: key.pkcs8()).publicKey.x == key.publicKey.x)
    }

    @Test(arguments: [
        "", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY-----\n!!!!\n-----END PRIVATE KEY-----\n",
    ])
    func damagedFilesAreRefused(_ text: String) {
        #expect(throws: CryptoError.self) { try ES256PrivateKey(pem: Array(text.utf8)) }
    }

    @Test
    func trailingBytesAndOtherKindsAreRefused() throws {
        let der = try ES256PrivateKey().pkcs8().copy()
        #expect(throws: CryptoError.self) { try ES256PrivateKey(pkcs8: SecretBytes(copying: der + [0])) }
        #expect(throws: CryptoError.self) { try ES256PrivateKey(pkcs8: SecretBytes(copying: Array(der.dropLast()))) }
        let rsa = try RS256PrivateKey().pem().copy()
        #expect(throws: CryptoError.self) { try ES256PrivateKey(pem: rsa) }
    }

    /// Many at once with one key: contexts are lent to one caller at a time.
    @Test
    func oneKeyServesManyThreads() async throws {
        let key = try ES256PrivateKey()
        let signature = try key.sign([1, 2, 3])
        let verdicts = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    key.publicKey.accepts(signature, over: [1, 2, number % 2 == 0 ? 3 : 4]) == (number % 2 == 0)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(verdicts.allSatisfy { $0 })
    }
}
