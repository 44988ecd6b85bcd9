package import ChilCore
package import ChilDatabase

/// A piece of work, leased. Whoever acts on it proves with `fence` that the lease is still its own.
package struct WorkItem: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case print, exchange, revoke, event, cancel, webhook, image, scan, discard
    }

    package let tenant: TenantID
    package let id: WorkID
    package let kind: Kind
    /// The row it is about: a print job's number, an event's.
    package let subject: Int64
    /// Claims so far, this one counted.
    package let attempts: Int32
    package let fence: Int64
    /// The printer of a print; else none of a printer.
    package let lane: Int64
}

/// Leases work that is due, of all tenants, in turns (`ClaimText`): of a printer one print, of a tenant some, and the oldest first. A claim
/// moves `run_at` to the lease's end, so work of a dead worker comes back by itself. Leases run by PostgreSQL's clock: it is the one that
/// all workers share. Kinds that this build does not know are left to those of a newer one, which may run beside it. Webhooks are claimed
/// by `WebhookClaim`, pictures by `ImageJobClaim`, pages by `ScanClaim`.
package struct WorkClaim: Statement {
    package static let sql = SQL(
        ClaimText.text(
            of: "w.kind <> 'webhook' and w.kind <> 'image' and w.kind <> 'scan'",
            wanted: "w.kind = any ((select string_to_array($6, ' '))::text[])",
            share: { lane in "(case when \(lane) > 0 then 'printing' else 'other' end)" },
            countPerLane: { lane in "case when \(lane) > 0 then 1 else $5::bigint end" }
        )
    )

    let countMax: Int
    let lease: Duration
    let holder: String
    let exclusions: [ClaimExclusion]
    let countPerShare: Int

    private let kinds: String

    /// - Parameters:
    ///   - leaving: kinds that this process cannot work on, for others.
    ///   - exclusions: those that have all the room that they get.
    ///   - countPerShare: most of one tenant's that this claim takes, of prints and of all else.
    package init(
        countMax: Int,
        lease: Duration,
        holder: String,
        leaving: Set<WorkItem.Kind> = [],
        excluding exclusions: [ClaimExclusion] = [],
        countPerShare: Int? = nil
    ) {
        kinds = WorkItem.Kind.allCases.filter { !leaving.contains($0) }.map(\.rawValue).joined(separator: " ")
        self.countMax = countMax
        self.lease = lease
        self.holder = holder
        self.exclusions = exclusions
        self.countPerShare = countPerShare ?? countMax
    }

    package func run(on database: some Database) async throws(DatabaseError) -> [WorkItem] {
        try await claimed(on: database)
    }

    package func bind(_ values: inout BoundValues) {
        values.append(Int64(countMax))
        values.append(lease.wholeMicroseconds / 1_000)
        values.append(holder)
        values.append(ClaimExclusion.text(exclusions))
        values.append(Int64(countPerShare))
        values.append(kinds)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> WorkItem {
        WorkItem(
            tenant: try row.id(0),
            id: try row.id(1),
            kind: try row.word(2),
            subject: try row.int64(3),
            attempts: try row.int32(4),
            fence: try row.int64(5),
            lane: try row.int64(6)
        )
    }
}

/// Ends work that has nothing else to write. False: the lease is another's now.
package struct WorkFinish: Statement {
    package typealias Row = Void

    package static let sql = SQL("delete from work where tenant_id = $1 and work_id = $2 and fence = $3")

    let item: WorkItem

    package init(_ item: WorkItem) {
        self.item = item
    }

    package func run(on database: some Database) async throws(DatabaseError) -> Bool {
        var batch = Batch(.write, of: nil)
        let slot = batch.add(self)
        return try await database.run(batch).touched(slot) == 1
    }

    package func bind(_ values: inout BoundValues) {
        values.append(item.tenant)
        values.append(item.id)
        values.append(item.fence)
    }
}

/// Puts work off, or prolongs its lease. False: the lease is another's now.
package struct WorkPostpone: Statement {
    package typealias Row = Void

    package static let sql = SQL(
        """
        update work set run_at = now() + $4::bigint * interval '1 millisecond'
         where tenant_id = $1 and work_id = $2 and fence = $3
        """
    )

    let item: WorkItem
    let length: Duration

    package init(_ item: WorkItem, by length: Duration) {
        self.item = item
        self.length = length
    }

    package func run(on database: some Database) async throws(DatabaseError) -> Bool {
        var batch = Batch(.write, of: nil)
        let slot = batch.add(self)
        return try await database.run(batch).touched(slot) == 1
    }

    package func bind(_ values: inout BoundValues) {
        values.append(item.tenant)
        values.append(item.id)
        values.append(item.fence)
        values.append(length.wholeMicroseconds / 1_000)
    }
}
