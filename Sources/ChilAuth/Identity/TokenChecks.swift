import ChilCore

/// The checks that all tokens of a provider go through, whatever they are for. None of them trusts what it looks at.
enum TokenChecks {
    /// How far an issuer's clock may be off.
    static let leeway = Duration.seconds(60)
    private static let claimsLimits = JSONLimits(bytesMax: CompactJWS.bytesMax, depthMax: 8, valuesMax: 256)

    static func parse(_ token: [UInt8]) throws(Rejection) -> CompactJWS {
        do throws(JWSFault) {
            return try CompactJWS(parsing: token)
        } catch {
            throw .malformed(error)
        }
    }

    static func claims(of jws: CompactJWS) throws(Rejection) -> JSONObject {
        let value: JSONValue
        do throws(JSONFault) {
            value = try StrictJSON.parse(jws.payload, limits: claimsLimits)
        } catch {
            throw .badClaims(error)
        }
        guard let claims = value.object else { throw .claimsNotObject }
        return claims
    }

    static func provider(
        for claims: JSONObject,
        among providers: [ProviderRecord]
    ) throws(Rejection) -> (ProviderRecord, issuer: String) {
        guard !providers.isEmpty else { throw .notConfigured }
        guard let issuer = claims["iss"]?.string else { throw .wrongIssuer }
        for provider in providers where provider.issuers.contains(where: { $0.isExactly(issuer) }) {
            return (provider, issuer)
        }
        throw .wrongIssuer
    }

    static func audience(of claims: JSONObject, for provider: ProviderRecord) throws(Rejection) -> String {
        guard !provider.clientIDs.isEmpty else { throw .notConfigured }
        let audience = try audience(of: claims)
        guard provider.clientIDs.contains(where: { $0.isExactly(audience) }) else { throw .wrongAudience }
        return audience
    }

    /// The one audience that is claimed. A token for several audiences is for none: each of them could replay it to the others.
    static func audience(of claims: JSONObject) throws(Rejection) -> String {
        let audience: String?
        switch claims["aud"] {
        case .string(let text): audience = text
        case .array(let elements): audience = elements.count == 1 ? elements[0].string : nil
        default: audience = nil
        }
        guard let audience, !audience.isEmpty else { throw .wrongAudience }
        return audience
    }

    static func times(
        of claims: JSONObject,
        issuedAgeMax: Duration,
        at now: Timestamp
    ) throws(Rejection) -> (issued: Timestamp, expires: Timestamp) {
        guard let expires = NumericDate.moment(claims["exp"]) else { throw .badExpiry }
        guard now < expires + leeway else { throw .expired }
        if let value = claims["nbf"] {
            guard let notBefore = NumericDate.moment(value) else { throw .badNotBefore }
            guard now + leeway >= notBefore else { throw .notYetValid }
        }
        guard let issued = NumericDate.moment(claims["iat"]) else { throw .badIssuedAt }
        guard now + leeway >= issued else { throw .issuedInFuture }
        guard now - issued <= issuedAgeMax else { throw .issuedTooLongAgo }
        return (issued, expires)
    }

    /// What the header says of the key: there is no fallback key, and none from the token.
    static func key(
        of jws: CompactJWS,
        for provider: ProviderRecord
    ) throws(Rejection) -> (keyID: String, algorithm: JWSAlgorithm) {
        guard let keyID = jws.header.keyID, !keyID.isEmpty else { throw .missingKeyID }
        guard let algorithm = JWSAlgorithm(name: jws.header.algorithm), provider.algorithms.contains(algorithm) else {
            throw .wrongAlgorithm
        }
        return (keyID, algorithm)
    }

    /// Why the signature is none of the named key; nil if it is its. The key's algorithm counts, not the header's.
    static func signatureFault(
        of jws: CompactJWS,
        _ keyID: String,
        _ algorithm: JWSAlgorithm,
        _ keys: KeySet
    ) -> Rejection? {
        guard let key = keys[keyID] else { return .unknownKey }
        guard key.algorithm == algorithm else { return .wrongAlgorithm }
        return jws.isSigned(by: key) ? nil : .badSignature
    }
}
