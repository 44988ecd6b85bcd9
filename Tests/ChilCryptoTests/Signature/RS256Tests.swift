import ChilCore
import ChilCrypto
import ChilTestSupport
import Testing

struct RS256Tests {
    @Test("J-04 RSA signatures", arguments: [(2_048, 259), (3_072, 259), (4_096, 258)])
    func verificationAgreesWithWycheproof(_ bits: Int, _ expectedCount: Int) throws {
        var count = 0
        for group in try Vectors.json("wycheproof/rsa_signature_\(bits)_sha256_test.json").objects("testGroups") {
            let numbers = try #require(group["publicKey"]?.object)
            let key = try RS256PublicKey(modulus: numbers.hex("modulus"), exponent: numbers.hex("publicExponent"))
            for test in group.objects("tests") {
                // "acceptable" is a digest info without its NULL, which is not what RFC 8017 §9.2 writes.
                #expect(
                    key.accepts(test.hex("sig"), over: test.hex("msg")) == (test.text("result") == "valid"),
                    "\(test.testID): \(test.text("comment"))"
                )
                count += 1
            }
        }
        #expect(count == expectedCount)
    }

    static let pkcs1AmongPSS: Int64 = 108

    @Test("J-05 no PSS signature is one of RS256")
    func noPSSSignatureIsTaken() throws {
        var count = 0
        for group in try Vectors.json("wycheproof/rsa_pss_2048_sha256_mgf1_32_test.json").objects("testGroups") {
            let numbers = try #require(group["publicKey"]?.object)
            let key = try RS256PublicKey(modulus: numbers.hex("modulus"), exponent: numbers.hex("publicExponent"))
            for test in group.objects("tests") {
                // The one that is no PSS signature at all, to trip a PSS verifier, is ours.
                let isPKCS1 = test.testID == Self.pkcs1AmongPSS
                #expect(key.accepts(test.hex("sig"), over: test.hex("msg")) == isPKCS1, "\(test.testID)")
                count += 1
            }
        }
        #expect(count == 108)
    }

    /// PKCS#1 v1.5 is deterministic: the signature is the vector's, byte for byte.
    @Test
    func signaturesAgreeWithWycheproof() throws {
        var count = 0
        for group in try Vectors.json("wycheproof/rsa_pkcs1_2048_sig_gen_test.json").objects("testGroups")
        where group.text("sha") == "SHA-256" {
            let key = try RS256PrivateKey(pkcs8: SecretBytes(copying: group.hex("privateKeyPkcs8")))
            for test in group.objects("tests") {
                #expect(try key.sign(test.hex("msg")) == test.hex("sig"), "\(test.testID)")
                count += 1
            }
        }
        #expect(count > 0)
    }

    @Test
    func keysGoThroughPEMAndSign() throws {
        let key = try RS256PrivateKey()
        let again = try RS256PrivateKey(pem: key.pem().copy())
        let signature = try again.sign([1, 2, 3])
        #expect(signature.count == 256)
        #expect(key.publicKey.accepts(signature, over: [1, 2, 3]))
        #expect(!key.publicKey.accepts(signature, over: [1, 2, 4]))
        #expect(!key.publicKey.accepts([0] + signature, over: [1, 2, 3]))
        #expect(!key.publicKey.accepts(Array(signature.dropLast()), over: [1, 2, 3]))
        #expect(!key.publicKey.accepts([], over: [1, 2, 3]))
    }

    static let modulus = [0xC1] + [UInt8](repeating: 0x55, count: 255)

    @Test(
        arguments: [
            ("1024 bits", [UInt8](repeating: 0xC1, count: 128), [1, 0, 1]),
            ("2047 bits", [0x7F] + modulus.dropFirst(), [1, 0, 1]),
            ("8200 bits", [UInt8](repeating: 0xC1, count: 1_025), [1, 0, 1]),
            ("even modulus", modulus.dropLast() + [0x54], [1, 0, 1]),
            ("exponent 1", modulus, [1]), ("exponent 2", modulus, [2]), ("even exponent", modulus, [1, 0, 0]),
            ("exponent 0", modulus, [0]), ("no exponent", modulus, []),
            ("exponent of 65 bits", modulus, [1, 0, 0, 0, 0, 0, 0, 0, 1]),
            ("nothing", [], []),
        ] as [(String, [UInt8], [UInt8])]
    )
    func hostileNumbersAreRefused(_ name: String, _ modulus: [UInt8], _ exponent: [UInt8]) {
        #expect(throws: CryptoError.self, "\(name)") { try RS256PublicKey(modulus: modulus, exponent: exponent) }
    }

    @Test
    func leadingZerosAreDropped() throws {
        let key = try RS256PublicKey(modulus: [0, 0] + Self.modulus, exponent: [0, 1, 0, 1])
        #expect(key.modulus == Self.modulus)
        #expect(key.exponent == [1, 0, 1])
    }
}
