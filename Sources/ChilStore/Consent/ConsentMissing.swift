package import ChilCore
package import ChilDatabase

/// Whether consent to an act is missing now (`chil_missing_consent` in `sql/`): for who acts later than was asked.
package struct ConsentMissing: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL("select chil_missing_consent($1, $2, $3) is not null")

    package let tenant: TenantID
    let user: UserID
    let scope: ConsentScope

    package init(_ scope: ConsentScope, of user: UserID, in tenant: TenantID) {
        self.tenant = tenant
        self.user = user
        self.scope = scope
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(user)
        values.append(scope.description)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { try row.bool(0) }
}
