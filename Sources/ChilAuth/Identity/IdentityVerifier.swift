package import ChilCore
package import ChilCrypto

/// Who signed in, proven. Made in this file alone, after every check.
package struct VerifiedIdentity: Sendable {
    package let providerID: ProviderID
    package let noncePolicy: ProviderRecord.NoncePolicy
    package let issuer: String
    /// The client id that the token is for: needed later to exchange or revoke codes.
    package let clientID: String
    package let subject: String
    package let email: String?
    package let isEmailVerified: Bool
    package let isPrivateEmail: Bool?
    /// `transfer_sub`: who the user was before the app moved to another team is found by it.
    package let transferSubject: String?
    /// By the issuer's clock.
    package let issued: Timestamp
    package let expires: Timestamp
    /// SHA-256 of the nonce as it was sent: what the nonce's row is found by, to be spent.
    package let nonceDigest: Digest256?
    /// SHA-256 of what is signed (header, dot, payload), to be spent until `expires`. The signature is left out: whoever holds a
    /// token can write an ES256 signature (r, s) as (r, n − s) too, and would have a second token of it.
    package let tokenDigest: Digest256

    fileprivate init(_ token: PrecheckedToken) {
        providerID = token.provider.id
        noncePolicy = token.provider.noncePolicy
        issuer = token.claims.issuer
        clientID = token.clientID
        subject = token.claims.subject
        email = token.claims.email
        isEmailVerified = token.claims.isEmailVerified
        isPrivateEmail = token.claims.isPrivateEmail
        transferSubject = token.claims.transferSubject
        issued = token.claims.issued
        expires = token.claims.expires
        nonceDigest = token.nonceDigest
        tokenDigest = token.tokenDigest
    }
}

/// The checks on an identity token in the order of contract.md, "Sign in"; all but the last cause no outbound call.
package enum IdentityVerifier {
    package enum Precheck: Sendable {
        case rejected(Rejection)
        /// All is well but the signature: have the keys of `provider` and call `verify`.
        case needsKey(PrecheckedToken)
    }

    package enum Verdict: Sendable {
        case accepted(VerifiedIdentity)
        /// `unknownKey` and `badSignature` allow one rate-limited refresh of the keys, and nothing else.
        case rejected(Rejection)
    }

    /// When a nonce must be there.
    package enum NonceDemand: Sendable {
        /// As the provider record has it.
        case asPolicy
        /// Only if the client sent one: the token came from the provider itself, for a code.
        case ifSent
    }

    /// How far an issuer's clock may be off.
    package static let leeway = TokenChecks.leeway

    /// Every check that needs no key.
    ///
    /// - Parameters:
    ///   - providers: the records of the tenant that the request came to, and of no other.
    ///   - nonce: as the client sent it, raw; nil if it sent none.
    ///   - demand: whether a nonce must have been sent.
    ///   - userID: as the client sent it; nil if it sent none.
    package static func precheck(
        _ token: [UInt8],
        providers: [ProviderRecord],
        nonce: String?,
        demand: NonceDemand = .asPolicy,
        userID: String?,
        at now: Timestamp
    ) -> Precheck {
        do throws(Rejection) {
            return .needsKey(
                try prechecked(token, providers: providers, nonce: nonce, demand: demand, userID: userID, at: now)
            )
        } catch {
            return .rejected(error)
        }
    }

    /// The last check: key by `kid`, algorithm by key, signature.
    package static func verify(_ token: PrecheckedToken, with keys: KeySet) -> Verdict {
        if let rejection = TokenChecks.signatureFault(of: token.jws, token.keyID, token.algorithm, keys) {
            return .rejected(rejection)
        }
        return .accepted(VerifiedIdentity(token))
    }

    private static func prechecked(
        _ token: [UInt8],
        providers: [ProviderRecord],
        nonce: String?,
        demand: NonceDemand,
        userID: String?,
        at now: Timestamp
    ) throws(Rejection) -> PrecheckedToken {
        let jws = try TokenChecks.parse(token)
        let claims = try TokenChecks.claims(of: jws)
        let (provider, issuer) = try TokenChecks.provider(for: claims, among: providers)
        let clientID = try TokenChecks.audience(of: claims, for: provider)
        let (issued, expires) = try TokenChecks.times(of: claims, issuedAgeMax: provider.issuedAgeMax, at: now)
        let isFree = demand == .ifSent && nonce == nil
        let nonceDigest = isFree ? nil : try checkNonce(of: claims, sent: nonce, policy: provider.noncePolicy)
        // A notification has the same issuer, audience and keys, and may be seen by others on its way: it is nobody's sign-in.
        guard claims["events"] == nil else { throw .notification }
        let subject = try subject(of: claims)
        if let userID, !userID.isExactly(subject) { throw .wrongUserID }
        let (keyID, algorithm) = try TokenChecks.key(of: jws, for: provider)
        return PrecheckedToken(
            provider: provider,
            keyID: keyID,
            algorithm: algorithm,
            jws: jws,
            claims: IdentityClaims(claims, subject: subject, issuer: issuer, issued: issued, expires: expires),
            clientID: clientID,
            nonceDigest: nonceDigest,
            tokenDigest: jws.signedDigest
        )
    }

    /// The claim is the lower-hex SHA-256 of what was sent, or what was sent itself. Both are compared, in constant time.
    ///
    /// - Returns: the digest of what was sent; nil where the policy lets both be missing.
    private static func checkNonce(
        of claims: JSONObject,
        sent: String?,
        policy: ProviderRecord.NoncePolicy
    ) throws(Rejection) -> Digest256? {
        let claimed = claims["nonce"]
        if policy == .optional, sent == nil, claimed == nil { return nil }
        guard let sent, !sent.isEmpty, let claimed else { throw .missingNonce }
        guard let claimed = claimed.string else { throw .wrongNonce }
        let digest = SHA256.digest(of: Array(sent.utf8))
        let isHashed = ConstantTime.areEqual(claimed, digest.hex)
        let isRaw = ConstantTime.areEqual(claimed, sent)
        guard isHashed || isRaw else { throw .wrongNonce }
        return digest
    }

    private static func subject(of claims: JSONObject) throws(Rejection) -> String {
        guard let subject = claims["sub"]?.string, IdentityClaims.subjectRule.fault(in: subject) == nil else {
            throw .badSubject
        }
        return subject
    }
}
