import ChilAuth
import ChilCore

/// Who calls: a live session of this tenant, seen in its access token.
struct Session: Sendable {
    let tenant: TenantID
    let user: UserID
    let id: SessionID
    let generation: Int32
    /// When the access token ends, or the session before it.
    let expires: Timestamp
    /// The tenant's key that signed the token.
    let keyID: String

    init(_ token: AccessToken, of tenant: TenantID) {
        self.init(tenant, token.userID, token.sessionID, token.generation, token.expires, token.keyID)
    }

    private init(
        _ tenant: TenantID,
        _ user: UserID,
        _ id: SessionID,
        _ generation: Int32,
        _ expires: Timestamp,
        _ keyID: String
    ) {
        self.tenant = tenant
        self.user = user
        self.id = id
        self.generation = generation
        self.expires = expires
        self.keyID = keyID
    }

    /// The same, over at that moment at the latest.
    func ending(by moment: Timestamp) -> Session {
        Session(tenant, user, id, generation, min(expires, moment), keyID)
    }
}
