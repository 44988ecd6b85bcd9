package import ChilCore
package import ChilCrypto

extension DevelopmentIssuer {
    /// The signed event, to be sent as `{"payload": …}`. What it tells has happened then: a user who revoked consent, or is gone, has no
    /// good token of this client any more.
    package func notification(_ draft: NotificationDraft, at now: Timestamp) throws(CryptoError) -> [UInt8] {
        if ["consent-revoked", "account-delete", "account-deleted"].contains(draft.kind), !draft.hasBadSignature {
            endConsent(subject: draft.subject, clientID: draft.clientID)
        }
        let identifier = if let told = draft.identifier { told } else { try Self.secret("n") }
        var claims = JSONMembers()
        claims.add("iss", settings.issuer)
        claims.add("aud", draft.clientID)
        claims.add("iat", Int(now.seconds))
        claims.add("exp", Int((now + NotificationDraft.lifetime).seconds))
        claims.add("jti", identifier)
        claims.add("events", raw: draft.events(at: now))
        for extra in draft.claims { claims.put(extra.name, raw: extra.json) }
        let token = try sign(claims: claims.json(), with: draft.algorithm)
        return draft.hasBadSignature ? Self.spoilt(token) : token
    }

    /// Another letter in the middle of the signature: every bit of it counts there.
    private static func spoilt(_ token: [UInt8]) -> [UInt8] {
        var token = token
        let place = token.count - 20
        token[place] = token[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return token
    }
}
