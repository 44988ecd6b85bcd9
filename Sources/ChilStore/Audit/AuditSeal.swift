package import ChilCore
package import ChilDatabase

/// Adds to a tenant's chain what is not in it yet, a page of rows at a time (`chil_seal_audit` in `sql/`).
package struct AuditSeal: TenantStatement {
    package enum Outcome: Sendable, Equatable {
        /// So many rows are sealed now; whether there were no more.
        case sealed(Int, isEnd: Bool)
        /// Another seals this tenant.
        case busy
    }

    package static let access = Batch.Access.write
    package static let sql = SQL("select verdict, o_sealed, o_is_end from chil_seal_audit($1, $2)")

    package let tenant: TenantID
    let countMax: Int32

    package init(_ tenant: TenantID, countMax: Int32 = 1_000) {
        self.tenant = tenant
        self.countMax = countMax
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(int32: countMax)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Outcome {
        switch row.text(0) {
        case "busy": return .busy
        case "sealed": return .sealed(Int(try row.int32(1)), isEnd: try row.bool(2))
        case let word: throw .unknownWord(word)
        }
    }
}

/// Tenants that have rows which are not sealed, some at a time: one index probe each, and none for all others.
package struct UnsealedTenants: Statement {
    package struct Row: Sendable {
        package let tenants: [TenantID]
        /// Where the next page begins; `nil`: this was the last.
        package let next: TenantID?
    }

    package static let sql = SQL(
        "select o_last, array_to_string(o_tenants, ' ') from chil_unsealed_tenants($1, $2)"
    )

    let after: TenantID
    let countMax: Int32

    package init(after: TenantID = TenantID(rawValue: 0), countMax: Int32 = 1_000) {
        self.after = after
        self.countMax = countMax
    }

    package func bind(_ values: inout BoundValues) {
        values.append(after)
        values.append(int32: countMax)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        Row(
            tenants: row.text(1).split(separator: " ").compactMap { Int64($0) }.map(TenantID.init(rawValue:)),
            next: try row.int64OrNil(0).map(TenantID.init(rawValue:))
        )
    }
}
