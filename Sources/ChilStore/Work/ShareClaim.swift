package import ChilCore
package import ChilDatabase

/// How much due work of one kind is leased at once, and how much of it of one tenant.
package struct ShareClaim: Sendable {
    let countMax: Int
    let lease: Duration
    let holder: String
    let fullTenants: [TenantID]
    let countPerTenant: Int

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
    static func text(of kind: WorkItem.Kind) -> String { ClaimText.text(of: "w.kind = '\(kind.rawValue)'") }

    func bind(_ values: inout BoundValues) {
        values.append(Int64(countMax))
        values.append(lease.wholeMicroseconds / 1_000)
        values.append(holder)
        values.append(ClaimExclusion.text(fullTenants.map { .share($0, .all) }))
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
        try await claimed(on: database)
    }

    package func bind(_ values: inout BoundValues) { share.bind(&values) }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> WorkItem { try WorkClaim.row(row) }
}
