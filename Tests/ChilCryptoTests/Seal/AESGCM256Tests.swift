import ChilCore
import ChilCrypto
import ChilTestSupport
import Testing

struct AESGCM256Tests {
    /// The groups of 256-bit keys; those of other IV lengths must be refused before anything is computed.
    @Test("K-01 agrees with Wycheproof")
    func agreesWithWycheproof() throws {
        var counts = (sealed: 0, refused: 0)
        for group in try Vectors.json("wycheproof/aes_gcm_test.json").objects("testGroups")
        where group["keySize"]?.int64 == 256 {
            for test in group.objects("tests") {
                let cipher = try AESGCM256(key: SecretBytes(copying: test.hex("key")))
                let sealed = test.hex("ct") + test.hex("tag")
                guard group["ivSize"]?.int64 == 96 else {
                    #expect(throws: CryptoError.self) {
                        try cipher.open(sealed, iv: test.hex("iv"), associatedData: test.hex("aad"))
                    }
                    counts.refused += 1
                    continue
                }
                let opened = try cipher.open(sealed, iv: test.hex("iv"), associatedData: test.hex("aad"))
                let isValid = test.text("result") == "valid"
                #expect(opened == (isValid ? test.hex("msg") : nil), "\(test.testID)")
                if isValid {
                    let again = try cipher.seal(test.hex("msg"), iv: test.hex("iv"), associatedData: test.hex("aad"))
                    #expect(again == sealed, "\(test.testID)")
                }
                counts.sealed += 1
            }
        }
        #expect(counts.sealed == 66)
        #expect(counts.refused > 0)
    }

    @Test("K-03 every flipped bit of ciphertext and tag is found")
    func everyFlippedBitIsFound() throws {
        let cipher = try AESGCM256(key: SecretBytes.random(32))
        let iv = try SecureRandom.bytes(12)
        let sealed = try cipher.seal([1, 2, 3], iv: iv, associatedData: [9])
        for bit in 0..<sealed.count * 8 {
            var changed = sealed
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(try cipher.open(changed, iv: iv, associatedData: [9]) == nil)
        }
        #expect(try cipher.open(sealed, iv: iv, associatedData: [8]) == nil)
        #expect(try cipher.open(sealed, iv: iv, associatedData: []) == nil)
        #expect(try cipher.open(Array(sealed.dropLast()), iv: iv, associatedData: [9]) == nil)
        #expect(try cipher.open([], iv: iv, associatedData: [9]) == nil)
        #expect(try cipher.open(sealed, iv: iv, associatedData: [9]) == [1, 2, 3])
    }

    @Test("K-03 every flipped bit of IV and associated data is found")
    func everyFlippedBitBesideIsFound() throws {
        let cipher = try AESGCM256(key: SecretBytes.random(32))
        let iv = try SecureRandom.bytes(12), data = Array("chil/v1|5|tenant_key.sealed_private".utf8)
        let sealed = try cipher.seal([1, 2, 3], iv: iv, associatedData: data)
        for bit in 0..<iv.count * 8 {
            var changed = iv
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(try cipher.open(sealed, iv: changed, associatedData: data) == nil)
        }
        for bit in 0..<data.count * 8 {
            var changed = data
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(try cipher.open(sealed, iv: iv, associatedData: changed) == nil)
        }
        #expect(try cipher.open(sealed, iv: iv, associatedData: data) == [1, 2, 3])
    }

    @Test(arguments: [0, 16, 31, 33])
    func keysAreExactly32Bytes(_ count: Int) {
        #expect(throws: CryptoError.self) {
            try AESGCM256(key: SecretBytes(copying: [UInt8](repeating: 1, count: count)))
        }
    }
}
