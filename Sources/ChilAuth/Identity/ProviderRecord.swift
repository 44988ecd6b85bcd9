package import ChilCore

/// One identity provider of one tenant. `iss` selects the record; `aud` and `kid` are then looked up in it alone.
package struct ProviderRecord: Equatable, Sendable {
    /// Where the nonce of a sign-in comes from.
    package enum NoncePolicy: String, CaseIterable, Sendable {
        /// From `auth/nonce`, spent once.
        case server
        /// Made by the app.
        case client
        /// Both or neither: a nonce in the token must have been sent, one that was sent must be in the token.
        case optional
    }

    package let id: ProviderID
    /// Exact values of `iss`; Apple has had two.
    package let issuers: [String]
    /// Exact values of `aud`. None: nothing is accepted, and the answer says that the tenant is not set up.
    package let clientIDs: [String]
    package let algorithms: [JWSAlgorithm]
    package let jwksURL: String
    package let noncePolicy: NoncePolicy
    /// How long ago a token may have been issued: Apple's live for a day.
    package let issuedAgeMax: Duration

    package init(
        id: ProviderID,
        issuers: [String],
        clientIDs: [String],
        algorithms: [JWSAlgorithm] = JWSAlgorithm.allCases,
        jwksURL: String,
        noncePolicy: NoncePolicy = .server,
        issuedAgeMax: Duration = .seconds(600)
    ) {
        self.id = id
        self.issuers = issuers
        self.clientIDs = clientIDs
        self.algorithms = algorithms
        self.jwksURL = jwksURL
        self.noncePolicy = noncePolicy
        self.issuedAgeMax = issuedAgeMax
    }

    /// The record for the tokens of one of its client ids.
    package func narrowed(to clientID: String) -> Self {
        Self(
            id: id,
            issuers: issuers,
            clientIDs: clientIDs.filter { $0.isExactly(clientID) },
            algorithms: algorithms,
            jwksURL: jwksURL,
            noncePolicy: noncePolicy,
            issuedAgeMax: issuedAgeMax
        )
    }
}
