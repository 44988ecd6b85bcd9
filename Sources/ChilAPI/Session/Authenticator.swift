import ChilAuth
import ChilCore
import ChilCrypto
import ChilDatabase
import ChilHTTP
import ChilLoop
import ChilStore

/// Turns `Authorization: Bearer` into a live session: the signature once per token and loop, the session's row whenever this
/// loop cannot be sure that it would have heard of its end. Not `Sendable`.
final class Authenticator {
    private let loop: EventLoop
    private let database: DatabaseClient
    private let freshness: NotificationFreshness
    private let cache: SessionCache
    private let tenants: TenantCache
    /// Signatures checked on this loop so far.
    private(set) var signatureChecks = 0

    init(
        on loop: EventLoop,
        _ database: DatabaseClient,
        _ freshness: NotificationFreshness,
        _ cache: SessionCache,
        _ tenants: TenantCache
    ) {
        self.loop = loop
        self.database = database
        self.freshness = freshness
        self.cache = cache
        self.tenants = tenants
    }

    /// What came behind `Authorization: Bearer`.
    struct Bearer {
        let digest: Digest256
        /// Where it stands in the head.
        let token: Range<Int>
    }

    /// - Throws: `Problem.unauthorized` where there is nothing that could be a token.
    func bearer(in head: RequestHead) throws -> Bearer {
        guard let range = head.range(of: .authorization), range.count > Self.scheme.count,
            range.count <= Self.scheme.count + AccessToken.bytesMax
        else { throw Problem.unauthorized }
        let (digest, isBearer) = head.bytes.withUnsafeBytes { bytes in
            let value = UnsafeRawBufferPointer(rebasing: bytes[range])
            let token = UnsafeRawBufferPointer(rebasing: value[Self.scheme.count...])
            // The scheme's name is case-insensitive (RFC 9110 §11.1).
            let isBearer = zip(value, Self.scheme).allSatisfy { $0 | 0x20 == $1 | 0x20 }
            return (SHA256.digest(of: token), isBearer)
        }
        guard isBearer else { throw Problem.unauthorized }
        return Bearer(digest: digest, token: (range.lowerBound + Self.scheme.count)..<range.upperBound)
    }

    /// The session of a token that was verified here, where this loop would have heard of its end; `nil`: `session` has to look.
    ///
    /// - Throws: `Problem.unauthorized`.
    func vouched(_ bearer: Bearer, of tenant: TenantContext, at now: Timestamp) throws -> Session? {
        guard let known = try known(bearer, of: tenant, at: now),
            freshness.vouches(for: known.checkedAt, at: loop.monotonicNow)
        else { return nil }
        return known.session
    }

    private func known(_ bearer: Bearer, of tenant: TenantContext, at now: Timestamp) throws -> SessionCache.Known? {
        guard let known = cache.known(bearer.digest) else { return nil }
        let session = known.session
        guard session.tenant == tenant.id, now < session.expires, tenant.keys.verifies(session.keyID) else {
            throw Problem.unauthorized
        }
        return known
    }

    /// - Parameter admit: called with the user of a token that is ours, before the database is asked for the session.
    /// - Throws: `Problem.unauthorized` for every kind of bad token, `DatabaseError` when the session cannot be asked for.
    func session(
        _ bearer: Bearer,
        in head: RequestHead,
        of tenant: TenantContext,
        at now: Timestamp,
        _ admit: (UserID) async throws -> Void
    ) async throws -> Session {
        let checkedAt = loop.monotonicNow
        if let known = try known(bearer, of: tenant, at: now) {
            try await admit(known.session.user)
            if freshness.vouches(for: known.checkedAt, at: checkedAt) { return known.session }
            return try await checked(known.session, bearer.digest, since: checkedAt, at: now)
        }
        let token = Array(head.bytes[bearer.token])
        guard case .accepted(let access) = try await verdict(on: token, of: tenant, at: now) else {
            throw Problem.unauthorized
        }
        let session = Session(access, of: tenant.id)
        try await admit(session.user)
        return try await checked(session, bearer.digest, since: checkedAt, at: now)
    }

    /// The session of a token of ours whose ten minutes are over, live or not; `nil` for any other. Good for ending it alone.
    func expiredSession(_ head: RequestHead, of tenant: TenantContext, at now: Timestamp) -> Session? {
        guard let range = head.range(of: .authorization), range.count > Self.scheme.count else { return nil }
        let token = Array(head.bytes[(range.lowerBound + Self.scheme.count)..<range.upperBound])
        guard case .accepted(let access) = tenant.keys.verifier.verdictWhateverTheTime(on: token, at: now),
            access.expires <= now
        else { return nil }
        return Session(access, of: tenant.id)
    }

    /// A key that is not known here may be one that another service has heard of first.
    private func verdict(on token: [UInt8], of tenant: TenantContext, at now: Timestamp) async throws
        -> AccessTokenVerifier.Verdict
    {
        signatureChecks += 1
        let verdict = tenant.keys.verifier.verdict(on: token, at: now)
        guard verdict == .rejected(.unknownKey), let newer = try await tenants.newer(than: tenant) else {
            return verdict
        }
        signatureChecks += 1
        return newer.keys.verifier.verdict(on: token, at: now)
    }

    /// Holds a token's session against its row, and remembers it for as long as both live.
    private func checked(_ session: Session, _ digest: Digest256, since checkedAt: Int64, at now: Timestamp)
        async throws
        -> Session
    {
        guard let record = try await SessionCheck(session.id, of: session.tenant).first(from: database),
            record.isLive(at: now), record.user == session.user, session.generation <= record.generation
        else { throw Problem.unauthorized }
        if session.generation == record.generation, record.childUsedAt == nil {
            let used = SessionChildUsed(session.id, of: session.tenant, generation: session.generation, at: now)
            try await used.touched(on: database)
        }
        let live = session.ending(by: min(record.idleExpires, record.expires))
        cache.remember(digest, live, checkedAt: checkedAt)
        return live
    }

    private static let scheme = Array("bearer ".utf8)
}
