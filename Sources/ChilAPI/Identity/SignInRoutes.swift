import ChilAuth
import ChilCore
import ChilCrypto
import ChilHTTP
import ChilLoop
import ChilStore

extension APIService {
    private static var nonceLife: Duration { .seconds(600) }

    /// `POST auth/nonce`
    func makeNonce(_ call: Call) async throws -> Response {
        let nonce = Base64URL.text(of: try SecureRandom.bytes(32))
        let expires = call.now + Self.nonceLife
        let create = NonceCreate(
            in: call.tenant.id,
            digest: SHA256.digest(of: Array(nonce.utf8)).bytes,
            expires: expires
        )
        try await create.touched(on: database)
        var body = ByteWriter(capacity: 128)
        body.append("{\"nonce\":")
        body.append(json: nonce)
        body.append(",\"expiresAt\":")
        body.append(json: expires)
        body.append("}")
        return .json(.created, &body)
    }

    /// `POST auth/apple`
    func signInWithApple(_ call: Call) async throws -> Response {
        let request = try AppleSignIn(try await call.jsonObject())
        let identity = try await verified(request, call)
        let proof = SignIn.Proof(identity)
        try await admit(proof, call)
        try await countUnlessRefused(call)
        let code = request.authorizationCode.map { AuthorizationCode($0, of: identity.clientID) }
        let signedIn = try await signIn(
            proof,
            spending: try code.map { try spending($0, from: identity.providerID, call) },
            as: request.person,
            call
        )
        return try grant(signedIn.grant, call, signedIn.appendMembers)
    }

    /// The checks of the contract, in its order; a fetch of keys only for a token that has passed all the others.
    private func verified(_ request: AppleSignIn, _ call: Call) async throws -> VerifiedIdentity {
        let tenant = call.tenant
        let precheck = IdentityVerifier.precheck(
            Array(request.identityToken.utf8),
            providers: tenant.providers,
            nonce: request.nonce,
            userID: request.userID,
            at: call.now
        )
        switch precheck {
        case .rejected(.notConfigured): throw Problem.noIdentityProvider
        case .rejected: throw Problem.invalidIdentityToken
        case .needsKey(let token):
            guard case .success(let identity) = try await proven(token, of: tenant) else {
                throw Problem.invalidIdentityToken
            }
            return identity
        }
    }

    /// A token's last check, with its provider's keys.
    ///
    /// - Throws: `Problem.identityProviderAway` when they cannot be had.
    func proven<Token: KeyedToken>(
        _ token: Token,
        of tenant: TenantContext
    ) async throws(Problem) -> Result<Token.Verified, ChilAuth.Rejection> {
        switch await shared.keySets.verified(token, tenant.keySet(of: token.provider), on: loop) {
        case .success(let verified): return .success(verified)
        case .failure(.away): throw .identityProviderAway
        case .failure(.rejected(let rejection)): return .failure(rejection)
        }
    }

    /// `GET .well-known/jwks.json`
    func keys(_ call: Call) -> Response {
        let tag = EntityTag(Hex.text(of: Array(SHA256.digest(of: call.tenant.keys.jwks).bytes.prefix(8))).utf8)
        var response = Response(.ok, "application/json", .bytes(call.tenant.keys.jwks))
        if let tag {
            if call.head.ifNoneMatchNames(tag) { response = Response(.notModified) }
            response.add("ETag", tag.fieldValue)
        }
        response.add("Cache-Control", "public, max-age=\(JWKSet.maxAge.components.seconds)")
        return response
    }
}
