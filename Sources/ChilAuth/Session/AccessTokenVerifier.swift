package import ChilCore
import ChilCrypto

/// Checks a tenant's own access tokens; that the session still lives is the store's to say.
package struct AccessTokenVerifier: Sendable {
    package enum Rejection: Error, Equatable, Sendable {
        case malformed
        /// The header's `typ` is not `at+jwt`: an identity token, or anything else that is signed.
        case wrongType
        case wrongAlgorithm
        case unknownKey
        case badSignature
        case wrongIssuer
        case wrongAudience
        case expired
        /// Replicas' clocks differ by more than a minute, or the token was not made by this service.
        case issuedInFuture
        /// Signed by us, but the claims are not ours.
        case badClaims
    }

    package enum Verdict: Equatable, Sendable {
        case accepted(AccessToken)
        case rejected(Rejection)
    }

    private let issuer: String
    private let audience: String
    private let keys: KeySet

    /// How far replicas' clocks may differ. `exp` has no leeway: it is our own clock that set it.
    package static let leeway = Duration.seconds(60)
    private static let limits = JSONLimits(bytesMax: AccessToken.bytesMax, depthMax: 2, valuesMax: 32)

    /// - Parameters:
    ///   - issuer: `<PUBLIC_URL>/<slug>`.
    ///   - audience: the tenant's slug.
    ///   - keys: the tenant's published keys and no others.
    package init(issuer: String, audience: Slug, keys: KeySet) {
        self.issuer = issuer
        self.audience = audience.text
        self.keys = keys
    }

    /// The verdict on a token as the client sent it. Costs one ES256 verification: remember it by the token's digest.
    package func verdict(on token: UnsafeRawBufferPointer, at now: Timestamp) -> Verdict {
        do throws(Rejection) {
            return .accepted(try verified(token, at: now))
        } catch {
            return .rejected(error)
        }
    }

    /// The same for an array.
    package func verdict(on token: [UInt8], at now: Timestamp) -> Verdict {
        token.withUnsafeBytes { verdict(on: $0, at: now) }
    }

    /// The verdict on a token whose time may be over: it proves only whose session it was, which is enough to end that.
    package func verdictWhateverTheTime(on token: [UInt8], at now: Timestamp) -> Verdict {
        do throws(Rejection) {
            let outcome = token.withUnsafeBytes { raw in
                Result { () throws(Rejection) in try verified(raw, at: now, mayBeExpired: true) }
            }
            return .accepted(try outcome.get())
        } catch {
            return .rejected(error)
        }
    }

    private func verified(
        _ token: UnsafeRawBufferPointer,
        at now: Timestamp,
        mayBeExpired: Bool = false
    ) throws(Rejection) -> AccessToken {
        guard let jws = try? CompactJWS(parsing: token, bytesMax: AccessToken.bytesMax) else { throw .malformed }
        guard jws.header.type?.isExactly(AccessToken.type) == true else { throw .wrongType }
        guard JWSAlgorithm(name: jws.header.algorithm) == .es256 else { throw .wrongAlgorithm }
        guard let keyID = jws.header.keyID, let key = keys[keyID] else { throw .unknownKey }
        guard jws.isSigned(by: key) else { throw .badSignature }
        guard let claims = try? StrictJSON.parse(jws.payload, limits: Self.limits).object else { throw .badClaims }
        guard claims["iss"]?.string?.isExactly(issuer) == true else { throw .wrongIssuer }
        guard claims["aud"]?.string?.isExactly(audience) == true else { throw .wrongAudience }
        guard let issued = NumericDate.moment(claims["iat"]), let expires = NumericDate.moment(claims["exp"]),
            let user = claims["sub"]?.string.flatMap({ Int64($0) }), let session = claims["sid"]?.int64,
            let generation = claims["gen"]?.int64.flatMap({ Int32(exactly: $0) }),
            user > 0, session > 0, generation >= 0
        else { throw .badClaims }
        guard now < expires || mayBeExpired else { throw .expired }
        guard issued <= now + Self.leeway else { throw .issuedInFuture }
        return AccessToken(
            userID: UserID(rawValue: user),
            sessionID: SessionID(rawValue: session),
            generation: generation,
            issued: issued,
            expires: expires,
            keyID: keyID
        )
    }
}
