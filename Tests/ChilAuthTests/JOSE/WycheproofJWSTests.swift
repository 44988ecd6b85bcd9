import ChilAuth
import ChilCore
import ChilTestSupport
import Testing

/// Every JWS of Wycheproof's JOSE files, with the verdict of a verifier that knows ES256 and RS256 only.
struct WycheproofJWSTests {
    /// Where either is allowed: an empty payload is a JWS (that no claims set is a JWT's matter), and ROCA keys are not
    /// looked for, as no issuer that a tenant names makes its keys in such chips.
    static let accepted: Set<String> = [
        "json_web_signature_test.json 259", "json_web_key_test.json 7", "json_web_crypto_test.json 46",
    ]

    @Test("J-01 every JWS has its verdict")
    func everyTokenHasItsVerdict() throws {
        var counts: [String: Int] = [:]
        for sample in try Vectors.json("wycheproof/derived_es256_rs256_only.json").objects("cases") {
            let name = "\(sample.text("file")) \(sample.testID)"
            let expected = sample.text("expect")
            counts[expected, default: 0] += 1
            let isAccepted = Self.isAccepted(sample.text("jws"), by: try #require(sample["jwk"]?.object))
            #expect(
                isAccepted == (expected == "accept" || Self.accepted.contains(name)),
                "\(name): \(sample.text("comment"))"
            )
        }
        #expect(counts == ["accept": 12, "reject": 461, "either": 3])
    }

    /// RFC 7515 appendix A and RFC 7520 §4, as latchset/jose has them (its keys of RFC 7520 stand in §3): ours verify, the
    /// others do not.
    @Test(
        "J-09 the examples of RFC 7515 and RFC 7520",
        arguments: [
            ("HS256", "rfc7515_A.1", "rfc7515_A.1", false), ("RS256", "rfc7515_A.2", "rfc7515_A.2", true),
            ("ES256", "rfc7515_A.3", "rfc7515_A.3", true), ("ES512", "rfc7515_A.4", "rfc7515_A.4", false),
            ("RS256", "rfc7520_4.1", "rfc7520_3.4", true), ("PS384", "rfc7520_4.2", "rfc7520_3.4", false),
            ("ES512", "rfc7520_4.3", "rfc7520_3.2", false), ("HS256", "rfc7520_4.4", "rfc7520_3.5", false),
        ]
    )
    func examplesOfTheRFCs(_ algorithm: String, _ name: String, _ keyName: String, _ isOurs: Bool) throws {
        let folder = "jose/latchset/tests/vectors"
        var token = try Vectors.bytes("\(folder)/\(name).jwsc")
        while token.last == 0x0A { token.removeLast() }
        let jws = try CompactJWS(parsing: token)
        let key = try? JWK.key(try Vectors.json("\(folder)/\(keyName).jwk"))
        #expect(jws.header.algorithm == algorithm)
        #expect((key.map(jws.isSigned(by:)) ?? false) == isOurs)
        token[token.count / 2] ^= 0x01
        let changed = try? CompactJWS(parsing: token)
        #expect(key.flatMap { changed?.isSigned(by: $0) } != true)
    }

    @Test
    func cookbookAgrees() throws {
        let file = try Vectors.json("jose/rfc7520-cookbook/jws/4_1.rsa_v15_signature.json")
        let input = try #require(file["input"]?.object)
        let key = try JWK(try #require(input["key"]?.object))
        let jws = try CompactJWS(parsing: Array(try #require(file["output"]?.object).text("compact").utf8))
        #expect(jws.isSigned(by: key.key))
        #expect(jws.payload == Array(input.text("payload").utf8))
        #expect(jws.header.keyID == key.keyID)
    }

    /// RFC 7515 A.5: `alg` none.
    @Test
    func unsignedTokenHasNoAlgorithmOfOurs() throws {
        var token = try Vectors.bytes("jose/latchset/tests/vectors/rfc7515_A.5.jwsc")
        while token.last == 0x0A { token.removeLast() }
        #expect(JWSAlgorithm(name: try CompactJWS(parsing: token).header.algorithm) == nil)
    }

    /// RFC 7638 §3.1.
    @Test("J-10 the thumbprint of RFC 7638")
    func thumbprintAgrees() throws {
        let folder = "jose/latchset/tests/vectors"
        let key = try JWK.key(try Vectors.json("\(folder)/rfc7638_3.1.jwk"))
        let expected = String(decoding: try Vectors.bytes("\(folder)/rfc7638_3.1.thp"), as: UTF8.self)
        #expect(JWK.thumbprint(of: key) == expected.filter { !$0.isWhitespace })
    }

    /// A key alone, or a set of them: found by `kid` like an issuer's, and a key without one serves every token.
    static func isAccepted(_ token: String, by json: JSONObject) -> Bool {
        guard let jws = try? CompactJWS(parsing: Array(token.utf8), bytesMax: 65_536) else { return false }
        guard let elements = json["keys"]?.array else {
            if let keyID = json["kid"]?.string, let named = jws.header.keyID, !keyID.isExactly(named) { return false }
            return (try? JWK.key(json)).map(jws.isSigned(by:)) ?? false
        }
        let keys = KeySet(elements.compactMap(\.object).compactMap { try? JWK($0) })
        return jws.header.keyID.flatMap { keys[$0] }.map(jws.isSigned(by:)) ?? false
    }
}
