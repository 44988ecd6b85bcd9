import ChilAuth
import ChilCore
import ChilCrypto
import ChilTestSupport
import Testing

struct JWKSetTests {
    static let x = "eoJD-Z5CkFDcJWom4GvoKpq9kNu29qhj-rK1j5GIP_8"
    static let y = "UsqumCTL59R1sdEZ9zIeUTp0o5HEs7AuXWYyROe1CnM"

    /// A sound key with some members changed; an empty value leaves the member out.
    static func key(_ changes: [String: String]) -> String {
        var members = ["kty": "\"EC\"", "crv": "\"P-256\"", "kid": "\"a\"", "x": "\"\(x)\"", "y": "\"\(y)\""]
        for (name, value) in changes { members[name] = value.isEmpty ? nil : value }
        let texts = members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
        return "{\(texts.joined(separator: ","))}"
    }

    @Test(arguments: [
        ("empty", "", JWKSet.Fault.badJSON(JSONFault(.unexpectedEnd, at: 0))), ("no keys", "{}", .noKeys),
        ("keys is an object", "{\"keys\":{}}", .noKeys), ("key is text", "{\"keys\":[\"a\"]}", .noKeys),
        ("array", "[]", .noKeys),
        ("33 keys", "{\"keys\":[\(Array(repeating: "{}", count: 33).joined(separator: ","))]}", .tooManyKeys),
        ("repeated", "{\"keys\":[],\"keys\":[]}", .badJSON(JSONFault(.repeatedMember, at: 11))),
        ("HTML", "<html>", .badJSON(JSONFault(.unexpectedByte, at: 0))),
        ("too long", String(repeating: " ", count: 65_537), .tooLong),
    ])
    func whatIsNoSetIsRefused(_ name: String, _ text: String, _ fault: JWKSet.Fault) {
        #expect(throws: fault, "\(name)") { try JWKSet(parsing: Array(text.utf8)) }
    }

    @Test
    func neitherOfTwoKeysWithOneIDIsUsed() throws {
        let set = try JWKSet(
            parsing: Array("{\"keys\":[\(Self.key([:])),\(Self.key(["kid": "\"b\""])),\(Self.key([:]))]}".utf8)
        )
        #expect(set.keys["a"] == nil)
        #expect(set.keys["b"] != nil)
        #expect(set.skipped.map(\.reason) == [.repeatedKeyID, .repeatedKeyID])
    }

    @Test
    func writtenSetsAreRead() throws {
        let keys = [
            JWK(keyID: "ec \"1\"", key: .es256(try ES256PrivateKey().publicKey)),
            JWK(keyID: "rsa", key: .rs256(try RS256PrivateKey().publicKey)),
        ]
        let set = try JWKSet(parsing: JWKSet.json(of: keys))
        #expect(set.skipped.isEmpty)
        for key in keys {
            let read = try #require(set.keys[key.keyID])
            #expect(JWK.thumbprint(of: read) == JWK.thumbprint(of: key.key))
        }
        #expect(set.keys["RSA"] == nil)
    }

    /// Wycheproof's key sets: those that must not be used give no key for the token's `kid`, or none that accepts it.
    @Test("J-06 key sets")
    func agreesWithWycheproof() throws {
        var count = 0
        for group in try Vectors.json("wycheproof/json_web_key_test.json").objects("testGroups") {
            let json = try #require((group["public"] ?? group["private"])?.object)
            for test in group.objects("tests") {
                count += 1
                // HMAC is valid there, and no algorithm of ours; ROCA is not looked for.
                let isOurs = test.testID == 5 || test.testID == 7
                #expect(WycheproofJWSTests.isAccepted(test.text("jws"), by: json) == isOurs, "\(test.testID)")
            }
        }
        #expect(count == 26)
    }
}
