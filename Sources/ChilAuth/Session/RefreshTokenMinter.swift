package import ChilCore
import ChilCrypto

/// Derives refresh tokens and knows its own again: nothing of them is stored, a session's row has a salt and a counter.
///
/// The key is HKDF(`chil/refresh` key of the version, the session's salt), so neither the database nor the key file alone
/// makes a token. The code covers purpose, tenant, session and counter.
package struct RefreshTokenMinter: Sendable {
    private let ring: KeyRing

    /// Bytes of a session's salt.
    package static let saltBytes = 16
    private static let purpose = Array("refresh".utf8)

    package init(_ ring: KeyRing) {
        self.ring = ring
    }

    /// The token of a counter, with the current key: the same question has the same answer until the key changes.
    package func token(tenant: TenantID, session: SessionID, counter: UInt32, salt: [UInt8]) -> RefreshToken {
        RefreshToken(
            version: ring.currentVersion,
            tenant: tenant,
            session: session,
            counter: counter,
            code: Self.code(ring.currentSubkey(.refresh), tenant, session, counter, salt)
        )
    }

    /// Whether a token was made here for the session that has this salt. Takes the same time for every wrong code.
    package func isGenuine(_ token: RefreshToken, salt: [UInt8]) -> Bool {
        guard let key = ring.subkey(.refresh, version: token.version) else { return false }
        let code = Self.code(key, token.tenant, token.session, token.counter, salt)
        return ConstantTime.areEqual(code, token.code)
    }

    private static func code(
        _ key: SecretBytes,
        _ tenant: TenantID,
        _ session: SessionID,
        _ counter: UInt32,
        _ salt: [UInt8]
    ) -> [UInt8] {
        let sessionKey = HKDF.subkey(of: key, salt: salt, purpose: "session")
        var message: [UInt8] = []
        message.reserveCapacity(purpose.count + RefreshToken.signedBytes)
        message += purpose
        RefreshToken.appendSignedPart(tenant: tenant, session: session, counter: counter, to: &message)
        let code = sessionKey.withUnsafeBytes { key in
            message.withUnsafeBytes { HMACSHA256.code(of: $0, key: key) }
        }
        return code.withUnsafeBytes { Array($0[..<RefreshToken.codeBytes]) }
    }
}
