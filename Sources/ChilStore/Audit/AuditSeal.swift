package import ChilCore
package import ChilDatabase

/// Adds to a tenant's chain what is not in it yet, a page of rows at a time (`chil_seal_audit` in `sql/`).
package struct AuditSeal: TenantStatement {
    /// Behind which row to look: by the time when it came, then by its number.
    package struct Place: Sendable, Equatable {
        package let recordedAt: Timestamp
        package let audit: Int64

        package init(recordedAt: Timestamp, audit: Int64 = .min) {
            self.recordedAt = recordedAt
            self.audit = audit
        }
    }

    package enum Outcome: Sendable, Equatable {
        /// So many rows are sealed now; where to go on, or nil: there is nothing behind.
        case sealed(Int, next: Place?)
        /// Another seals this tenant.
        case busy
    }

    package static let access = Batch.Access.write
    package static let sql = SQL(
        "select verdict, o_sealed, o_is_end, o_last, o_last_audit from chil_seal_audit($1, $2, $3, $4)"
    )

    package let tenant: TenantID
    let place: Place?
    let countMax: Int32

    /// - Parameter place: `nil`: behind what is settled.
    package init(_ tenant: TenantID, after place: Place? = nil, countMax: Int32 = 1_000) {
        self.tenant = tenant
        self.place = place
        self.countMax = countMax
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(place?.recordedAt)
        values.append(place?.audit)
        values.append(int32: countMax)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Outcome {
        switch row.text(0) {
        case "busy": return .busy
        case "sealed":
            let isEnd = try row.bool(2)
            return .sealed(
                Int(try row.int32(1)),
                next: isEnd ? nil : Place(recordedAt: try row.timestamp(3), audit: try row.int64(4))
            )
        case let word: throw .unknownWord(word)
        }
    }
}

/// Tenants that have rows which are not settled yet, some tenants at a time: one index probe each.
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

    /// - Parameter countMax: how many tenants are looked at.
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
