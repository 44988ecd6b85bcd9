package import ChilCore
package import ChilCrypto

/// What a provider has told, proven. Made in this file alone, after every check. It is nobody's sign-in.
package struct VerifiedNotification: Sendable {
    package let providerID: ProviderID
    package let clientID: String
    package let issued: Timestamp
    package let events: [ProviderEvent]
    private let digest: Digest256

    fileprivate init(_ token: PrecheckedNotification) {
        providerID = token.provider.id
        clientID = token.clientID
        issued = token.issued
        events = token.events
        digest = token.digest
    }

    /// What the same event is known again by when it is sent again: SHA-256 of `jti`, or of what is signed where there is none; for
    /// the second event of a notification and those behind it, SHA-256 of that and their place.
    package func digest(of index: Int) -> Digest256 {
        index == 0 ? digest : SHA256.digest(of: digest.bytes + [UInt8(truncatingIfNeeded: index)])
    }
}

/// A notification that lacks only its signature check. Nothing of it is to be believed yet.
package struct PrecheckedNotification: KeyedToken {
    package let provider: ProviderRecord
    package let keyID: String
    fileprivate let algorithm: JWSAlgorithm
    fileprivate let jws: CompactJWS
    fileprivate let clientID: String
    fileprivate let issued: Timestamp
    fileprivate let events: [ProviderEvent]
    fileprivate let digest: Digest256

    package func verified(with keys: KeySet) -> Result<VerifiedNotification, Rejection> {
        if let rejection = TokenChecks.signatureFault(of: jws, keyID, algorithm, keys) { return .failure(rejection) }
        return .success(VerifiedNotification(self))
    }
}

extension PrecheckedNotification: CustomStringConvertible, CustomReflectable {
    package var description: String { "[notification \(digest.hex.prefix(12))]" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The checks on a notification: as on an identity token, in that order, but that it has `events` and no nonce. All but the last cause
/// no outbound call.
package enum NotificationVerifier {
    package enum Precheck: Sendable {
        case rejected(Rejection)
        /// All is well but the signature.
        case needsKey(PrecheckedNotification)
    }

    /// How long ago it may have been issued: providers try again for days. Whoever keeps events for longer knows each one again.
    package static let ageMax = Duration.seconds(7 * 86_400)
    private static let tokenIDRule = TextRule(bytesMax: 255)

    /// - Parameter providers: the records of one tenant.
    package static func precheck(_ token: [UInt8], providers: [ProviderRecord], at now: Timestamp) -> Precheck {
        do throws(Rejection) {
            let jws = try TokenChecks.parse(token)
            let claims = try TokenChecks.claims(of: jws)
            let (provider, _) = try TokenChecks.provider(for: claims, among: providers)
            let clientID = try TokenChecks.audience(of: claims, for: provider)
            let (issued, _) = try TokenChecks.times(of: claims, issuedAgeMax: ageMax, at: now)
            guard let events = claims["events"] else { throw .noEvents }
            let digest = try digest(of: claims, jws)
            let (keyID, algorithm) = try TokenChecks.key(of: jws, for: provider)
            return .needsKey(
                PrecheckedNotification(
                    provider: provider,
                    keyID: keyID,
                    algorithm: algorithm,
                    jws: jws,
                    clientID: clientID,
                    issued: issued,
                    events: ProviderEvent.list(events),
                    digest: digest
                )
            )
        } catch {
            return .rejected(error)
        }
    }

    /// Whom it claims to be for: what candidate records are looked up by, where a request names no tenant. It says nothing of who sent it.
    package static func claimedAudience(of token: [UInt8], at now: Timestamp) -> String? {
        do throws(Rejection) {
            let claims = try TokenChecks.claims(of: try TokenChecks.parse(token))
            _ = try TokenChecks.times(of: claims, issuedAgeMax: ageMax, at: now)
            guard claims["events"] != nil else { return nil }
            return try TokenChecks.audience(of: claims)
        } catch {
            return nil
        }
    }

    private static func digest(of claims: JSONObject, _ jws: CompactJWS) throws(Rejection) -> Digest256 {
        guard let value = claims["jti"] else { return jws.signedDigest }
        guard let tokenID = value.string, tokenIDRule.fault(in: tokenID) == nil else { throw .badTokenID }
        return SHA256.digest(of: Array(tokenID.utf8))
    }
}
