package import ChilCore
package import ChilDatabase

/// Rows that came before a moment and are not sealed, in the order in which they came, a page at a time: from an index of such rows alone,
/// however long the audit is. For the operator's role.
package struct AuditUnsealedPage: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select a.recorded_at, a.audit_id from audit a
         where a.tenant_id = $1 and a.sequence is null and (a.recorded_at, a.audit_id) > ($2, $3) and a.recorded_at < $4
         order by a.recorded_at, a.audit_id limit $5
        """
    )

    package let tenant: TenantID
    let after: AuditPlace?
    let before: Timestamp
    let countMax: Int

    /// - Parameter after: the last of the page before.
    package init(of tenant: TenantID, after: AuditPlace? = nil, before: Timestamp, countMax: Int) {
        self.tenant = tenant
        self.after = after
        self.before = before
        self.countMax = countMax
    }

    package func bind(_ values: inout BoundValues) {
        let after = after ?? AuditPlace(recordedAt: AuditTime.first)
        values.append(tenant)
        values.append(after.recordedAt)
        values.append(after.audit)
        values.append(before)
        values.append(Int64(countMax))
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> AuditPlace {
        AuditPlace(recordedAt: try row.timestamp(0), audit: try row.int64(1))
    }
}

/// Whether the row of the tenant's own making is there, in the chain or not. It may read the whole audit: for when the chain does not have it.
package struct AuditBeginning: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        "select exists (select from audit where tenant_id = $1 and action = '\(AuditRow.beginning)' and target = $2)"
    )

    package let tenant: TenantID
    let slug: String

    package init(of tenant: TenantID, slug: String) {
        self.tenant = tenant
        self.slug = slug
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(slug)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { try row.bool(0) }
}

/// How many rows there are, and how many should be: as many are sealed as the chain has links. Counted in one snapshot.
package struct AuditCount: TenantStatement {
    package struct Row: Sendable, Equatable {
        /// That say they are sealed.
        package let sealed: Int64
        package let links: Int64
    }

    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select (select count(*) from audit where tenant_id = $1)
               - (select count(*) from audit where tenant_id = $1 and sequence is null),
               coalesce((select sequence - base_sequence from audit_chain where tenant_id = $1), 0)
        """
    )

    package let tenant: TenantID

    package init(of tenant: TenantID) {
        self.tenant = tenant
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        Row(sealed: try row.int64(0), links: try row.int64(1))
    }
}

/// Rows that say they are sealed, and have no link, by their numbers, a page at a time. It reads the whole audit: for when `AuditCount` does
/// not agree.
package struct AuditStrayPage: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select a.audit_id from audit a
         where a.tenant_id = $1 and a.audit_id > $2 and a.sequence is not null
           and not exists (
                select from audit_link l where l.tenant_id = $1 and l.sequence = a.sequence and l.audit_id = a.audit_id
               )
         order by a.audit_id limit $3
        """
    )

    package let tenant: TenantID
    let after: Int64
    let countMax: Int

    package init(of tenant: TenantID, after audit: Int64, countMax: Int) {
        self.tenant = tenant
        after = audit
        self.countMax = countMax
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(after)
        values.append(Int64(countMax))
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}
