import ChilCore
import Testing

struct Base64Tests {
    /// RFC 4648 §10, and the letters in which the two forms differ.
    @Test(arguments: [
        ("", "", ""), ("f", "Zg", "Zg=="), ("fo", "Zm8", "Zm8="), ("foo", "Zm9v", "Zm9v"),
        ("foob", "Zm9vYg", "Zm9vYg=="),
        ("fooba", "Zm9vYmE", "Zm9vYmE="), ("foobar", "Zm9vYmFy", "Zm9vYmFy"), ("?~?", "P34_", "P34/"),
        ("~~~", "fn5-", "fn5+"),
    ])
    func examplesGoBothWays(_ plain: String, _ url: String, _ padded: String) {
        let bytes = Array(plain.utf8)
        #expect(Base64URL.text(of: bytes) == url)
        #expect(Base64URL.decode(url) == bytes)
        #expect(Base64.encode(bytes) == Array(padded.utf8))
        #expect(Base64.decode(padded) == bytes)
    }

    @Test(arguments: [
        ("padding", "Zg=="), ("one letter", "Z"), ("rest of one", "Zm9vY"), ("unused bits, one byte", "Zh"),
        ("unused bits, two bytes", "Zm9"), ("plus", "Zm9+"), ("slash", "Zm9/"), ("space", "Zm9v "),
        ("newline", "Zm9v\n"),
        ("NUL", "Zm9\0"), ("letter beyond ASCII", "Zm9é"), ("percent", "Zm9%"), ("last group", "Zm9vY="),
        ("only padding", "="),
    ])
    func secondSpellingsAreRefused(_ name: String, _ text: String) {
        #expect(Base64URL.decode(text) == nil, "\(name)")
    }

    @Test(arguments: ["Zg", "Zg=", "Zg===", "Z===", "====", "Zh==", "Zm9=", "Zm9v\n", "Z-9v", "Zg==Zg=="])
    func paddedFormIsStrict(_ text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test
    func everyLengthAndByteGoesRound() {
        for count in 0..<200 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
            #expect(Base64URL.decode(Base64URL.text(of: bytes)) == bytes)
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
            #expect(Hex.decode(Hex.text(of: bytes)) == bytes)
        }
    }

    @Test(arguments: ["0", "0G", "AB", "a ", "é0", "0x"])
    func hexIsLowerCaseAndEven(_ text: String) {
        #expect(Hex.decode(text) == nil)
    }
}
