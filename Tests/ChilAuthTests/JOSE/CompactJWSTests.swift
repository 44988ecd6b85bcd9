import ChilAuth
import ChilCore
import Testing

struct CompactJWSTests {
    static func part(_ text: String) -> String { Base64URL.text(of: Array(text.utf8)) }

    static let payload = part("{}")

    @Test(arguments: [
        ("empty", "", JWSFault.notThreeParts), ("no dot", "abc", .notThreeParts), ("one dot", "a.b", .notThreeParts),
        ("four parts", "a.b.c.d", .notThreeParts), ("JWE", "a.b.c.d.e", .notThreeParts),
        ("only dots", "..", .badHeader(JSONFault(.unexpectedEnd, at: 0))), ("padding", "e30=.e30.AA", .notBase64URL),
        ("space", "e30 .e30.AA", .notBase64URL), ("newline at the end", "e30.e30.AA\n", .notBase64URL),
        ("unused bits", "e30.e30.AB", .notBase64URL), ("standard letters", "e30.e30.+/8", .notBase64URL),
        ("no alg", "\(part("{}")).e30.AA", .badHeaderMember),
        ("header is an array", "\(part("[]")).e30.AA", .badHeaderMember),
        ("alg is a number", "\(part(#"{"alg":1}"#)).e30.AA", .badHeaderMember),
        ("kid is an array", "\(part(#"{"alg":"ES256","kid":["a"]}"#)).e30.AA", .badHeaderMember),
        ("typ is null", "\(part(#"{"alg":"ES256","typ":null}"#)).e30.AA", .badHeaderMember),
        ("crit", "\(part(#"{"alg":"ES256","crit":["exp"]}"#)).e30.AA", .criticalHeader),
        ("empty crit", "\(part(#"{"alg":"ES256","crit":[]}"#)).e30.AA", .criticalHeader),
        (
            "repeated alg", "\(part(#"{"alg":"ES256","alg":"none"}"#)).e30.AA",
            .badHeader(JSONFault(.repeatedMember, at: 15))
        ),
        ("trailing", "\(part(#"{"alg":"ES256"} x"#)).e30.AA", .badHeader(JSONFault(.trailingBytes, at: 16))),
    ])
    func hostileTokensAreRefused(_ name: String, _ token: String, _ fault: JWSFault) {
        #expect(throws: fault, "\(name)") { try CompactJWS(parsing: Array(token.utf8)) }
    }

    @Test
    func sizeIsCheckedFirst() throws {
        let header = Self.part(#"{"alg":"ES256"}"#)
        let rest = CompactJWS.bytesMax - header.utf8.count - 2 - 4
        let token = "\(header).\(String(repeating: "A", count: rest - rest % 4)).AAAA"
        #expect(try CompactJWS(parsing: Array(token.utf8)).header.algorithm == "ES256")
        let long = [UInt8](repeating: UInt8(ascii: "."), count: CompactJWS.bytesMax + 1)
        #expect(throws: JWSFault.tooLong) { try CompactJWS(parsing: long) }
    }

    @Test
    func keysInTheHeaderAreIgnored() throws {
        let header =
            #"{"alg":"ES256","jku":"https://evil","x5u":"https://evil","x5c":["AA"],"jwk":{"kty":"oct","k":"AA"}}"#
        let jws = try CompactJWS(parsing: Array("\(Self.part(header)).\(Self.payload).AA".utf8))
        #expect(jws.header.algorithm == "ES256" && jws.header.keyID == nil && jws.header.type == nil)
    }

    @Test(arguments: ["none", "None", "HS256", "es256", "ES256 ", "ES384", "RS384", "PS256", ""])
    func otherAlgorithmsAreNone(_ name: String) {
        #expect(JWSAlgorithm(name: name) == nil)
    }
}
