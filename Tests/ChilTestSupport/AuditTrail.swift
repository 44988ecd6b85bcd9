package import ChilCore
package import ChilDatabase
package import ChilStore

/// The audit's newest rows: for the operator's role, the service's cannot read them.
package struct AuditTrail: TenantStatement {
    package struct Row: Sendable {
        package let id: AuditID
        package let at: Timestamp
        package let actorKind: String
        package let actor: String
        package let action: String
        package let target: String?
        package let detail: String?
        package let requestID: String?
    }

    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select audit_id, at, actor_kind, actor, action, target, detail, request_id
          from audit where tenant_id = $1 order by audit_id desc limit $2
        """
    )

    package let tenant: TenantID
    let countMax: Int

    package init(of tenant: TenantID, countMax: Int) {
        self.tenant = tenant
        self.countMax = countMax
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(Int64(countMax))
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        Row(
            id: try row.id(0),
            at: try row.timestamp(1),
            actorKind: row.text(2),
            actor: row.text(3),
            action: row.text(4),
            target: row.textOrNil(5),
            detail: row.textOrNil(6),
            requestID: row.textOrNil(7)
        )
    }
}
