package import ChilCore
import ChilDatabase

/// Who changes a setting, for the audit row that is written in the same statement.
///
/// Each change is one statement `with change as (…), note as (insert into audit … from change) select … from change`: audited
/// exactly if something changed. Chained writes are slow when distributed; operators can wait.
package struct OperatorNote: Sendable {
    let operatorName: String
    let audit: AuditID
    package let now: Timestamp

    /// - Parameter audit: a fresh number, used once.
    package init(by operatorName: String, audit: AuditID, at now: Timestamp) {
        self.operatorName = operatorName
        self.audit = audit
        self.now = now
    }

    /// `$1…$4` of every statement here: tenant, audit number, time, operator.
    func bind(_ values: inout BoundValues, of tenant: TenantID) {
        values.append(tenant)
        values.append(audit)
        values.append(now)
        values.append(operatorName)
    }

    /// The audit's part of a statement. `target` and `detail` are SQL over the change's columns.
    static func insert(_ action: String, target: String, detail: String = "null") -> String {
        """
        note as (
            insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail)
            select $1, $2, $3, 'operator', $4, '\(action)', \(target), \(detail) from change limit 1
        )
        """
    }
}
