import ChilAuth
import ChilCore
import ChilDatabase
import ChilLoop
import ChilStore

/// A loop's tenants, loaded at their first request and forgotten when they change. Not `Sendable`.
final class TenantCache {
    /// A tenant that is being read; who asks for it meanwhile waits for the same answer.
    private final class Loading {
        var waiters: [UnsafeContinuation<Void, Never>] = []
        var outcome: Result<TenantContext, any Error>?
    }

    /// Why there is no context, remembered for a moment.
    private struct Refusal {
        let problem: Problem
        let until: Int64
    }

    private let loop: EventLoop
    private let database: DatabaseClient
    private let freshness: NotificationFreshness
    private let publicURL: String
    private let sealer: Sealer
    private let log: ServiceLog
    private var tenants: [String: TenantContext] = [:]
    private var refusals: [String: Refusal] = [:]
    private var loading: [String: Loading] = [:]

    init(
        on loop: EventLoop,
        _ database: DatabaseClient,
        _ freshness: NotificationFreshness,
        publicURL: String,
        sealer: Sealer,
        _ log: ServiceLog
    ) {
        self.loop = loop
        self.database = database
        self.freshness = freshness
        self.publicURL = publicURL
        self.sealer = sealer
        self.log = log
    }

    /// - Throws: `Problem.notFound` for a tenant that is not, `Problem.tenantUnavailable` for one that cannot be served,
    ///   `DatabaseError` when it cannot be asked for.
    func tenant(_ slug: String) async throws -> TenantContext {
        if let known = fresh(slug) { return known }
        if let refusal = refusals[slug], loop.monotonicNow < refusal.until { throw refusal.problem }
        guard Slug(slug) != nil else { throw Problem.notFound }
        return try await load(slug)
    }

    /// The tenant if what is known of it here holds.
    func fresh(_ slug: String) -> TenantContext? {
        let now = loop.monotonicNow
        guard let known = tenants[slug],
            freshness.vouches(for: known.loadedAt, at: now) || now - known.loadedAt < Self.unheardLife
        else { return nil }
        return known
    }

    /// The tenant as it was last read, however long ago.
    func remembered(_ slug: String) -> TenantContext? { tenants[slug] }

    /// Whether the database would have to say what that tenant is.
    func mustAsk(_ slug: String) -> Bool {
        guard tenants[slug] == nil else { return false }
        if let refusal = refusals[slug], loop.monotonicNow < refusal.until { return false }
        return Slug(slug) != nil
    }

    /// The tenant as it was read after `context`, for a token of a key that `context` does not have: another service may have
    /// heard of the key first. Read anew at most once a second, however many such tokens come; `nil`: there is nothing newer.
    func newer(than context: TenantContext) async throws -> TenantContext? {
        let slug = context.slug.text
        if let known = tenants[slug], known.loadedAt > context.loadedAt { return known }
        guard loop.monotonicNow - context.loadedAt >= Self.unheardLife else { return nil }
        return try await load(slug)
    }

    func forget(_ tenant: TenantID) {
        // Whatever is being read may be older than the change: nobody else shall wait for it, and it is not kept.
        loading.removeAll()
        refusals.removeAll()
        for (slug, known) in tenants where known.id == tenant { tenants[slug] = nil }
    }

    func forgetAll() {
        loading.removeAll()
        refusals.removeAll()
        tenants.removeAll()
    }

    private func load(_ slug: String) async throws -> TenantContext {
        if let loading = loading[slug] {
            await withUnsafeContinuation { loading.waiters.append($0) }
            if let outcome = loading.outcome { return try outcome.get() }
        }
        let mine = Loading()
        loading[slug] = mine
        let now = loop.monotonicNow
        let outcome: Result<TenantContext, any Error>
        do {
            outcome = .success(try await read(slug, at: now))
        } catch {
            outcome = .failure(error)
        }
        if loading[slug] === mine {
            loading[slug] = nil
            keep(outcome, slug)
        }
        mine.outcome = outcome
        for waiter in mine.waiters { waiter.resume() }
        return try outcome.get()
    }

    private func read(_ slug: String, at now: Int64) async throws -> TenantContext {
        let wallClock = loop.wallClock
        guard let entry = try await TenantDirectory.entry(slug: slug, from: database) else { throw Problem.notFound }
        do {
            return try TenantContext(entry, publicURL: publicURL, sealer: sealer, loadedAt: now, at: wallClock)
        } catch {
            log.write(.error, "tenant cannot be served", [("tenant", slug), ("error", "\(error)")])
            throw Problem.tenantUnavailable
        }
    }

    private func keep(_ outcome: Result<TenantContext, any Error>, _ slug: String) {
        switch outcome {
        case .success(let context): tenants[slug] = context
        case .failure(let error):
            guard let problem = error as? Problem else { return }
            tenants[slug] = nil
            if refusals.count >= Self.refusalsMax { refusals.removeAll() }
            refusals[slug] = Refusal(problem: problem, until: loop.monotonicNow + Self.refusalLife)
        }
    }

    /// A tenant whose changes may not have been heard of is read again after this long.
    private static let unheardLife: Int64 = 1_000_000_000
    private static let refusalLife: Int64 = 1_000_000_000
    private static let refusalsMax = 1_024
}
