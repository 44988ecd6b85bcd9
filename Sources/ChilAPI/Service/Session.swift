import ChilCore

/// Who calls: a live session of this tenant, seen in its access token.
struct Session: Sendable {
    let tenant: TenantID
    let user: UserID
    let id: SessionID
    let generation: Int32
    /// When the access token ends.
    let expires: Timestamp
}
