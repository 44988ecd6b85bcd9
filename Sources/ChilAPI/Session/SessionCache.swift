import ChilCore
import ChilCrypto

/// Access tokens that a loop has verified, by digest, and sessions that have ended since. Not `Sendable`.
final class SessionCache {
    struct Known {
        let session: Session
        /// When the read that vouched for it was sent: an end heard after that counts.
        let checkedAt: Int64
    }

    private struct SessionKey: Hashable {
        let tenant: TenantID
        let session: SessionID
    }

    private struct UserKey: Hashable {
        let tenant: TenantID
        let user: UserID
    }

    /// Two halves: when the young one is full it becomes the old one, and what the old one held unused is gone.
    private var young: [Digest256: Known] = [:]
    private var old: [Digest256: Known] = [:]
    private var endedSessions: [SessionKey: Int64] = [:]
    private var endedUsers: [UserKey: Int64] = [:]
    /// Reads sent before this vouch for nothing: they may come back after all was forgotten.
    private var forgotAt = Int64.min

    /// A token that was verified here, if its session has not been heard to end since.
    func known(_ digest: Digest256) -> Known? {
        if let known = young[digest] { return isOver(known) ? nil : known }
        guard let known = old[digest], !isOver(known) else { return nil }
        insert(digest, known)
        return known
    }

    func remember(_ digest: Digest256, _ session: Session, checkedAt: Int64) {
        insert(digest, Known(session: session, checkedAt: checkedAt))
    }

    func sessionEnded(_ session: SessionID, of tenant: TenantID, at now: Int64) {
        prune(at: now)
        endedSessions[SessionKey(tenant: tenant, session: session)] = now
    }

    func sessionsEnded(of user: UserID, in tenant: TenantID, at now: Int64) {
        prune(at: now)
        endedUsers[UserKey(tenant: tenant, user: user)] = now
    }

    func forgetAll(at now: Int64) {
        forgotAt = now
        young.removeAll()
        old.removeAll()
    }

    private func isOver(_ known: Known) -> Bool {
        if known.checkedAt <= forgotAt { return true }
        if !endedSessions.isEmpty,
            let end = endedSessions[SessionKey(tenant: known.session.tenant, session: known.session.id)],
            end >= known.checkedAt
        {
            return true
        }
        if !endedUsers.isEmpty, let end = endedUsers[UserKey(tenant: known.session.tenant, user: known.session.user)],
            end >= known.checkedAt
        {
            return true
        }
        return false
    }

    private func insert(_ digest: Digest256, _ known: Known) {
        if young.count >= Self.halfMax {
            old = young
            young.removeAll(keepingCapacity: true)
        }
        young[digest] = known
    }

    /// An end is remembered longer than any token lives.
    private func prune(at now: Int64) {
        guard endedSessions.count + endedUsers.count >= Self.endsMax else { return }
        let horizon = now - Self.endLife
        endedSessions = endedSessions.filter { $0.value > horizon }
        endedUsers = endedUsers.filter { $0.value > horizon }
        if endedSessions.count + endedUsers.count >= Self.endsMax {
            // More ends than can be told apart: nothing that was checked before now is trusted.
            forgetAll(at: now)
            endedSessions.removeAll()
            endedUsers.removeAll()
        }
    }

    private static let halfMax = 8_192
    private static let endsMax = 16_384
    private static let endLife: Int64 = 700_000_000_000
}
