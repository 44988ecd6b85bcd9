import ChilCore
import ChilCrypto
import ChilHTTP

extension DevelopmentIssuer {
    /// `POST /auth/token` ("Generate and validate tokens", "Transferring your apps and users").
    func tokenAnswer(_ form: QueryItems, at now: Timestamp) throws(OAuthError) -> IssuerAnswer {
        let clientID = try form.required("client_id")
        _ = try team(of: form, clientID, at: now)
        switch try form.required("grant_type") {
        case "authorization_code": return try exchange(form, clientID, at: now)
        case "refresh_token": return try refresh(form, clientID, at: now)
        case "client_credentials": return try migrationToken(form, clientID, at: now)
        default: throw OAuthError(code: .unsupportedGrantType, text: "grant_type is none that is known.")
        }
    }

    /// `POST /auth/revoke` ("Revoke tokens"): 200 also for a token that is no more, or never was.
    func revokeAnswer(_ form: QueryItems, at now: Timestamp) throws(OAuthError) -> IssuerAnswer {
        let clientID = try form.required("client_id")
        _ = try team(of: form, clientID, at: now)
        let token = try form.required("token")
        if let hint = form["token_type_hint"], !["refresh_token", "access_token"].contains(hint) {
            throw .invalidRequest("token_type_hint is neither refresh_token nor access_token.")
        }
        state.withLock { $0.ledger.revoke(token: token, clientID: clientID) }
        return .done
    }

    /// Who signed the client secret; the client must be known if any are.
    func team(of form: QueryItems, _ clientID: String, at now: Timestamp) throws(OAuthError) -> DeveloperTeam {
        let secret = try form.required("client_secret")
        if !settings.clients.isEmpty, settings.clients[clientID] == nil {
            throw .invalidClient("client_id is no known client.")
        }
        let check = ClientSecretCheck(teams: settings.teams, audiences: settings.audiences)
        return try check.team(of: secret, for: clientID, at: now)
    }

    private func exchange(_ form: QueryItems, _ clientID: String, at now: Timestamp) throws(OAuthError) -> IssuerAnswer
    {
        let code = try form.required("code")
        let (redirectURI, verifier) = (form["redirect_uri"], form["code_verifier"])
        let (refreshToken, accessToken) = try Self.orServerError { () throws(CryptoError) in
            (try Self.secret("r"), try Self.secret("a"))
        }
        let outcome = state.withLock { state in
            Result { () throws(OAuthError) in
                let grant = try state.ledger.spend(
                    code: code,
                    clientID: clientID,
                    redirectURI: redirectURI,
                    verifier: verifier,
                    at: now
                )
                state.ledger.add(refreshToken: refreshToken, grant)
                state.ledger.add(accessToken: accessToken, of: clientID, grant, at: now)
                return grant
            }
        }
        return try tokens(outcome.get(), accessToken, refreshToken, at: now)
    }

    /// The answer has no new refresh token: the old one stays.
    private func refresh(_ form: QueryItems, _ clientID: String, at now: Timestamp) throws(OAuthError) -> IssuerAnswer {
        let token = try form.required("refresh_token")
        let accessToken = try Self.orServerError { () throws(CryptoError) in try Self.secret("a") }
        let outcome = state.withLock { state in
            Result { () throws(OAuthError) in
                let grant = try state.ledger.grant(ofRefreshToken: token, clientID: clientID)
                state.ledger.add(accessToken: accessToken, of: clientID, grant, at: now)
                return grant
            }
        }
        return try tokens(outcome.get(), accessToken, nil, at: now)
    }

    private func migrationToken(
        _ form: QueryItems,
        _ clientID: String,
        at now: Timestamp
    ) throws(OAuthError) -> IssuerAnswer {
        guard form["scope"]?.isExactly("user.migration") == true else {
            throw OAuthError(code: .invalidScope, text: "scope is not user.migration.")
        }
        let token = try Self.orServerError { () throws(CryptoError) in try Self.secret("m") }
        state.withLock { $0.ledger.add(accessToken: token, of: clientID, nil, at: now) }
        return .ok(Self.accessMembers(token))
    }

    private func tokens(
        _ grant: Ledger.Grant,
        _ accessToken: String,
        _ refreshToken: String?,
        at now: Timestamp
    ) throws(OAuthError) -> IssuerAnswer {
        var members = Self.accessMembers(accessToken)
        if let refreshToken { members.add("refresh_token", refreshToken) }
        if !quirks.union(grant.draft.quirks).contains(.noIdentityToken) {
            let token = try Self.orServerError { () throws(CryptoError) in
                try identityToken(grant, hash: ("at_hash", TokenHash.half(of: accessToken)), at: now)
            }
            members.add("id_token", String(decoding: token, as: UTF8.self))
        }
        return .ok(members)
    }

    private static func accessMembers(_ token: String) -> JSONMembers {
        var members = JSONMembers()
        members.add("access_token", token)
        members.add("token_type", "Bearer")
        members.add("expires_in", Int(IssuerSettings.accessLifetime.components.seconds))
        return members
    }

    static func orServerError<Value>(_ body: () throws(CryptoError) -> Value) throws(OAuthError) -> Value {
        do throws(CryptoError) {
            return try body()
        } catch {
            throw OAuthError(code: .serverError, text: "\(error)")
        }
    }
}

extension QueryItems {
    func required(_ name: String) throws(OAuthError) -> String {
        guard let value = self[name], !value.isEmpty else { throw .invalidRequest("\(name) is missing.") }
        return value
    }
}
