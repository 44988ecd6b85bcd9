package import ChilAuth
package import ChilCore
package import ChilCrypto

/// Stands in for the REST side of Sign in with Apple: keys, codes, tokens, revocation, team transfer, notifications.
///
/// It does no I/O and reads no clock: `IssuerHandler` serves it, `IssuerServer` on a thread of its own, and tests call it directly. What
/// it remembers is in memory alone, and bounded. Sendable: its state is behind a lock; nothing is signed under it.
package final class DevelopmentIssuer: Sendable {
    package let settings: IssuerSettings
    let state: Locked<State>

    struct State: Sendable {
        var keys: IssuerKeyRing
        var ledger = Ledger()
        var transfers = TransferBook()
        var quirks: Set<Quirk>
        var faults = FaultPlan()
        var calls = CallLog()
    }

    /// - Parameter keys: what signs and is published from the start; at least one.
    package init(_ settings: IssuerSettings, keys: [DevelopmentTokenMaker]) {
        self.settings = settings
        state = Locked(State(keys: IssuerKeyRing(keys), quirks: settings.quirks))
    }

    /// With a fresh ES256 key, `dev-es256-1`.
    package convenience init(_ settings: IssuerSettings) throws(CryptoError) {
        let key = SigningKey.es256(try ES256PrivateKey())
        self.init(settings, keys: [DevelopmentTokenMaker(keyID: "dev-es256-1", key: key)])
    }

    // MARK: Keys

    /// The JSON of `/auth/keys`.
    package var keySet: [UInt8] { state.withLock { $0.keys.json } }

    /// Puts a key into the place of the one of its algorithm that signs.
    package func rotate(to key: SigningKey, _ style: KeyRotation = .keepOld) {
        state.withLock { $0.keys.rotate(to: key, style) }
    }

    /// Signs claims as they are, so that bad ones can be made too.
    package func sign(claims: [UInt8], with algorithm: JWSAlgorithm? = nil) throws(CryptoError) -> [UInt8] {
        try state.withLock { $0.keys.signer(algorithm ?? settings.algorithm) }.token(claims: claims)
    }

    /// Whether there is a key of that algorithm; without one the newest of the other signs.
    package func canSign(with algorithm: JWSAlgorithm) -> Bool {
        state.withLock { $0.keys.signer(algorithm).key.algorithm == algorithm }
    }

    /// Those that it has keys of.
    var algorithms: [JWSAlgorithm] { JWSAlgorithm.allCases.filter(canSign(with:)) }

    func signingKeyID(_ algorithm: JWSAlgorithm) -> String {
        state.withLock { $0.keys.signer(algorithm).keyID }
    }

    // MARK: Signing in

    /// What a device or a browser gets when the user agrees.
    package func authorize(_ draft: AuthorizationDraft, at now: Timestamp) throws(CryptoError) -> Authorization {
        let code = try Self.secret("c")
        let grant = Ledger.Grant(draft: draft, at: now)
        let isFirst = state.withLock { state in
            state.ledger.add(code: code, grant, at: now)
            return state.ledger.consent(draft)
        }
        let token = try identityToken(grant, hash: ("c_hash", TokenHash.half(of: code)), at: now)
        return Authorization(code: code, identityToken: token, user: isFirst ? Self.user(draft) : nil)
    }

    /// The identity token of an agreement.
    func identityToken(
        _ grant: Ledger.Grant,
        hash: (name: String, value: String),
        at now: Timestamp
    ) throws(CryptoError) -> [UInt8] {
        let draft = grant.draft
        let (quirks, signer, transfer) = state.withLock { state in
            (
                state.quirks.union(draft.quirks), state.keys.signer(draft.algorithm ?? settings.algorithm),
                state.transfers.transferSubject(of: draft.subject, at: now)
            )
        }
        let claims = IdentityClaimsDraft(
            issuer: quirks.contains(.otherIssuer) ? settings.otherIssuer ?? settings.issuer : settings.issuer,
            draft: draft,
            issued: now,
            expires: now + settings.identityLifetime,
            authorized: grant.at,
            tokenID: try Self.secret("t"),
            hash: hash,
            transferSubject: transfer,
            quirks: quirks
        )
        return try signer.token(claims: claims.json())
    }

    /// `user` of the first authorization: unsigned, and told once.
    private static func user(_ draft: AuthorizationDraft) -> [UInt8]? {
        guard draft.givenName != nil || draft.familyName != nil else { return nil }
        var name = JSONMembers()
        if let given = draft.givenName { name.add("firstName", given) }
        if let family = draft.familyName { name.add("lastName", family) }
        var user = JSONMembers()
        user.add("name", raw: name.json())
        if let email = draft.email { user.add("email", email) }
        return user.json()
    }

    /// A fresh secret in the shape of the provider's.
    static func secret(_ mark: String) throws(CryptoError) -> String {
        let bytes = try SecureRandom.bytes(32)
        return "\(mark)\(Hex.text(of: Array(bytes[..<16]))).0.dev.\(Base64URL.text(of: Array(bytes[16...])))"
    }

    // MARK: What tests set and ask

    package var quirks: Set<Quirk> {
        get { state.withLock { $0.quirks } }
        set { state.withLock { $0.quirks = newValue } }
    }

    /// The user stops using the client, as in the settings of a device: its tokens are void. Tells nobody.
    package func endConsent(subject: String, clientID: String) {
        state.withLock { $0.ledger.end(subject: subject, clientID: clientID) }
    }

    /// How many refresh tokens of a user and a client are good.
    package func heldTokenCount(subject: String, clientID: String) -> Int {
        state.withLock { $0.ledger.heldCount(subject: subject, clientID: clientID) }
    }

    /// The last requests to an endpoint, the oldest first.
    package func calls(of endpoint: IssuerEndpoint) -> [IssuerCall] {
        state.withLock { $0.calls.calls(of: endpoint) }
    }

    /// Lets the next `times` requests to an endpoint go wrong.
    package func fail(_ endpoint: IssuerEndpoint, with fault: IssuerFault, times: Int = 1) {
        state.withLock { $0.faults.plan(endpoint, fault, times) }
    }
}
