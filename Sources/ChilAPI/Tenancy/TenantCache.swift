import ChilAuth
import ChilCore
import ChilDatabase
import ChilLoop
import ChilStore

/// A loop's tenants, loaded at their first request and forgotten when they change. Not `Sendable`.
final class TenantCache {
    private struct Absence {
        let until: Int64
    }

    private let loop: EventLoop
    private let database: DatabaseClient
    private let freshness: NotificationFreshness
    private let publicURL: String
    private let sealer: Sealer
    private var tenants: [String: TenantContext] = [:]
    private var absences: [String: Absence] = [:]
    /// Counts what was forgotten, so that a load that began before does not bring it back.
    private var changes: UInt64 = 0

    init(
        on loop: EventLoop,
        _ database: DatabaseClient,
        _ freshness: NotificationFreshness,
        publicURL: String,
        sealer: Sealer
    ) {
        self.loop = loop
        self.database = database
        self.freshness = freshness
        self.publicURL = publicURL
        self.sealer = sealer
    }

    /// - Throws: `Problem.notFound` for a tenant that is not, `DatabaseError` when it cannot be asked for.
    func tenant(_ slug: String) async throws -> TenantContext {
        let now = loop.monotonicNow
        if let known = tenants[slug],
            freshness.vouches(for: known.loadedAt, at: now) || now - known.loadedAt < Self.unheardLife
        {
            return known
        }
        if let absence = absences[slug], now < absence.until { throw Problem.notFound }
        guard Slug(slug) != nil else { throw Problem.notFound }
        let changesBefore = changes
        guard let entry = try await TenantDirectory.entry(slug: slug, from: database) else {
            if absences.count >= Self.absencesMax { absences.removeAll() }
            absences[slug] = Absence(until: now + Self.absenceLife)
            throw Problem.notFound
        }
        let context = try TenantContext(entry, publicURL: publicURL, sealer: sealer, loadedAt: now)
        if changes == changesBefore { tenants[slug] = context }
        return context
    }

    func forget(_ tenant: TenantID) {
        changes += 1
        absences.removeAll()
        for (slug, known) in tenants where known.id == tenant { tenants[slug] = nil }
    }

    func forgetAll() {
        changes += 1
        absences.removeAll()
        tenants.removeAll()
    }

    /// A tenant whose changes may not have been heard of is read again after this long.
    private static let unheardLife: Int64 = 1_000_000_000
    private static let absenceLife: Int64 = 1_000_000_000
    private static let absencesMax = 1_024
}
