import ChilCore
import ChilDatabase
import ChilLoop
import ChilStore

/// Seals the audit, tenant by tenant, a page of rows at a time. Replicas may do it at once: PostgreSQL lets one at a tenant.
///
/// What commits late is looked for again: each pass looks seconds back (in `chil_seal_audit`), once a minute so far as any transaction
/// lasts, and once an hour at everything. Not `Sendable`.
final class AuditSealer {
    private struct Look {
        var tenants: ArraySlice<TenantID>
        var place: AuditSeal.Place?
    }

    private let loop: EventLoop
    private let database: DatabaseClient
    private let log: ServiceLog
    private let stopping: StopFlag
    /// Tenants in whose audit something came lately, and when that was seen last: monotonic nanoseconds.
    private var lively: [TenantID: Int64] = [:]
    private var nextLookBack: Int64
    private var nextWholeLook: Int64
    /// The look at everything that is under way.
    private var wholeLook: Look?

    static let interval = Duration.seconds(2)
    private static let lookBackInterval = Duration.seconds(60)
    /// Longer than the longest transaction: an operator's deletion of a large account.
    static let lookBack = AccountDelete.patience + .seconds(60)
    private static let wholeLookInterval = Duration.seconds(3_600)
    private static let rowsPerPage: Int32 = 1_000
    /// Of one tenant, before it is another's turn.
    private static let pagesPerTurn = 20
    private static let tenantsPerPage: Int32 = 1_000
    /// Pages of the look at everything in one pass.
    private static let wholeLookPages = 5

    init(_ database: DatabaseClient, _ log: ServiceLog, on loop: EventLoop, _ stopping: StopFlag) {
        self.database = database
        self.log = log
        self.loop = loop
        self.stopping = stopping
        let now = loop.monotonicNow
        nextLookBack = now + Self.lookBackInterval.nanoseconds
        // Soon after the start: whatever ran before may have ended in the middle. Replicas that start together do it apart.
        nextWholeLook = now + Duration.seconds(Int64.random(in: 5...30)).nanoseconds
    }

    /// Until stopped.
    func run() async {
        while !stopping.isRaised {
            await pass()
            await loop.sleep(Self.interval)
        }
    }

    /// Everything that has come by now.
    func pass() async {
        do {
            try await sealUnsettled()
            let now = loop.monotonicNow
            if now >= nextLookBack {
                nextLookBack = now + Self.lookBackInterval.nanoseconds
                try await sealLate(at: now)
            }
            if now >= nextWholeLook, wholeLook == nil {
                nextWholeLook = now + Self.wholeLookInterval.nanoseconds
                let tenants = try await database.run(TenantList(), .read, of: nil).map(\.id)
                wholeLook = Look(tenants: tenants[...], place: nil)
            }
            try await lookAtEverything()
        } catch {
            // The next pass takes up what this one has left.
            log.write(.warning, "sealing of the audit interrupted", [("error", "\(error)")])
        }
    }

    private func sealUnsettled() async throws {
        var unfinished: [TenantID] = []
        var after: TenantID? = TenantID(rawValue: 0)
        while let from = after, !stopping.isRaised {
            let page = UnsealedTenants(after: from, countMax: Self.tenantsPerPage)
            guard let found = try await database.run(page, .read, of: nil).first else { return }
            for tenant in found.tenants where !stopping.isRaised {
                lively[tenant] = loop.monotonicNow
                if try await !isSealed(tenant, after: nil) { unfinished.append(tenant) }
            }
            after = found.next
        }
        // In turns, so that one tenant's rows do not keep the others' waiting; what is left after two comes with the next pass.
        for tenant in unfinished where !stopping.isRaised { _ = try await isSealed(tenant, after: nil) }
    }

    /// A tenant's turn. False: there may be more.
    private func isSealed(_ tenant: TenantID, after first: AuditSeal.Place?) async throws -> Bool {
        var place = first
        for _ in 0..<Self.pagesPerTurn {
            let seal = AuditSeal(tenant, after: place, countMax: Self.rowsPerPage)
            guard case .sealed(_, let next) = try await seal.answer(from: database), let next else { return true }
            place = next
        }
        return false
    }

    private func sealLate(at now: Int64) async throws {
        let place = AuditSeal.Place(recordedAt: loop.wallClock - Self.lookBack)
        lively = lively.filter { now - $0.value < Self.lookBack.nanoseconds * 2 }
        for tenant in lively.keys where !stopping.isRaised { _ = try await isSealed(tenant, after: place) }
    }

    private func lookAtEverything() async throws {
        guard var look = wholeLook else { return }
        for _ in 0..<Self.wholeLookPages where !stopping.isRaised {
            guard let tenant = look.tenants.first else {
                wholeLook = nil
                return
            }
            let place = look.place ?? AuditSeal.Place(recordedAt: Self.beginning)
            let seal = AuditSeal(tenant, after: place, countMax: Self.rowsPerPage)
            if case .sealed(_, let next) = try await seal.answer(from: database), let next {
                look.place = next
            } else {
                look.tenants.removeFirst()
                look.place = nil
            }
            wholeLook = look
        }
    }

    private static let beginning = Timestamp(seconds: 0)
}
