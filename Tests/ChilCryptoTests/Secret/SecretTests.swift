import ChilCrypto
import Testing

struct SecretTests {
    @Test
    func secretsAreNotShown() throws {
        let secret = SecretBytes(copying: Array("hunter2 hunter2".utf8))
        var dumped = ""
        dump(secret, to: &dumped)
        for shown in ["\(secret)", String(reflecting: secret), dumped, "\([secret])"] {
            #expect(!shown.contains("hunter2") && !shown.contains("104"))
            #expect(shown.contains("15 secret bytes"))
        }
    }

    @Test
    func comparisonIsExact() {
        #expect(ConstantTime.areEqual([UInt8](), []))
        #expect(ConstantTime.areEqual([1, 2], [1, 2]))
        #expect(!ConstantTime.areEqual([1, 2], [1, 3]))
        #expect(!ConstantTime.areEqual([1, 2], [1, 2, 3]))
        #expect(ConstantTime.areEqual("nonce", "nonce"))
        #expect(!ConstantTime.areEqual("K", "\u{212A}"))
        #expect(SecretBytes(copying: [1]) == SecretBytes(copying: [1]))
        #expect(SecretBytes(copying: [1]) != SecretBytes(copying: [2]))
    }

    @Test
    func randomBytesDiffer() throws {
        var seen: Set<[UInt8]> = []
        for _ in 0..<1_000 { seen.insert(try SecureRandom.bytes(12)) }
        #expect(seen.count == 1_000)
        #expect(try SecureRandom.bytes(0) == [])
    }
}
