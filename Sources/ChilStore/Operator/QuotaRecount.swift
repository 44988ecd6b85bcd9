package import ChilCore
package import ChilDatabase

/// A counter that is not what there is.
package struct QuotaDifference: Sendable, Equatable {
    package let key: QuotaKey
    /// The user or printer, as the scope says; `nil`: the tenant.
    package let subject: Int64?
    package let used: Int64
    /// Of something lasting: its rows and what is reserved. Of a window, whose rows may be gone again: what is reserved in it at least.
    package let counted: Int64

    init(_ row: ResultRow) throws(DatabaseError) {
        key = try QuotaKey(row)
        let number = try row.int64(3)
        subject = number == 0 ? nil : number
        used = try row.int64(4)
        counted = try row.int64(5)
    }
}

/// The counters of a tenant that differ from its rows, seen at one moment: traffic makes no difference.
package struct QuotaCheck: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL("select * from chil_quota_differences($1)")

    package let tenant: TenantID

    package init(of tenant: TenantID) {
        self.tenant = tenant
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> QuotaDifference { try QuotaDifference(row) }
}

/// Sets those counters right, each metric's while nobody takes of it, and answers what they were.
package struct QuotaRecount: Sendable {
    let tenant: TenantID
    let note: OperatorNote

    package init(of tenant: TenantID, note: OperatorNote) {
        self.tenant = tenant
        self.note = note
    }

    package func run(on database: some Database) async throws(DatabaseError) -> [QuotaDifference] {
        var batch = Batch(.write, of: tenant)
        let change = batch.add(CountersMend(recount: self))
        return try await database.run(batch).rows(change)
    }
}

private struct CountersMend: Statement {
    static let sql = SQL(
        """
        with mended as materialized (
            select * from chil_recount_quotas($1)
        ), change as (
            select count(*) as counters from mended having count(*) > 0
        ), \(OperatorNote.insert("quota.recount", target: "null", detail: "counters || ' counters'"))
        select * from mended
        """
    )

    let recount: QuotaRecount

    func bind(_ values: inout BoundValues) { recount.note.bind(&values, of: recount.tenant) }

    static func row(_ row: ResultRow) throws(DatabaseError) -> QuotaDifference { try QuotaDifference(row) }
}
