package import ChilCore
package import ChilDatabase

/// Deletes a suspended tenant with all its rows (`chil_delete_tenant` in `sql/`). Running services forget it.
package struct TenantEnd: TenantStatement {
    package enum Outcome: Sendable, Equatable {
        case deleted(rows: Int64)
        /// It is not suspended: requests may be under way.
        case serving
        case missing
    }

    /// A large one takes PostgreSQL as long as it takes.
    package static let patience = Duration.seconds(6 * 3_600)

    package static let access = Batch.Access.write
    package static let sql = SQL("select * from chil_delete_tenant($1, $2, $3)")

    package let tenant: TenantID
    let operatorName: String
    let now: Timestamp

    package init(_ tenant: TenantID, by operatorName: String, at now: Timestamp) {
        self.tenant = tenant
        self.operatorName = operatorName
        self.now = now
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(operatorName)
        values.append(now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Outcome {
        switch row.text(0) {
        case "deleted": .deleted(rows: try row.int64(1))
        case "serving": .serving
        case "missing": .missing
        case let word: throw .unknownWord(word)
        }
    }
}
