package import ChilCore
package import ChilDatabase

/// How much due work of one kind is leased at once, and how much of it of one tenant.
package struct ShareClaim: Sendable {
    let countMax: Int
    let lease: Duration
    let holder: String
    let fullTenants: [TenantID]
    let countPerTenant: Int

    /// How far along the queue one look goes.
    private static let windowMax = 256

    /// - Parameters:
    ///   - fullTenants: those that have all the room that one tenant gets.
    ///   - countPerTenant: most of one tenant's that this claim takes.
    package init(countMax: Int, lease: Duration, holder: String, fullTenants: [TenantID], countPerTenant: Int) {
        self.countMax = countMax
        self.lease = lease
        self.holder = holder
        self.fullTenants = fullTenants
        self.countPerTenant = countPerTenant
    }

    /// The kind stands in the text: each has an index of its own.
    static func text(of kind: WorkItem.Kind) -> String {
        """
        with due as (
            select tenant_id, work_id, run_at
              from work
             where kind = '\(kind.rawValue)' and run_at <= now() and tenant_id::text <> all (string_to_array($4, ' '))
             order by run_at limit \(windowMax)
        ), turn as materialized (
            select tenant_id, work_id
              from (
                   select tenant_id, work_id, run_at, row_number() over (partition by tenant_id order by run_at) as place from due
                   ) as placed
             where place <= $5::bigint
             order by run_at limit $1
        ), held as materialized (
            select w.tenant_id, w.work_id
              from turn join work w on w.tenant_id = turn.tenant_id and w.work_id = turn.work_id
             where w.run_at <= now()
               for update of w skip locked
        )
        update work w
           set run_at = now() + $2::bigint * interval '1 millisecond', attempts = w.attempts + 1, fence = w.fence + 1,
               leased_by = $3
          from held
         where w.tenant_id = held.tenant_id and w.work_id = held.work_id
        returning w.tenant_id, w.work_id, w.kind, w.subject_id, w.attempts, w.fence
        """
    }

    func bind(_ values: inout BoundValues) {
        values.append(Int64(countMax))
        values.append(lease.wholeMicroseconds / 1_000)
        values.append(holder)
        values.append(fullTenants.map { "\($0.rawValue)" }.joined(separator: " "))
        values.append(Int64(countPerTenant))
    }
}

/// Leases due work of one kind, oldest first, and of one tenant only some.
package protocol SharedClaim: Statement where Row == WorkItem {
    var share: ShareClaim { get }

    init(_ share: ShareClaim)
}

extension SharedClaim {
    package func run(on database: some Database) async throws(DatabaseError) -> [WorkItem] {
        try await database.run(self, .write, of: nil)
    }

    package func bind(_ values: inout BoundValues) { share.bind(&values) }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> WorkItem { try WorkClaim.row(row) }
}
