package import ChilCore
package import ChilDatabase

/// A row of the audit for an act that writes nothing else, such as giving something out.
package struct AuditAdd: TenantStatement {
    package typealias Row = Void

    package enum Actor: Sendable {
        case user(UserID, requestID: String?)
        case `operator`(String)
    }

    package static let access = Batch.Access.write
    package static let sql = SQL(
        """
        insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail, request_id)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        """
    )

    package let tenant: TenantID
    let audit: AuditID
    let actor: Actor
    let action: String
    let target: String?
    let detail: String?
    let now: Timestamp

    package init(
        _ action: String,
        on target: String?,
        in tenant: TenantID,
        by actor: Actor,
        detail: String? = nil,
        audit: AuditID,
        at now: Timestamp
    ) {
        self.tenant = tenant
        self.audit = audit
        self.actor = actor
        self.action = action
        self.target = target
        self.detail = detail
        self.now = now
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(audit)
        values.append(now)
        switch actor {
        case .user(let user, _):
            values.append("user")
            values.append("\(user.rawValue)")
        case .operator(let name):
            values.append("operator")
            values.append(name)
        }
        values.append(action)
        values.append(target)
        values.append(detail)
        if case .user(_, let requestID) = actor { values.append(requestID) } else { values.appendNull() }
    }
}
