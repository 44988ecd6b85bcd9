import ChilCrypto
import Testing

@testable import ChilProvider

@Suite struct FormBodyTests {
    @Test func encodesAllButUnreservedCharacters() {
        var form = FormBody()
        form.append("code", SecretBytes(copying: Array("a+b/c=&d %é".utf8)))
        form.append("scope", "A-z_0.9~")
        #expect(String(decoding: form.bytes, as: UTF8.self) == "code=a%2Bb%2Fc%3D%26d%20%25%C3%A9&scope=A-z_0.9~")
    }
}
