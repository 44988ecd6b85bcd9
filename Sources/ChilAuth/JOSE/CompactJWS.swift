import ChilCore
package import ChilCrypto

/// A compact JWS taken apart: nothing in it is trusted before `isSigned(by:)` says so.
package struct CompactJWS: Sendable {
    package let header: JOSEHeader
    package let payload: [UInt8]
    package let signature: [UInt8]
    /// SHA-256 of the ASCII bytes that are signed: header, dot, payload, as they came. All algorithms here sign this.
    package let signedDigest: Digest256

    /// Apple's tokens have about 900 bytes.
    package static let bytesMax = 8_192

    /// Takes a token apart, strictly: size first, then exactly three canonical base64url parts, then the header.
    package init(parsing token: UnsafeRawBufferPointer, bytesMax: Int = Self.bytesMax) throws(JWSFault) {
        guard token.count <= bytesMax else { throw .tooLong }
        let dot = UInt8(ascii: ".")
        let first = ByteSearch.first(dot, in: token)
        let second = ByteSearch.first(dot, in: token, from: first + 1)
        guard second < token.count, ByteSearch.first(dot, in: token, from: second + 1) == token.count else {
            throw .notThreeParts
        }
        guard let header = Base64URL.decode(UnsafeRawBufferPointer(rebasing: token[..<first])),
            let payload = Base64URL.decode(UnsafeRawBufferPointer(rebasing: token[(first + 1)..<second])),
            let signature = Base64URL.decode(UnsafeRawBufferPointer(rebasing: token[(second + 1)...]))
        else { throw .notBase64URL }
        self.header = try JOSEHeader(parsing: header)
        self.payload = payload
        self.signature = signature
        signedDigest = SHA256.digest(of: UnsafeRawBufferPointer(rebasing: token[..<second]))
    }

    /// The same for an array.
    package init(parsing token: [UInt8], bytesMax: Int = Self.bytesMax) throws(JWSFault) {
        let outcome = token.withUnsafeBytes { raw in
            Result { () throws(JWSFault) in try CompactJWS(parsing: raw, bytesMax: bytesMax) }
        }
        self = try outcome.get()
    }

    /// Whether the signature is the key's, and the header names the key's own algorithm (RFC 8725 §3.1).
    package func isSigned(by key: VerificationKey) -> Bool {
        key.algorithm.rawValue.isExactly(header.algorithm) && key.accepts(signature, over: signedDigest)
    }
}
