import ChilCore

/// What the issuer has given out: codes, tokens, and who agreed to what.
struct Ledger: Sendable {
    /// A sign-in that was agreed to.
    struct Grant: Sendable {
        let draft: AuthorizationDraft
        let at: Timestamp
    }

    struct Code: Sendable {
        let grant: Grant
        let expires: Timestamp
        var isUsed = false
    }

    struct Access: Sendable {
        let clientID: String
        let expires: Timestamp
        /// nil: of the client itself, for a transfer of users.
        let grant: Grant?
    }

    private struct Consent: Hashable {
        let clientID: String
        let subject: String
    }

    private var codes = BoundedTable<Code>(countMax: 20_000)
    private var refreshTokens = BoundedTable<Grant>(countMax: 200_000)
    private var accessTokens = BoundedTable<Access>(countMax: 20_000)
    private var consents: Set<Consent> = []

    // MARK: Giving

    mutating func add(code: String, _ grant: Grant, at now: Timestamp) {
        codes.add(Code(grant: grant, expires: now + IssuerSettings.codeLifetime), for: code)
    }

    mutating func add(refreshToken: String, _ grant: Grant) {
        refreshTokens.add(grant, for: refreshToken)
    }

    mutating func add(accessToken: String, of clientID: String, _ grant: Grant?, at now: Timestamp) {
        let expires = now + IssuerSettings.accessLifetime
        accessTokens.add(Access(clientID: clientID, expires: expires, grant: grant), for: accessToken)
    }

    /// Whether this is the first time that the user agrees to this client.
    mutating func consent(_ draft: AuthorizationDraft) -> Bool {
        consents.insert(Consent(clientID: draft.clientID, subject: draft.subject)).inserted
    }

    // MARK: Taking

    /// Spends a code. One that is shown with something else wrong stays good, and can be shown again rightly.
    mutating func spend(
        code: String,
        clientID: String,
        redirectURI: String?,
        verifier: String?,
        at now: Timestamp
    ) throws(OAuthError) -> Grant {
        guard let entry = codes[code], now < entry.expires else {
            throw .invalidGrant("The code has expired or has been revoked.")
        }
        let draft = entry.grant.draft
        guard draft.clientID.isExactly(clientID) else {
            throw .invalidGrant("client_id mismatch. The code was not issued to \(clientID).")
        }
        guard !entry.isUsed else { throw .invalidGrant("The code has already been used.") }
        guard (draft.redirectURI ?? "").isExactly(redirectURI ?? "") else {
            throw .invalidGrant(
                "redirect_uri mismatch. The code was not issued to \(redirectURI ?? "no redirect_uri")."
            )
        }
        if let challenge = draft.codeChallenge {
            guard let verifier, challenge.isExactly(TokenHash.challenge(of: verifier)) else {
                throw .invalidGrant("code_verifier does not match code_challenge.")
            }
        }
        codes.change(code) { $0.isUsed = true }
        return entry.grant
    }

    func grant(ofRefreshToken token: String, clientID: String) throws(OAuthError) -> Grant {
        guard let grant = refreshTokens[token] else {
            throw .invalidGrant("The token has expired or has been revoked.")
        }
        guard grant.draft.clientID.isExactly(clientID) else {
            throw .invalidGrant("client_id mismatch. The token was not issued to \(clientID).")
        }
        return grant
    }

    /// Whether an access token of the client itself, for a transfer, still holds.
    func isMigrationToken(_ token: String, of clientID: String, at now: Timestamp) -> Bool {
        guard let entry = accessTokens[token], entry.grant == nil, now < entry.expires else { return false }
        return entry.clientID.isExactly(clientID)
    }

    // MARK: Ending

    /// Ends all that a user agreed to with a client. Nothing for a token that is unknown or another client's.
    mutating func revoke(token: String, clientID: String) {
        let grant = refreshTokens[token] ?? accessTokens[token]?.grant
        guard let draft = grant?.draft, draft.clientID.isExactly(clientID) else { return }
        end(subject: draft.subject, clientID: clientID)
    }

    /// The user stops using the client.
    mutating func end(subject: String, clientID: String) {
        func isTheirs(_ draft: AuthorizationDraft) -> Bool {
            draft.clientID.isExactly(clientID) && draft.subject.isExactly(subject)
        }
        codes.removeAll { isTheirs($0.grant.draft) }
        refreshTokens.removeAll { isTheirs($0.draft) }
        accessTokens.removeAll { $0.grant.map { isTheirs($0.draft) } ?? false }
        consents.remove(Consent(clientID: clientID, subject: subject))
    }

    /// How many refresh tokens of a user and a client hold.
    func heldCount(subject: String, clientID: String) -> Int {
        refreshTokens.all.count {
            $0.draft.subject.isExactly(subject) && $0.draft.clientID.isExactly(clientID)
        }
    }
}
