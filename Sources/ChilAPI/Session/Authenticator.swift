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

    init(on loop: EventLoop, _ database: DatabaseClient, _ freshness: NotificationFreshness, _ cache: SessionCache) {
        self.loop = loop
        self.database = database
        self.freshness = freshness
        self.cache = cache
    }

    /// - Throws: `Problem.unauthorized` for every kind of bad token, `DatabaseError` when the session cannot be asked for.
    func session(_ head: RequestHead, of tenant: TenantContext, at now: Timestamp) async throws -> Session {
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
        let checkedAt = loop.monotonicNow
        if let known = cache.known(digest) {
            let session = known.session
            guard session.tenant == tenant.id, now < session.expires else { throw Problem.unauthorized }
            if !freshness.vouches(for: known.checkedAt, at: checkedAt) {
                try await check(session, at: now)
                cache.remember(digest, session, checkedAt: checkedAt)
            }
            return session
        }
        let token = head.bytes[(range.lowerBound + Self.scheme.count)..<range.upperBound]
        guard case .accepted(let access) = tenant.verifier.verdict(on: Array(token), at: now) else {
            throw Problem.unauthorized
        }
        let session = Session(
            tenant: tenant.id,
            user: access.userID,
            id: access.sessionID,
            generation: access.generation,
            expires: access.expires
        )
        try await check(session, at: now)
        cache.remember(digest, session, checkedAt: checkedAt)
        return session
    }

    /// The session of a token of ours whose ten minutes are over, live or not; `nil` for any other. Good for ending it alone.
    func expiredSession(_ head: RequestHead, of tenant: TenantContext, at now: Timestamp) -> Session? {
        guard let range = head.range(of: .authorization), range.count > Self.scheme.count else { return nil }
        let token = Array(head.bytes[(range.lowerBound + Self.scheme.count)..<range.upperBound])
        guard case .accepted(let access) = tenant.verifier.verdictWhateverTheTime(on: token, at: now),
            access.expires <= now
        else { return nil }
        return Session(
            tenant: tenant.id,
            user: access.userID,
            id: access.sessionID,
            generation: access.generation,
            expires: access.expires
        )
    }

    private func check(_ session: Session, at now: Timestamp) async throws {
        guard let record = try await SessionCheck(session.id, of: session.tenant).first(from: database),
            record.isLive(at: now), record.user == session.user, session.generation <= record.generation
        else { throw Problem.unauthorized }
        if session.generation == record.generation, record.childUsedAt == nil {
            let used = SessionChildUsed(session.id, of: session.tenant, generation: session.generation, at: now)
            try await used.touched(on: database)
        }
    }

    private static let scheme = Array("bearer ".utf8)
}
