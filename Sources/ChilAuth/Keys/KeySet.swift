import ChilCore

/// Public keys by `kid`. There is no fallback: a `kid` that is not in it has no key.
package struct KeySet: Sendable {
    package let keys: [JWK]

    /// The first of two keys with one `kid` would win: `JWKSet` lets neither in.
    package init(_ keys: [JWK] = []) {
        self.keys = keys
    }

    /// A set is small, so it is looked along; a `kid` is compared byte for byte.
    package subscript(_ keyID: String) -> VerificationKey? {
        for candidate in keys where candidate.keyID.isExactly(keyID) { return candidate.key }
        return nil
    }
}
