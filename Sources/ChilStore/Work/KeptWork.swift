import ChilCore
import ChilDatabase

extension Statement where Row == WorkItem {
    /// What a claim has leased, without what would print, make or tell something for a suspended tenant: whoever suspends one wants nothing to
    /// leave. That is put off for a minute, as often as it takes, and counts as no attempt. What ends something (an account, a token, a job)
    /// goes on.
    func claimed(on database: some Database) async throws(DatabaseError) -> [WorkItem] {
        let items = try await database.run(self, .write, of: nil)
        let leaving = Set(items.lazy.filter { $0.kind.leaves }.map(\.tenant))
        guard !leaving.isEmpty else { return items }
        let suspended = Set(try await database.run(SuspendedTenants(among: leaving), .read, of: nil))
        guard !suspended.isEmpty else { return items }
        var batch = Batch(.write, of: nil)
        for item in items where item.isKept(suspended) { batch.add(WorkKeep(item: item)) }
        _ = try await database.run(batch)
        return items.filter { !$0.isKept(suspended) }
    }
}

extension WorkItem {
    fileprivate func isKept(_ suspended: Set<TenantID>) -> Bool { kind.leaves && suspended.contains(tenant) }
}

extension WorkItem.Kind {
    /// Whether something of a person's leaves the service by it.
    fileprivate var leaves: Bool {
        switch self {
        case .print, .webhook, .image, .scan: true
        case .exchange, .revoke, .event, .cancel, .discard: false
        }
    }
}

/// Which of some tenants are suspended.
struct SuspendedTenants: Statement {
    static let sql = SQL(
        """
        select tenant_id from tenant
         where tenant_id = any ((select string_to_array($1, ' '))::bigint[]) and state = 'suspended'
        """
    )

    private let tenants: String

    init(among tenants: Set<TenantID>) {
        self.tenants = tenants.map { "\($0.rawValue)" }.joined(separator: " ")
    }

    func bind(_ values: inout BoundValues) { values.append(tenants) }

    static func row(_ row: ResultRow) throws(DatabaseError) -> TenantID { try row.id(0) }
}

/// Puts leased work off as if nobody had claimed it. The fence stays raised: the lease is over.
struct WorkKeep: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        update work set run_at = now() + interval '1 minute', attempts = attempts - 1, leased_by = null
         where tenant_id = $1 and work_id = $2 and fence = $3
        """
    )

    let item: WorkItem

    func bind(_ values: inout BoundValues) {
        values.append(item.tenant)
        values.append(item.id)
        values.append(item.fence)
    }
}
