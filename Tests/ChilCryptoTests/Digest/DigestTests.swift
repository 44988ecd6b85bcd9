import ChilCore
import ChilCrypto
import ChilTestSupport
import Testing

struct DigestTests {
    /// FIPS 180-4's examples.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func digestsAgreeHoweverTheBytesCome(_ text: String, _ hex: String) {
        let bytes = Array(text.utf8)
        #expect(SHA256.digest(of: bytes).hex == hex)
        var incremental = SHA256()
        for byte in bytes { incremental.update([byte]) }
        #expect(incremental.finish().hex == hex)
    }

    @Test
    func digestsAreValues() throws {
        let digest = SHA256.digest(of: [1, 2, 3])
        #expect(Digest256(digest.bytes) == digest)
        #expect(Digest256(Array(digest.bytes.dropLast())) == nil)
        #expect(Set([digest, SHA256.digest(of: [1, 2, 3]), SHA256.digest(of: [])]).count == 2)
    }

    @Test("K-08 HMAC agrees with Wycheproof")
    func hmacAgreesWithWycheproof() throws {
        var count = 0
        for group in try Vectors.json("wycheproof/hmac_sha256_test.json").objects("testGroups") {
            let tagBytes = Int(try #require(group["tagSize"]?.int64)) / 8
            for test in group.objects("tests") {
                let mac = HMACSHA256(key: test.hex("key"))
                // Twice, as the key's state is kept.
                _ = mac.code(of: [0xFF])
                let code = Array(mac.code(of: test.hex("msg")).bytes.prefix(tagBytes))
                #expect(
                    ConstantTime.areEqual(code, test.hex("tag")) == (test.text("result") == "valid"),
                    "\(test.testID)"
                )
                count += 1
            }
        }
        #expect(count == 174)
    }

    @Test("K-08 HKDF agrees with Wycheproof")
    func hkdfAgreesWithWycheproof() throws {
        var count = 0
        for group in try Vectors.json("wycheproof/hkdf_sha256_test.json").objects("testGroups") {
            for test in group.objects("tests") {
                let derived = HKDF.derive(
                    from: SecretBytes(copying: test.hex("ikm")),
                    salt: test.hex("salt"),
                    info: test.hex("info"),
                    count: Int(try #require(test["size"]?.int64))
                )
                #expect(derived?.copy() == (test.text("result") == "valid" ? test.hex("okm") : nil), "\(test.testID)")
                count += 1
            }
        }
        #expect(count == 86)
    }
}
