package import ChilCore
import ChilCrypto

/// A JSON Web Key (RFC 7517) that verifies ES256 or RS256 signatures, and why others are passed over.
package struct JWK: Sendable {
    /// Why a key of a set is not used; the set's other keys are.
    package enum Skip: Error, Equatable, Sendable {
        case noKeyID
        /// `kty` is missing or none of EC and RSA: a symmetric key (`oct`) can verify nothing that others sign.
        case otherKeyType
        case otherCurve
        /// `use` is there and not `sig`.
        case otherUse
        /// `key_ops` is there and lacks `verify`.
        case otherOperations
        /// `alg` is there and not the one of this type of key.
        case otherAlgorithm
        /// A number is missing, or not canonical base64url.
        case badNumber
        /// The numbers are no key that is taken: off the curve, too short, too small an exponent.
        case unsoundKey
        /// Another key of the set has the same `kid`: neither can be picked safely.
        case repeatedKeyID
    }

    package let keyID: String
    package let key: VerificationKey

    /// An issuer's exponent (NIST SP 800-56B §6.2).
    package static let exponentMin: UInt64 = 65_537
    /// Bytes of a `kid`.
    package static let keyIDBytesMax = 255

    /// Reads a key; members that are not understood are ignored (RFC 7517 §4).
    package init(_ members: JSONObject) throws(Skip) {
        guard let keyID = members["kid"]?.string, 1...Self.keyIDBytesMax ~= keyID.utf8.count else { throw .noKeyID }
        self.keyID = keyID
        key = try Self.key(members)
    }

    /// The key alone, whatever its `kid` is.
    package static func key(_ members: JSONObject) throws(Skip) -> VerificationKey {
        if let use = members["use"], use.string?.isExactly("sig") != true { throw .otherUse }
        if let operations = members["key_ops"] {
            let names = operations.array ?? []
            guard names.contains(where: { $0.string?.isExactly("verify") == true }) else { throw .otherOperations }
        }
        let type = members["kty"]?.string ?? ""
        if type.isExactly("EC") { return try ellipticCurveKey(members) }
        if type.isExactly("RSA") { return try rsaKey(members) }
        throw .otherKeyType
    }

    private static func ellipticCurveKey(_ members: JSONObject) throws(Skip) -> VerificationKey {
        try checkAlgorithm(.es256, of: members)
        guard members["crv"]?.string?.isExactly("P-256") == true else { throw .otherCurve }
        let x = try number("x", of: members)
        let y = try number("y", of: members)
        guard let key = try? ES256PublicKey(x: x, y: y) else { throw .unsoundKey }
        return .es256(key)
    }

    private static func rsaKey(_ members: JSONObject) throws(Skip) -> VerificationKey {
        try checkAlgorithm(.rs256, of: members)
        let modulus = try number("n", of: members)
        let exponent = try number("e", of: members)
        guard let key = try? RS256PublicKey(modulus: modulus, exponent: exponent),
            key.exponent.reduce(0, { $0 << 8 | UInt64($1) }) >= exponentMin
        else { throw .unsoundKey }
        return .rs256(key)
    }

    private static func checkAlgorithm(_ algorithm: JWSAlgorithm, of members: JSONObject) throws(Skip) {
        guard let named = members["alg"] else { return }
        guard named.string?.isExactly(algorithm.rawValue) == true else { throw .otherAlgorithm }
    }

    private static func number(_ name: String, of members: JSONObject) throws(Skip) -> [UInt8] {
        guard let text = members[name]?.string, let bytes = Base64URL.decode(text), !bytes.isEmpty else {
            throw .badNumber
        }
        return bytes
    }
}
